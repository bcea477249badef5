//! A namespace of a test's own.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use crate::cluster::Cluster;
use crate::error::Result;

/// The longest prefix that leaves room for what makes the name unique.
const PREFIX_LIMIT: usize = 40;

/// A unique namespace. Keeps its cluster alive.
///
/// Its service account exists, so pods can be created at once. On drop it is deleted; the server removes its content
/// asynchronously, and a failure to delete is printed to standard error.
#[derive(Debug)]
pub struct Namespace {
    cluster: Arc<Cluster>,
    name: String,
}

impl Namespace {
    pub(crate) fn create(cluster: Arc<Cluster>, prefix: &str) -> Result<Self> {
        let name = unique(prefix);
        cluster.run_kubectl(&["create", "namespace", &name])?;
        let namespace = Self { cluster, name };
        if namespace.cluster.has_controllers() {
            // Pods are refused until the controller manager has made the account.
            namespace.run_kubectl(&["wait", "--for=create", "serviceaccount/default", "--timeout=60s"])?;
        }
        Ok(namespace)
    }

    /// Its name: the prefix as far as names allow it, and a random part.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its cluster.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Runs kubectl in this namespace and returns its output.
    pub fn run_kubectl(&self, arguments: &[&str]) -> Result<String> {
        self.cluster.run_kubectl(&[&["--namespace", &self.name], arguments].concat())
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let deleted = self.cluster.run_kubectl(&[
            "delete",
            "namespace",
            &self.name,
            "--wait=false",
            "--ignore-not-found",
        ]);
        if let Err(error) = deleted {
            eprintln!("warning: namespace {} is left: {error}", self.name);
        }
    }
}

/// Returns a valid and unique name of a namespace that begins with `prefix`.
fn unique(prefix: &str) -> String {
    let mut name: String = prefix
        .chars()
        .take(PREFIX_LIMIT)
        .map(|character| if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { '-' })
        .collect();
    if !name.starts_with(|character: char| character.is_ascii_alphanumeric()) {
        name.insert_str(0, "test");
    }
    format!("{}-{:016x}", name.trim_end_matches('-'), RandomState::new().hash_one(std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique() {
        for prefix in ["rest", "t2_1_01_Fifty", "", "---", "über::module", &"x".repeat(300)] {
            let (first, second) = (unique(prefix), unique(prefix));
            assert_ne!(first, second);
            assert!(first.len() <= 63, "{first}");
            assert!(
                first.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
                "{first}"
            );
            assert!(first.starts_with(|character: char| character.is_ascii_alphanumeric()), "{first}");
        }
        assert!(unique("t2_1_01_Fifty").starts_with("t2-1-01-fifty-"));
    }
}
