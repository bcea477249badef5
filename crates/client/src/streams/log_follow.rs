//! Logs that are followed through lost connections, and several at once.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::subresource::{HasSubresource, Log as LogSubresource};
use client_rs_machinery::{Namespaced, Resource};
use client_rs_transport::http::TransportError;
use futures_core::Stream;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::api::{Log, LogLines};
use crate::{Api, Call, Error, Request, RestClient, Verb};

/// How logs are followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowOptions {
    /// How many lines of what was written before come first; `None`: all. Default: all.
    pub tail_lines: Option<u32>,
    /// Only what was written since then, an RFC 3339 time. Default: whenever.
    pub since_time: Option<String>,
    /// Only what was written in so many seconds before the request, by the node's clock; not beside `since_time`.
    /// Default: whenever.
    pub since_seconds: Option<u32>,
    /// Whether the server may take the log from a node whose certificate it can't check. Default: false.
    pub insecure_skip_tls_verify_backend: bool,
    /// How long a container that has not begun yet may take: till then the server's refusal is no error. Default: not at
    /// all.
    pub start_patience: Duration,
    /// How long to wait before a lost connection is made again. Default: 1 s.
    pub retry_after: Duration,
    /// How often in a row a connection may fail, without a line in between, before that is an error. Default: 10.
    pub max_failures: u32,
}

impl Default for FollowOptions {
    fn default() -> Self {
        Self {
            tail_lines: None,
            since_time: None,
            since_seconds: None,
            insecure_skip_tls_verify_backend: false,
            start_patience: Duration::ZERO,
            retry_after: Duration::from_secs(1),
            max_failures: 10,
        }
    }
}

/// Whose log.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LogSource {
    /// The pod.
    pub pod: String,
    /// Its container.
    pub container: String,
}

/// A line of a log, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Whose.
    pub source: LogSource,
    /// When it was written, as the node says: RFC 3339 to the nanosecond. Empty where the node does not say.
    pub time: String,
    /// What: bytes, for a container may write what it likes.
    pub line: Bytes,
}

/// The lines of one or several logs as they are written: a `Stream`.
///
/// - Each log is followed through lost connections, from the time of its last line; no line comes twice and none is left
///   out that the node still has and gives for that time. It ends when its container has, and does not come back, or its
///   pod is gone. A node's clock may step back: lines are told apart by their times only where a connection is made again.
/// - A line that breaks off with its connection comes whole from the next one; as it is only where it was the last.
/// - The lines of one log come in their order. Those of several come as they arrive: their times may be out of order.
/// - A log that can't be followed any more is an error in the stream, once, which names it; the others go on.
/// - A slow reader slows the logs down; at most 64 lines wait. Dropping it ends all requests.
pub struct FollowedLogs {
    lines: mpsc::Receiver<Result<LogLine, FollowError>>,
    _tasks: JoinSet<()>,
}

/// A log that is not followed any more.
#[derive(Debug)]
pub struct FollowError {
    /// Whose.
    pub source_of: LogSource,
    /// Why.
    pub error: Error,
}

impl fmt::Display for FollowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LogSource { pod, container } = &self.source_of;
        write!(f, "the log of {pod}/{container} is not followed any more: {}", self.error)
    }
}

impl std::error::Error for FollowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The text has the error.
        self.error.source()
    }
}

impl FollowedLogs {
    /// Follows the logs of these containers. Must be called inside a tokio runtime.
    pub fn new<K>(
        pods: &Api<K, Namespaced>,
        sources: impl IntoIterator<Item = LogSource>,
        options: &FollowOptions,
    ) -> Self
    where
        K: Resource + HasSubresource<LogSubresource>,
    {
        let (sender, lines) = mpsc::channel(64);
        let mut tasks = JoinSet::new();
        for source in sources {
            let name = source.pod.clone();
            let base = pods.request(Verb::Get).name(&name);
            let follower = Follower {
                rest: pods.rest().clone(),
                pod: base.clone(),
                log: base.subresource(["log"]).param("container", &*source.container),
                source,
                options: options.clone(),
                sender: sender.clone(),
            };
            tasks.spawn(follower.run());
        }
        Self { lines, _tasks: tasks }
    }

    /// The next line; `None` when all logs have ended.
    pub async fn next(&mut self) -> Option<Result<LogLine, FollowError>> {
        self.lines.recv().await
    }
}

impl Stream for FollowedLogs {
    type Item = Result<LogLine, FollowError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.lines.poll_recv(cx)
    }
}

impl fmt::Debug for FollowedLogs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FollowedLogs")
    }
}

/// Follows one log.
struct Follower {
    rest: RestClient,
    pod: Request,
    log: Request,
    source: LogSource,
    options: FollowOptions,
    sender: mpsc::Sender<Result<LogLine, FollowError>>,
}

impl Follower {
    async fn run(self) {
        let (mut resume, mut failures) = (Resume::default(), 0);
        let begun = tokio::time::Instant::now();
        loop {
            let mut half = None;
            let outcome = self.once(&mut resume, &mut failures).await;
            let error = match outcome {
                Ok(Ended::Unread) => return,
                Ok(Ended::Log(rest)) => {
                    half = rest;
                    None
                }
                Err(error) if error.is_not_found() => return,
                // A container that waits to start has no log, says the server.
                Err(error)
                    if is_refusal(&error)
                        && resume.since().is_none()
                        && begun.elapsed() < self.options.start_patience =>
                {
                    tracing::debug!(source = ?self.source, %error, "its container has not begun");
                    tokio::time::sleep(self.options.retry_after).await;
                    continue;
                }
                Err(error) => Some(error),
            };
            let over = match self.goes_on().await {
                // Its last words have been read.
                Ok(goes_on) => !goes_on && error.is_none(),
                Err(error) => error.is_not_found(),
            };
            if over {
                // Nothing completes it any more.
                if let Some(line) = half.and_then(|line| resume.take(line)) {
                    self.give(line).await;
                }
                return;
            }
            failures += 1;
            match error {
                Some(error) if failures > self.options.max_failures || !may_pass(&error) => {
                    let error = FollowError { source_of: self.source.clone(), error };
                    // Nobody may be reading any more.
                    let _ = self.sender.send(Err(error)).await;
                    return;
                }
                error => {
                    tracing::debug!(source = ?self.source, ?error, "the log broke off and is followed from there");
                }
            }
            tokio::time::sleep(self.options.retry_after).await;
        }
    }

    /// One request's worth of lines.
    async fn once(&self, resume: &mut Resume, failures: &mut u32) -> Result<Ended, Error> {
        let mut request = self.log.clone().param("follow", "true").param("timestamps", "true");
        if let Some(since) = resume.since().or(self.options.since_time.as_deref()) {
            request = request.param("sinceTime", since);
        }
        if self.options.insecure_skip_tls_verify_backend {
            request = request.param("insecureSkipTLSVerifyBackend", "true");
        }
        if resume.since().is_none() {
            let first =
                [("tailLines", self.options.tail_lines), ("sinceSeconds", self.options.since_seconds)];
            for (name, value) in first {
                request =
                    value.into_iter().fold(request, |request, value| request.param(name, value.to_string()));
            }
        }
        resume.begin();
        let call = Call::new(request.verb().as_str(), self.rest.url(&request)?);
        let mut lines: LogLines = Log::new(self.rest.send_stream(request).await?, call).lines();
        while let Some(line) = lines.try_next().await? {
            *failures = 0;
            if lines.broke_off() {
                return Ok(Ended::Log(Some(line)));
            }
            if let Some(line) = resume.take(line)
                && !self.give(line).await
            {
                return Ok(Ended::Unread);
            }
        }
        Ok(Ended::Log(None))
    }

    /// Whether anybody reads it.
    async fn give(&self, (time, line): (String, Bytes)) -> bool {
        let line = LogLine { source: self.source.clone(), time, line };
        self.sender.send(Ok(line)).await.is_ok()
    }

    /// Whether the container runs, or will again.
    async fn goes_on(&self) -> Result<bool, Error> {
        let request = self.pod.clone().header(http::header::ACCEPT, "application/json");
        let raw = self.rest.send_raw(request).await?;
        Ok(serde_json::from_slice(&raw.body).is_ok_and(|pod| runs(&pod, &self.source.container)))
    }
}

enum Ended {
    /// The log has; with a line that has no end.
    Log(Option<Bytes>),
    /// Nobody reads it any more.
    Unread,
}

/// Whether the server says that there is no such log yet.
fn is_refusal(error: &Error) -> bool {
    matches!(error, Error::Api { error, .. } if error.is_bad_request())
}

/// Whether the next try may fare better.
fn may_pass(error: &Error) -> bool {
    error.is_transient()
        || matches!(error, Error::Transport { error, .. } if !matches!(error, TransportError::Config(_)))
}

fn runs(pod: &Value, container: &str) -> bool {
    if pod.pointer("/metadata/deletionTimestamp").is_some()
        || matches!(pod.pointer("/status/phase").and_then(Value::as_str), Some("Succeeded" | "Failed"))
    {
        return false;
    }
    let lists =
        ["/status/containerStatuses", "/status/initContainerStatuses", "/status/ephemeralContainerStatuses"];
    let mut all = lists.iter().filter_map(|list| pod.pointer(list)?.as_array()).flatten();
    let Some(status) = all.find(|status| status.get("name").and_then(Value::as_str) == Some(container))
    else {
        return false;
    };
    // One that waits was there before, and is being restarted.
    status.pointer("/state/running").is_some() || status.pointer("/state/waiting").is_some()
}

/// Where a log broke off: decided without I/O.
///
/// A server takes a time to the second, and gives all lines since, in the order in which they were written. Those that were
/// given out are passed over up to the first that was not, by their time, and by their number where several have the same.
/// From then on every line is new, whatever its time: a node's clock may step back.
#[derive(Debug, Default)]
struct Resume {
    /// The time of the last line.
    last: String,
    /// The latest time of any line. The last line's, unless the clock has stepped back.
    latest: String,
    /// Lines of the last time that were given out.
    given: usize,
    /// Those of them that were seen since the request began.
    seen: usize,
    /// Whether lines may come that were given out before.
    catching_up: bool,
}

impl Resume {
    /// A request begins.
    fn begin(&mut self) {
        (self.seen, self.catching_up) = (0, self.since().is_some());
    }

    fn since(&self) -> Option<&str> {
        (!self.last.is_empty()).then_some(self.last.as_str())
    }

    /// Time and text of a line, unless it was given out before.
    fn take(&mut self, line: Bytes) -> Option<(String, Bytes)> {
        let space = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
        let time = std::str::from_utf8(&line[..space]).ok().filter(|time| is_time(time));
        let Some(time) = time.map(str::to_owned) else {
            // A part of a long line, or a node that says no times: nothing can be told of it.
            return Some((String::new(), line));
        };
        if self.catching_up && self.was_given(&time) {
            return None;
        }
        self.catching_up = false;
        if order(&time, &self.last).is_eq() {
            self.given += 1;
        } else {
            (self.last, self.given) = (time.clone(), 1);
        }
        if order(&time, &self.latest).is_gt() {
            self.latest.clone_from(&time);
        }
        Some((time, line.slice((space + 1).min(line.len())..)))
    }

    fn was_given(&mut self, time: &str) -> bool {
        match order(time, &self.last) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => {
                self.seen += 1;
                self.seen <= self.given
            }
            // Written before the clock stepped back, if the last line is still to come.
            std::cmp::Ordering::Greater => self.seen < self.given && order(time, &self.latest).is_le(),
        }
    }
}

fn is_time(text: &str) -> bool {
    text.len() >= 20 && text.as_bytes().get(4) == Some(&b'-') && text.as_bytes().get(10) == Some(&b'T')
}

/// Times of one node have one shape but for the digits of their fraction, which Go leaves out at its end when they are 0.
fn order(one: &str, other: &str) -> std::cmp::Ordering {
    fn parts(time: &str) -> (&str, &str) {
        let (seconds, rest) = time.split_at_checked(19).unwrap_or((time, ""));
        let fraction = rest.strip_prefix('.').unwrap_or("");
        let end = fraction.find(|character: char| !character.is_ascii_digit()).unwrap_or(fraction.len());
        (seconds, fraction[..end].trim_end_matches('0'))
    }
    // Fractions compare as text: .5 is more than .45.
    parts(one).cmp(&parts(other))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use client_rs_api::core::v1::Pod;
    use client_rs_transport::http::Body;
    use http::Response;
    use serde_json::json;

    use super::*;
    use crate::fake_api::FakeApi;

    fn taken(resume: &mut Resume, lines: &[&str]) -> Vec<String> {
        resume.begin();
        let lines = lines.iter().filter_map(|line| resume.take(Bytes::copy_from_slice(line.as_bytes())));
        lines.map(|(_, line)| String::from_utf8(line.to_vec()).unwrap()).collect()
    }

    #[test]
    fn lines_that_were_seen_are_passed_over_and_no_other() {
        let mut resume = Resume::default();
        assert_eq!(resume.since(), None);
        let first = ["2026-01-01T00:00:00.1Z a", "2026-01-01T00:00:00.15Z b", "2026-01-01T00:00:00.15Z c"];
        assert_eq!(taken(&mut resume, &first), ["a", "b", "c"]);
        assert_eq!(resume.since(), Some("2026-01-01T00:00:00.15Z"));
        // All of the second again, one more of the same time, and later ones: .2 is later than .15.
        let again = [
            "2026-01-01T00:00:00.1Z a",
            "2026-01-01T00:00:00.15Z b",
            "2026-01-01T00:00:00.15Z c",
            "2026-01-01T00:00:00.150000000Z d",
            "2026-01-01T00:00:00.2Z e",
            "2026-01-01T00:00:01Z f",
            "no time at all",
        ];
        assert_eq!(taken(&mut resume, &again), ["d", "e", "f", "no time at all"]);
        assert!(taken(&mut resume, &again[..6]).is_empty());
    }

    #[test]
    fn a_node_whose_clock_steps_back_loses_no_line_and_repeats_none() {
        let mut resume = Resume::default();
        let first = ["2026-01-01T00:00:06Z z", "2026-01-01T00:00:10Z a", "2026-01-01T00:00:05Z b"];
        assert_eq!(taken(&mut resume, &first), ["z", "a", "b"]);
        // The node gives everything since the last line's time, in the order in which it was written.
        assert_eq!(resume.since(), Some("2026-01-01T00:00:05Z"));
        let again = [&first[..], &["2026-01-01T00:00:07Z c", "2026-01-01T00:00:08Z d"]].concat();
        assert_eq!(taken(&mut resume, &again), ["c", "d"]);
        // Until the clock is past where it was; then all is as if it had never stepped back.
        let later = ["2026-01-01T00:00:10Z a", "2026-01-01T00:00:08Z d", "2026-01-01T00:00:11Z e"];
        assert_eq!(taken(&mut resume, &later), ["e"]);
        assert_eq!(taken(&mut resume, &["2026-01-01T00:00:12Z f", "2026-01-01T00:00:13Z g"]), ["f", "g"]);
        // The last line is no longer kept: what is later than anything seen is new.
        let mut resume = Resume::default();
        assert_eq!(taken(&mut resume, &first).len(), 3);
        assert_eq!(taken(&mut resume, &["2026-01-01T00:00:11Z e", "2026-01-01T00:00:09Z f"]), ["e", "f"]);
    }

    #[test]
    fn a_container_that_runs_or_waits_goes_on() {
        let pod = |state: Value, phase: &str| json!({"status": {"phase": phase, "containerStatuses": [{"name": "app", "state": state}]}});
        assert!(runs(&pod(json!({"running": {}}), "Running"), "app"));
        assert!(runs(&pod(json!({"waiting": {}}), "Running"), "app"));
        assert!(!runs(&pod(json!({"terminated": {}}), "Running"), "app"));
        assert!(!runs(&pod(json!({"running": {}}), "Failed"), "app"));
        assert!(!runs(&pod(json!({"running": {}}), "Running"), "other"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_log_that_breaks_off_is_followed_from_its_last_line_until_its_container_ends() {
        let asked = AtomicUsize::new(0);
        let server = FakeApi::new(move |heard| {
            let json = |value: Value| {
                let body = Body::from(value.to_string());
                Ok(Response::builder().header("content-type", "application/json").body(body).unwrap())
            };
            if !heard.uri.path().ends_with("/log") {
                let state = if asked.load(Ordering::SeqCst) < 3 { "running" } else { "terminated" };
                return json(
                    json!({"status": {"containerStatuses": [{"name": "app", "state": {state: {}}}]}}),
                );
            }
            match asked.fetch_add(1, Ordering::SeqCst) {
                0 => {
                    Ok(Response::new(Body::from("2026-01-01T00:00:00.1Z one\n2026-01-01T00:00:00.2Z two\n")))
                }
                1 => Ok(Response::builder().status(503).body(Body::from("busy")).unwrap()),
                _ => Ok(Response::new(Body::from(
                    "2026-01-01T00:00:00.2Z two\n2026-01-01T00:00:00.3Z three\n",
                ))),
            }
        });
        let pods = Api::<Pod>::namespaced(&server.client(), "n");
        let source = LogSource { pod: "web".into(), container: "app".into() };
        let mut logs = FollowedLogs::new(&pods, [source.clone()], &FollowOptions::default());
        let mut lines = Vec::new();
        while let Some(line) = logs.next().await {
            let line = line.unwrap();
            assert_eq!(line.source, source);
            lines.push(String::from_utf8(line.line.to_vec()).unwrap());
        }
        assert_eq!(lines, ["one", "two", "three"]);
        let since = server
            .heard()
            .iter()
            .filter(|heard| heard.path().contains("sinceTime=2026-01-01T00%3A00%3A00.2Z"))
            .count();
        assert_eq!(since, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_line_that_breaks_off_comes_whole_from_the_next_connection() {
        let follow = async |last_state: &'static str| {
            let asked = AtomicUsize::new(0);
            let server = FakeApi::new(move |heard| {
                if !heard.uri.path().ends_with("/log") {
                    let state = if asked.load(Ordering::SeqCst) < 2 { last_state } else { "terminated" };
                    let pod =
                        json!({"status": {"containerStatuses": [{"name": "app", "state": {state: {}}}]}});
                    let body = Body::from(pod.to_string());
                    return Ok(Response::builder()
                        .header("content-type", "application/json")
                        .body(body)
                        .unwrap());
                }
                let whole = "2026-01-01T00:00:00.1Z one\n2026-01-01T00:00:00.2Z two words\n";
                let length =
                    if asked.fetch_add(1, Ordering::SeqCst) == 0 { whole.len() - 7 } else { whole.len() };
                Ok(Response::new(Body::from(whole[..length].to_owned())))
            });
            let pods = Api::<Pod>::namespaced(&server.client(), "n");
            let source = LogSource { pod: "web".into(), container: "app".into() };
            let mut logs = FollowedLogs::new(&pods, [source], &FollowOptions::default());
            let mut lines = Vec::new();
            while let Some(line) = logs.next().await {
                lines.push(String::from_utf8(line.unwrap().line.to_vec()).unwrap());
            }
            lines
        };
        assert_eq!(follow("running").await, ["one", "two words"]);
        // Nothing more comes of one that has ended: those were its last words.
        assert_eq!(follow("terminated").await, ["one", "two"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_container_that_has_not_begun_is_waited_for_as_long_as_was_said() {
        let follow = async |patience| {
            let asked = AtomicUsize::new(0);
            let server = FakeApi::new(move |heard| {
                let json = |code: u16, value: Value| {
                    let body = Body::from(value.to_string());
                    let answer = Response::builder().status(code).header("content-type", "application/json");
                    Ok(answer.body(body).unwrap())
                };
                if !heard.uri.path().ends_with("/log") {
                    return json(200, json!({"status": {"phase": "Succeeded"}}));
                }
                if asked.fetch_add(1, Ordering::SeqCst) < 3 {
                    let refusal = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 400,
                        "reason": "BadRequest", "message": "container \"app\" in pod \"web\" is waiting to start"});
                    return json(400, refusal);
                }
                Ok(Response::new(Body::from("2026-01-01T00:00:00.1Z one\n")))
            });
            let pods = Api::<Pod>::namespaced(&server.client(), "n");
            let source = LogSource { pod: "web".into(), container: "app".into() };
            let options = FollowOptions {
                start_patience: patience,
                tail_lines: Some(3),
                since_seconds: Some(9),
                ..FollowOptions::default()
            };
            let mut logs = FollowedLogs::new(&pods, [source], &options);
            let first = logs.next().await.unwrap();
            let first_asked = server.heard()[0].path().to_owned();
            assert!(
                first_asked.contains("tailLines=3") && first_asked.contains("sinceSeconds=9"),
                "{first_asked}"
            );
            first.map(|line| line.line)
        };
        assert_eq!(follow(Duration::from_secs(20)).await.unwrap(), "one");
        let error = follow(Duration::from_millis(1500)).await.unwrap_err().error;
        assert!(is_refusal(&error), "{error}");
    }
}
