//! Errors: each is one line that states what to do about it.

use std::path::PathBuf;

/// The testkit's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A cluster cannot be started or used. Each message is one line and names the remedy if there is one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No `go` program can be found, and the control plane is not built yet.
    #[error(
        "Go is not on the PATH: install Go {needed} or newer (https://go.dev/dl/) to build the control plane"
    )]
    GoMissing {
        /// The oldest version that will do.
        needed: String,
    },
    /// The `go` program is older than the Go module of the control plane requires.
    #[error(
        "{found} is too old: install Go {needed} or newer (https://go.dev/dl/) to build the control plane"
    )]
    GoTooOld {
        /// The output of `go version`.
        found: String,
        /// The oldest version that will do.
        needed: String,
    },
    /// The sources of the control plane can't be downloaded.
    #[error(
        "the Go module proxy is out of reach (GOPROXY={proxy}): connect to the network, or set GOPROXY to a proxy that can be reached ({detail})"
    )]
    ProxyUnreachable {
        /// The module proxies in use.
        proxy: String,
        /// Go's own words.
        detail: String,
    },
    /// `go build` failed for another reason.
    #[error("can't build the control plane: {detail}")]
    Build {
        /// The last line of Go's output.
        detail: String,
    },
    /// The folder with the programs lacks one that is needed.
    #[error(
        "{} has no program {program}: unset KUBEBUILDER_ASSETS to build the control plane, or name a folder with etcd and kube-apiserver",
        folder.display()
    )]
    Assets {
        /// The folder.
        folder: PathBuf,
        /// The program.
        program: &'static str,
    },
    /// Another process has the requested port.
    #[error("port {port} of 127.0.0.1 is taken: name another one, or none to get a free one")]
    PortTaken {
        /// That port.
        port: u16,
    },
    /// A program of the control plane ended, or did not get ready in time.
    #[error("{component} {what}{}", .log.as_deref().map(|line| format!("; its log ends in: {line}")).unwrap_or_default())]
    Component {
        /// The program's name.
        component: &'static str,
        /// How it ended, or what it never reached.
        what: String,
        /// The last telling line of its log.
        log: Option<String>,
    },
    /// A kubeconfig that can't be used.
    #[error("kubeconfig {}: {reason}", .path.display())]
    Kubeconfig {
        /// The file.
        path: PathBuf,
        /// The problem.
        reason: String,
    },
    /// A cluster's name that can't name files and folders.
    #[error(
        "`{name}` can't name a cluster: 1 to 32 characters of a-z, 0-9 and `-`, letters or digits at both ends"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// A cluster runs under this name, started with other options.
    #[error("cluster {name} already runs with other options: `cargo xtask cluster down --name {name}` first")]
    OtherOptions {
        /// The name.
        name: String,
    },
    /// The record of a named cluster can't be read.
    #[error("the record of a cluster does not parse ({reason}): end its processes if it runs, then remove {}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The reason why it does not parse.
        reason: String,
    },
    /// A process would not end.
    #[error("{component} (process {pid}) did not end within {seconds} s of SIGKILL")]
    Immortal {
        /// The program's name.
        component: String,
        /// Its process id.
        pid: u32,
        /// How long we waited.
        seconds: u64,
    },
    /// An HTTPS request got no answer.
    #[error("GET {url}: {reason}")]
    Request {
        /// The address.
        url: String,
        /// The cause: the connection, its certificates or the response.
        reason: String,
    },
    /// kubectl ended with an error.
    #[error("`kubectl {arguments}` failed: {reason}")]
    Kubectl {
        /// Its arguments.
        arguments: String,
        /// Its output.
        reason: String,
    },
    /// Certificates could not be made.
    #[error("can't make certificates: {0}")]
    Certificates(rcgen::Error),
    /// The operating system refused something.
    #[error("can't {what}: {error}")]
    Io {
        /// The attempted operation.
        what: String,
        /// The reason.
        error: std::io::Error,
    },
}

impl From<rcgen::Error> for Error {
    fn from(error: rcgen::Error) -> Self {
        Self::Certificates(error)
    }
}

/// Names what was tried when the operating system refuses.
pub(crate) trait Context<T> {
    fn context(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<std::io::Error>> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Error::Io { what: what(), error: error.into() })
    }
}
