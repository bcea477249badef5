//! The files of this repository.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders without our own files.
const SKIPPED: [&str; 3] = [".git", "target", "node_modules"];

/// A text file of the repository.
#[derive(Clone, Debug)]
pub struct TextFile {
    /// Its path from the root, with `/` between the parts.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// The repository that this package is part of.
#[derive(Clone, Debug)]
pub struct Repository {
    root: PathBuf,
}

impl Repository {
    /// This one.
    pub fn here() -> Self {
        Self { root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../..") }
    }

    /// Returns a file's content.
    ///
    /// # Panics
    ///
    /// If the file does not exist or is not text.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Whether a file or folder exists at this path from the root.
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Returns the documents for people: those at the root and everything in `docs`.
    pub fn documents(&self) -> Vec<TextFile> {
        let read = |path: &str| TextFile { path: path.to_owned(), text: self.read(path) };
        let mut documents: Vec<TextFile> = [
            "ARCHITECTURE.md",
            "CHANGELOG.md",
            "CODE_OF_CONDUCT.md",
            "CONTRIBUTING.md",
            "README.md",
            "RELEASING.md",
            "SECURITY.md",
        ]
        .map(read)
        .into();
        documents.extend(self.files("docs", ".md"));
        documents
    }

    /// All text files below a folder whose names end so, sorted by path.
    pub fn files(&self, folder: &str, ending: &str) -> Vec<TextFile> {
        let mut found = Vec::new();
        self.collect(Path::new(folder), ending, &mut found);
        found.sort_by(|one, other| one.path.cmp(&other.path));
        found
    }

    fn collect(&self, folder: &Path, ending: &str, found: &mut Vec<TextFile>) {
        let Ok(entries) = fs::read_dir(self.root.join(folder)) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if !SKIPPED.contains(&name.as_str()) {
                    self.collect(&path, ending, found);
                }
            } else if name.ends_with(ending)
                && let Ok(text) = fs::read_to_string(self.root.join(&path))
            {
                let path = path.to_string_lossy().replace('\\', "/");
                found.push(TextFile { path: path.trim_start_matches("./").to_owned(), text });
            }
        }
    }
}
