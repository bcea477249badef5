//! The errors of kubeconfig files.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::Kubeconfig;
use crate::{ConfigError, auth::AuthError, in_cluster::InClusterError};

/// A config could not be loaded, or the files could not be written. No message contains a secret.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KubeconfigError {
    /// A file could not be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: Arc<io::Error>,
    },
    /// A file, or text, is not a kubeconfig.
    #[error("{}{reason}", InFile(path.as_deref()))]
    Parse {
        /// The file, if there is one.
        path: Option<PathBuf>,
        /// The problem and its position.
        reason: String,
    },
    /// Some of several files could not be loaded.
    #[error("{}", Joined(errors))]
    Load {
        /// The errors, one per file.
        errors: Vec<KubeconfigError>,
        /// The merged content of the other files.
        rest: Box<Kubeconfig>,
    },
    /// An entry that was requested by name does not exist.
    #[error("{what} {name:?} does not exist{}", Known(known))]
    NotFound {
        /// `context`, `cluster` or `user`.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// The configuration is not valid.
    #[error("invalid configuration: {}", Joined(.0))]
    Invalid(Vec<Problem>),
    /// A config can't be minified or flattened.
    #[error("{0}")]
    View(String),
    /// A server, proxy or timeout is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Credentials are not usable.
    #[error(transparent)]
    Auth(#[from] AuthError),
    /// The pod's own config is not usable.
    #[error(transparent)]
    InCluster(#[from] InClusterError),
    /// Another program is editing the file, or was killed while it did.
    #[error(
        "{} is locked: another program is changing it; if none is, remove {}",
        file.display(),
        lock.display()
    )]
    Locked {
        /// The file.
        file: PathBuf,
        /// The lock.
        lock: PathBuf,
    },
    /// A file could not be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: Arc<io::Error>,
    },
    /// A path can't be made relative to the file it is to be written to.
    #[error("{0} requires backsteps and is not absolute")]
    Backsteps(String),
    /// The user could not be prompted.
    #[error("cannot ask for {what}: {error}")]
    Prompt {
        /// The requested value.
        what: &'static str,
        /// The error of the operating system.
        error: Arc<io::Error>,
    },
}

/// One problem of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// There is no config at all.
    #[error(
        "no configuration has been provided: set KUBECONFIG, write ~/.kube/config, or name a server \
         (KUBERNETES_MASTER)"
    )]
    EmptyConfig,
    /// The cluster is entirely empty.
    #[error("cluster has no server defined")]
    EmptyCluster,
    /// No context was chosen.
    #[error("no context chosen: set current-context")]
    NoContext,
    /// The selected context does not exist.
    #[error("context was not found for specified context: {0}")]
    ContextNotFound(String),
    /// A context is not valid.
    #[error("context {context:?}: {reason}")]
    Context {
        /// Its name.
        context: String,
        /// The problem.
        reason: String,
    },
    /// A cluster is not valid.
    #[error("cluster {cluster:?}: {reason}")]
    Cluster {
        /// Its name.
        cluster: String,
        /// The problem.
        reason: String,
    },
    /// A user is not valid.
    #[error("user {user:?}: {reason}")]
    User {
        /// Its name.
        user: String,
        /// The problem.
        reason: String,
    },
}

impl KubeconfigError {
    /// Returns `true` if there was no configuration at all. Only then should a program look for one elsewhere.
    pub fn is_empty_config(&self) -> bool {
        matches!(self, Self::Invalid(problems) if problems[..] == [Problem::EmptyConfig])
    }

    /// Returns `true` if the requested context does not exist.
    pub fn is_context_not_found(&self) -> bool {
        match self {
            Self::NotFound { what, .. } => *what == "context",
            Self::Invalid(problems) => {
                problems.iter().any(|p| matches!(p, Problem::ContextNotFound(_) | Problem::NoContext))
            }
            _ => false,
        }
    }

    /// Returns `true` if a file does not exist.
    pub fn is_file_not_found(&self) -> bool {
        matches!(self, Self::Read { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }

    pub(super) fn read(path: &Path, error: io::Error) -> Self {
        Self::Read { path: path.to_owned(), error: Arc::new(error) }
    }

    pub(super) fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.to_owned(), error: Arc::new(error) }
    }

    /// An error if there are problems.
    pub(super) fn unless_valid(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self::Invalid(problems)) }
    }
}

struct InFile<'a>(Option<&'a Path>);

impl fmt::Display for InFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(path) => write!(f, "error loading config file {:?}: ", path.display().to_string()),
            None => f.write_str("error loading config: "),
        }
    }
}

/// One error unchanged; several in brackets, without duplicates.
struct Joined<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Joined<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut texts: Vec<String> = Vec::new();
        for text in self.0.iter().map(ToString::to_string) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        match &texts[..] {
            [one] => f.write_str(one),
            several => write!(f, "[{}]", several.join(", ")),
        }
    }
}

struct Known<'a>(&'a [String]);

impl fmt::Display for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            known => write!(f, "; there are: {}", known.join(", ")),
        }
    }
}
