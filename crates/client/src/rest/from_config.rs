//! Clients for a [`Config`].

use std::fmt::Write as _;
use std::sync::{Arc, Once};

use client_rs_machinery::Str;
use client_rs_machinery::features::{Feature, FeatureGates};
use client_rs_transport::Config;
use client_rs_transport::http::Transport;

use super::client::{RestClient, RestClientOptions};
use crate::flow_control::{RequestRateLimiter, TokenBucketLimiter};
use crate::{Call, Error};

impl RestClient {
    /// Creates a client for the server of a config, with its credentials and its rate limit. It opens no connection yet.
    ///
    /// Clients of equal configs share their connections. The rate limit is shared only with clones.
    ///
    /// ```
    /// use client_rs_client::RestClient;
    /// use client_rs_transport::Config;
    ///
    /// // In a program: `Config::infer()?`
    /// let config = Config::new("https://k8s.example:6443/base".parse()?);
    /// let client = RestClient::from_config(&config)?;
    /// assert_eq!(client.base_path(), "/base");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Contradicting credentials, or a URL that is not valid. Files that can't be read are errors of the first request instead.
    pub fn from_config(config: &Config) -> Result<Self, Error> {
        Self::from_config_with(config, RestClientOptions::from_config(config))
    }

    /// Like [`from_config`](Self::from_config), with options that replace the config's, such as metrics. Start from
    /// [`RestClientOptions::from_config`].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use client_rs_client::{RestClient, RestClientOptions, warning::NoWarnings};
    /// use client_rs_transport::Config;
    ///
    /// let config = Config::new("https://k8s.example".parse()?).with_qps(5.0);
    /// let options = RestClientOptions::from_config(&config).with_warnings(Arc::new(NoWarnings));
    /// assert!(options.limiter.is_some());
    /// let client = RestClient::from_config_with(&config, options)?;
    /// # assert_eq!(client.base_path(), "");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_config_with(config: &Config, options: RestClientOptions) -> Result<Self, Error> {
        warn_of_cbor(&FeatureGates::global());
        let transport = Transport::from_config(config).map_err(|error| Error::Transport {
            call: Call::new("CONNECT", config.server.to_string()),
            error,
            previous: None,
        })?;
        Self::with_options(&config.server, transport, options)
    }
}

impl RestClientOptions {
    /// The options of a config: rate limit, user agent, media types and timeout. All others have their default.
    ///
    /// Without a positive `qps` there is no limit. A `burst` of 0 means 10.
    pub fn from_config(config: &Config) -> Self {
        Self {
            limiter: limiter(config.qps, config.burst),
            user_agent: config.user_agent.clone(),
            accept: config.accept.clone(),
            content_type: config.content_type.clone(),
            timeout: config.timeout,
            server_id: Some(server_id(config)),
            ..Self::default()
        }
    }
}

/// The URL of a server, and where it differs from a direct connection to that host: the name in the TLS handshake, by which a gateway finds
/// one of several servers, and the proxy, behind which the same name may be another server. Without names of users and passwords.
///
/// The proxy of the environment is the same for all clients, so it is not a part.
fn server_id(config: &Config) -> Str {
    let server = &config.server;
    let authority = server.authority().map_or("", |authority| authority.as_str());
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let path = server.path().trim_end_matches('/');
    let mut id = format!("{}://{host}{path}", server.scheme_str().unwrap_or("https"));
    let is_other = |name: &&String| {
        config.uses_tls() && !server.host().is_some_and(|host| host.eq_ignore_ascii_case(name))
    };
    if let Some(name) = config.tls.server_name.as_ref().filter(is_other) {
        let _ = write!(id, " as {name}");
    }
    if let Some(proxy) = &config.proxy {
        let _ = write!(id, " via {proxy}");
    }
    id.into()
}

/// CBOR is not implemented (docs/design/http.md explains why). A user who turns its gates on gets a warning and JSON.
fn warn_of_cbor(gates: &FeatureGates) {
    static ONCE: Once = Once::new();
    if gates.enabled(Feature::ClientsAllowCbor) || gates.enabled(Feature::ClientsPreferCbor) {
        ONCE.call_once(|| {
            tracing::warn!("a feature gate requests CBOR, which is not supported: using JSON");
        });
    }
}

fn limiter(qps: f32, burst: u32) -> Option<Arc<dyn RequestRateLimiter>> {
    if qps.is_nan() || qps <= 0.0 {
        return None;
    }
    let burst = if burst > 0 { burst } else { Config::DEFAULT_BURST };
    Some(Arc::new(TokenBucketLimiter::new(qps, burst)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn t3_1_04_limiter_of_each_qps_and_burst() {
        let options = |qps, burst| {
            let server = "https://k8s.example".parse().unwrap();
            RestClientOptions::from_config(&Config::new(server).with_qps(qps).with_burst(burst))
        };
        // client-go has 5 a second for 0; here the default is no limit.
        for (qps, burst) in [(0.0, 0), (0.0, 3), (-1.0, 0), (-1.0, 3), (f32::NAN, 3)] {
            assert!(options(qps, burst).limiter.is_none(), "{qps} {burst}");
        }
        assert!(RestClientOptions::default().limiter.is_none());
        for (qps, burst, at_once) in [(50.0, 0, 10), (7.5, 20, 20)] {
            let limiter = options(qps, burst).limiter.unwrap();
            assert!((limiter.qps() - qps).abs() < f32::EPSILON);
            let taken = (0..at_once).filter(|_| limiter.try_acquire()).count();
            assert_eq!(taken, at_once);
            assert!(!limiter.try_acquire());
        }
        // An explicit limiter wins.
        let own = RestClientOptions { limiter: None, ..options(5.0, 10) };
        assert!(own.limiter.is_none());
    }

    #[test]
    fn a_server_is_identified_by_its_url_without_credentials() {
        for (url, id) in [
            ("https://k8s.example", "https://k8s.example"),
            ("https://k8s.example/", "https://k8s.example"),
            ("https://me:secret@k8s.example:6443/base/", "https://k8s.example:6443/base"),
        ] {
            assert_eq!(server_id(&Config::new(url.parse().unwrap())), id);
        }
    }

    #[test]
    fn servers_behind_a_gateway_or_a_proxy_differ() {
        let config = |url: &str, name: Option<&str>, proxy: Option<&str>| {
            let mut config = Config::new(url.parse().unwrap());
            config.tls.server_name = name.map(str::to_owned);
            config.proxy = proxy.map(|proxy| proxy.parse().unwrap());
            server_id(&config)
        };
        let url = "https://k8s.example:6443";
        for (name, proxy, id) in [
            (Some("a.example"), None, "https://k8s.example:6443 as a.example"),
            (Some("K8s.example"), None, url),
            (
                None,
                Some("http://proxy.example:3128"),
                "https://k8s.example:6443 via http://proxy.example:3128",
            ),
        ] {
            assert_eq!(config(url, name, proxy), id);
        }
        let both = config(url, Some("a.example"), Some("socks5://me:secret@proxy.example"));
        assert!(both.starts_with("https://k8s.example:6443 as a.example via socks5://"), "{both}");
        assert!(!both.contains("me") && !both.contains("secret"), "{both}");
        // Nobody checks a name without TLS.
        assert_eq!(config("http://k8s.example", Some("a.example"), None), "http://k8s.example");
    }

    #[test]
    fn a_client_takes_its_settings_from_the_config() {
        let mut config = Config::new("https://k8s.example/base".parse().unwrap());
        config.user_agent = "me/1".into();
        config.timeout = Some(std::time::Duration::from_secs(3));
        let client = RestClient::from_config(&config).unwrap();
        assert_eq!((client.0.base.as_str(), client.0.host.as_str()), ("/base", "k8s.example"));
        assert_eq!(
            (client.0.user_agent.as_bytes(), client.0.options.timeout),
            (b"me/1".as_slice(), config.timeout)
        );
        config.tls.client_key = Some(client_rs_transport::Material::Data("key".into()));
        let error = RestClient::from_config(&config).unwrap_err();
        assert!(error.to_string().contains("https://k8s.example"), "{error}");
    }
}
