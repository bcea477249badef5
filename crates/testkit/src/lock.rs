//! One at a time, across processes.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Context, Result};
use crate::folders::create_private;

const POLL: Duration = Duration::from_millis(50);

/// An exclusive lock on a file, released on drop and when its process dies.
#[derive(Debug)]
pub(crate) struct FileLock {
    file: File,
    path: PathBuf,
}

impl FileLock {
    /// Waits for the lock. `waiting` is called with the time so far, about every 50 ms, and not at all if the lock is
    /// free.
    pub(crate) fn acquire(path: &Path, mut waiting: impl FnMut(Duration)) -> Result<Self> {
        let start = Instant::now();
        loop {
            if let Some(lock) = Self::attempt(path)? {
                return Ok(lock);
            }
            waiting(start.elapsed());
            thread::sleep(POLL);
        }
    }

    /// Takes the lock if it is free.
    fn attempt(path: &Path) -> Result<Option<Self>> {
        let what = || format!("lock {}", path.display());
        if let Some(folder) = path.parent() {
            create_private(folder)?;
        }
        let file = match OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path) {
            Ok(file) => file,
            // The last holder removed the folder just now.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).context(what),
        };
        match file.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error).context(what),
        }
        // A holder may remove the file: a lock on the removed file excludes nobody.
        let locked = file.metadata().context(what)?;
        match path.metadata() {
            Ok(named) if named.ino() == locked.ino() && named.dev() == locked.dev() => {
                Ok(Some(Self { file, path: path.to_owned() }))
            }
            _ => Ok(None),
        }
    }

    /// Removes the file and releases the lock; who waits for it makes a new one.
    pub(crate) fn remove(self) {
        let _ = std::fs::remove_file(&self.path);
        drop(self.file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn one_holder_at_a_time() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("locks/a.lock");
        let held = FileLock::acquire(&path, |_| panic!("nobody has it")).unwrap();
        assert!(FileLock::attempt(&path).unwrap().is_none());
        drop(held);
        assert!(FileLock::attempt(&path).unwrap().is_some());
    }

    #[test]
    fn removal_never_lets_two_in() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a.lock");
        let inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        let lock = FileLock::acquire(&path, |_| ()).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two hold the lock");
                        inside.fetch_sub(1, Ordering::SeqCst);
                        lock.remove();
                    }
                });
            }
        });
        assert!(!path.exists());
    }

    #[test]
    fn a_removed_file_is_no_lock() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a.lock");
        let first = FileLock::acquire(&path, |_| ()).unwrap();
        let waiting = OpenOptions::new().write(true).open(&path).unwrap();
        first.remove();
        waiting.try_lock().unwrap();
        assert!(FileLock::attempt(&path).unwrap().is_some(), "the old file's lock does not count");
    }
}
