//! The files of one running cluster.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::error::{Context, Error, Result};

/// Unix sockets have short addresses: 104 bytes with the closing zero on the strictest systems.
const SOCKET_LIMIT: usize = 103;

/// Where each file of a cluster is: one folder holds all.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    folder: PathBuf,
}

impl Layout {
    /// Refuses a folder whose path is too long for the sockets in it.
    pub(crate) fn new(folder: &Path) -> Result<Self> {
        let layout = Self { folder: folder.to_owned() };
        if layout.etcd_socket().as_os_str().len() > SOCKET_LIMIT {
            return Err(Error::Io {
                what: format!("put a unix socket into {}", folder.display()),
                error: std::io::Error::other("the path is too long: set TMPDIR to a shorter one"),
            });
        }
        Ok(layout)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file by its name.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns a path as an argument of a program.
    pub(crate) fn text(&self, name: &str) -> String {
        self.file(name).to_string_lossy().into_owned()
    }

    pub(crate) fn etcd_socket(&self) -> PathBuf {
        self.file("etcd.sock")
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.file("kubeconfig")
    }

    pub(crate) fn log(&self, component: &str) -> PathBuf {
        self.file(&format!("{component}.log"))
    }

    /// Writes a file that only its owner can read.
    pub(crate) fn write(&self, name: &str, content: &str) -> Result<()> {
        write_private(&self.file(name), content.as_bytes())
    }
}

/// Writes a file that only its owner can read.
pub(crate) fn write_private(path: &Path, content: &[u8]) -> Result<()> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
        .and_then(|mut file| file.write_all(content))
        .context(|| format!("write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn files_are_private() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path()).unwrap();
        layout.write("admin.key", "secret").unwrap();
        assert_eq!(layout.file("admin.key").metadata().unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_path_too_long_for_sockets_is_reported() {
        let error = Layout::new(&Path::new("/tmp").join("x".repeat(100))).unwrap_err();
        assert!(error.to_string().contains("set TMPDIR"), "{error}");
    }
}
