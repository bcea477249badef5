//! `krs logs`

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Result, bail};
use client_rs_api::core::v1::{Pod, PodLogOptions};
use client_rs_client::Api;
use client_rs_client::streams::{FollowOptions, FollowedLogs, LogLine, LogSource};
use client_rs_machinery::{ApiError, Time};

use crate::arguments::{duration, patience};
use crate::failure::Exit;
use crate::output::printable_line;
use crate::pods::{self, For};
use crate::session::Session;
use crate::terminal::EndSignal;
use crate::{GlobalArgs, Streams, containers};

/// The default of `--tail` with a selector.
const SELECTOR_TAIL: i64 = 10;

/// The flags are kubectl's.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(crate) struct Args {
    /// The pod: POD, or TYPE/NAME of a workload or service
    #[arg(value_name = "POD|TYPE/NAME")]
    target: Option<String>,
    /// The container name
    #[arg(value_name = "CONTAINER")]
    inline_container: Option<String>,
    /// The container name
    #[arg(long, short = 'c', value_name = "NAME")]
    container: Option<String>,
    /// Print the logs of all containers in the pod
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    all_containers: bool,
    /// Print the logs of all pods of the named object
    #[arg(long)]
    all_pods: bool,
    /// Print the logs of all pods that match this label selector
    #[arg(long, short = 'l', value_name = "LABELS")]
    selector: Option<String>,
    /// Follow the logs, across lost connections and container restarts
    #[arg(long, short = 'f')]
    follow: bool,
    /// Print the logs of the previous instance of the container
    #[arg(long, short = 'p')]
    previous: bool,
    /// Number of most recent lines to print; -1 for all [default: -1; 10 with -l]
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    tail: Option<i64>,
    /// Only lines newer than this duration: 5s, 2m, 3h
    #[arg(long, value_parser = duration, value_name = "TIME", conflicts_with = "since_time")]
    since: Option<Duration>,
    /// Only lines after this time, such as 2026-01-02T15:04:05Z
    #[arg(long, value_name = "TIME", value_parser = time)]
    since_time: Option<Time>,
    /// Prefix each line with its timestamp
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    timestamps: bool,
    /// Maximum number of bytes per log; 0 for no limit
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    limit_bytes: Option<i64>,
    /// Prefix each line with pod and container name
    #[arg(long)]
    prefix: bool,
    /// Maximum number of logs to follow concurrently
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    max_log_requests: usize,
    /// Continue with the other logs if one cannot be read
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    ignore_errors: bool,
    /// How long to wait until a pod is running and, with -f, until its container starts
    #[arg(long, value_parser = patience, value_name = "TIME", default_value = "20s")]
    pod_running_timeout: Duration,
    /// Do not verify the kubelet's certificate
    #[arg(long)]
    insecure_skip_tls_verify_backend: bool,
}

fn time(text: &str) -> Result<Time, String> {
    Time::parse(text).map_err(|error| error.to_string())
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    args.validate()?;
    let session = Session::open(global)?;
    // A followed log ends only when the user stops it: that is not a failure.
    let mut signal = EndSignal::any()?;
    tokio::select! {
        ended = args.print(&session, streams) => ended,
        () = signal.heard() => Err(Exit::interrupted()),
    }
}

impl Args {
    fn container(&self) -> Option<&str> {
        self.container.as_deref().or(self.inline_container.as_deref())
    }

    fn validate(&self) -> Result<()> {
        match (&self.target, &self.selector) {
            (None, None) => bail!(
                "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command"
            ),
            (Some(_), Some(_)) => bail!("only a selector (-l) or a POD name is allowed"),
            _ => {}
        }
        if let Some(container) = self.container().filter(|_| self.all_containers) {
            bail!("--all-containers=true should not be specified with container name {container}");
        }
        if self.container.is_some() && self.inline_container.is_some() {
            bail!("only one of -c or an inline [CONTAINER] arg is allowed");
        }
        if self.limit_bytes.is_some_and(|bytes| bytes < 0) {
            bail!("--limit-bytes must be greater than 0");
        }
        if self.tail.is_some_and(|tail| tail < -1) {
            bail!("--tail must be greater than or equal to -1");
        }
        Ok(())
    }

    async fn print(&self, session: &Session, streams: &mut Streams<'_>) -> Result<()> {
        let pods = self.pods(session, streams).await?;
        let mut sources = Vec::new();
        for pod in &pods {
            sources.extend(self.containers(pod, streams)?);
        }
        let api = Api::<Pod>::namespaced(session.client.rest(), session.namespace.as_str());
        // A previous instance writes no more lines.
        if self.follow && !self.previous {
            return self.follow(&api, sources, streams).await;
        }
        for source in &sources {
            match self.copy(&api, source, streams).await {
                Err(error) if self.ignore_errors => writeln!(streams.out, "error: {}", words(&error))?,
                done => done?,
            }
        }
        Ok(())
    }

    /// The pods, as they are now.
    async fn pods(&self, session: &Session, streams: &mut Streams<'_>) -> Result<Vec<Pod>> {
        if let Some(selector) = &self.selector {
            let api = Api::<Pod>::namespaced(session.client.rest(), session.namespace.as_str());
            let found = api.list().label_selector(selector.as_str()).await?.items;
            if found.is_empty() {
                writeln!(streams.err, "No resources found in {} namespace.", session.namespace)?;
            }
            return Ok(found);
        }
        let target = self.target.as_deref().unwrap_or_default();
        let object = pods::object(session, target).await?;
        let mut found =
            pods::of(session, &object, For::Logs, self.pod_running_timeout, "get the logs from").await?;
        if found.len() > 1 && !self.all_pods {
            writeln!(streams.err, "Found {} pods, using pod/{}", found.len(), found[0].metadata.name)?;
            found.truncate(1);
        }
        Ok(found)
    }

    /// The containers of a pod that are meant.
    fn containers(&self, pod: &Pod, streams: &mut Streams<'_>) -> Result<Vec<LogSource>> {
        let source = |container| LogSource { pod: pod.metadata.name.to_string(), container };
        if self.all_containers {
            return Ok(containers::all(pod).into_iter().map(|container| source(container.name)).collect());
        }
        let annotated = pod.metadata.annotations.get(containers::DEFAULT_CONTAINER).map(|name| &**name);
        let container = match (self.container(), annotated.filter(|name| !name.is_empty())) {
            (Some(name), _) => containers::named(pod, name)?,
            (None, Some(name)) if containers::named(pod, name).is_ok() => containers::named(pod, name)?,
            (None, annotated) => {
                if let Some(name) = annotated {
                    writeln!(
                        streams.err,
                        "Default container name {name:?} not found in pod {}",
                        pod.metadata.name
                    )?;
                }
                containers::first(pod, self.all_pods, &mut streams.err)?
            }
        };
        Ok(vec![source(container.name)])
    }

    /// The number of earlier lines; `None` for all.
    fn tail(&self) -> Option<i64> {
        self.tail.or(self.selector.is_some().then_some(SELECTOR_TAIL)).filter(|tail| *tail >= 0)
    }

    /// For how many seconds lines are wanted.
    fn since_seconds(&self) -> Option<u64> {
        self.since.map(|since| since.saturating_add(Duration::from_millis(500)).as_secs().max(1))
    }

    /// How many bytes are wanted; `None`: all.
    fn limit(&self) -> Option<i64> {
        self.limit_bytes.filter(|bytes| *bytes > 0)
    }

    fn prefix_of(&self, source: &LogSource) -> String {
        if self.prefix || self.all_pods {
            let prefix = format!("[pod/{}/{}] ", source.pod, source.container);
            printable_line(&prefix).into_owned()
        } else {
            String::new()
        }
    }
}

/// Logs as they are.
impl Args {
    fn log_options(&self, container: &str) -> PodLogOptions {
        PodLogOptions {
            container: container.into(),
            previous: self.previous,
            timestamps: self.timestamps,
            tail_lines: self.tail(),
            since_seconds: self.since_seconds().map(|seconds| i64::try_from(seconds).unwrap_or(i64::MAX)),
            since_time: self.since_time,
            limit_bytes: self.limit(),
            insecure_skip_tls_verify_backend: self.insecure_skip_tls_verify_backend,
            ..PodLogOptions::EMPTY
        }
    }

    /// Writes a log as it comes.
    async fn copy(&self, pods: &Api<Pod>, source: &LogSource, streams: &mut Streams<'_>) -> Result<()> {
        let mut log = pods.log(&source.pod).options(self.log_options(&source.container)).await?;
        let prefix = self.prefix_of(source);
        if prefix.is_empty() {
            while let Some(chunk) = log.try_next().await? {
                streams.out.raw().write_all(&chunk)?;
                streams.out.flush()?;
            }
            return Ok(());
        }
        let mut lines = log.lines();
        while let Some(line) = lines.try_next().await? {
            write(&[prefix.as_bytes(), &line, b"\n"], streams)?;
        }
        Ok(())
    }
}

/// Logs that are followed.
impl Args {
    fn follow_options(&self) -> FollowOptions {
        let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let mut options = FollowOptions::default()
            .with_tail_lines(self.tail().map(|tail| number(u64::try_from(tail).unwrap_or(0))))
            .with_since_seconds(self.since_seconds().map(number))
            .with_insecure_skip_tls_verify_backend(self.insecure_skip_tls_verify_backend)
            .with_start_patience(self.pod_running_timeout);
        options.since_time = self.since_time.map(|time| time.to_string());
        options
    }

    /// All logs concurrently, line by line; each ends with its container.
    async fn follow(
        &self,
        pods: &Api<Pod>,
        sources: Vec<LogSource>,
        streams: &mut Streams<'_>,
    ) -> Result<()> {
        if sources.len() > self.max_log_requests.max(1) {
            bail!(
                "you are attempting to follow {} log streams, but maximum allowed concurrency is {}, use \
                 --max-log-requests to increase the limit",
                sources.len(),
                self.max_log_requests
            );
        }
        let mut budget = Budget::new(self.limit(), &sources);
        let mut lines = FollowedLogs::new(pods, sources, &self.follow_options());
        while !budget.is_spent()
            && let Some(line) = lines.next().await
        {
            match line {
                Ok(line) => {
                    let text = self.text(&line);
                    let text = budget.spend(&line.source, &text);
                    if !text.is_empty() {
                        write(&[self.prefix_of(&line.source).as_bytes(), text], streams)?;
                    }
                }
                Err(error) if self.ignore_errors => {
                    writeln!(streams.out, "error: {}", words(&error.error.into()))?;
                }
                Err(error) => return Err(error.error.into()),
            }
        }
        Ok(())
    }

    fn text(&self, line: &LogLine) -> Vec<u8> {
        // A part of a long line has no time.
        let time =
            if self.timestamps && !line.time.is_empty() { format!("{} ", line.time) } else { String::new() };
        [time.as_bytes(), &line.line, b"\n"].concat()
    }
}

/// The number of bytes that may still be written of each log.
struct Budget(Option<HashMap<LogSource, usize>>);

impl Budget {
    fn new(limit: Option<i64>, sources: &[LogSource]) -> Self {
        let each = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        Self(each.map(|each| sources.iter().map(|source| (source.clone(), each)).collect()))
    }

    /// As much of a text as may be written of it.
    fn spend<'t>(&mut self, source: &LogSource, text: &'t [u8]) -> &'t [u8] {
        let Some(left) = self.0.as_mut().and_then(|left| left.get_mut(source)) else { return text };
        let length = text.len().min(*left);
        *left -= length;
        &text[..length]
    }

    /// Is nothing left to be written, of any?
    fn is_spent(&self) -> bool {
        self.0.as_ref().is_some_and(|left| left.values().all(|left| *left == 0))
    }
}

fn write(parts: &[&[u8]], streams: &mut Streams<'_>) -> Result<()> {
    for part in parts {
        streams.out.raw().write_all(part)?;
    }
    Ok(streams.out.flush()?)
}

/// The server's words, or ours.
fn words(error: &anyhow::Error) -> String {
    ApiError::find(error.as_ref()).map_or_else(|| format!("{error:#}"), |api| api.message().to_owned())
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::{Unstructured, json};

    use super::*;
    use crate::commands::parsed::parsed;

    fn args(words: &[&str]) -> Args {
        parsed(words)
    }

    fn pod(annotation: &str) -> Pod {
        let pod: Unstructured = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "p", "namespace": "ns", "annotations": {"kubectl.kubernetes.io/default-container": annotation}},
            "spec": {"initContainers": [{"name": "i"}], "containers": [{"name": "a"}, {"name": "b"}]},
        })
        .try_into()
        .unwrap();
        pod.to_message().unwrap()
    }

    fn containers(args: &Args, pod: &Pod) -> Result<(Vec<String>, String)> {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let found = args.containers(pod, &mut Streams::plain(&mut out, &mut err))?;
        Ok((found.into_iter().map(|target| target.container).collect(), String::from_utf8(err)?))
    }

    #[test]
    fn a_container_is_the_first_unless_said_otherwise() {
        let (names, said) = containers(&args(&["p"]), &pod("")).unwrap();
        assert_eq!(names, ["a"]);
        assert_eq!(said, "Defaulted container \"a\" out of: a, b, i (init)\n");
        assert_eq!(containers(&args(&["p", "b"]), &pod("")).unwrap().0, ["b"]);
        assert_eq!(containers(&args(&["p", "--all-containers"]), &pod("")).unwrap().0, ["i", "a", "b"]);
        let error = containers(&args(&["p", "-c", "x"]), &pod("")).unwrap_err().to_string();
        assert_eq!(error, "container x is not valid for pod p out of: a, b, i (init)");
        assert_eq!(containers(&args(&["p"]), &pod("b")).unwrap(), (vec!["b".to_owned()], String::new()));
        // A wrong annotation only causes a warning.
        let (names, said) = containers(&args(&["p"]), &pod("x")).unwrap();
        assert_eq!(names, ["a"]);
        assert!(said.starts_with("Default container name \"x\" not found in pod p\nDefaulted"), "{said}");
    }

    #[test]
    fn options_are_those_of_the_request() {
        let options =
            args(&["p", "--tail=5", "--since=90s", "--timestamps", "-p", "--limit-bytes=7"]).log_options("c");
        assert_eq!(
            (options.tail_lines, options.since_seconds, options.limit_bytes),
            (Some(5), Some(90), Some(7))
        );
        assert!(options.timestamps && options.previous);
        assert_eq!(args(&["-l", "a=b"]).log_options("c").tail_lines, Some(10));
        assert_eq!(args(&["-l", "a=b", "--tail=-1"]).log_options("c").tail_lines, None);
        for (words, expected) in [
            (&["--all-containers"][..], "required argument"),
            (&["p", "c", "--all-containers"], "should not be specified"),
            (&["p", "--tail=-2"], "--tail must be"),
            (&["p", "-l", "a=b"], "only a selector"),
            (&["p", "c", "-c", "d"], "only one of -c"),
            (&["p", "--limit-bytes=-1"], "--limit-bytes must be"),
        ] {
            assert!(args(words).validate().unwrap_err().to_string().contains(expected), "{words:?}");
        }
    }

    #[test]
    fn what_is_followed_is_asked_for_as_what_is_read() {
        let options =
            args(&["p", "-f", "--tail=5", "--since=90s", "--pod-running-timeout=7s"]).follow_options();
        assert_eq!((options.tail_lines, options.since_seconds), (Some(5), Some(90)));
        assert_eq!(options.start_patience, Duration::from_secs(7));
        let options = args(&["-l", "a=b", "--since-time=2026-01-02T15:04:05Z"]).follow_options();
        assert_eq!(options.since_time.as_deref(), Some("2026-01-02T15:04:05Z"));
        assert_eq!(options.tail_lines, Some(10));
        let source = LogSource { pod: "p".into(), container: "a".into() };
        let line = LogLine { source, time: "2026-01-02T15:04:05.123Z".into(), line: "x".into() };
        assert_eq!(args(&["p"]).text(&line), b"x\n");
        assert_eq!(args(&["p", "--timestamps"]).text(&line), b"2026-01-02T15:04:05.123Z x\n");
        assert_eq!(args(&["p", "--prefix"]).prefix_of(&line.source), "[pod/p/a] ");
    }

    #[test]
    fn a_limit_is_for_each_log() {
        let sources = ["a", "b"].map(|name| LogSource { pod: "p".into(), container: name.into() });
        let mut budget = Budget::new(Some(5), &sources);
        assert_eq!(budget.spend(&sources[0], b"one\n"), b"one\n");
        assert_eq!(budget.spend(&sources[0], b"two\n"), b"t");
        assert_eq!(budget.spend(&sources[0], b"three\n"), b"");
        assert!(!budget.is_spent());
        assert_eq!(budget.spend(&sources[1], b"whole\n"), b"whole");
        assert!(budget.is_spent());
        let mut free = Budget::new(None, &sources);
        assert_eq!(free.spend(&sources[0], b"all"), b"all");
        assert!(!free.is_spent());
    }
}
