//! How connections are kept.

use std::time::Duration;

use super::body::DEFAULT_MAX_COLLECTED;

client_rs_machinery::options! {
    /// How a transport keeps its connections.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct HttpOptions {
        /// Offer HTTP/2. Default: true, unless `DISABLE_HTTP2` is set to anything.
        pub http2: bool => with_http2,
        /// Speak HTTP/2 where there is no TLS to agree on it: only for servers that are known to. Default: false.
        pub http2_without_tls: bool => with_http2_without_tls,
        /// When nothing has been heard on an HTTP/2 connection for so long, ask whether it is alive; `None`: never.
        /// Default: 30 s, or `HTTP2_READ_IDLE_TIMEOUT_SECONDS` (0: never).
        pub read_idle_timeout: Option<Duration> => with_read_idle_timeout,
        /// How long the answer to that may take before the connection counts as dead, with all that runs on it.
        /// Default: 15 s, or `HTTP2_PING_TIMEOUT_SECONDS`.
        pub ping_timeout: Duration => with_ping_timeout,
        /// How long it may take to reach the server, or the proxy. Default: 30 s.
        pub connect_timeout: Duration => with_connect_timeout,
        /// How long a TLS handshake may take. Default: 10 s.
        pub handshake_timeout: Duration => with_handshake_timeout,
        /// When an unused connection is closed. Default: 90 s.
        pub idle_timeout: Duration => with_idle_timeout,
        /// How many unused HTTP/1.1 connections are kept. Default: 25.
        pub max_idle: usize => with_max_idle,
        /// How many bytes the server may send ahead on one HTTP/2 stream: what a body that nobody reads costs in memory.
        /// Default: 4 MiB: at 10 ms, 400 MB/s.
        ///
        /// The window of a connection is not an option. It is the largest that HTTP/2 has (2 GiB), and a connection gets
        /// only as many streams as have room in it with a full window each, 511 by default. So streams that nobody reads,
        /// however many, never use up the credit of the others.
        pub stream_window: u32 => with_stream_window,
        /// The largest response body that [`Body::bytes`](super::Body::bytes) collects, in bytes, decompressed. A body
        /// that is read as a stream has no limit. Default: 512 MiB.
        pub max_collected: usize => with_max_collected,
    }
}

/// The window of every HTTP/2 connection: the largest that the protocol has. Nothing is allocated for it.
pub(super) const CONNECTION_WINDOW: u32 = (1 << 31) - 1;

impl Default for HttpOptions {
    /// With what the environment says.
    fn default() -> Self {
        Self::from_env(|name| std::env::var(name).ok())
    }
}

impl HttpOptions {
    /// The defaults in an environment. What is no number there is passed over.
    pub fn from_env(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let seconds = |name: &str, default: u64| {
            let set = lookup(name).filter(|text| !text.is_empty());
            match set.as_deref().map(str::parse::<u64>) {
                Some(Ok(seconds)) => Duration::from_secs(seconds),
                Some(Err(_)) => {
                    tracing::warn!(variable = name, "not a number of seconds: the default is used");
                    Duration::from_secs(default)
                }
                None => Duration::from_secs(default),
            }
        };
        let read_idle = seconds("HTTP2_READ_IDLE_TIMEOUT_SECONDS", 30);
        Self {
            http2: lookup("DISABLE_HTTP2").is_none_or(|text| text.is_empty()),
            http2_without_tls: false,
            read_idle_timeout: (!read_idle.is_zero()).then_some(read_idle),
            ping_timeout: seconds("HTTP2_PING_TIMEOUT_SECONDS", 15),
            connect_timeout: Duration::from_secs(30),
            handshake_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(90),
            max_idle: 25,
            stream_window: 4 * 1024 * 1024,
            max_collected: DEFAULT_MAX_COLLECTED,
        }
    }

    /// The window of a stream, within what the protocol allows.
    pub(super) fn allowed_stream_window(&self) -> u32 {
        self.stream_window.clamp(1, CONNECTION_WINDOW)
    }

    /// How many streams a connection may carry at once: their windows together fit into the connection's.
    pub(super) fn max_streams(&self) -> usize {
        usize::try_from(CONNECTION_WINDOW / self.allowed_stream_window()).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_windows_of_all_streams_fit_into_the_connections() {
        for stream_window in [0, 1, 65_535, 4 << 20, 1 << 30, CONNECTION_WINDOW, u32::MAX] {
            let options = HttpOptions { stream_window, ..HttpOptions::from_env(|_| None) };
            let (streams, window) = (options.max_streams(), options.allowed_stream_window());
            assert!(streams >= 1 && window >= 1, "{stream_window}");
            let together = u64::try_from(streams).unwrap() * u64::from(window);
            assert!(together <= u64::from(CONNECTION_WINDOW), "{stream_window}: {together}");
        }
        assert_eq!(HttpOptions::from_env(|_| None).max_streams(), 511);
    }

    #[test]
    fn the_environment_has_client_gos_names() {
        let none = HttpOptions::from_env(|_| None);
        assert_eq!(none.read_idle_timeout, Some(Duration::from_secs(30)));
        assert_eq!((none.ping_timeout, none.http2), (Duration::from_secs(15), true));
        let set = HttpOptions::from_env(|name| match name {
            "HTTP2_READ_IDLE_TIMEOUT_SECONDS" => Some("0".into()),
            "HTTP2_PING_TIMEOUT_SECONDS" => Some("3".into()),
            "DISABLE_HTTP2" => Some("true".into()),
            _ => None,
        });
        assert_eq!(
            (set.read_idle_timeout, set.ping_timeout, set.http2),
            (None, Duration::from_secs(3), false)
        );
        let odd = HttpOptions::from_env(|name| (name != "DISABLE_HTTP2").then(|| "soon".into()));
        assert_eq!(odd, none);
    }
}
