//! Lines to the program at the other end.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Where lines go. Shared by the reading and the searching thread; a line is never torn.
#[derive(Clone)]
pub struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    /// Lines go to `writer`.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(writer)))
    }

    /// Writes a line and flushes it. A reader that went away shows at the next read, as the end of input:
    /// nothing is to be done about it here.
    pub fn line(&self, text: &str) {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written: io::Result<()> = writeln!(writer, "{text}").and_then(|()| writer.flush());
        drop(written);
    }
}

#[cfg(test)]
pub mod testing {
    use super::Output;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    /// An output that tests look at.
    #[derive(Clone, Default)]
    pub struct Captured(Arc<Mutex<Vec<u8>>>);

    impl Captured {
        /// An output that writes here.
        pub fn output(&self) -> Output {
            Output::new(self.clone())
        }

        /// What was written so far.
        pub fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
