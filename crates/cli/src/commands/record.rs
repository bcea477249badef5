//! `krs record`

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use client_rs_client::Request;
use tokio_util::sync::CancellationToken;

use super::debug::{Refused, Replica, Replicas, Targets, token};
use crate::arguments::patience;
use crate::terminal::EndSignal;
use crate::{GlobalArgs, Streams};

/// The time between two requests if there was nothing.
const INTERVAL: Duration = Duration::from_millis(200);
/// How often a request is repeated that got no answer.
const TRIES: u32 = 3;
const NOT_FOUND: i32 = 404;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    targets: Targets,
    /// The file to write. With several replicas, one file each: FILE with the name of the replica before its extension
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// How long to record [default: until it is interrupted]
    #[arg(long = "for", value_name = "TIME", value_parser = patience)]
    time: Option<Duration>,
    /// Record whole objects, if the program permits it. A replay needs them
    #[arg(long)]
    values: bool,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let mut signal = EndSignal::interrupt()?;
    let replicas = Replicas::find(global, &args.targets).await?;
    let over = async {
        match args.time {
            Some(time) => tokio::select! {
                () = tokio::time::sleep(time) => {}
                () = signal.heard() => {}
            },
            None => signal.heard().await,
        }
    };
    let texts = record(&replicas, &args.output, args.values, over).await?;
    for text in texts {
        writeln!(streams.out, "{text}")?;
    }
    Ok(())
}

/// Records all replicas until something happens. Returns a text for each file.
async fn record(
    replicas: &Replicas,
    output: &Path,
    values: bool,
    over: impl Future<Output = ()>,
) -> Result<Vec<String>> {
    let (stop, replicas) = (CancellationToken::new(), replicas.now());
    let mut recordings = tokio::task::JoinSet::new();
    for replica in &replicas {
        let path = if replicas.len() > 1 { path_of(output, &replica.name) } else { output.to_owned() };
        recordings.spawn(record_one(Arc::clone(replica), path, values, stop.clone()));
    }
    let mut texts = Vec::new();
    tokio::pin!(over);
    loop {
        tokio::select! {
            () = &mut over, if !stop.is_cancelled() => stop.cancel(),
            ended = recordings.join_next() => match ended {
                None => return Ok(texts),
                Some(ended) => texts.push(ended??),
            },
        }
    }
}

/// The file of a replica.
fn path_of(output: &Path, replica: &str) -> PathBuf {
    let name: String =
        replica.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect();
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let extension = output.extension().map(|text| format!(".{}", text.to_string_lossy())).unwrap_or_default();
    output.with_file_name(format!("{stem}-{name}{extension}"))
}

async fn record_one(
    replica: Arc<Replica>,
    path: PathBuf,
    values: bool,
    stop: CancellationToken,
) -> Result<String> {
    let session = token();
    let (mut file, mut at, mut lines, mut failures) = (None, 0_u64, 0, 0);
    let shown = path.display().to_string();
    let refused = |error: anyhow::Error, has_file: bool| {
        let text = format!("{}: {error:#}", replica.name);
        match error.downcast_ref::<Refused>() {
            Some(Refused { code: NOT_FOUND, .. }) => anyhow!(
                "{} has no /debug/record: the program must use `Recording::on_request` and serve its handler",
                replica.name
            ),
            _ if has_file => anyhow!("{text}; {shown} has what was recorded before"),
            _ => anyhow!(text),
        }
    };
    let request = |at: u64| {
        Request::get()
            .abs_path(["debug", "record"])
            .param("session", session.as_str())
            .param("at", at.to_string())
            .param("values", values.to_string())
    };
    while !stop.is_cancelled() {
        let text = match replica.ask(request(at)).await {
            Ok(text) => text,
            // The program keeps the lines for a while.
            Err(error) if !error.is::<Refused>() && at > 0 && failures < TRIES => {
                failures += 1;
                stop.run_until_cancelled(tokio::time::sleep(INTERVAL * 5)).await;
                continue;
            }
            Err(error) => return Err(refused(error, file.is_some())),
        };
        failures = 0;
        let file = match &mut file {
            Some(file) => file,
            empty => empty.insert(create(&path)?),
        };
        file.write_all(&text).with_context(|| format!("can't write {shown}"))?;
        at += text.len() as u64;
        lines += String::from_utf8_lossy(&text).lines().count();
        if text.is_empty() {
            stop.run_until_cancelled(tokio::time::sleep(INTERVAL)).await;
        }
    }
    // Without it the program keeps lines for half a minute, and then ends the recording by itself.
    let _ = replica.ask(request(at).param("end", "true")).await;
    if lines == 0 {
        bail!("nothing was recorded of {}", replica.name);
    }
    Ok(format!("{shown}: {lines} lines, {at} bytes of {}", replica.name))
}

/// A new file that only the user can read.
fn create(path: &Path) -> Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).with_context(|| format!("can't write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use client_rs_api::core::v1::ConfigMap;
    use client_rs_apiserver::{Server, ServerOptions};
    use client_rs_client::{Api, RestClient};
    use client_rs_controller::recording::{Recording, RecordingOptions};
    use client_rs_controller::{Action, Context as RunContext, Controller, Manager, ManagerOptions};
    use client_rs_informers::SharedInformerFactory;
    use client_rs_machinery::ObjectKey;
    use client_rs_transport::Config;
    use client_rs_transport::http::InProcess;
    use serde_json::Value;

    use super::super::parsed::try_parsed;
    use super::*;

    #[test]
    fn a_file_is_required_and_several_replicas_have_one_each() {
        assert!(try_parsed::<Args>(&["deploy/x"]).is_err());
        let args = try_parsed::<Args>(&["deploy/x", "--output", "a.jsonl", "--for", "5m"]).unwrap();
        assert_eq!((args.time, args.values), (Some(Duration::from_mins(5)), false));
        assert_eq!(path_of(Path::new("d/a.jsonl"), "x-1"), Path::new("d/a-x-1.jsonl"));
        assert_eq!(path_of(Path::new("a"), "http://[::1]:1"), Path::new("a-http------1--1"));
    }

    /// A manager with a controller, and its address.
    struct Operator {
        url: String,
        user: RestClient,
        stop: CancellationToken,
        running: tokio::task::JoinHandle<()>,
        _parts: (Server, InProcess, Option<Recording>),
    }

    impl Operator {
        async fn start(name: &str, options: Option<RecordingOptions>) -> Self {
            let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
            let user = server.rest_client().unwrap();
            let uri = format!("http://{name}").parse::<http::Uri>().unwrap();
            let way = InProcess::register(&uri, user.transport().clone());
            let recording =
                Recording::on_request(&Config::new(uri), options.clone().unwrap_or_default()).unwrap();
            let rest = RestClient::from_config(recording.config()).unwrap();
            let factory = SharedInformerFactory::new(rest.clone());
            let controller = Controller::new("maps", factory.informer_for::<ConfigMap>()).reconcile(
                move |key: ObjectKey, _: RunContext| {
                    let api = Api::<ConfigMap>::namespaced(&rest, key.namespace.clone());
                    async move {
                        api.get_opt(&key.name).await?;
                        Ok(Action::done())
                    }
                },
            );
            // A free port, which the manager takes.
            let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
            let manager = Manager::with_options(&factory, ManagerOptions::default().with_debug_listen(free));
            let mut manager = manager.controller(controller);
            if options.is_some() {
                manager = manager.debug_handler("/debug/record", recording.handler());
            }
            // The handler keeps it.
            let kept = options.is_none().then_some(recording);
            let stop = CancellationToken::new();
            let work = manager.run(stop.clone());
            let running = tokio::spawn(async move { work.await.unwrap() });
            let url = format!("http://{free}");
            let operator = Self { url, user, stop, running, _parts: (server, way, kept) };
            operator.create("old").await;
            // Until the manager listens, and its cache has the object.
            loop {
                let replicas = Replicas::at(std::slice::from_ref(&operator.url)).unwrap().now();
                let state =
                    replicas[0].ask(Request::get().abs_path(["debug", "state"])).await.unwrap_or_default();
                let state: Value = serde_json::from_slice(&state).unwrap_or_default();
                if state["controllers"][0]["counts"]["success"].as_u64() > Some(0) {
                    return operator;
                }
                tokio::task::yield_now().await;
            }
        }

        async fn create(&self, name: &str) {
            let mut map = ConfigMap::default();
            map.metadata.name = name.into();
            map.data.insert("colour", "ultramarine".into());
            Api::<ConfigMap>::namespaced(&self.user, "default").create(map).await.unwrap();
        }

        async fn record(
            &self,
            file: &Path,
            values: bool,
            over: impl Future<Output = ()>,
        ) -> Result<Vec<String>> {
            let replicas = Replicas::at(std::slice::from_ref(&self.url)).unwrap();
            record(&replicas, file, values, over).await
        }

        async fn shutdown(self) {
            self.stop.cancel();
            self.running.await.unwrap();
        }
    }

    fn lines(file: &Path) -> Vec<Value> {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Waits until a file has a run of an object from its beginning to its end.
    async fn has_run(file: &Path, name: &str) {
        loop {
            let lines = lines(file);
            let run =
                lines.iter().find(|line| line["run"]["name"] == name).map(|line| line["run"]["run"].clone());
            if run.is_some_and(|run| lines.iter().any(|line| line["end"]["run"] == run)) {
                return;
            }
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_recording_of_a_running_manager_begins_with_its_objects() {
        let options = RecordingOptions::default().with_values_on_request(true);
        let operator = Operator::start("krs-record-values", Some(options)).await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.jsonl");
        let change = async {
            while lines(&file).is_empty() {
                tokio::task::yield_now().await;
            }
            operator.create("new").await;
            has_run(&file, "new").await;
        };
        let texts = operator.record(&file, true, change).await.unwrap();
        assert!(texts.len() == 1 && texts[0].starts_with(&file.display().to_string()), "{texts:?}");
        let found = lines(&file);
        assert_eq!((&found[0]["recording"], &found[0]["values"]), (&1.into(), &Value::Null));
        let list = &found.iter().find(|line| line["list"]["of"] == "configmaps").unwrap()["list"];
        assert_eq!(list["items"][0]["data"]["colour"], "ultramarine");
        let event = found.iter().find(|line| line["event"]["object"]["metadata"]["name"] == "new").unwrap();
        assert_eq!(event["event"]["object"]["data"]["colour"], "ultramarine");
        // The reader is gone, so the next one can begin at once.
        let again = operator.record(&file, false, has_run_at_once(&file)).await.unwrap();
        assert_eq!(again.len(), 1);
        operator.shutdown().await;
    }

    async fn has_run_at_once(file: &Path) {
        while lines(file).first().is_none_or(|header| header["values"] != false) {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn values_are_the_decision_of_the_program() {
        let operator = Operator::start("krs-record-keys", Some(RecordingOptions::default())).await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.jsonl");
        let error = operator.record(&file, true, std::future::pending()).await.unwrap_err().to_string();
        assert!(error.contains("does not permit values") && !file.exists(), "{error}");
        let change = async {
            while lines(&file).is_empty() {
                tokio::task::yield_now().await;
            }
            operator.create("new").await;
            has_run(&file, "new").await;
        };
        operator.record(&file, false, change).await.unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(
            text.contains("\"old\"") && text.contains("\"new\"") && !text.contains("ultramarine"),
            "{text}"
        );
        assert_eq!(lines(&file)[0]["values"], false);
        operator.shutdown().await;
    }

    #[tokio::test]
    async fn a_program_without_the_endpoint_is_named() {
        let operator = Operator::start("krs-record-none", None).await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.jsonl");
        let error = operator.record(&file, false, std::future::pending()).await.unwrap_err().to_string();
        assert!(error.contains("has no /debug/record") && error.contains("Recording::on_request"), "{error}");
        operator.shutdown().await;
    }
}
