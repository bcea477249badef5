//! A backoff per host, for overloaded servers.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::StatusCode;
use tokio::time::Instant;

use crate::flow_control::{KeyedBackoff, KeyedBackoffOptions};

/// Delays requests to a host that responds with 429 or 5xx. The delay doubles with each such response, and any other response
/// resets it.
///
/// Clones share their state.
///
/// ```
/// use std::time::Duration;
/// use client_rs_client::UrlBackoff;
/// use http::StatusCode;
///
/// let backoff = UrlBackoff::new(Duration::from_secs(1), Duration::from_secs(60));
/// backoff.update("k8s.example", Some(StatusCode::SERVICE_UNAVAILABLE));
/// backoff.update("k8s.example", Some(StatusCode::SERVICE_UNAVAILABLE));
/// assert_eq!(backoff.wait("k8s.example"), Duration::from_secs(2));
/// backoff.update("k8s.example", Some(StatusCode::OK));
/// assert_eq!(backoff.wait("k8s.example"), Duration::ZERO);
/// ```
#[derive(Clone, Debug)]
pub struct UrlBackoff(Arc<Mutex<KeyedBackoff<String>>>);

impl UrlBackoff {
    /// A backoff that starts at `base` and doubles up to `max`.
    pub fn new(base: Duration, max: Duration) -> Self {
        let options = KeyedBackoffOptions { initial: base, max, ..KeyedBackoffOptions::default() };
        Self(Arc::new(Mutex::new(KeyedBackoff::new(options))))
    }

    /// The backoff of the environment variables `KUBE_CLIENT_BACKOFF_BASE` and `KUBE_CLIENT_BACKOFF_DURATION`, in seconds;
    /// `None` unless both are numbers.
    pub fn from_env(lookup: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let seconds = |name| lookup(name)?.parse().ok().map(Duration::from_secs);
        Some(Self::new(seconds("KUBE_CLIENT_BACKOFF_BASE")?, seconds("KUBE_CLIENT_BACKOFF_DURATION")?))
    }

    /// Records a response of a host; `None` means that there was no response.
    pub fn update(&self, host: &str, status: Option<StatusCode>) {
        let mut backoff = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let overloaded =
            status.is_some_and(|status| status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error());
        if overloaded {
            let now = Instant::now();
            backoff.next(host.to_owned(), now, now);
        } else {
            backoff.reset(host);
        }
    }

    /// The time to wait before the next request to a host.
    pub fn wait(&self, host: &str) -> Duration {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overload_doubles_and_anything_else_resets() {
        let env = |name: &str| match name {
            "KUBE_CLIENT_BACKOFF_BASE" => Some("1".to_owned()),
            "KUBE_CLIENT_BACKOFF_DURATION" => Some("3".to_owned()),
            _ => None,
        };
        let backoff = UrlBackoff::from_env(env).unwrap();
        let mut waits = Vec::new();
        for status in [429, 500, 503, 404, 503] {
            backoff.update("a", Some(StatusCode::from_u16(status).unwrap()));
            waits.push(backoff.wait("a").as_secs());
        }
        assert_eq!(waits, [1, 2, 3, 0, 1]);
        assert_eq!(backoff.wait("b"), Duration::ZERO);
        assert!(UrlBackoff::from_env(|name| env(name).filter(|text| text == "1")).is_none());
        assert!(UrlBackoff::from_env(|_| Some("soon".to_owned())).is_none());
    }
}
