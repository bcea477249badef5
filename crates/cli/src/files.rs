//! `-f`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use client_rs_client::manifest::{self, Manifest};

/// Manifest files.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct FileArgs {
    /// A YAML or JSON file, or a directory of files; - for standard input
    #[arg(long = "filename", short = 'f', value_name = "FILE", value_delimiter = ',')]
    pub(crate) filenames: Vec<String>,
    /// Process directories recursively
    #[arg(long, short = 'R')]
    pub(crate) recursive: bool,
}

impl FileArgs {
    pub(crate) fn is_empty(&self) -> bool {
        self.filenames.is_empty()
    }

    /// Every object, in order. One that can't be read is an error for all. Blocks on files.
    pub(crate) fn read(&self) -> Result<Vec<Manifest>> {
        let mut all = Vec::new();
        for name in &self.filenames {
            match name.as_str() {
                "-" => {
                    let mut text = String::new();
                    std::io::stdin().read_to_string(&mut text).context("can't read standard input")?;
                    all.extend(manifest::read(&text)?);
                }
                url if url.starts_with("http://") || url.starts_with("https://") => {
                    bail!("{url}: krs reads files; fetch it first, such as by `curl -L {url} | krs … -f -`")
                }
                path if !Path::new(path).exists() => bail!("the path {path:?} does not exist"),
                path => {
                    for path in self.paths(Path::new(path))? {
                        all.extend(manifest::read_path(&path)?);
                    }
                }
            }
        }
        if all.is_empty() {
            bail!("no objects found in {}", self.filenames.join(", "));
        }
        Ok(all)
    }

    /// The path and, with `-R`, the folders in it.
    fn paths(&self, path: &Path) -> Result<Vec<PathBuf>> {
        let mut all = vec![path.to_owned()];
        if self.recursive && path.is_dir() {
            let can_not = || format!("can't read {}", path.display());
            let mut inner = Vec::new();
            for entry in std::fs::read_dir(path).with_context(can_not)? {
                let entry = entry.with_context(can_not)?;
                // A link may lead back up.
                if entry.file_type().with_context(can_not)?.is_dir() {
                    inner.push(entry.path());
                }
            }
            inner.sort();
            for folder in inner {
                all.extend(self.paths(&folder)?);
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_read_in_order_and_deep_where_asked() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, object: &str| {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(
                file,
                format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {object}}}}}"),
            )
            .unwrap();
        };
        write("b.yaml", "b");
        write("a.json", "a");
        write("z/c.yml", "c");
        write("read.me", "none");
        let names = |recursive| {
            let filenames = vec![folder.path().to_str().unwrap().to_owned()];
            let all = FileArgs { filenames, recursive }.read().unwrap();
            all.iter().map(|manifest| manifest.object.name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(false), ["a", "b"]);
        assert_eq!(names(true), ["a", "b", "c"]);
        let read = |name: &str| FileArgs { filenames: vec![name.to_owned()], recursive: false }.read();
        assert!(read("/no/such").unwrap_err().to_string().contains("does not exist"));
        assert!(read("https://x/y.yaml").unwrap_err().to_string().contains("curl"));
    }
}
