//! A child process that talks in lines, with deadlines.

use super::super::Fault;
use super::{fault, protocol};
use engine::outcome::Termination;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Longest line read; the rest of a longer one is dropped.
const LONGEST_LINE: u64 = 1 << 16;
/// Lines waiting to be read at most; a program that floods us is held up.
const WAITING_LINES: usize = 1024;
/// How long a program that was told to quit may take.
const FAREWELL: Duration = Duration::from_millis(500);

/// The process.
pub struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    /// Starts a command; its standard error is thrown away.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub fn start(command: &[String]) -> Result<Process, Fault> {
        let crash = |text: String| fault(Termination::FaultCrash, text);
        let (program, args) = command.split_first().ok_or_else(|| crash("no command".to_owned()))?;
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| crash(format!("cannot start `{program}`: {e}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(crash(format!("`{program}` has no standard input or output")));
        };
        let (sender, lines) = sync_channel(WAITING_LINES);
        std::thread::spawn(move || read_lines(BufReader::new(output), &sender));
        Ok(Process { child, input, lines })
    }

    /// Sends a line.
    ///
    /// # Errors
    /// The process is dead.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        let written = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        written.map_err(|_| self.death())
    }

    /// The next line, without white space around it.
    ///
    /// # Errors
    /// None came before the deadline, or the process died.
    pub fn line(&mut self, deadline: Instant, awaited: &str) -> Result<String, Fault> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                Err(fault(Termination::FaultHang, format!("no {awaited} in the time allowed")))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.death()),
        }
    }

    /// Drops the lines that have come already.
    pub fn skip_waiting(&mut self) {
        while self.lines.try_recv().is_ok() {}
    }

    fn death(&mut self) -> Fault {
        // Its output is closed: give it a moment to be gone, so that its exit code can be told.
        match self.wait(FAREWELL) {
            Some(status) => fault(Termination::FaultCrash, format!("the program ended ({status})")),
            None => protocol("the program closed its output"),
        }
    }

    fn wait(&mut self, time: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Whether it listens or not, it is gone afterwards.
        let told = writeln!(self.input, "quit").and_then(|()| self.input.flush());
        if told.is_err() || self.wait(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn read_lines(mut output: BufReader<impl Read>, sender: &SyncSender<String>) {
    loop {
        let mut bytes = Vec::new();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_LINE && !skip_line(&mut output) {
            return;
        }
        if sender.send(String::from_utf8_lossy(&bytes).trim().to_owned()).is_err() {
            return;
        }
    }
}

/// Reads past the end of a line; false at the end of the output.
fn skip_line(output: &mut impl BufRead) -> bool {
    loop {
        let Ok(buffer) = output.fill_buf() else { return false };
        if buffer.is_empty() {
            return false;
        }
        let end = buffer.iter().position(|b| *b == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        output.consume(used);
        if end.is_some() {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_the_next_is_whole() {
        let text = format!("{}\nnext\nlast", "x".repeat(200_000));
        let (sender, lines) = sync_channel(10);
        read_lines(BufReader::new(text.as_bytes()), &sender);
        drop(sender);
        let lines: Vec<String> = lines.iter().collect();
        assert_eq!(lines[0].len() as u64, LONGEST_LINE);
        assert_eq!(lines[1..], ["next", "last"]);
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let command = ["/nonexistent/engine".to_owned()];
        let fault = Process::start(&command).err().unwrap();
        assert_eq!(fault.termination, Termination::FaultCrash);
        assert!(fault.text.contains("cannot start `/nonexistent/engine`"), "{}", fault.text);
    }
}
