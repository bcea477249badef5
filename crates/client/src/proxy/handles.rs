//! The method of handles that returns a proxy client.

use client_rs_machinery::Resource;
use client_rs_machinery::subresource::{self as sub, HasSubresource, Subresource};

use super::{HttpProxy, ProxyTarget};
use crate::api::ByName;
use crate::{Api, Verb};

impl<K: Resource, S: ByName> Api<K, S> {
    /// Returns an HTTP client for a pod, service or node: see [`HttpProxy`].
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// use client_rs_client::proxy::ProxyTarget;
    ///
    /// # let server = Canned::new().on("GET /api/v1/namespaces/shop/services/https:web:8443/proxy/", "{}");
    /// # let services = Api::<Service>::namespaced(&server.client(), "shop");
    /// let response = services.http(ProxyTarget::new("web").port(8443).https()).get("/").await?;
    /// assert_eq!(response.status(), 200);
    /// # Ok(())
    /// # }
    /// ```
    pub fn http(&self, target: impl Into<ProxyTarget>) -> HttpProxy
    where
        K: HasSubresource<sub::Proxy>,
    {
        let target = target.into().to_string();
        let place = self.request(Verb::Get).name(&target).subresource([sub::Proxy::NAME]);
        HttpProxy::new(self.rest().clone(), place)
    }
}
