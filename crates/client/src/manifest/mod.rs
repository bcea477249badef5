//! Objects from files, YAML or JSON, many to a file; and objects as YAML.

mod error;
mod parse;
mod yaml;

use std::path::{Path, PathBuf};

use client_rs_machinery::Unstructured;

pub use error::{ManifestError, ManifestProblem};
pub use yaml::to_yaml;

/// An object, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The object; it has an `apiVersion` and a `kind`.
    pub object: Unstructured,
    /// The file, if it came from one.
    pub file: Option<PathBuf>,
    /// The line on which its document begins, from 1 on. Items of a list have the list's.
    pub line: usize,
}

/// Reads objects from a text, in order.
///
/// Documents are divided by `---`; those that are empty are passed over, and JSON documents may also stand one behind the
/// other. The items of a list count as objects of their own. A key that stands twice is an error.
///
/// One document that can't be read is an error for all, so that nothing is half done.
pub fn read(text: &str) -> Result<Vec<Manifest>, ManifestError> {
    parse::documents(text)
}

/// Reads objects from a file or, in the order of their names, from the `.yaml`, `.yml` and `.json` files of a folder.
/// Blocks on files.
pub fn read_path(path: &Path) -> Result<Vec<Manifest>, ManifestError> {
    let at =
        |path: &Path, problem| ManifestError { file: Some(path.to_owned()), line: 0, column: 0, problem };
    let io = |path: &Path, error: &std::io::Error| at(path, ManifestProblem::File(error.to_string()));
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| io(path, &error))?;
        let entries: Result<Vec<_>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
        files = entries.map_err(|error| io(path, &error))?;
        let known = |file: &PathBuf| {
            let extension = file.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("yaml" | "yml" | "json")) && file.is_file()
        };
        files.retain(known);
        files.sort();
    }
    let mut all = Vec::new();
    for file in files {
        let bytes = std::fs::read(&file).map_err(|error| io(&file, &error))?;
        let text = String::from_utf8(bytes).map_err(|_| at(&file, ManifestProblem::NotText))?;
        let read =
            parse::documents(&text).map_err(|error| ManifestError { file: Some(file.clone()), ..error })?;
        all.extend(read.into_iter().map(|manifest| Manifest { file: Some(file.clone()), ..manifest }));
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
