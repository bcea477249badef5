//! `krs logs`

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use client_rs_api::core::v1::{Pod, PodLogOptions};
use client_rs_client::Api;
use client_rs_client::api::Log;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::{Json, Time, Unstructured};
use tokio::sync::mpsc;

use crate::arguments::duration;
use crate::session::Session;
use crate::{GlobalArgs, Streams};

/// With a selector, so many lines of each unless more are asked for.
const SELECTOR_TAIL: i64 = 10;
/// Lines that wait to be written, of all containers together.
const WAITING_LINES: usize = 1024;

/// kubectl's flags, with its meaning.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(crate) struct Args {
    /// Whose: POD, or TYPE/NAME of something that has pods
    #[arg(value_name = "POD|TYPE/NAME")]
    target: Option<String>,
    /// Which container of it
    #[arg(value_name = "CONTAINER", conflicts_with = "container")]
    inline_container: Option<String>,
    /// Which container of it
    #[arg(long, short = 'c', value_name = "NAME")]
    container: Option<String>,
    /// Of all containers
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    all_containers: bool,
    /// Of all pods that the named object has
    #[arg(long)]
    all_pods: bool,
    /// Of all pods with these labels
    #[arg(long, short = 'l', value_name = "LABELS", conflicts_with = "target")]
    selector: Option<String>,
    /// Go on with what is written from now on
    #[arg(long, short = 'f')]
    follow: bool,
    /// Of the container that ran before this one
    #[arg(long, short = 'p')]
    previous: bool,
    /// Only the last lines; -1: all [default: -1; 10 with -l]
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    tail: Option<i64>,
    /// Only what is not older: 5s, 2m, 3h
    #[arg(long, value_parser = duration, value_name = "TIME", conflicts_with = "since_time")]
    since: Option<Duration>,
    /// Only what is not older than this, as 2026-01-02T15:04:05Z
    #[arg(long, value_name = "TIME", value_parser = time)]
    since_time: Option<Time>,
    /// With the time before each line
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    timestamps: bool,
    /// Not more than so many bytes
    #[arg(long, value_name = "COUNT")]
    limit_bytes: Option<i64>,
    /// With pod and container before each line
    #[arg(long)]
    prefix: bool,
    /// How many logs may be followed at once
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    max_log_requests: usize,
}

fn time(text: &str) -> Result<Time, String> {
    Time::parse(text).map_err(|error| error.to_string())
}

/// A container whose log is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Target {
    namespace: String,
    pod: String,
    container: String,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    args.validate()?;
    let session = Session::open(global)?;
    let pods = args.pods(&session, streams).await?;
    let mut targets = Vec::new();
    for pod in &pods {
        targets.extend(args.containers(pod, streams)?);
    }
    if args.follow && targets.len() > args.max_log_requests {
        bail!(
            "you are attempting to follow {} log streams, but maximum allowed concurrency is {}, use \
             --max-log-requests to increase the limit",
            targets.len(),
            args.max_log_requests
        );
    }
    if args.follow && targets.len() > 1 {
        return follow_all(&session, args, &targets, streams).await;
    }
    for target in &targets {
        copy(args.open(&session, target).await?, args.prefix_of(target).as_deref(), streams).await?;
    }
    Ok(())
}

impl Args {
    fn container(&self) -> Option<&str> {
        self.container.as_deref().or(self.inline_container.as_deref())
    }

    fn validate(&self) -> Result<()> {
        if self.target.is_none() && self.selector.is_none() {
            bail!(
                "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command"
            );
        }
        if let Some(container) = self.container().filter(|_| self.all_containers) {
            bail!("--all-containers=true should not be specified with container name {container}");
        }
        if self.limit_bytes.is_some_and(|bytes| bytes < 1) {
            bail!("--limit-bytes must be greater than 0");
        }
        if self.tail.is_some_and(|tail| tail < -1) {
            bail!("--tail must be greater than or equal to -1");
        }
        Ok(())
    }

    /// The pods, as they are now.
    async fn pods(&self, session: &Session, streams: &mut Streams<'_>) -> Result<Vec<Unstructured>> {
        let mapping = session.find("pods").await?;
        let pods = session.api(&mapping, &session.namespace);
        if let Some(selector) = &self.selector {
            let found = pods.list().label_selector(selector.as_str()).await?.items;
            if found.is_empty() {
                writeln!(streams.err, "No resources found in {} namespace.", session.namespace)?;
            }
            return Ok(found);
        }
        let target = self.target.as_deref().unwrap_or_default();
        let (kind, name) = target.split_once('/').unwrap_or(("pods", target));
        let mapping = session.find(kind).await?;
        let object = session.api(&mapping, &session.namespace).get(name).await?;
        if object.kind() == "Pod" && object.api_version() == "v1" {
            return Ok(vec![object]);
        }
        let selector = selector_of(&object)?;
        let mut found = pods.list().label_selector(selector.to_string()).await?.items;
        if found.is_empty() {
            bail!("no pods of {target} found in {} namespace", session.namespace);
        }
        found.sort_by_key(for_logs);
        if found.len() > 1 && !self.all_pods {
            writeln!(streams.err, "Found {} pods, using pod/{}", found.len(), found[0].name())?;
            found.truncate(1);
        }
        Ok(found)
    }

    /// The containers of a pod that are meant.
    fn containers(&self, pod: &Unstructured, streams: &mut Streams<'_>) -> Result<Vec<Target>> {
        let names = |field: &str| -> Vec<String> {
            let list = pod.nested_slice(&["spec", field]).ok().flatten().unwrap_or_default();
            list.iter().filter_map(|container| container["name"].as_str()).map(str::to_owned).collect()
        };
        let (init, own, ephemeral) =
            (names("initContainers"), names("containers"), names("ephemeralContainers"));
        let target = |container: &str| Target {
            namespace: pod.namespace().to_owned(),
            pod: pod.name().to_owned(),
            container: container.to_owned(),
        };
        if self.all_containers {
            return Ok(init.iter().chain(&own).chain(&ephemeral).map(|name| target(name)).collect());
        }
        let all = || {
            let init = init.iter().map(|name| format!("{name} (init)"));
            let ephemeral = ephemeral.iter().map(|name| format!("{name} (ephem)"));
            own.iter().cloned().chain(ephemeral).chain(init).collect::<Vec<_>>().join(", ")
        };
        let known = |name: &str| init.iter().chain(&own).chain(&ephemeral).any(|known| known == name);
        if let Some(name) = self.container() {
            if !known(name) {
                bail!("container {name} is not valid for pod {} out of: {}", pod.name(), all());
            }
            return Ok(vec![target(name)]);
        }
        if let Some(name) = pod.annotation("kubectl.kubernetes.io/default-container") {
            if known(name) {
                return Ok(vec![target(name)]);
            }
            writeln!(streams.err, "Default container name {name:?} not found in pod {}", pod.name())?;
        }
        let first = own.first().ok_or_else(|| anyhow!("pod {} has no containers", pod.name()))?;
        if own.len() + init.len() + ephemeral.len() > 1 && !self.all_pods {
            writeln!(streams.err, "Defaulted container {first:?} out of: {}", all())?;
        }
        Ok(vec![target(first)])
    }

    fn log_options(&self, container: &str) -> PodLogOptions {
        let tail = self.tail.or(self.selector.is_some().then_some(SELECTOR_TAIL)).filter(|tail| *tail >= 0);
        PodLogOptions {
            container: container.into(),
            follow: self.follow,
            previous: self.previous,
            timestamps: self.timestamps,
            tail_lines: tail,
            since_seconds: self.since.map(|since| {
                let seconds = since.saturating_add(Duration::from_millis(500)).as_secs().max(1);
                i64::try_from(seconds).unwrap_or(i64::MAX)
            }),
            since_time: self.since_time,
            limit_bytes: self.limit_bytes,
            ..PodLogOptions::EMPTY
        }
    }

    async fn open(&self, session: &Session, target: &Target) -> Result<Log> {
        let pods = Api::<Pod>::namespaced(session.client.rest(), target.namespace.as_str());
        Ok(pods.log(&target.pod).options(self.log_options(&target.container)).await?)
    }

    fn prefix_of(&self, target: &Target) -> Option<String> {
        (self.prefix || self.all_pods).then(|| format!("[pod/{}/{}] ", target.pod, target.container))
    }
}

/// Writes a log as it comes.
async fn copy(mut log: Log, prefix: Option<&str>, streams: &mut Streams<'_>) -> Result<()> {
    let Some(prefix) = prefix else {
        while let Some(chunk) = next(log.next()).await? {
            streams.out.write_all(&chunk)?;
            streams.out.flush()?;
        }
        return Ok(());
    };
    let mut lines = log.lines();
    while let Some(line) = next(lines.next()).await? {
        write_line(prefix, &line, streams)?;
    }
    Ok(())
}

/// What comes next, or the end when the user has had enough.
async fn next<T>(
    coming: impl Future<Output = Result<Option<T>, client_rs_client::Error>>,
) -> Result<Option<T>> {
    tokio::select! {
        next = coming => Ok(next?),
        _ = tokio::signal::ctrl_c() => Ok(None),
    }
}

fn write_line(prefix: &str, line: &[u8], streams: &mut Streams<'_>) -> Result<()> {
    streams.out.write_all(prefix.as_bytes())?;
    streams.out.write_all(line)?;
    streams.out.write_all(b"\n")?;
    Ok(streams.out.flush()?)
}

/// Several logs at once, line by line; each ends with its container.
async fn follow_all(
    session: &Session,
    args: &Args,
    targets: &[Target],
    streams: &mut Streams<'_>,
) -> Result<()> {
    let (sender, mut lines) = mpsc::channel(WAITING_LINES);
    let mut tasks = tokio::task::JoinSet::new();
    for target in targets {
        let mut log = args.open(session, target).await?.lines();
        let (sender, prefix) = (sender.clone(), args.prefix_of(target).unwrap_or_default());
        tasks.spawn(async move {
            loop {
                let line = log.next().await;
                let last = !matches!(line, Ok(Some(_)));
                // Nobody reads any more: then nobody misses it.
                if sender.send((prefix.clone(), line)).await.is_err() || last {
                    return;
                }
            }
        });
    }
    drop(sender);
    loop {
        let line = tokio::select! {
            line = lines.recv() => line,
            _ = tokio::signal::ctrl_c() => None,
        };
        match line {
            None => return Ok(()),
            Some((_, Ok(None))) => {}
            Some((prefix, Ok(Some(line)))) => write_line(&prefix, &line, streams)?,
            Some((_, Err(error))) => return Err(error.into()),
        }
    }
}

/// Which pods an object has.
fn selector_of(object: &Unstructured) -> Result<Selector> {
    let group = object.api_version().split_once('/').map_or("", |(group, _)| group);
    let known = matches!(
        (group, object.kind()),
        ("apps", "Deployment" | "ReplicaSet" | "StatefulSet" | "DaemonSet")
            | ("batch", "Job")
            | ("", "Service" | "ReplicationController")
    );
    if !known {
        bail!("cannot get the logs from {}: it does not say which pods it has", object.kind());
    }
    let selector = object.nested(&["spec", "selector"]).ok().flatten().unwrap_or(&Json::Null);
    if matches!(object.kind(), "Service" | "ReplicationController") {
        let Some(labels) = selector.as_map().filter(|labels| !labels.is_empty()) else {
            bail!("invalid service '{}': Service is defined without a selector", object.name());
        };
        let pairs = labels.iter().map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default()));
        return Ok(Selector::from_set(pairs)?);
    }
    let selector: client_rs_machinery::meta::v1::LabelSelector =
        selector.to_message().context("invalid label selector")?;
    Selector::try_from(&selector).context("invalid label selector")
}

/// Pods that are worth reading come first: on a node, running, ready, and the newest of those.
fn for_logs(pod: &Unstructured) -> (bool, u8, bool, std::cmp::Reverse<Option<Time>>) {
    let text = |path: &[&str]| pod.nested_str(path).ok().flatten().unwrap_or_default().to_owned();
    let unplaced = text(&["spec", "nodeName"]).is_empty();
    let phase = match text(&["status", "phase"]).as_str() {
        "Pending" => 2,
        "Unknown" => 1,
        _ => 0,
    };
    let conditions = pod.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default();
    let ready =
        conditions.iter().any(|condition| condition["type"] == "Ready" && condition["status"] == "True");
    (unplaced, phase, !ready, std::cmp::Reverse(pod.creation_timestamp()))
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use client_rs_machinery::json;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    fn args(words: &[&str]) -> Args {
        Cli::try_parse_from([&["logs"], words].concat()).unwrap_or_else(|error| panic!("{error}")).args
    }

    fn pod() -> Unstructured {
        json!({
            "metadata": {"name": "p", "namespace": "ns"},
            "spec": {"initContainers": [{"name": "i"}], "containers": [{"name": "a"}, {"name": "b"}]},
        })
        .try_into()
        .unwrap()
    }

    fn containers(args: &Args, pod: &Unstructured) -> Result<(Vec<String>, String)> {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let found = args.containers(pod, &mut Streams::plain(&mut out, &mut err))?;
        Ok((found.into_iter().map(|target| target.container).collect(), String::from_utf8(err)?))
    }

    #[test]
    fn a_container_is_the_first_unless_said_otherwise() {
        let (names, said) = containers(&args(&["p"]), &pod()).unwrap();
        assert_eq!(names, ["a"]);
        assert_eq!(said, "Defaulted container \"a\" out of: a, b, i (init)\n");
        assert_eq!(containers(&args(&["p", "b"]), &pod()).unwrap().0, ["b"]);
        assert_eq!(containers(&args(&["p", "--all-containers"]), &pod()).unwrap().0, ["i", "a", "b"]);
        let error = containers(&args(&["p", "-c", "x"]), &pod()).unwrap_err().to_string();
        assert_eq!(error, "container x is not valid for pod p out of: a, b, i (init)");
        let mut annotated = pod();
        annotated.set_annotation("kubectl.kubernetes.io/default-container", "b");
        assert_eq!(containers(&args(&["p"]), &annotated).unwrap(), (vec!["b".to_owned()], String::new()));
    }

    #[test]
    fn options_are_those_of_the_request() {
        let options =
            args(&["p", "--tail=5", "--since=90s", "--timestamps", "-p", "--limit-bytes=7"]).log_options("c");
        assert_eq!(
            (options.tail_lines, options.since_seconds, options.limit_bytes),
            (Some(5), Some(90), Some(7))
        );
        assert!(options.timestamps && options.previous && !options.follow);
        assert_eq!(args(&["-l", "a=b"]).log_options("c").tail_lines, Some(10));
        assert_eq!(args(&["-l", "a=b", "--tail=-1"]).log_options("c").tail_lines, None);
        for (words, expected) in [
            (&["--all-containers"][..], "required argument"),
            (&["p", "c", "--all-containers"], "should not be specified"),
            (&["p", "--tail=-2"], "--tail must be"),
        ] {
            assert!(args(words).validate().unwrap_err().to_string().contains(expected), "{words:?}");
        }
    }

    #[test]
    fn an_object_says_which_pods_it_has() {
        let of = |object: Json| selector_of(&object.try_into().unwrap()).map(|selector| selector.to_string());
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "spec": {"selector": {"matchLabels": {"a": "b"}}},
        });
        assert_eq!(of(deployment).unwrap(), "a=b");
        assert_eq!(
            of(json!({"apiVersion": "v1", "kind": "Service", "spec": {"selector": {"c": "d"}}})).unwrap(),
            "c=d"
        );
        assert!(of(json!({"apiVersion": "v1", "kind": "Service", "spec": {}})).is_err());
        assert!(of(json!({"apiVersion": "v1", "kind": "ConfigMap"})).is_err());
    }
}
