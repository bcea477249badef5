//! Manifests: objects from YAML and JSON files, and objects as YAML.
//!
//! [`read`] and [`read_path`] parse what `kubectl apply -f` accepts. [`to_yaml`] prints what `kubectl get -o yaml` prints. To send the
//! objects to a server, see [`DynamicClient::of_object`](crate::DynamicClient::of_object):
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use client_rs_client::testing::Canned;
//! use client_rs_client::{DynamicClient, manifest};
//!
//! # let server = Canned::new().with_discovery().on("PATCH /api/v1/namespaces/shop/configmaps/prices", r#"{"kind": "ConfigMap", "apiVersion": "v1"}"#);
//! # let client = DynamicClient::from_rest(server.client());
//! let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: prices, namespace: shop}\ndata: {tea: '3'}\n";
//! for manifest in manifest::read(text)? {
//!     let api = client.of_object(&manifest.object, "default").await?;
//!     api.apply(&manifest.object, "my-tool").force().await?;
//! }
//! assert!(server.calls().last().unwrap().starts_with("PATCH /api/v1/namespaces/shop/configmaps/prices"));
//! # Ok(())
//! # }
//! ```

mod error;
mod parse;
mod yaml;

use std::path::{Path, PathBuf};

use client_rs_machinery::Unstructured;

pub use error::{ManifestError, ManifestProblem};
pub use yaml::to_yaml;

/// An object, with its position in a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Manifest {
    /// The object. It has an `apiVersion` and a `kind`.
    pub object: Unstructured,
    /// The file, if the object came from one.
    pub file: Option<PathBuf>,
    /// The first line of its document, starting at 1. Items of a list have the line of the list.
    pub line: usize,
}

/// Reads objects from a text, in order.
///
/// `---` separates documents. Empty documents are skipped. JSON documents may also follow each other without a separator. The items of
/// a list are returned as separate objects.
///
/// ```
/// use client_rs_client::manifest;
///
/// let text = "
/// apiVersion: v1
/// kind: Namespace
/// metadata: {name: shop}
/// ---
/// {\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"metadata\": {\"name\": \"token\"}}
/// ";
/// let found = manifest::read(text)?;
/// assert_eq!((found[0].object.kind(), found[1].object.name()), ("Namespace", "token"));
/// assert_eq!(found[1].line, 6);
/// # Ok::<(), manifest::ManifestError>(())
/// ```
///
/// # Errors
///
/// One invalid document fails the whole text, so that nothing is applied halfway. A duplicate key is an error.
///
/// ```
/// use client_rs_client::manifest;
///
/// let error = manifest::read("apiVersion: v1\nkind: Pod\nkind: Node\n").unwrap_err();
/// assert_eq!(error.line, 3);
/// assert!(error.to_string().starts_with("line 3, column 1: "));
/// ```
pub fn read(text: &str) -> Result<Vec<Manifest>, ManifestError> {
    parse::documents(text)
}

/// Reads objects from a file, or from the `.yaml`, `.yml` and `.json` files of a folder, in the order of their names. Blocks while it
/// reads; does not enter subfolders.
///
/// ```
/// use client_rs_client::manifest;
///
/// # let dir = tempfile::tempdir()?;
/// std::fs::write(dir.path().join("b.json"), r#"{"apiVersion": "v1", "kind": "Pod"}"#)?;
/// std::fs::write(dir.path().join("a.yaml"), "apiVersion: v1\nkind: Namespace\n")?;
/// let found = manifest::read_path(dir.path())?;
/// let kinds: Vec<_> = found.iter().map(|manifest| manifest.object.kind()).collect();
/// assert_eq!(kinds, ["Namespace", "Pod"]);
/// assert!(found[0].file.as_ref().unwrap().ends_with("a.yaml"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
