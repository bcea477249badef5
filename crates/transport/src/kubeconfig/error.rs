//! What can be wrong with a kubeconfig.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::Kubeconfig;
use crate::{ConfigError, auth::AuthError, in_cluster::InClusterError};

/// Why there is no config. No message holds a secret.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KubeconfigError {
    /// A file could not be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: Arc<io::Error>,
    },
    /// A file, or text, is no kubeconfig.
    #[error("{}{reason}", InFile(path.as_deref()))]
    Parse {
        /// The file, if it was one.
        path: Option<PathBuf>,
        /// What is wrong with it, and where in it.
        reason: String,
    },
    /// Some of several files could not be loaded.
    #[error("{}", Joined(errors))]
    Load {
        /// What went wrong, a file each.
        errors: Vec<KubeconfigError>,
        /// What the other files hold, merged.
        rest: Box<Kubeconfig>,
    },
    /// Something was asked for by name that isn't there.
    #[error("{what} {name:?} does not exist{}", Known(known))]
    NotFound {
        /// `context`, `cluster` or `user`.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// What there is makes no sense.
    #[error("invalid configuration: {}", Joined(.0))]
    Invalid(Vec<Problem>),
    /// A config can't be minified or flattened.
    #[error("{0}")]
    View(String),
    /// A server, proxy or timeout can't be understood.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Credentials can't be used.
    #[error(transparent)]
    Auth(#[from] AuthError),
    /// The pod's own config can't be used.
    #[error(transparent)]
    InCluster(#[from] InClusterError),
    /// Someone else is editing the file, or has died while doing so.
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
        /// What the system said.
        error: Arc<io::Error>,
    },
    /// A path can't be made relative to the file it is to be written to.
    #[error("{0} requires backsteps and is not absolute")]
    Backsteps(String),
    /// The user could not be asked.
    #[error("cannot ask for {what}: {error}")]
    Prompt {
        /// What for.
        what: &'static str,
        /// What the system said.
        error: Arc<io::Error>,
    },
}

/// One thing that makes no sense.
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
    /// The chosen context isn't there.
    #[error("context was not found for specified context: {0}")]
    ContextNotFound(String),
    /// A context is broken.
    #[error("context {context:?}: {reason}")]
    Context {
        /// Its name.
        context: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A cluster is broken.
    #[error("cluster {cluster:?}: {reason}")]
    Cluster {
        /// Its name.
        cluster: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A user is broken.
    #[error("user {user:?}: {reason}")]
    User {
        /// Its name.
        user: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl KubeconfigError {
    /// Was there no config at all? Then, and only then, does it make sense to look elsewhere.
    pub fn is_empty_config(&self) -> bool {
        matches!(self, Self::Invalid(problems) if problems[..] == [Problem::EmptyConfig])
    }

    /// Is the context that was asked for missing?
    pub fn is_context_not_found(&self) -> bool {
        match self {
            Self::NotFound { what, .. } => *what == "context",
            Self::Invalid(problems) => {
                problems.iter().any(|p| matches!(p, Problem::ContextNotFound(_) | Problem::NoContext))
            }
            _ => false,
        }
    }

    /// Is a file missing?
    pub fn is_file_not_found(&self) -> bool {
        matches!(self, Self::Read { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }

    pub(super) fn read(path: &Path, error: io::Error) -> Self {
        Self::Read { path: path.to_owned(), error: Arc::new(error) }
    }

    pub(super) fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.to_owned(), error: Arc::new(error) }
    }

    /// No problems, no error.
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

/// One error as it is; several in brackets, each once.
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
