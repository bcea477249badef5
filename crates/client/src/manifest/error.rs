//! Errors in manifests, with their position.

use std::fmt;
use std::path::PathBuf;

/// A manifest can't be read. The error does not show the content, which may be secret.
///
/// ```
/// use client_rs_client::manifest::{self, ManifestProblem};
///
/// let error = manifest::read("kind: Secret\ndata: {password: aHVudGVyMg==}\n").unwrap_err();
/// assert_eq!(error.problem, ManifestProblem::NoKind("apiVersion"));
/// assert!(!error.to_string().contains("aHVudGVyMg"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManifestError {
    /// The file, if the text came from one.
    pub file: Option<PathBuf>,
    /// The line, starting at 1. 0 if the error concerns the whole file.
    pub line: usize,
    /// The column, starting at 1. 0 if the error concerns the whole document.
    pub column: usize,
    /// The problem.
    pub problem: ManifestProblem,
}

/// The problem of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestProblem {
    /// The file can't be read.
    #[error("can't be read: {0}")]
    File(String),
    /// The text is not UTF-8.
    #[error("is not text")]
    NotText,
    /// The text is neither YAML nor JSON.
    #[error("{0}")]
    Syntax(String),
    /// The document is not an object.
    #[error("this document is {0}, not an object")]
    NotAnObject(String),
    /// The object has no `apiVersion` or no `kind`.
    #[error("this object has no {0}; every object needs an apiVersion and a kind")]
    NoKind(&'static str),
    /// An item of a list is not an object.
    #[error("this list can't be split into objects: {0}")]
    Items(String),
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        match (self.line, self.column) {
            (0, _) => {}
            (line, 0) => write!(f, "line {line}: ")?,
            (line, column) => write!(f, "line {line}, column {column}: ")?,
        }
        self.problem.fmt(f)
    }
}

// The text includes the cause, so there is no source.
impl std::error::Error for ManifestError {}
