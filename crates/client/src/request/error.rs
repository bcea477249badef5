//! What is wrong with a request before it is sent.

use std::fmt;

use http::HeaderName;

/// A part of a request's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// What to do about an empty part.
fn remedy(part: PathPart) -> &'static str {
    match part {
        PathPart::Namespace => "; to reach all namespaces, ask for all of them (`Api::all`, `AllNamespaces`)",
        _ => "",
    }
}

/// A request that can't be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A part was set twice.
    #[error("the {0} of a request was set twice")]
    Twice(PathPart),
    /// A part is empty that can't be.
    #[error("the {} of a request is empty{}", .0, remedy(*.0))]
    Empty(PathPart),
    /// A part can't be a segment of a path.
    #[error("{value:?} can't be the {part} of a request: {why}")]
    Segment {
        /// Which part.
        part: PathPart,
        /// What was given.
        value: String,
        /// What is wrong with it.
        why: String,
    },
    /// Options were set one by one, and then all at once: the former would be lost.
    #[error("options that were set one by one are replaced by `options`: call it first")]
    OptionsReplaced,
    /// Server-side apply without a name for who applies.
    #[error("server-side apply needs the name of a field manager")]
    NoFieldManager,
    /// What is to be applied can't be.
    #[error("this can't be applied: {0}")]
    Apply(ApplyConfigurationError),
    /// A namespace for objects that are in none.
    #[error("{resource} are cluster-scoped, but a namespace is given: {namespace:?}; leave it out")]
    ClusterScoped {
        /// The resource.
        resource: String,
        /// The namespace.
        namespace: String,
    },
    /// No namespace for one object of those that are in namespaces.
    #[error("{0} are in namespaces, so a name alone means no object; say which namespace")]
    NamespaceNeeded(String),
    /// An object that belongs elsewhere than where it is sent.
    #[error("the object's {field} is {found:?}, but it is sent to {expected:?}")]
    Mismatch {
        /// `namespace`, `name`, `apiVersion` or `kind`.
        field: &'static str,
        /// The handle's.
        expected: String,
        /// The object's.
        found: String,
    },
    /// A header's value can't be one.
    #[error("the value of header {0} holds characters that a header can't")]
    Header(HeaderName),
    /// A header that is the API server's to read, and can't be another's.
    #[error("header {0} is the API server's own, and is not passed on")]
    ReservedHeader(HeaderName),
    /// Cookies for a backend, which were not allowed.
    #[error("cookies are not passed on to a backend unless `HttpProxy::cookies` allows it")]
    Cookie,
    /// A method that API servers don't take.
    #[error("an API server takes no {0}")]
    Method(http::Method),
    /// Another protocol is asked for, and none is named.
    #[error("a request for another protocol needs an `Upgrade` header")]
    NoUpgrade,
    /// Not a path with a query.
    #[error("{0:?} is no path with a query")]
    Uri(String),
    /// The URL would not be one.
    #[error("the request's URL would not be valid: {0}")]
    Url(String),
    /// The file with the body can't be read.
    #[error("the request's body can't be read from {path}: {error}")]
    BodyFile {
        /// The file.
        path: String,
        /// Why not.
        error: String,
    },
    /// The body was a stream, which can be sent once only.
    #[error("the request's body is a stream that has been sent already")]
    BodyTaken,
}

/// Why a document can't be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyConfigurationError {
    /// It is no object, or its metadata is none.
    #[error("it is no object")]
    NotAnObject,
    /// It says that it is of another kind.
    #[error("it is of {found:?} and not of {expected:?}")]
    Kind {
        /// `apiVersion` and `kind` of the handle.
        expected: String,
        /// Those of the document.
        found: String,
    },
    /// It is of another namespace or name than the handle.
    #[error("its {field} is {found:?} and not {expected:?}")]
    Mismatch {
        /// `namespace` or `name`.
        field: &'static str,
        /// The handle's.
        expected: String,
        /// The document's.
        found: String,
    },
    /// It has `metadata.managedFields`, as an object has that was read: all of its fields would be owned.
    #[error("it has managed fields; apply only the fields to be owned, see `extract`")]
    ManagedFields,
}

// Not a source: the text has it.
impl From<ApplyConfigurationError> for RequestError {
    fn from(error: ApplyConfigurationError) -> Self {
        Self::Apply(error)
    }
}

impl RequestError {
    /// Not a path with a query. What the query says is not repeated.
    pub(crate) fn uri(uri: &str) -> Self {
        Self::Uri(uri.split('?').next().unwrap_or_default().chars().take(256).collect())
    }
}
