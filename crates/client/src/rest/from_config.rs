//! Clients as a [`Config`] describes them.

use std::sync::{Arc, Once};

use client_rs_machinery::features::{Feature, FeatureGates};
use client_rs_transport::Config;
use client_rs_transport::http::Transport;

use super::client::{RestClient, RestClientOptions};
use crate::flow_control::{RequestRateLimiter, TokenBucketLimiter};
use crate::{Call, Error};

impl RestClient {
    /// To a config's server, as its user, with the config's limits. Connections are shared with every client of an equal
    /// config; the rate limit is this client's and its clones'.
    pub fn from_config(config: &Config) -> Result<Self, Error> {
        Self::from_config_with(config, RestClientOptions::from_config(config))
    }

    /// As [`from_config`](Self::from_config), with other options than the config's: metrics, mostly. Start from
    /// [`RestClientOptions::from_config`].
    pub fn from_config_with(config: &Config, options: RestClientOptions) -> Result<Self, Error> {
        warn_of_cbor(&FeatureGates::global());
        let transport = Transport::new(config).map_err(|error| Error::Transport {
            call: Call::new("CONNECT", config.server.to_string()),
            error,
            previous: None,
        })?;
        Self::new(&config.server, transport, options)
    }
}

impl RestClientOptions {
    /// What a config says of a client's manners; all else is the default.
    ///
    /// Without a positive `qps` there is no limit; a `burst` of 0 is 10.
    pub fn from_config(config: &Config) -> Self {
        Self {
            limiter: limiter(config.qps, config.burst),
            user_agent: config.user_agent.clone(),
            accept: config.accept.clone(),
            content_type: config.content_type.clone(),
            timeout: config.timeout,
            ..Self::default()
        }
    }
}

/// CBOR is not built (docs/design/http.md says why): whoever turns its gates on shall know that JSON is spoken instead.
fn warn_of_cbor(gates: &FeatureGates) {
    static ONCE: Once = Once::new();
    if gates.enabled(Feature::ClientsAllowCbor) || gates.enabled(Feature::ClientsPreferCbor) {
        ONCE.call_once(|| {
            tracing::warn!("CBOR is asked for by a feature gate and not supported: JSON is used");
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
    async fn t3_1_04_which_limiter() {
        let options = |qps, burst| {
            let server = "https://k8s.example".parse().unwrap();
            RestClientOptions::from_config(&Config { qps, burst, ..Config::new(server) })
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
    fn a_client_takes_its_manners_from_the_config() {
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
