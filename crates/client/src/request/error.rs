//! Mistakes in a request, found before it is sent.

use std::fmt;

use client_rs_machinery::wire::DecodeError;
use http::HeaderName;

/// A part of a request's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PathPart {
    /// The API group.
    Group,
    /// The API version.
    Version,
    /// The plural name of the resource.
    Resource,
    /// The namespace.
    Namespace,
    /// The object's name.
    Name,
    /// The subresource.
    Subresource,
}

impl fmt::Display for PathPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Group => "group",
            Self::Version => "version",
            Self::Resource => "resource",
            Self::Namespace => "namespace",
            Self::Name => "name",
            Self::Subresource => "subresource",
        })
    }
}

/// The advice for an empty part.
fn remedy(part: PathPart) -> &'static str {
    match part {
        PathPart::Namespace => "; for all namespaces use `Api::all` or `AllNamespaces`",
        _ => "",
    }
}

/// A mistake in a request. Nothing was sent.
///
/// Retrying is of no use: the caller must change the request.
///
/// ```
/// use client_rs_client::{Request, RequestError};
///
/// let error = Request::get().request_uri("not a path").path_and_query("").unwrap_err();
/// assert_eq!(error, RequestError::Uri("not a path".into()));
/// assert_eq!(error.to_string(), r#""not a path" is not a path with a query"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A part was set twice.
    #[error("the {0} of a request was set twice")]
    Twice(PathPart),
    /// A part is empty that must not be.
    #[error("the {} of a request is empty{}", .0, remedy(*.0))]
    Empty(PathPart),
    /// A part can't be a segment of a path.
    #[error("{value:?} can't be the {part} of a request: {why}")]
    Segment {
        /// The part.
        part: PathPart,
        /// The value.
        value: String,
        /// The reason.
        why: String,
    },
    /// Options were set one by one, and then all at once. The former would be lost.
    #[error("`options` would replace the options that were set before it: call it first")]
    OptionsReplaced,
    /// A server-side apply has no field manager.
    #[error("server-side apply needs the name of a field manager")]
    NoFieldManager,
    /// The client makes dry runs only, and the body of this deletion is not `DeleteOptions` in JSON.
    #[error(
        "the client makes dry runs only, and the options of this deletion can't be read: send DeleteOptions as JSON"
    )]
    NoDryRun,
    /// The document of a server-side apply is invalid.
    #[error("this can't be applied: {0}")]
    Apply(ApplyConfigurationError),
    /// A namespace was set for a cluster-scoped resource.
    #[error("{resource} are cluster-scoped, but the request has the namespace {namespace:?}: remove it")]
    ClusterScoped {
        /// The resource.
        resource: String,
        /// The namespace.
        namespace: String,
    },
    /// No namespace was set for a single object of a namespaced resource.
    #[error("{0} are namespaced, so a name alone does not identify an object: set a namespace")]
    NamespaceNeeded(String),
    /// The object and the handle disagree.
    #[error("the {field} of the object is {found:?}, but that of the handle is {expected:?}")]
    Mismatch {
        /// `namespace`, `name`, `apiVersion` or `kind`.
        field: &'static str,
        /// The value of the handle.
        expected: String,
        /// The value of the object.
        found: String,
    },
    /// The value of a header is invalid.
    #[error("the value of header {0} has characters that are not allowed in a header")]
    Header(HeaderName),
    /// The header is reserved for the API server, and can't be sent to a backend.
    #[error("header {0} is reserved for the API server and can't be sent to a backend")]
    ReservedHeader(HeaderName),
    /// The request has cookies for a backend, which are not enabled.
    #[error("cookies are sent to a backend only if `HttpProxy::cookies` allows it")]
    Cookie,
    /// API servers do not support the HTTP method.
    #[error("API servers do not support the method {0}")]
    Method(http::Method),
    /// The request for a protocol upgrade does not name the protocol.
    #[error("a protocol upgrade needs an `Upgrade` header")]
    NoUpgrade,
    /// The text is not a path with a query.
    #[error("{0:?} is not a path with a query")]
    Uri(String),
    /// The URL is invalid.
    #[error("the URL of the request is invalid: {0}")]
    Url(String),
    /// The file with the body can't be read.
    #[error("the request's body can't be read from {path}: {error}")]
    BodyFile {
        /// The file.
        path: String,
        /// The reason.
        error: String,
    },
    /// The object has no valid JSON form, so no patch can be computed from it.
    #[error("the object has no valid JSON form, so its changes are unknown: {0}")]
    Unreadable(DecodeError),
    /// The body was a stream, which can be sent only once.
    #[error("the request's body is a stream that has been sent already")]
    BodyTaken,
}

/// The reason why a document can't be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyConfigurationError {
    /// The document, or its metadata, is not an object.
    #[error("it is not an object")]
    NotAnObject,
    /// The document has another kind than the handle.
    #[error("its kind is {found:?}, but that of the handle is {expected:?}")]
    Kind {
        /// `apiVersion` and `kind` of the handle.
        expected: String,
        /// `apiVersion` and `kind` of the document.
        found: String,
    },
    /// The document has another namespace or name than the handle.
    #[error("its {field} is {found:?}, but that of the handle is {expected:?}")]
    Mismatch {
        /// `namespace` or `name`.
        field: &'static str,
        /// The value of the handle.
        expected: String,
        /// The value of the document.
        found: String,
    },
    /// The document has `metadata.managedFields`, so it is an object that was read. All of its fields would be owned.
    #[error("it has managed fields; apply only the fields to be owned, see `extract`")]
    ManagedFields,
}

// Not a source: the text includes it.
impl From<ApplyConfigurationError> for RequestError {
    fn from(error: ApplyConfigurationError) -> Self {
        Self::Apply(error)
    }
}

impl RequestError {
    /// A text that is not a path with a query. The error does not repeat the query.
    pub(crate) fn uri(uri: &str) -> Self {
        Self::Uri(uri.split('?').next().unwrap_or_default().chars().take(256).collect())
    }
}
