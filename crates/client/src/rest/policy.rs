//! The retry policy, without I/O.
//!
//! - 429 with `Retry-After`: every method, because the server has not processed the request.
//! - 5xx with `Retry-After`: only idempotent requests. client-go also repeats a create here, which the server may then process
//!   twice.
//! - A lost connection: only reads. Watches, which are reads, also if they time out before they begin.
//! - Nothing else, and no request whose body is a stream.

use std::time::Duration;

use http::StatusCode;

use crate::Verb;
use crate::error::MAX_RETRY_AFTER;

/// The form of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// One or several objects, read as a whole.
    Call,
    /// A stream of bytes.
    Stream,
    /// Watch events.
    Watch,
    /// A connection that switches to another protocol.
    #[cfg_attr(not(feature = "streams"), allow(dead_code, reason = "only streams upgrade"))]
    Upgrade,
}

impl Mode {
    /// Returns `true` if the response is passed on as bytes.
    pub(crate) fn is_bytes(self) -> bool {
        matches!(self, Self::Stream | Self::Upgrade)
    }
}

/// The outcome of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A response.
    Response {
        /// Its status.
        status: StatusCode,
        /// The `Retry-After` header, if it is a number of seconds.
        retry_after: Option<Duration>,
    },
    /// The connection was lost.
    Lost,
    /// No response in time, on the network.
    TimedOut,
    /// Any other failure on the network.
    Failed,
}

/// The properties of a request that decide about retries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    pub(crate) mode: Mode,
    pub(crate) verb: Verb,
    /// Whether the body can be sent again.
    pub(crate) replayable: bool,
    pub(crate) max_retries: u32,
}

impl Policy {
    /// The time to wait before the next attempt; `None` if there should be none. `retries` is the number of retries so far.
    pub(crate) fn decide(self, retries: u32, outcome: Outcome) -> Option<Duration> {
        /// The wait after a lost connection.
        const AFTER_LOSS: Duration = Duration::from_secs(1);
        if !self.replayable || retries >= self.max_retries {
            return None;
        }
        match outcome {
            Outcome::Response { status, retry_after } => {
                let may = status == StatusCode::TOO_MANY_REQUESTS
                    || (status.is_server_error() && self.verb.is_idempotent());
                retry_after.filter(|_| may)
            }
            Outcome::Lost if self.verb.is_safe() && !self.mode.is_bytes() => Some(AFTER_LOSS),
            Outcome::TimedOut if self.mode == Mode::Watch => Some(AFTER_LOSS),
            Outcome::Lost | Outcome::TimedOut | Outcome::Failed => None,
        }
    }
}

/// The seconds of a `Retry-After` header, at most [`MAX_RETRY_AFTER`]. A date is ignored, because API servers send none.
pub(crate) fn retry_after(headers: &http::HeaderMap) -> Option<Duration> {
    let seconds: i64 = headers.get(http::header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    let asked = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
    if asked > MAX_RETRY_AFTER {
        tracing::warn!(?asked, waited = ?MAX_RETRY_AFTER, "the server requested a longer wait than the client allows");
    }
    Some(asked.min(MAX_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERBS: [Verb; 5] = [Verb::Get, Verb::Post, Verb::Put, Verb::Patch, Verb::Delete];

    fn policy(mode: Mode, verb: Verb) -> Policy {
        Policy { mode, verb, replayable: true, max_retries: 10 }
    }

    fn response(status: u16, retry_after: Option<u64>) -> Outcome {
        let status = StatusCode::from_u16(status).unwrap();
        Outcome::Response { status, retry_after: retry_after.map(Duration::from_secs) }
    }

    #[test]
    fn t3_4_01_only_with_retry_after_and_where_it_is_safe() {
        for mode in [Mode::Call, Mode::Stream, Mode::Watch] {
            for verb in VERBS {
                let decide = |outcome| policy(mode, verb).decide(0, outcome);
                assert_eq!(decide(response(429, Some(3))), Some(Duration::from_secs(3)), "{verb}");
                let idempotent = verb.is_idempotent().then(|| Duration::from_secs(1));
                for status in [500, 503, 504] {
                    assert_eq!(decide(response(status, Some(1))), idempotent, "{verb} {status}");
                }
                for outcome in [
                    response(429, None),
                    response(500, None),
                    response(503, None),
                    response(200, Some(1)),
                    response(404, Some(1)),
                    response(409, Some(1)),
                    Outcome::Failed,
                ] {
                    assert_eq!(decide(outcome), None, "{verb} {outcome:?}");
                }
            }
        }
    }

    #[test]
    fn t3_4_02_a_lost_connection_is_retried_for_reads_only() {
        for verb in VERBS {
            let expected = (verb == Verb::Get).then(|| Duration::from_secs(1));
            assert_eq!(policy(Mode::Call, verb).decide(0, Outcome::Lost), expected, "{verb}");
            assert_eq!(policy(Mode::Stream, verb).decide(0, Outcome::Lost), None, "{verb}");
        }
        let watch = policy(Mode::Watch, Verb::Get);
        assert_eq!(watch.decide(0, Outcome::Lost), Some(Duration::from_secs(1)));
        assert_eq!(watch.decide(0, Outcome::TimedOut), Some(Duration::from_secs(1)));
        assert_eq!(policy(Mode::Call, Verb::Get).decide(0, Outcome::TimedOut), None);
    }

    #[test]
    fn t3_4_04_and_t3_4_07_retries_are_limited() {
        let policy = policy(Mode::Call, Verb::Get);
        assert!(policy.decide(9, response(429, Some(1))).is_some());
        assert_eq!(policy.decide(10, response(429, Some(1))), None);
        let stream = Policy { replayable: false, ..policy };
        assert_eq!(stream.decide(0, response(429, Some(1))), None);
        let once = Policy { max_retries: 0, ..policy };
        assert_eq!(once.decide(0, response(429, Some(1))), None);
    }

    #[test]
    fn only_seconds_are_read_from_retry_after() {
        for (text, expected) in [
            ("5", Some(5)),
            (" 7 ", Some(7)),
            ("0", Some(0)),
            ("-3", Some(0)),
            ("300", Some(300)),
            ("301", Some(300)),
            ("9223372036854775807", Some(300)),
            ("9223372036854775808", None),
            ("Wed, 21 Oct 2026 07:28:00 GMT", None),
            ("1.5", None),
            ("", None),
        ] {
            let mut headers = http::HeaderMap::new();
            headers.insert(http::header::RETRY_AFTER, text.parse().unwrap());
            assert_eq!(retry_after(&headers), expected.map(Duration::from_secs), "{text}");
        }
        assert_eq!(retry_after(&http::HeaderMap::new()), None);
    }
}
