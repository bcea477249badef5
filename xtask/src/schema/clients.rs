//! The typed clients of Go's clientsets: every resource that Go has a client for, served or not.

use serde::Deserialize;

use super::model::TypeName;

/// One typed client of a Go clientset.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Client {
    /// The clientset: `kubernetes`, `apiextensions`, `apiregistration` or `metrics`.
    pub(crate) clientset: String,
    /// The clientset's method for the group version: `AppsV1`.
    pub(crate) accessor: String,
    /// The group's method for the resource: `Deployments`.
    pub(crate) getter: String,
    pub(crate) group: String,
    pub(crate) version: String,
    /// The plural name; none for a client that has methods on other resources only.
    pub(crate) resource: Option<String>,
    pub(crate) namespaced: bool,
    pub(crate) kind: Option<TypeName>,
    /// None for a client that lists nothing.
    pub(crate) list: Option<TypeName>,
    /// Whether the client asks for protobuf first.
    #[serde(default)]
    pub(crate) protobuf: bool,
    /// Sorted: the methods that call the resource's own path, such as `Get` and `UpdateStatus`.
    pub(crate) methods: Vec<String>,
    /// Sorted by name: all others.
    #[serde(default)]
    pub(crate) extra: Vec<Method>,
}

/// A client's method beyond the usual ones.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Method {
    pub(crate) name: String,
    /// The verb and the path with `{namespace}` and `{name}` in it; none for a method that makes no single request.
    pub(crate) http: Option<String>,
    pub(crate) path: Option<String>,
    /// None where nothing is decoded.
    pub(crate) returns: Option<TypeName>,
}
