//! The logs of containers.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use client_rs_machinery::MicroTime;
use futures_util::StreamExt;
use http::{Response, StatusCode};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use tokio::sync::watch;

use super::server::{Body, Params, text};

/// A container's log.
#[derive(Debug)]
pub(super) struct Log {
    state: Mutex<State>,
    changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    lines: Vec<(String, String)>,
    ended: bool,
    /// How often those who follow were cut off.
    cuts: u64,
}

impl Default for Log {
    fn default() -> Self {
        Self { state: Mutex::default(), changes: watch::channel(0).0 }
    }
}

impl Log {
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changes.send_modify(|count| *count += 1);
    }

    pub(super) fn write(&self, line: &str) {
        self.change(|state| {
            // Like real timestamps: to the nanosecond, and later than the one before.
            let number = state.lines.len();
            let now = MicroTime::now().to_string();
            let stamp = format!("{}{:03}Z", now.trim_end_matches('Z'), number % 1000);
            state.lines.push((stamp, line.to_owned()));
        });
    }

    pub(super) fn end(&self) {
        self.change(|state| state.ended = true);
    }

    pub(super) fn cut(&self) {
        self.change(|state| state.cuts += 1);
    }
}

pub(super) fn answer(log: &Arc<Log>, params: &Params) -> Response<Body> {
    let get = |name: &str| params.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let flag = |name: &str| matches!(get(name), Some("true" | "1"));
    let (follow, stamps) = (flag("follow"), flag("timestamps"));
    let since = get("sinceTime").map(str::to_owned);
    let (begin, cuts) = {
        let state = log.state.lock().unwrap_or_else(PoisonError::into_inner);
        let first = since.map_or(0, |since| state.lines.partition_point(|(stamp, _)| later(&since, stamp)));
        let tail = get("tailLines").and_then(|tail| tail.parse::<usize>().ok());
        (tail.map_or(first, |tail| first.max(state.lines.len().saturating_sub(tail))), state.cuts)
    };
    if get("tailLines").is_some_and(|tail| tail.parse::<usize>().is_err()) {
        return text(StatusCode::BAD_REQUEST, "tailLines is no number");
    }
    let limit = get("limitBytes").and_then(|limit| limit.parse::<usize>().ok()).unwrap_or(usize::MAX);
    let follower = (Arc::clone(log), log.changes.subscribe(), begin, limit);
    let stream = futures_util::stream::unfold(follower, move |(log, mut changes, at, left)| async move {
        loop {
            if left == 0 {
                return None;
            }
            let next = {
                let state = log.state.lock().unwrap_or_else(PoisonError::into_inner);
                let all: String = state.lines[at.min(state.lines.len())..]
                    .iter()
                    .map(
                        |(stamp, line)| {
                            if stamps { format!("{stamp} {line}\n") } else { format!("{line}\n") }
                        },
                    )
                    .collect();
                let over = !follow || state.ended || state.cuts != cuts;
                (all, state.lines.len(), over)
            };
            match next {
                (all, end, _) if !all.is_empty() => {
                    let mut bytes = Bytes::from(all);
                    bytes.truncate(left);
                    let left = left - bytes.len();
                    return Some((Ok::<_, Infallible>(Frame::data(bytes)), (log, changes, end, left)));
                }
                (_, _, true) => return None,
                (_, _, false) => changes.changed().await.ok()?,
            }
        }
    });
    Response::new(StreamBody::new(stream.boxed()).boxed_unsync())
}

/// Whether a line of this stamp was written before `since`, which is to the second.
fn later(since: &str, stamp: &str) -> bool {
    // Both are UTC and of one shape up to the second.
    let second = |text: &str| text.get(..19).unwrap_or(text).to_owned();
    second(stamp) < second(since)
}
