//! Which exit code an error means. 2 is the rule: most errors are about what the user gave.

use std::fmt;
use std::path::Path;

/// Exit code: something failed that was asked for correctly (the disk, a claim that `--require` wanted).
pub const FAILED: u8 = 1;
/// Exit code: wrong use, bad input.
pub const WRONG_USE: u8 = 2;
/// Exit code: stopped by Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Marks an error as exit code [`FAILED`].
#[derive(Debug)]
pub struct Failed(pub String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failed {}

/// Marks an error as exit code [`INTERRUPTED`]; the text says how to go on.
#[derive(Debug)]
pub struct Interrupted(pub String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Interrupted {}

/// A write that failed: `what` could not be done with `path`.
pub fn disk(what: &str, path: &Path, error: std::io::Error) -> anyhow::Error {
    Failed(format!("cannot {what} {}: {error}", path.display())).into()
}

/// The exit code of an error.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    if error.chain().any(|cause| cause.is::<Interrupted>()) {
        INTERRUPTED
    } else if error.chain().any(|cause| cause.is::<Failed>()) {
        FAILED
    } else {
        WRONG_USE
    }
}

/// Whether the reader of our output went away (`equipoise moves magi | head -1`): no error at all.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
