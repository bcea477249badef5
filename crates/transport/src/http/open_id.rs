//! HTTP to OpenID providers.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::features::FeatureGates;
use http::{Request, Response};
use http_body_util::{BodyExt, Limited};
use tower::ServiceExt;

use super::from_config::SourceTls;
use super::{Body, HttpOptions, Proxy, ProxyEnv, Target, TransportBuilder};
use crate::auth::ClientCertificates;
use crate::auth::NoCredentialMetrics;
use crate::auth::oidc::TokenHttp;
use crate::tls_source::CaSource;
use crate::{Material, TlsOptions};

client_rs_machinery::options! {
    /// Sends requests to OpenID providers, through the proxies of the environment. It opens one connection per request, because
    /// requests are rare.
    #[derive(Clone, Debug)]
    pub struct OpenIdHttp {
        /// The time limit of a whole request. Default: 30 s.
        pub timeout: Duration => with_timeout,
    }
}

impl Default for OpenIdHttp {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(30) }
    }
}

impl TokenHttp for OpenIdHttp {
    fn send(
        &self,
        request: Request<Bytes>,
        ca: Option<Material>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, String>> + Send>> {
        let timeout = self.timeout;
        Box::pin(async move {
            let late = |_| format!("it took longer than {timeout:?}");
            tokio::time::timeout(timeout, send(request, ca)).await.map_err(late)?
        })
    }
}

async fn send(request: Request<Bytes>, ca: Option<Material>) -> Result<Response<Bytes>, String> {
    /// No response of a provider is longer than this.
    const MAX_ANSWER: usize = 1024 * 1024;
    let text = |error: super::TransportError| error.to_string();
    let target = Target::from_uri(request.uri()).map_err(text)?;
    let proxy = ProxyEnv::from_process().proxy_for(target.tls, &target.host, target.port);
    let options = TlsOptions { ca, ..TlsOptions::default() };
    let ca = CaSource::new(&options, &FeatureGates::global(), Arc::new(NoCredentialMetrics));
    let tls = SourceTls::new(Some(ca), ClientCertificates::none());
    let builder = TransportBuilder::new(target)
        .options(HttpOptions::default())
        .proxy(proxy.map(|url| Proxy::parse(&url)).transpose()?)
        .tls(Arc::new(tls));
    let transport = builder.build().map_err(text)?;
    let response = transport.oneshot(request.map(Body::from)).await.map_err(text)?;
    let (parts, body) = response.into_parts();
    let body = Limited::new(body, MAX_ANSWER).collect().await.map_err(|error| error.to_string())?;
    Ok(Response::from_parts(parts, body.to_bytes()))
}
