//! A run's folder: one run, one process writing.

use super::MANIFEST;
use crate::failure::{Failed, disk};
use anyhow::{Result, bail};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

const LOCK: &str = ".lock";

/// A folder that this process alone writes to, as long as this value lives.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    // Locked as long as it is open; the system unlocks it when the process dies, however it dies.
    _lock: File,
}

impl Folder {
    /// Complains unless a run can start in the folder at `path` (or, to `resume`, is there): it holds a run,
    /// or things that are no run of ours. Touches nothing.
    ///
    /// # Errors
    /// What stands in the way.
    pub fn check_free(path: &Path, resume: bool) -> Result<()> {
        if path.join(MANIFEST).exists() {
            if resume {
                return Ok(());
            }
            bail!(
                "{} holds a run already; add --resume to go on with it, or give another folder with --out",
                path.display()
            );
        }
        if path.exists() && !path.is_dir() {
            bail!("{} is not a folder", path.display());
        }
        // What this program leaves when it is stopped before it wrote anything does not count.
        let ours = |name: &str| name == LOCK || name.ends_with(".tmp");
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if !ours(&name) {
                let path = path.display();
                bail!(
                    "{path} is not empty and holds no run (it holds {name}); give another folder with --out"
                );
            }
        }
        Ok(())
    }

    /// Takes the folder for writing, making it if need be.
    ///
    /// # Errors
    /// The disk; a folder that another process writes to.
    pub fn take(path: &Path) -> Result<Folder> {
        std::fs::create_dir_all(path).map_err(|e| disk("make the folder", path, e))?;
        let lock = path.join(LOCK);
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock)
            .map_err(|e| disk("write", &lock, e))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failed(format!("another process is writing to {}", path.display())).into());
            }
            // A file system without locks: nothing can be promised there, and nothing refused.
            Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(disk("lock", &lock, e)),
        }
        Ok(Folder { path: path.to_owned(), _lock: file })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it holds a run.
    pub fn holds_run(&self) -> bool {
        self.path.join(MANIFEST).exists()
    }

    /// Writes a file whole or not at all.
    ///
    /// # Errors
    /// The disk.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        write_whole(&self.path.join(name), text)
    }
}

/// Writes a file whole or not at all: under another name first, renamed when all of it is on the disk.
///
/// # Errors
/// The disk.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    };
    write().map_err(|e| {
        // What is left of it is of no use, and a full disk wants the space.
        let _ = std::fs::remove_file(&temporary);
        disk("write", path, e)
    })
}
