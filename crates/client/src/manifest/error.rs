//! What is wrong with a manifest, and where.

use std::fmt;
use std::path::PathBuf;

/// A manifest that can't be read. It shows nothing of the content: that may be a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManifestError {
    /// The file, if it is one.
    pub file: Option<PathBuf>,
    /// The line, from 1 on; 0 where it concerns the whole file.
    pub line: usize,
    /// The column, from 1 on; 0 where it concerns the whole document.
    pub column: usize,
    /// What is wrong.
    pub problem: ManifestProblem,
}

/// What is wrong with a manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestProblem {
    /// The file can't be read.
    #[error("can't be read: {0}")]
    File(String),
    /// It is not UTF-8.
    #[error("is not text")]
    NotText,
    /// It is neither YAML nor JSON.
    #[error("{0}")]
    Syntax(String),
    /// It is something else than an object.
    #[error("this document is {0}, not an object")]
    NotAnObject(String),
    /// It does not say what it is.
    #[error("this object has no {0}; every object needs an apiVersion and a kind")]
    NoKind(&'static str),
    /// An item of a list is no object.
    #[error("this list can't be taken apart: {0}")]
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

// What is wrong is in the text already.
impl std::error::Error for ManifestError {}
