//! [`RequestObserver`]: is notified of requests.

use std::borrow::Cow;

use client_rs_machinery::GroupResource;
use http::StatusCode;

use crate::Verb;

/// Is notified of the requests of a future. Called on the task that makes the request, so it must not block.
pub trait RequestObserver: Send + Sync {
    /// A request begins. The result identifies it: [`ended`](Self::ended) gets it back.
    fn began(&self, request: ObservedRequest<'_>) -> u64;

    /// A request has ended, with its retries: the status of the last response, or `None` if there was none, or if the request was
    /// cancelled. The body of the response may not have been read yet.
    fn ended(&self, request: u64, status: Option<StatusCode>);
}

/// A request that begins: its verb and its object, without any value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ObservedRequest<'a> {
    /// The verb.
    pub verb: Verb,
    /// The resource; empty for other paths.
    pub resource: GroupResource,
    /// The namespace; empty if there is none.
    pub namespace: &'a str,
    /// The name; empty for a request to a collection.
    pub name: &'a str,
    /// The subresource; empty if there is none.
    pub subresource: Cow<'a, str>,
}
