//! HTTP through the server, as a method of handles.

use client_rs_machinery::Resource;
use client_rs_machinery::subresource::{self as sub, HasSubresource, Subresource};

use super::{HttpProxy, ProxyTarget};
use crate::api::ByName;
use crate::{Api, Verb};

impl<K: Resource, S: ByName> Api<K, S> {
    /// An HTTP client of what listens at a pod, service or node: see [`HttpProxy`].
    pub fn http(&self, target: impl Into<ProxyTarget>) -> HttpProxy
    where
        K: HasSubresource<sub::Proxy>,
    {
        let target = target.into().to_string();
        let place = self.request(Verb::Get).name(&target).subresource([sub::Proxy::NAME]);
        HttpProxy::new(self.rest().clone(), place)
    }
}
