//! Files, to and from a container: tar over exec, as they go.

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

/// Who hears how far a copy is.
pub type Progress = Arc<dyn Fn(&Copied) + Send + Sync>;

client_rs_machinery::options! {
    /// A copy of files between this machine and a container.
    ///
    /// - The container needs `tar`, and for copies to it a shell with `mktemp`, `mv`, `cp` and `rm`.
    /// - What is copied is streamed: memory does not grow with it.
    /// - It goes to a place of its own first and gets its name when all of it is there: what fails, or is dropped, leaves nothing
    ///   half-written under the final name.
    /// - What a container sends is not trusted: an entry whose path leads out of the target is an error, and links and devices
    ///   are [passed over](Copied::skipped), so that nothing is ever written through one. Files and folders keep their rights
    ///   but for setuid, setgid and the sticky bit. There are limits to what comes, [bytes](Self::max_bytes) and
    ///   [entries](Self::max_entries); sparse files, which `tar` makes only when it is asked to, are an error.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::Api;
    /// # use client_rs_client::streams::CopyOptions;
    /// # async fn example(pods: Api<Pod>) -> Result<(), Box<dyn std::error::Error>> {
    /// let copy = CopyOptions::default().with_container("app");
    /// copy.to_container(&pods, "web", "site".as_ref(), "/srv/site").await?;
    /// let copied = copy.from_container(&pods, "web", "/var/log/app", "logs".as_ref()).await?;
    /// println!("{} bytes in {} files", copied.bytes, copied.files);
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Clone)]
    pub struct CopyOptions {
        /// The container. Default: the pod's only one.
        pub container: Option<String> => with_container,
        /// Who hears how far it is, after each file and each MiB; called off the async workers. Default: nobody.
        pub progress: Option<Progress> => with_progress,
        /// Whether owners of files are kept in a container, where that is allowed. Default: false: files are whoever's who
        /// writes them, as files here always are.
        pub keep_owner: bool => with_keep_owner,
        /// Whether files in a container get the rights that its umask leaves, rather than those that they have here.
        /// Default: false.
        pub loose_permissions: bool => with_loose_permissions,
        /// Whether what is in a folder of a container is added to a folder that is here already, as kubectl has it, rather
        /// than put into it as a folder. Default: false.
        pub merge: bool => with_merge,
        /// How many bytes of files a container may send; `None`: any number. More is an error. Default: 64 GiB.
        pub max_bytes: Option<u64> => with_max_bytes,
        /// How many files, folders and other entries a container may send; `None`: any number. More is an error. Default: a
        /// million.
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

/// Unpacks an archive as [`CopyOptions::from_container`] does with what `tar` sends: for the fuzz targets, which have no
/// container. Blocks on files.
#[doc(hidden)]
pub fn unpack_archive(
    options: &CopyOptions,
    name: &str,
    local: &Path,
    archive: impl io::Read,
) -> Result<Copied, CopyError> {
    unpack::Unpacker::new(options, name, local).unpack(archive)?.settle()
}

/// What was copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copied {
    /// Bytes of files.
    pub bytes: u64,
    /// Files, without folders.
    pub files: u64,
    /// What was left out.
    pub skipped: Vec<Skipped>,
}

/// A copy that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// The server could not be asked, or said no.
    #[error(transparent)]
    Request(#[from] Error),
    /// It is not known how `tar` ended.
    #[error("tar in the container: {0}")]
    Process(ProcessError),
    /// `tar` failed there: no such file, a full disk, …
    #[error("tar in the container ended with {}: {said}", status.code())]
    Remote {
        /// With what.
        status: ExitStatus,
        /// What it said.
        said: String,
    },
    /// A file here can't be read or written.
    #[error("{}: {error}", path.display())]
    Local {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// An entry's path leads out of where it may be.
    #[error("the archive is not to be trusted: {0:?} leads out of the target")]
    Escape(PathBuf),
    /// What came is no archive, or breaks off.
    #[error("what the container sent is no archive: {0}")]
    Archive(io::Error),
    /// The container sends more than it may.
    #[error("the container sends more than {limit} {what}; `CopyOptions` says how many it may")]
    TooLarge {
        /// `bytes` or `entries`.
        what: &'static str,
        /// How many it might send.
        limit: u64,
    },
    /// A path that names no file.
    #[error("{0:?} names no file")]
    Path(String),
}

// Not a source: the text has it.
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

/// Extracts into a folder beside the target, and moves what it holds to its name: all of it or nothing.
///
/// `$1` the folder of the target, `$2` the target's name, `$3` flags of tar's. A folder that is there already is added to.
const RECEIVE: &str = r#"set -e
mkdir -p -- "$1"
d=$(mktemp -d "$1/.copy.XXXXXX")
trap 'rm -rf -- "$d"' EXIT
trap 'exit 130' HUP INT TERM
tar -xmf - -C "$d" $3
if [ -d "$d/$2" ] && [ -d "$1/$2" ]; then cp -Rp -- "$d/$2/." "$1/$2/"
else mv -f -- "$d/$2" "$1/$2"; fi"#;

impl CopyOptions {
    /// Copies a file or a folder of this machine to a path of a container. A path that ends with a slash is a folder to
    /// put it into.
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
        // Fails before anything is started there.
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
        // The archive is made by a thread that may wait for the disk; 256 KiB of it wait for the network.
        let (far, near) = tokio::io::duplex(256 * 1024);
        let (source, progress) = (local.to_owned(), self.progress.clone());
        let packing = tokio::task::spawn_blocking(move || {
            pack::pack(&source, &name, SyncIoBridge::new(far), progress.as_deref())
        });
        let sending = async move {
            let (mut near, mut stdin) = (near, stdin);
            // What goes wrong there is what the process says.
            let _ = tokio::io::copy(&mut near, &mut stdin).await;
            let _ = stdin.shutdown().await;
            // A process that is gone reads no more: the rest is thrown away, so that packing ends.
            let _ = tokio::io::copy(&mut near, &mut tokio::io::sink()).await;
        };
        let (packed, (), said) = tokio::join!(packing, sending, all(stderr));
        let packed = packed.map_err(|error| CopyError::local(local, io::Error::other(error)))?;
        let status = process.wait().await?;
        let copied = packed?;
        if status.is_success() { Ok(copied) } else { Err(CopyError::Remote { status, said }) }
    }

    /// Copies a file or a folder of a container to a path of this machine. A path that is a folder already is one to put
    /// it into; see [`merge`](Self::merge).
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
        // A name that begins with a dash is no option.
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
            // What went wrong here came first.
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

/// Folder and name of a path there.
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

/// What a process complains, as far as it belongs into an error; the rest is read and thrown away.
async fn all(stderr: Option<RemoteOutput>) -> String {
    const MOST: u64 = 4096;
    let Some(mut stderr) = stderr else { return String::new() };
    let mut text = Vec::new();
    let _ = (&mut stderr).take(MOST).read_to_end(&mut text).await;
    let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&text).trim().to_owned()
}
