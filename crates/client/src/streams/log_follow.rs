//! Follows one or several logs through lost connections.

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

client_rs_machinery::options! {
    /// The settings of [`FollowedLogs`].
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_client::streams::FollowOptions;
    ///
    /// // The last ten lines, then new ones; the container has a minute to start.
    /// let options = FollowOptions::default().with_tail_lines(10).with_start_patience(Duration::from_secs(60));
    /// assert_eq!(options.tail_lines, Some(10));
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct FollowOptions {
        /// The number of earlier lines to return first; `None` means all. Default: all.
        pub tail_lines: Option<u32> => with_tail_lines,
        /// Only lines since this RFC 3339 time. Default: no limit.
        pub since_time: Option<String> => with_since_time,
        /// Only lines of this many seconds before the request, by the node's clock. Do not combine it with `since_time`.
        /// Default: no limit.
        pub since_seconds: Option<u32> => with_since_seconds,
        /// Whether the server may read the log from a node whose certificate it can't verify. Default: false.
        pub insecure_skip_tls_verify_backend: bool => with_insecure_skip_tls_verify_backend,
        /// The time that a container may take to start: until then, a refusal of the server is not an error. Default: zero.
        pub start_patience: Duration => with_start_patience,
        /// The wait before a lost connection is opened again. Default: 1 s.
        pub retry_after: Duration => with_retry_after,
        /// The number of consecutive connections that may fail, without a line in between, before that is an error. Default: 10.
        pub max_failures: u32 => with_max_failures,
    }
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

/// The pod and container of a log.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LogSource {
    /// The pod.
    pub pod: String,
    /// Its container.
    pub container: String,
}

/// A line of a log, without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The pod and container.
    pub source: LogSource,
    /// The time at which it was written, from the node: RFC 3339 to the nanosecond. Empty if the node sends none.
    pub time: String,
    /// The content: bytes, because a container may write anything.
    pub line: Bytes,
}

/// The lines of one or several logs while they are written, as a `Stream`.
///
/// For one log without reconnecting, [`Api::log`](crate::Api::log) is enough.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_client::Api;
/// use client_rs_client::streams::{FollowOptions, FollowedLogs, LogSource};
/// # use client_rs_client::testing::Canned;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let log = http::Response::new("2026-01-01T00:00:00Z started\n2026-01-01T00:00:01Z done\n");
/// # let server = Canned::new()
/// #     .respond("GET /api/v1/namespaces/default/pods/web/log", log)
/// #     .on("GET /api/v1/namespaces/default/pods/web", r#"{"status": {"phase": "Succeeded"}}"#);
/// let pods = Api::<Pod>::namespaced(&server.client(), "default");
/// let source = LogSource { pod: "web".into(), container: "app".into() };
/// let mut logs = FollowedLogs::new(&pods, [source], &FollowOptions::default());
/// let mut lines = Vec::new();
/// while let Some(line) = logs.next().await {
///     lines.push(line?.line);
/// }
/// assert_eq!(lines, ["started", "done"]);
/// # Ok(())
/// # }
/// ```
///
/// - Each log is followed through lost connections, from the time of its last line. No line is repeated, and none is lost that
///   the node still has and returns for that time. A log ends when its container has ended and does not restart, or when its
///   pod is gone. If a node's clock steps back, lines are compared by their times only after a reconnect.
/// - A line that breaks off with its connection is returned as a whole by the next connection. It is returned incomplete only
///   if it was the last one.
/// - The lines of one log are in order. Those of several logs are returned as they arrive: their times may be out of order.
/// - A log that can't be followed any more is one error in the stream, which names the log; the others continue.
/// - Backpressure: a slow reader slows the logs; at most 64 lines are buffered. Dropping the stream cancels all requests.
pub struct FollowedLogs {
    lines: mpsc::Receiver<Result<LogLine, FollowError>>,
    _tasks: JoinSet<()>,
}

/// A log could no longer be followed.
#[derive(Debug)]
pub struct FollowError {
    /// The pod and container.
    pub source_of: LogSource,
    /// The cause.
    pub error: Error,
}

impl fmt::Display for FollowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LogSource { pod, container } = &self.source_of;
        write!(f, "the log of {pod}/{container} can no longer be followed: {}", self.error)
    }
}

impl std::error::Error for FollowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The message contains the error.
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

    /// The next line; `None` when all logs have ended. It is safe to drop the future.
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
                // The server refuses the log of a container that waits to start.
                Err(error)
                    if is_refusal(&error)
                        && resume.since().is_none()
                        && begun.elapsed() < self.options.start_patience =>
                {
                    tracing::debug!(source = ?self.source, %error, "the container has not started");
                    tokio::time::sleep(self.options.retry_after).await;
                    continue;
                }
                Err(error) => Some(error),
            };
            let over = match self.goes_on().await {
                // Its last lines have been read.
                Ok(goes_on) => !goes_on && error.is_none(),
                Err(error) => error.is_not_found(),
            };
            if over {
                // No other connection completes the line.
                if let Some(line) = half.and_then(|line| resume.take(line)) {
                    self.give(line).await;
                }
                return;
            }
            failures += 1;
            match error {
                Some(error) if failures > self.options.max_failures || !may_pass(&error) => {
                    let error = FollowError { source_of: self.source.clone(), error };
                    // The reader may be gone.
                    let _ = self.sender.send(Err(error)).await;
                    return;
                }
                error => {
                    tracing::debug!(source = ?self.source, ?error, "the log broke off: reconnecting");
                }
            }
            tokio::time::sleep(self.options.retry_after).await;
        }
    }

    /// Reads the lines of one request.
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

    /// Sends a line. Returns `false` if the reader is gone.
    async fn give(&self, (time, line): (String, Bytes)) -> bool {
        let line = LogLine { source: self.source.clone(), time, line };
        self.sender.send(Ok(line)).await.is_ok()
    }

    /// Returns `true` if the container runs, or will run again.
    async fn goes_on(&self) -> Result<bool, Error> {
        let request = self.pod.clone().header(http::header::ACCEPT, "application/json");
        let raw = self.rest.send_raw(request).await?;
        Ok(serde_json::from_slice(&raw.body).is_ok_and(|pod| runs(&pod, &self.source.container)))
    }
}

enum Ended {
    /// The log has ended, with an incomplete line if there is one.
    Log(Option<Bytes>),
    /// The reader is gone.
    Unread,
}

/// Returns `true` if the server reports that the log does not exist yet.
fn is_refusal(error: &Error) -> bool {
    matches!(error, Error::Api { error, .. } if error.is_bad_request())
}

/// Returns `true` if the next attempt may succeed.
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
    // A waiting container existed before, and is being restarted.
    status.pointer("/state/running").is_some() || status.pointer("/state/waiting").is_some()
}

/// The position at which a log broke off, without I/O.
///
/// A server accepts a time to the second, and returns all lines since then in the order in which they were written. Lines that
/// were already returned are skipped up to the first new one, by their time, and by their number if several have the same
/// time. From there on every line is new, regardless of its time: a node's clock may step back.
#[derive(Debug, Default)]
struct Resume {
    /// The time of the last line.
    last: String,
    /// The latest time of any line. It is that of the last line, unless the clock has stepped back.
    latest: String,
    /// The number of returned lines with the last time.
    given: usize,
    /// The number of those that were received since the request began.
    seen: usize,
    /// Whether lines may arrive that were already returned.
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

    /// The time and text of a line, unless it was already returned.
    fn take(&mut self, line: Bytes) -> Option<(String, Bytes)> {
        let space = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
        let time = std::str::from_utf8(&line[..space]).ok().filter(|time| is_time(time));
        let Some(time) = time.map(str::to_owned) else {
            // A part of a long line, or a node that sends no times: nothing is known about it.
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

/// Compares times of one node, which differ in format only in the digits of their fraction: Go omits trailing zeros.
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
    fn returned_lines_are_skipped_and_no_others() {
        let mut resume = Resume::default();
        assert_eq!(resume.since(), None);
        let first = ["2026-01-01T00:00:00.1Z a", "2026-01-01T00:00:00.15Z b", "2026-01-01T00:00:00.15Z c"];
        assert_eq!(taken(&mut resume, &first), ["a", "b", "c"]);
        assert_eq!(resume.since(), Some("2026-01-01T00:00:00.15Z"));
        // All lines of that second again, one more with the same time, and later ones: .2 is later than .15.
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
        // The node returns everything since the last line's time, in the order in which it was written.
        assert_eq!(resume.since(), Some("2026-01-01T00:00:05Z"));
        let again = [&first[..], &["2026-01-01T00:00:07Z c", "2026-01-01T00:00:08Z d"]].concat();
        assert_eq!(taken(&mut resume, &again), ["c", "d"]);
        // Until the clock has passed its earlier position; then it behaves as if it had never stepped back.
        let later = ["2026-01-01T00:00:10Z a", "2026-01-01T00:00:08Z d", "2026-01-01T00:00:11Z e"];
        assert_eq!(taken(&mut resume, &later), ["e"]);
        assert_eq!(taken(&mut resume, &["2026-01-01T00:00:12Z f", "2026-01-01T00:00:13Z g"]), ["f", "g"]);
        // The last line is no longer kept: a line that is later than all others is new.
        let mut resume = Resume::default();
        assert_eq!(taken(&mut resume, &first).len(), 3);
        assert_eq!(taken(&mut resume, &["2026-01-01T00:00:11Z e", "2026-01-01T00:00:09Z f"]), ["e", "f"]);
    }

    #[test]
    fn a_container_that_runs_or_waits_continues() {
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
    async fn a_line_that_breaks_off_is_returned_whole_by_the_next_connection() {
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
        // A container that has ended writes no more: these were its last bytes.
        assert_eq!(follow("terminated").await, ["one", "two"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_container_that_has_not_started_is_waited_for_up_to_the_limit() {
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
