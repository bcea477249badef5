//! Whether a request is tried again: decided without I/O.
//!
//! - 429 with `Retry-After`: whatever the verb, as the server has not acted.
//! - 5xx with `Retry-After`: only where asking twice comes to the same as asking once. client-go repeats a create
//!   there too, which may then have been carried out twice.
//! - A connection that was lost: reads only; watches, which are reads, also when the time ran out before they began.
//! - Nothing else, and nothing whose body is a stream.

use std::time::Duration;

use http::StatusCode;

use crate::Verb;
use crate::error::MAX_RETRY_AFTER;

/// In what way a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// With one object or many, all of it read.
    Call,
    /// With a stream of bytes.
    Stream,
    /// With events.
    Watch,
    /// With a connection that speaks another protocol.
    #[cfg_attr(not(feature = "streams"), allow(dead_code, reason = "only streams upgrade"))]
    Upgrade,
}

impl Mode {
    /// Whether the answer is passed on as it comes, with no form of its own.
    pub(crate) fn is_bytes(self) -> bool {
        matches!(self, Self::Stream | Self::Upgrade)
    }
}

/// What came of one try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A response.
    Response {
        /// Its status.
        status: StatusCode,
        /// What its `Retry-After` header says, where that is a number of seconds.
        retry_after: Option<Duration>,
    },
    /// A connection that was lost.
    Lost,
    /// No answer in time, on the way.
    TimedOut,
    /// Any other failure on the way.
    Failed,
}

/// What a request allows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    pub(crate) mode: Mode,
    pub(crate) verb: Verb,
    /// Whether the body can be sent again.
    pub(crate) replayable: bool,
    pub(crate) max_retries: u32,
}

impl Policy {
    /// How long to wait before the next try, if there is to be one. `retries` is how many there were.
    pub(crate) fn decide(self, retries: u32, outcome: Outcome) -> Option<Duration> {
        /// What a lost connection asks for.
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

/// The seconds of a `Retry-After` header, [`MAX_RETRY_AFTER`] at most. A date there is not understood, as API servers send
/// none.
pub(crate) fn retry_after(headers: &http::HeaderMap) -> Option<Duration> {
    let seconds: i64 = headers.get(http::header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    let asked = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
    if asked > MAX_RETRY_AFTER {
        tracing::warn!(?asked, waited = ?MAX_RETRY_AFTER, "the server asks for a longer wait than is granted");
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
    fn t3_4_04_and_t3_4_07_there_is_an_end() {
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
