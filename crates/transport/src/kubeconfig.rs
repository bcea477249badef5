//! kubeconfig files: read, merged, edited, written.

pub(crate) mod path;
pub(crate) mod yaml;
