//! Copies files to and from a container: `tar` over exec, streamed.

mod entries;
mod pack;
mod unpack;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use client_rs_machinery::subresource::{Exec, HasSubresource};
use client_rs_machinery::{Namespaced, Resource};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::io::SyncIoBridge;

use super::{ExecOptions, ExitStatus, ProcessError, RemoteOutput, RemoteProcess};
use crate::api::ApiRequest;
use crate::{Api, Error};

pub use unpack::Skipped;

/// Receives the progress of a copy.
pub type Progress = Arc<dyn Fn(&Copied) + Send + Sync>;

client_rs_machinery::options! {
    /// Copies files between this machine and a container.
    ///
    /// - The container needs `tar` and, for copies to it, a shell with `mktemp`, `mv`, `cp` and `rm`.
    /// - The content is streamed: memory does not grow with its size.
    /// - The files are written to a temporary place first, and get their names when all of them are complete. A copy that fails
    ///   or is dropped leaves no incomplete file under a final name.
    /// - The data of a container is not trusted. An entry whose path leads out of the target is an error, and links and devices
    ///   are [skipped](Copied::skipped), so that nothing is ever written through one. Files and folders keep their permissions
    ///   except setuid, setgid and the sticky bit. There are limits of [bytes](Self::max_bytes) and
    ///   [entries](Self::max_entries). Sparse files, which `tar` creates only on request, are an error.
    ///
    /// ```
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_client::Api;
    /// use client_rs_client::streams::{CopyError, CopyOptions};
    /// # use client_rs_client::testing::Canned;
    ///
    /// # async fn copy(pods: &Api<Pod>) -> Result<(), CopyError> {
    /// let copy = CopyOptions::default().with_container("app");
    /// copy.to_container(pods, "web", "/no/such/site".as_ref(), "/srv/site").await?;
    /// let copied = copy.from_container(pods, "web", "/var/log/app", "logs".as_ref()).await?;
    /// println!("{} bytes in {} files", copied.bytes, copied.files);
    /// # Ok(())
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let server = Canned::new();
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "default");
    /// # let error = copy(&pods).await.unwrap_err();
    /// # assert!(matches!(error, CopyError::Local { .. }), "{error}");
    /// # assert!(server.calls().is_empty(), "it fails before a request");
    /// # }
    /// ```
    #[derive(Clone)]
    pub struct CopyOptions {
        /// The container. Default: the only one of the pod.
        pub container: Option<String> => with_container,
        /// Receives the progress after each file and each MiB; not called on an async worker thread. Default: none.
        pub progress: Option<Progress> => with_progress,
        /// Whether files in a container keep their owner, if that is allowed. Default: false: they belong to the user that writes
        /// them, as local files always do.
        pub keep_owner: bool => with_keep_owner,
        /// Whether files in a container get the permissions of its umask instead of their own. Default: false.
        pub loose_permissions: bool => with_loose_permissions,
        /// Whether the content of a container's folder is merged into an existing local folder, as kubectl does, instead of copying
        /// the folder into it. Default: false.
        pub merge: bool => with_merge,
        /// The maximum number of bytes that a container may send; `None` means no limit. More is an error. Default: 64 GiB.
        pub max_bytes: Option<u64> => with_max_bytes,
        /// The maximum number of files, folders and other entries that a container may send; `None` means no limit. More is an
        /// error. Default: a million.
        pub max_entries: Option<u64> => with_max_entries,
    }
}

impl Default for CopyOptions {
    fn default() -> Self {
        Self {
            container: None,
            progress: None,
            keep_owner: false,
            loose_permissions: false,
            merge: false,
            max_bytes: Some(64 << 30),
            max_entries: Some(1_000_000),
        }
    }
}

impl fmt::Debug for CopyOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyOptions").field("container", &self.container).finish_non_exhaustive()
    }
}

/// Unpacks an archive like [`CopyOptions::from_container`]: for the fuzz targets, which have no container. Blocks on
/// files.
#[doc(hidden)]
pub fn unpack_archive(
    options: &CopyOptions,
    name: &str,
    local: &Path,
    archive: impl io::Read,
) -> Result<Copied, CopyError> {
    unpack::Unpacker::new(options, name, local).unpack(archive)?.settle()
}

/// The result of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copied {
    /// The number of bytes in files.
    pub bytes: u64,
    /// The number of files, without folders.
    pub files: u64,
    /// The entries that were skipped.
    pub skipped: Vec<Skipped>,
}

/// A copy failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// The request to the server failed.
    #[error(transparent)]
    Request(#[from] Error),
    /// The exit status of `tar` is unknown.
    #[error("tar in the container: {0}")]
    Process(ProcessError),
    /// `tar` failed in the container, for example because a file does not exist or the disk is full.
    #[error("tar in the container ended with {}: {said}", status.code())]
    Remote {
        /// The exit status.
        status: ExitStatus,
        /// The standard error.
        said: String,
    },
    /// A local file can't be read or written.
    #[error("{}: {error}", path.display())]
    Local {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The path of an entry leads out of the target.
    #[error("the archive is not safe: {0:?} leads out of the target")]
    Escape(PathBuf),
    /// The data is not an archive, or breaks off.
    #[error("the container did not send a valid archive: {0}")]
    Archive(io::Error),
    /// The container sends more than the limit.
    #[error("the container sends more than {limit} {what}: raise the limit in `CopyOptions`")]
    TooLarge {
        /// `bytes` or `entries`.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// A path without a file name.
    #[error("{0:?} has no file name")]
    Path(String),
}

// Not a source: the message contains its text.
impl From<ProcessError> for CopyError {
    fn from(error: ProcessError) -> Self {
        Self::Process(error)
    }
}

impl CopyError {
    fn local(path: &Path, error: io::Error) -> Self {
        Self::Local { path: path.to_owned(), error }
    }
}

/// Extracts into a folder next to the target, and moves the content to its final name: all of it or nothing.
///
/// `$1` is the folder of the target, `$2` the target's name, `$3` the flags of tar. An existing folder is merged.
const RECEIVE: &str = r#"set -e
mkdir -p -- "$1"
d=$(mktemp -d "$1/.copy.XXXXXX")
trap 'rm -rf -- "$d"' EXIT
trap 'exit 130' HUP INT TERM
tar -xmf - -C "$d" $3
if [ -d "$d/$2" ] && [ -d "$1/$2" ]; then cp -Rp -- "$d/$2/." "$1/$2/"
else mv -f -- "$d/$2" "$1/$2"; fi"#;

impl CopyOptions {
    /// Copies a local file or folder to a path in a container. If the path ends with a slash, it is the folder to copy into.
    ///
    /// Dropping the future cancels the copy.
    pub async fn to_container<K>(
        &self,
        pods: &Api<K, Namespaced>,
        pod: &str,
        local: &Path,
        remote: &str,
    ) -> Result<Copied, CopyError>
    where
        K: Resource + HasSubresource<Exec>,
    {
        let own_name =
            || local.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_str()?.to_owned()));
        let (folder, name) = match remote.strip_suffix('/') {
            Some(folder) => {
                let name = own_name().ok_or_else(|| CopyError::Path(local.display().to_string()))?;
                (if folder.is_empty() { "/" } else { folder }, name)
            }
            None => split(remote).map(|(folder, name)| (folder, name.to_owned()))?,
        };
        // Fails before a process is started there.
        std::fs::symlink_metadata(local).map_err(|error| CopyError::local(local, error))?;
        let flags = match (self.keep_owner, self.loose_permissions) {
            (true, false) => "",
            (true, true) => "--no-same-permissions",
            (false, false) => "-o",
            (false, true) => "-o --no-same-permissions",
        };
        let command = ["sh", "-c", RECEIVE, "sh", folder, &name, flags];
        let request = pods.exec(pod, command).stdin();
        let mut process =
            self.container.iter().fold(request, ApiRequest::<RemoteProcess, ExecOptions>::container).await?;
        let (stdin, stderr) = (process.stdin.take(), process.stderr.take());
        drop(process.stdout.take());
        let Some(stdin) = stdin else { return Err(CopyError::Path(remote.to_owned())) };
        // A thread creates the archive, because it may block on the disk; a buffer of 256 KiB waits for the network.
        let (far, near) = tokio::io::duplex(256 * 1024);
        let (source, progress) = (local.to_owned(), self.progress.clone());
        let packing = tokio::task::spawn_blocking(move || {
            pack::pack(&source, &name, SyncIoBridge::new(far), progress.as_deref())
        });
        let sending = async move {
            let (mut near, mut stdin) = (near, stdin);
            // The process reports its own errors.
            let _ = tokio::io::copy(&mut near, &mut stdin).await;
            let _ = stdin.shutdown().await;
            // A process that has ended reads no more: the rest is discarded, so that packing ends.
            let _ = tokio::io::copy(&mut near, &mut tokio::io::sink()).await;
        };
        let (packed, (), said) = tokio::join!(packing, sending, all(stderr));
        let packed = packed.map_err(|error| CopyError::local(local, io::Error::other(error)))?;
        let status = process.wait().await?;
        let copied = packed?;
        if status.is_success() { Ok(copied) } else { Err(CopyError::Remote { status, said }) }
    }

    /// Copies a file or folder of a container to a local path. If the path is an existing folder, it is the folder to copy into;
    /// see [`merge`](Self::merge).
    ///
    /// Dropping the future cancels the copy.
    pub async fn from_container<K>(
        &self,
        pods: &Api<K, Namespaced>,
        pod: &str,
        remote: &str,
        local: &Path,
    ) -> Result<Copied, CopyError>
    where
        K: Resource + HasSubresource<Exec>,
    {
        let remote = remote.trim_end_matches('/');
        let (folder, name) = split(remote)?;
        // A name that begins with a dash must not be parsed as an option.
        let entry = format!("./{name}");
        let request = pods.exec(pod, ["tar", "-cf", "-", "-C", folder, &entry]);
        let mut process =
            self.container.iter().fold(request, ApiRequest::<RemoteProcess, ExecOptions>::container).await?;
        let (stdout, stderr) = (process.stdout.take(), process.stderr.take());
        let Some(stdout) = stdout else { return Err(CopyError::Path(remote.to_owned())) };
        let unpacker = unpack::Unpacker::new(self, name, local);
        let unpacking = tokio::task::spawn_blocking(move || unpacker.unpack(SyncIoBridge::new(stdout)));
        let (staged, said) = tokio::join!(unpacking, all(stderr));
        let staged = staged.map_err(|error| CopyError::local(local, io::Error::other(error)))?;
        let status = match (process.wait().await, &staged) {
            (Ok(status), _) => status,
            // The local error came first.
            (Err(_), Err(_)) => ExitStatus::SUCCESS,
            (Err(error), Ok(_)) => return Err(error.into()),
        };
        if !status.is_success() {
            return Err(CopyError::Remote { status, said });
        }
        let staged = staged?;
        let settled = tokio::task::spawn_blocking(move || staged.settle()).await;
        settled.map_err(|error| CopyError::local(local, io::Error::other(error)))?
    }
}

/// The folder and the name of a path in the container.
fn split(remote: &str) -> Result<(&str, &str), CopyError> {
    let (folder, name) = match remote.rsplit_once('/') {
        Some(("", name)) => ("/", name),
        Some((folder, name)) => (folder, name),
        None => (".", remote),
    };
    if matches!(name, "" | "." | "..") {
        return Err(CopyError::Path(remote.to_owned()));
    }
    Ok((folder, name))
}

/// The standard error of a process, up to the length that fits into an error; the rest is read and discarded.
async fn all(stderr: Option<RemoteOutput>) -> String {
    const MOST: u64 = 4096;
    let Some(mut stderr) = stderr else { return String::new() };
    let mut text = Vec::new();
    let _ = (&mut stderr).take(MOST).read_to_end(&mut text).await;
    let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&text).trim().to_owned()
}
