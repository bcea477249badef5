//! The verbs of requests.

use std::fmt;

use http::Method;

/// The verb of a request: an HTTP method that API servers support.
///
/// The client decides by it whether a retry is safe.
///
/// ```
/// use client_rs_client::Verb;
///
/// assert!(Verb::Get.is_safe());
/// assert!(Verb::Put.is_idempotent() && !Verb::Put.is_safe());
/// assert!(!Verb::Post.is_idempotent());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Read.
    Get,
    /// Create an object, or call a function.
    Post,
    /// Replace.
    Put,
    /// Change parts of an object.
    Patch,
    /// Delete.
    Delete,
    /// Read the headers of a response, without its body.
    Head,
    /// Read the supported methods.
    Options,
}

impl Verb {
    /// The HTTP method.
    pub fn method(self) -> Method {
        match self {
            Self::Get => Method::GET,
            Self::Post => Method::POST,
            Self::Put => Method::PUT,
            Self::Patch => Method::PATCH,
            Self::Delete => Method::DELETE,
            Self::Head => Method::HEAD,
            Self::Options => Method::OPTIONS,
        }
    }

    /// Returns the verb of an HTTP method, if API servers support it.
    ///
    /// ```
    /// use client_rs_client::Verb;
    /// use http::Method;
    ///
    /// assert_eq!(Verb::of_method(&Method::PATCH), Some(Verb::Patch));
    /// assert_eq!(Verb::of_method(&Method::TRACE), None);
    /// ```
    pub fn of_method(method: &Method) -> Option<Self> {
        let all = [Self::Get, Self::Post, Self::Put, Self::Patch, Self::Delete, Self::Head, Self::Options];
        all.into_iter().find(|verb| verb.as_str() == method.as_str())
    }

    /// The name of the HTTP method, such as `GET`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
            Self::Head => "HEAD",
            Self::Options => "OPTIONS",
        }
    }

    /// Whether the request changes nothing on the server.
    pub const fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Options)
    }

    /// Whether a second request has the same effect as one. A second `POST` may create a second object, and a second `PATCH` may add
    /// an element a second time.
    pub const fn is_idempotent(self) -> bool {
        self.is_safe() || matches!(self, Self::Put | Self::Delete)
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
