//! Requests that the server passes on.

use super::ApiRequest;
use crate::{BodySource, RawResponse};

impl ApiRequest<RawResponse, ()> {
    /// Adds a parameter of the query.
    pub fn param(self, name: &str, value: impl Into<String>) -> Self {
        self.map_request(|request| request.param(name, value))
    }

    /// The body, as it is; a `content-type` is a header of the request, see [`map_request`](Self::map_request).
    pub fn body(self, body: impl Into<BodySource>) -> Self {
        self.map_request(|request| request.body(body))
    }
}
