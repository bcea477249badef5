//! What is asked of a resource.

use std::fmt;

use http::Method;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Read.
    Get,
    /// Create, or call.
    Post,
    /// Replace.
    Put,
    /// Change in part.
    Patch,
    /// Delete.
    Delete,
    /// Read what is known without its body.
    Head,
    /// Ask what can be asked.
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

    /// The verb of an HTTP method, if it is one that servers take.
    pub fn of_method(method: &Method) -> Option<Self> {
        let all = [Self::Get, Self::Post, Self::Put, Self::Patch, Self::Delete, Self::Head, Self::Options];
        all.into_iter().find(|verb| verb.as_str() == method.as_str())
    }

    /// The HTTP method's name.
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

    /// Does asking change nothing?
    pub const fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Options)
    }

    /// Does asking twice come to the same as asking once? A second `POST` may create a second object; a second
    /// `PATCH` may add a second time.
    pub const fn is_idempotent(self) -> bool {
        self.is_safe() || matches!(self, Self::Put | Self::Delete)
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
