//! How a connection is kept.

use std::time::Duration;

/// How a [`Mux`](super::Mux) keeps its connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MuxOptions {
    /// After how long without a byte from the other side it is asked whether it is there, and how often then; `None`: never. Default: every
    /// 5 s. A connection that carries data has no pings, and neither has one that is not read because a stream of ours is full: a ping that
    /// reaches a peer which has already closed would take the data that is still on its way.
    pub ping_every: Option<Duration>,
    /// When the other side counts as gone if nothing has been heard of it, with pings on. Time in which nothing is read
    /// because a stream of ours is full does not count. Default: 61 s.
    pub silence: Duration,
    /// How many bytes a stream holds that nobody has read before the connection is not read any more. One read of the
    /// connection (64 KiB) may come on top. Default: 256 KiB.
    pub stream_buffer: usize,
    /// How many bytes wait to be sent before writers wait. Default: 256 KiB.
    pub write_buffer: usize,
    /// How many streams the other side may have open. Default: 1,000.
    pub max_streams: usize,
    /// How long the answer to a new stream may take. Default: 30 s.
    pub open_timeout: Duration,
    /// How long what was written may still be sent when nobody holds the connection any more, including the answer to a server's goodbye in
    /// the channel protocol. Default: 5 s.
    pub linger: Duration,
}

impl MuxOptions {
    /// Sets [`ping_every`](Self::ping_every).
    #[must_use]
    pub fn with_ping_every(mut self, ping_every: impl Into<Option<Duration>>) -> Self {
        self.ping_every = ping_every.into();
        self
    }

    /// Sets [`silence`](Self::silence).
    #[must_use]
    pub fn with_silence(mut self, silence: Duration) -> Self {
        self.silence = silence;
        self
    }

    /// Sets [`stream_buffer`](Self::stream_buffer).
    #[must_use]
    pub fn with_stream_buffer(mut self, stream_buffer: usize) -> Self {
        self.stream_buffer = stream_buffer;
        self
    }

    /// Sets [`write_buffer`](Self::write_buffer).
    #[must_use]
    pub fn with_write_buffer(mut self, write_buffer: usize) -> Self {
        self.write_buffer = write_buffer;
        self
    }

    /// Sets [`max_streams`](Self::max_streams).
    #[must_use]
    pub fn with_max_streams(mut self, max_streams: usize) -> Self {
        self.max_streams = max_streams;
        self
    }

    /// Sets [`open_timeout`](Self::open_timeout).
    #[must_use]
    pub fn with_open_timeout(mut self, open_timeout: Duration) -> Self {
        self.open_timeout = open_timeout;
        self
    }

    /// Sets [`linger`](Self::linger).
    #[must_use]
    pub fn with_linger(mut self, linger: Duration) -> Self {
        self.linger = linger;
        self
    }
}

impl Default for MuxOptions {
    fn default() -> Self {
        Self {
            ping_every: Some(Duration::from_secs(5)),
            silence: Duration::from_secs(61),
            stream_buffer: 256 * 1024,
            write_buffer: 256 * 1024,
            max_streams: 1000,
            open_timeout: Duration::from_secs(30),
            linger: Duration::from_secs(5),
        }
    }
}
