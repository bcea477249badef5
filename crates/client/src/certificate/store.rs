//! Stores of certificates.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use client_rs_machinery::Time;

use crate::certificate::{CertificateError, CertificatePair};

/// Stores a certificate and its key between runs. The methods are not called on async worker threads, so they may block.
pub trait Store: fmt::Debug + Send + Sync + 'static {
    /// The stored certificate; [`CertificateError::None`] if there is none.
    fn current(&self) -> Result<CertificatePair, CertificateError>;

    /// Replaces the stored certificate. Afterwards, and after a crash at any moment, the store contains one of the two.
    fn update(&self, pair: &CertificatePair) -> Result<(), CertificateError>;
}

/// A store in memory, for tests and for short-lived programs.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<Option<CertificatePair>>);

impl Store for MemoryStore {
    fn current(&self) -> Result<CertificatePair, CertificateError> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        kept.ok_or_else(|| CertificateError::None("none was stored".to_owned()))
    }

    fn update(&self, pair: &CertificatePair) -> Result<(), CertificateError> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(pair.clone());
        Ok(())
    }
}

/// A store in files, with the names of client-go, so that each can read the files of the other.
///
/// The folder contains certificate and key in one file, `PREFIX-TIME.pem`, readable only by its owner, and
/// `PREFIX-current.pem`, a link to the newest one that is replaced atomically. Old files stay. Without the link, `PREFIX.crt`
/// and `PREFIX.key` are read.
///
/// ```
/// use client_rs_client::certificate::{CertificatePair, FileStore, Store};
///
/// # let folder = tempfile::tempdir()?;
/// # let made = rcgen::generate_simple_self_signed(vec!["web.example".to_owned()])?;
/// # let pair = CertificatePair::from_pem(&made.cert.pem(), &made.signing_key.serialize_pem())?;
/// let store = FileStore::new(folder.path(), "server")?;
/// assert!(store.current().is_err(), "no certificate yet");
/// store.update(&pair)?;
/// assert_eq!(store.current()?, pair);
/// assert!(store.current_path().ends_with("server-current.pem"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileStore {
    folder: PathBuf,
    prefix: String,
}

impl FileStore {
    /// A store in this folder, which is created if necessary. An interrupted replacement is completed.
    pub fn new(folder: impl Into<PathBuf>, prefix: impl Into<String>) -> Result<Self, CertificateError> {
        let store = Self { folder: folder.into(), prefix: prefix.into() };
        fs::create_dir_all(&store.folder).map_err(|error| failed(&store.folder, error))?;
        let (current, updated) = (store.current_path(), store.path("updated"));
        if !exists(&current)? && is_link(&updated)? {
            fs::rename(&updated, &current).map_err(|error| failed(&current, error))?;
        }
        Ok(store)
    }

    /// The file that always contains the current certificate and its key.
    pub fn current_path(&self) -> PathBuf {
        self.path("current")
    }

    fn path(&self, what: &str) -> PathBuf {
        self.folder.join(format!("{}-{what}.pem", self.prefix))
    }

    /// Points the link at a file, atomically.
    fn point(&self, file: &Path) -> Result<(), CertificateError> {
        let (current, updated) = (self.current_path(), self.path("updated"));
        // A plain file here belongs to another program and must not be removed.
        is_link(&current)?;
        if is_link(&updated)? {
            fs::remove_file(&updated).map_err(|error| failed(&updated, error))?;
        }
        let file = fs::canonicalize(file).map_err(|error| failed(file, error))?;
        link(&file, &updated).map_err(|error| failed(&updated, error))?;
        // Replaces the old link atomically: there is always one.
        fs::rename(&updated, &current).map_err(|error| failed(&current, error))?;
        sync_folder(&self.folder);
        Ok(())
    }
}

impl Store for FileStore {
    fn current(&self) -> Result<CertificatePair, CertificateError> {
        let read = |path: &Path| fs::read_to_string(path).map_err(|error| failed(path, error));
        let current = self.current_path();
        if exists(&current)? {
            let text = read(&current)?;
            return CertificatePair::from_pem(&text, &text);
        }
        let [certificate, key] = ["crt", "key"].map(|end| self.folder.join(format!("{}.{end}", self.prefix)));
        if exists(&certificate)? && exists(&key)? {
            return CertificatePair::from_pem(&read(&certificate)?, &read(&key)?);
        }
        Err(CertificateError::None(format!(
            "neither {} nor {} exists",
            current.display(),
            certificate.display()
        )))
    }

    fn update(&self, pair: &CertificatePair) -> Result<(), CertificateError> {
        let (path, mut file) = self.create(Time::now())?;
        let written = file.write_all(pair.joined().as_bytes()).and_then(|()| file.sync_all());
        if let Err(error) = written {
            // Nothing refers to it.
            let _ = fs::remove_file(&path);
            return Err(failed(&path, error));
        }
        self.point(&path)
    }
}

impl FileStore {
    /// A new file for this time. Two in one second differ by a number.
    fn create(&self, now: Time) -> Result<(PathBuf, File), CertificateError> {
        let stamp = now.truncated().to_string().trim_end_matches('Z').replace(['T', ':'], "-");
        for number in 0..1000 {
            let what = if number == 0 { stamp.clone() } else { format!("{stamp}-{number}") };
            let path = self.path(&what);
            match private(&path) {
                Ok(file) => return Ok((path, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path, error)),
            }
        }
        Err(failed(&self.path(&stamp), io::ErrorKind::AlreadyExists.into()))
    }
}

/// A new file that only its owner can read, from the moment of its creation.
pub(super) fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(unix)]
fn link(file: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(file, link)
}

/// Links need special rights on this system, so this makes a copy.
#[cfg(not(unix))]
fn link(file: &Path, link: &Path) -> io::Result<()> {
    fs::copy(file, link).map(drop)
}

fn sync_folder(folder: &Path) {
    // Not every file system supports this; the files themselves are safe.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

fn exists(path: &Path) -> Result<bool, CertificateError> {
    path.try_exists().map_err(|error| failed(path, error))
}

/// Returns `true` if the link exists; a plain file in its place is an error.
fn is_link(path: &Path) -> Result<bool, CertificateError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() || cfg!(not(unix)) => Ok(true),
        Ok(_) => Err(failed(
            path,
            io::Error::new(io::ErrorKind::AlreadyExists, "a link should be here, not a file"),
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed(path, error)),
    }
}

pub(super) fn failed(path: &Path, error: io::Error) -> CertificateError {
    CertificateError::File { path: path.to_owned(), error }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::certificate::pair::tests::{made, pem, template};

    #[test]
    fn t8_3_09_the_link_is_replaced_in_one_step_and_files_are_their_owners_only() {
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::new(folder.path().join("pki"), "kubelet-client").unwrap();
        assert!(matches!(store.current(), Err(CertificateError::None(_))));
        let pairs = [made(&template(), 1_600_000_000, 60), made(&template(), 1_600_000_060, 60)];
        for pair in &pairs {
            store.update(pair).unwrap();
            assert_eq!(store.current().unwrap(), *pair);
            let target = fs::read_link(store.current_path()).unwrap();
            assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
            assert!(target.file_name().unwrap().to_str().unwrap().starts_with("kubelet-client-20"));
        }
        let files = fs::read_dir(folder.path().join("pki")).unwrap().count();
        assert_eq!(files, 3, "two certificates and the link");
        // Another process finds it.
        assert_eq!(
            FileStore::new(folder.path().join("pki"), "kubelet-client").unwrap().current().unwrap(),
            pairs[1]
        );
    }

    #[test]
    fn t8_3_09_a_plain_file_in_the_links_place_is_an_error_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::new(folder.path(), "a").unwrap();
        fs::write(store.current_path(), "mine").unwrap();
        let outcome = store.update(&made(&template(), 1_600_000_000, 60));
        assert!(matches!(outcome, Err(CertificateError::File { .. })), "{outcome:?}");
        assert_eq!(fs::read_to_string(store.current_path()).unwrap(), "mine");
        assert!(matches!(store.current(), Err(CertificateError::Pair(_))));
    }

    #[test]
    fn t8_3_09_a_replacement_that_was_broken_off_is_completed_and_plain_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let (certificate, key) = pem(&template(), 1_600_000_000, 60);
        fs::write(folder.path().join("a.crt"), &certificate).unwrap();
        fs::write(folder.path().join("a.key"), &key).unwrap();
        let store = FileStore::new(folder.path(), "a").unwrap();
        let plain = store.current().unwrap();
        let newer = made(&template(), 1_600_000_060, 60);
        store.update(&newer).unwrap();
        assert_ne!(store.current().unwrap(), plain);
        fs::rename(store.current_path(), folder.path().join("a-updated.pem")).unwrap();
        assert_eq!(FileStore::new(folder.path(), "a").unwrap().current().unwrap(), newer);
    }
}
