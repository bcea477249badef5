//! The settings of connections.

use std::time::Duration;

use super::body::DEFAULT_MAX_COLLECTED;

client_rs_machinery::options! {
    /// The settings of a transport's connections: protocol, timeouts and memory limits.
    ///
    /// The defaults suit most programs. Change them for a network that drops idle connections early, or to limit memory. Pass
    /// them to [`TransportOptions::with_http`](super::TransportOptions::with_http).
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_transport::http::HttpOptions;
    ///
    /// let options = HttpOptions::default().with_read_idle_timeout(Duration::from_secs(5)).with_max_collected(16 << 20);
    /// assert_eq!(options.read_idle_timeout, Some(Duration::from_secs(5)));
    ///
    /// let from_env = HttpOptions::from_env(|name| (name == "DISABLE_HTTP2").then(|| "1".to_owned()));
    /// assert!(!from_env.http2);
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct HttpOptions {
        /// Offer HTTP/2. Default: true, unless `DISABLE_HTTP2` is set to any value.
        pub http2: bool => with_http2,
        /// Use HTTP/2 without TLS. Set it only for servers that are known to support that. Default: false.
        pub http2_without_tls: bool => with_http2_without_tls,
        /// The time without received data after which an HTTP/2 connection is checked with a ping; `None` means never. After twice
        /// that time it is checked even if data arrives, because requests may still not reach the server.
        /// Default: 30 s, or `HTTP2_READ_IDLE_TIMEOUT_SECONDS` (0: never).
        pub read_idle_timeout: Option<Duration> => with_read_idle_timeout,
        /// The time limit of the response to the ping. After that, the connection is closed and all its requests fail. While data
        /// arrives, the response may be behind it, so the limit counts from the last data, up to four times
        /// [`read_idle_timeout`](Self::read_idle_timeout).
        /// Default: 15 s, or `HTTP2_PING_TIMEOUT_SECONDS`.
        pub ping_timeout: Duration => with_ping_timeout,
        /// The time limit for connecting to the server, or to the proxy. Default: 30 s.
        pub connect_timeout: Duration => with_connect_timeout,
        /// The time limit of a TLS handshake. Default: 10 s.
        pub handshake_timeout: Duration => with_handshake_timeout,
        /// The time after which an unused connection is closed. Default: 90 s.
        pub idle_timeout: Duration => with_idle_timeout,
        /// The maximum number of unused HTTP/1.1 connections to keep. Default: 25.
        pub max_idle: usize => with_max_idle,
        /// The number of bytes that the server may send ahead on one HTTP/2 stream: the memory that an unread body can use.
        /// Default: 4 MiB, which allows 400 MB/s at a round-trip time of 10 ms.
        ///
        /// The window of a connection is not configurable. It is the largest that HTTP/2 allows (2 GiB), and a connection carries
        /// only as many streams as fit into it with a full window each, 511 by default. So unread streams, however many, never use
        /// up the window of the others.
        pub stream_window: u32 => with_stream_window,
        /// The largest response body that [`Body::bytes`](super::Body::bytes) collects, in bytes, decompressed. A body
        /// that is read as a stream has no limit. Default: 512 MiB.
        pub max_collected: usize => with_max_collected,
    }
}

/// The window of every HTTP/2 connection: the largest that the protocol allows. No memory is allocated for it.
pub(super) const CONNECTION_WINDOW: u32 = (1 << 31) - 1;

impl Default for HttpOptions {
    /// The defaults, with the environment variables of the process.
    fn default() -> Self {
        Self::from_env(|name| std::env::var(name).ok())
    }
}

impl HttpOptions {
    /// The defaults, with these environment variables. A value that is not a number is ignored with a warning.
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

    /// The window of a stream, within the limits of the protocol.
    pub(super) fn allowed_stream_window(&self) -> u32 {
        self.stream_window.clamp(1, CONNECTION_WINDOW)
    }

    /// The number of streams per connection: all their windows together fit into that of the connection.
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
