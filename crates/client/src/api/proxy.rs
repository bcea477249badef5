//! Requests that the API server forwards to a pod, service or node.

use super::ApiRequest;
use crate::{BodySource, RawResponse};

impl ApiRequest<RawResponse, ()> {
    /// Adds a query parameter.
    pub fn param(self, name: &str, value: impl Into<String>) -> Self {
        self.map_request(|request| request.param(name, value))
    }

    /// Sets the body, unchanged. Set a `content-type` with [`map_request`](Self::map_request).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, Verb, testing::Canned};
    /// # let server = Canned::new().echo("POST /api/v1/namespaces/a/pods/web:8080/proxy/orders");
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let request = pods.proxy("web:8080", Verb::Post, "/orders").body(b"tea".to_vec());
    /// assert_eq!(request.await?.body, "tea");
    /// # Ok(())
    /// # }
    /// ```
    pub fn body(self, body: impl Into<BodySource>) -> Self {
        self.map_request(|request| request.body(body))
    }
}
