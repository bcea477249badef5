//! Runs every example against an API server of this test, with the controllers that a cluster has for deployments.
#![allow(clippy::unwrap_used, reason = "tests may panic")]
#![cfg(unix)]

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use client_rs::api::apps::v1::Deployment;
use client_rs::api::core::v1::{ConfigMap, Pod, Service};
use client_rs::api::discovery::v1::EndpointSlice;
use client_rs::api::networking::v1::NetworkPolicy;
use client_rs::apiserver::{Server, ServerOptions};
use client_rs::client::Api;
use client_rs::client::wait::conditions;
use client_rs::machinery::wire::Message;
use client_rs::machinery::{Json, json};
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// The timeout of everything that must happen, generous for a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// A server, and its kubeconfig for the examples.
struct Cluster {
    server: Server,
    folder: tempfile::TempDir,
}

impl Cluster {
    async fn start() -> Self {
        let options = ServerOptions::default().with_tls(true);
        let server = Server::start_with(options).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config"), server.kubeconfig().unwrap()).unwrap();
        Self { server, folder }
    }

    fn example(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program(name));
        command
            .args(arguments)
            .env("KUBECONFIG", self.folder.path().join("config"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Runs an example that ends by itself, and returns its output.
    async fn run(&self, name: &str, arguments: &[&str]) -> String {
        let output = self.example(name, arguments).stderr(Stdio::piped()).output();
        let output = tokio::time::timeout(PATIENCE, output).await.expect("it does not end").unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{name}: {said}\n{}", String::from_utf8_lossy(&output.stderr));
        said
    }

    /// Runs an example until it has printed these texts, ends it with a signal, and returns its output.
    async fn until(&self, name: &str, arguments: &[&str], texts: &[&str], signal: Signal) -> String {
        let mut running = Running::of(self.example(name, arguments).spawn().unwrap());
        for text in texts {
            running.wait_for(text).await;
        }
        running.end(signal).await
    }

    async fn pod(&self, name: &str) {
        let json = format!(
            r#"{{"metadata":{{"name":"{name}"}},"spec":{{"containers":[{{"name":"a","image":"i"}}]}}}}"#
        );
        let pods = Api::<Pod>::namespaced(&self.server.rest_client().unwrap(), "default");
        pods.create(Pod::from_json(json.as_bytes()).unwrap()).await.unwrap();
    }
}

/// An example that runs until it gets a signal.
struct Running {
    child: Child,
    lines: tokio::io::Lines<BufReader<tokio::process::ChildStdout>>,
    said: String,
}

impl Running {
    fn of(mut child: Child) -> Self {
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines, said: String::new() }
    }

    async fn wait_for(&mut self, text: &str) {
        let heard = async {
            while !self.said.contains(text) {
                let line = self.lines.next_line().await.unwrap();
                let line = line.unwrap_or_else(|| panic!("it ended, and said:\n{}", self.said));
                self.said.push_str(&line);
                self.said.push('\n');
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, heard).await.is_ok();
        assert!(in_time, "never said {text:?}:\n{}", self.said);
    }

    /// Sends the signal once: no interrupt may be lost. An example that has printed something ends gracefully.
    async fn end(mut self, signal: Signal) -> String {
        let status = self.interrupt(signal).await;
        assert!(status.success(), "{status}: {}", self.said);
        self.said
    }

    async fn interrupt(&mut self, signal: Signal) -> ExitStatus {
        let id = Pid::from_raw(i32::try_from(self.child.id().unwrap()).unwrap()).unwrap();
        kill_process(id, signal).unwrap();
        let ended = tokio::time::timeout(PATIENCE, async {
            while let Some(line) = self.lines.next_line().await.unwrap() {
                self.said.push_str(&line);
                self.said.push('\n');
            }
            self.child.wait().await.unwrap()
        });
        ended.await.unwrap_or_else(|_| panic!("it does not end, and said:\n{}", self.said))
    }
}

/// A background job of a shell ignores SIGINT, and its child processes inherit that. After the signal was caught here, child
/// processes have the default again.
fn children_hear_interrupts() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    if ignored & (1 << (Signal::INT.as_raw() - 1)) != 0 {
        drop(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt()).unwrap());
    }
}

/// `cargo test` has built the examples next to this test.
fn program(name: &str) -> PathBuf {
    children_hear_interrupts();
    let own = std::env::current_exe().unwrap();
    let path = own.parent().and_then(Path::parent).unwrap().join("examples").join(name);
    assert!(path.exists(), "{} is not built: run `cargo test -p client-rs-examples`", path.display());
    path
}

fn holds(said: &str, expected: &[&str]) {
    let mut rest = said;
    for text in expected {
        let at = rest.find(text).unwrap_or_else(|| panic!("no {text:?} (in this order) in:\n{said}"));
        rest = &rest[at + text.len()..];
    }
}

#[test]
fn every_example_is_run_here() {
    let manifest = include_str!("Cargo.toml");
    let own = include_str!("run.rs");
    let names: BTreeSet<&str> = manifest
        .split("[[example]]")
        .skip(1)
        .filter_map(|part| part.split("name = \"").nth(1)?.split('"').next())
        .collect();
    assert!(names.len() >= 17, "{names:?}");
    for name in names {
        let (run, most) = match name {
            // Run on both servers by the conformance suite of custom resources.
            "operator" => (true, 150),
            // For real clusters, and for three in one process.
            "multi_cluster" => (own.contains("(\"multi_cluster\""), 120),
            name => (own.contains(&format!("(\"{name}\"")), 100),
        };
        assert!(run, "{name} is not run by any test");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{name}.rs"));
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines < most, "{name} has {lines} lines: keep examples short");
    }
}

/// README.md contains the code that runs here.
#[test]
fn the_readme_shows_the_controller() {
    let (_, code) = include_str!("controller.rs").split_once("\n\n").unwrap();
    assert!(include_str!("../README.md").contains(&format!("```rust,no_run\n{code}```")), "{code}");
}

#[test]
fn examples_need_nothing_but_the_facade() {
    let folder = std::fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap();
    for path in
        folder.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "rs"))
    {
        let text = std::fs::read_to_string(&path).unwrap();
        let inner = text.lines().find(|line| line.starts_with("use client_rs_"));
        assert_eq!(inner, None, "{}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn configuration_and_requests() {
    let cluster = Cluster::start().await;
    holds(&cluster.run("raw_request", &["/version"]).await, &["200 OK", "\"major\""]);
    let said = cluster.run("out_of_cluster_client_configuration", &[]).await;
    holds(&said, &["There are 0 pods in the cluster", "not found in default"]);
    // Outside of a cluster it must report that.
    let output = cluster.example("in_cluster_client_configuration", &[]).stderr(Stdio::piped()).output();
    let output = output.await.unwrap();
    assert!(!output.status.success() && !output.stderr.is_empty());
}

/// There is no node here that could run a pod. The conformance suite of streams runs these examples with one.
#[tokio::test(flavor = "multi_thread")]
async fn streams_to_pods_that_are_not_there() {
    let cluster = Cluster::start().await;
    for (name, arguments) in
        [("exec", ["default", "nobody", "true"]), ("port_forward", ["default", "nobody", "0:80"])]
    {
        let output = cluster.example(name, &arguments).stderr(Stdio::piped()).output();
        let output = tokio::time::timeout(PATIENCE, output).await.expect("it does not end").unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{name}: {said}");
        assert!(said.contains("nobody") && said.contains("not found"), "{name}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn writes() {
    let cluster = Cluster::start().await;
    let said = cluster.run("create_update_delete_deployment", &["default"]).await;
    holds(&said, &["created default/demo-deployment", "updated to Some(1)", "listed", "deleted"]);
    let said = cluster.run("apply", &["default"]).await;
    holds(&said, &["painter applied", "painter owns .data.colour", "decorator forced", "painter still owns"]);
    let json = br#"{"metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},
        "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"a","image":"i"}]}}}}"#;
    let deployments = Api::<Deployment>::namespaced(&cluster.server.rest_client().unwrap(), "default");
    deployments.create(Deployment::from_json(json).unwrap()).await.unwrap();
    holds(&cluster.run("scale", &["web", "5"]).await, &["web: 2 wanted", "web: 5 wanted now"]);
    let said = cluster.run("dynamic_create_update_delete_deployment", &[]).await;
    holds(&said, &["created demo-deployment", "updated to 1", "listed", "deleted"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn watches_informers_and_controllers() {
    let cluster = Cluster::start().await;
    cluster.pod("web").await;
    let listed = ["listed   default/web", "watching from version"];
    cluster.until("watch_pods", &["default"], &listed, Signal::INT).await;
    let told = ["Cache synced: 1 pods", "New Pod Added to Store: default/web"];
    cluster.until("shared_informer", &["default"], &told, Signal::INT).await;
    cluster.until("controller", &[], &["default/web is"], Signal::TERM).await;
}

/// The programs of introductions to client-go.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_programs_of_a_newcomer() {
    let cluster = Cluster::start().await;
    cluster.pod("web").await;
    let kubeconfig = cluster.folder.path().join("config");
    let kubeconfig = kubeconfig.to_str().unwrap();
    let said = cluster.run("rest_client", &[kubeconfig]).await;
    holds(&said, &["default/web is", "1 pods in default"]);
    let said = cluster.run("informer_and_lister", &["", kubeconfig]).await;
    assert!(said.contains("1 pods are cached"), "{said}");
    let mut informer = Running::of(cluster.example("pod_informer", &[kubeconfig]).spawn().unwrap());
    informer.wait_for("New Pod Added to Store: web").await;
    let pods = Api::<Pod>::namespaced(&cluster.server.rest_client().unwrap(), "default");
    pods.delete("web").await.unwrap();
    informer.wait_for("Pod Deleted from Store: web").await;
    informer.end(Signal::INT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_controller_made_by_hand() {
    let cluster = Cluster::start().await;
    cluster.pod("web").await;
    cluster.pod("broken").await;
    let mut running = Running::of(cluster.example("workqueue_controller", &["default"]).spawn().unwrap());
    running.wait_for("Sync/Add/Update for Pod web").await;
    running.wait_for("Pod default/mypod does not exist anymore").await;
    running.wait_for("Dropping pod default/broken out of the queue").await;
    assert_eq!(running.said.matches("Error syncing pod default/broken").count(), 5, "{}", running.said);
    let said = running.end(Signal::TERM).await;
    assert!(said.ends_with("Stopped the pod controller\n"), "{said}");
}

/// Creates a config map and returns its handle.
async fn config_map(cluster: &Cluster, json: &str) -> Api<ConfigMap> {
    let maps = Api::<ConfigMap>::namespaced(&cluster.server.rest_client().unwrap(), "default");
    maps.create(ConfigMap::from_json(json.as_bytes()).unwrap()).await.unwrap();
    maps
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_finds_the_users_of_a_config_map() {
    let cluster = Cluster::start().await;
    config_map(&cluster, r#"{"metadata":{"name":"settings"}}"#).await;
    let mut running = Running::of(cluster.example("index", &["default"]).spawn().unwrap());
    running.wait_for("default/settings is used by []").await;
    let pod = r#"{"metadata":{"name":"web"},"spec":{"containers":[{"name":"a","image":"i",
        "envFrom":[{"configMapRef":{"name":"settings"}}]}]}}"#;
    let pods = Api::<Pod>::namespaced(&cluster.server.rest_client().unwrap(), "default");
    pods.create(Pod::from_json(pod.as_bytes()).unwrap()).await.unwrap();
    running.wait_for("default/settings is used by [\"web\"]").await;
    running.end(Signal::TERM).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_follows_services_and_their_endpoints() {
    let cluster = Cluster::start().await;
    let rest = cluster.server.rest_client().unwrap();
    let services = Api::<Service>::namespaced(&rest, "default");
    let slices = Api::<EndpointSlice>::namespaced(&rest, "default");
    // Without a selector: nobody else writes its endpoints.
    let service = json!({"metadata": {"name": "web"}, "spec": {"ports": [{"name": "http", "port": 80}]}});
    services.apply(service, "test").await.unwrap();
    let slice = |ready: bool| {
        json!({
            "metadata": {"name": "web-1", "labels": {"kubernetes.io/service-name": "web"}},
            "addressType": "IPv4",
            "ports": [{"name": "http", "port": 8080}],
            "endpoints": [{"addresses": ["10.0.0.1"]}, {"addresses": ["10.0.0.2"], "conditions": {"ready": ready}}],
        })
    };
    slices.apply(slice(false), "test").await.unwrap();
    let mut running = Running::of(cluster.example("gateway", &["default"]).spawn().unwrap());
    running.wait_for(r#"web.default:80 -> ["10.0.0.1:8080"]"#).await;
    slices.apply(slice(true), "test").await.unwrap();
    running.wait_for(r#"web.default:80 -> ["10.0.0.1:8080", "10.0.0.2:8080"]"#).await;
    services.delete("web").await.unwrap();
    running.wait_for("web.default:80 is gone").await;
    running.end(Signal::TERM).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn network_policies_are_found_by_pod() {
    let cluster = Cluster::start().await;
    cluster.pod("web").await;
    let mut running = Running::of(cluster.example("network_policies", &["default"]).spawn().unwrap());
    running.wait_for("default/web is open").await;
    let policies = Api::<NetworkPolicy>::namespaced(&cluster.server.rest_client().unwrap(), "default");
    let policy = |selector: Json| json!({"metadata": {"name": "deny"}, "spec": {"podSelector": selector}});
    policies.apply(policy(json!({})), "test").await.unwrap();
    running.wait_for(r#"default/web has ["deny"]"#).await;
    policies.apply(policy(json!({"matchLabels": {"app": "db"}})), "test").await.unwrap();
    running.wait_for("default/web is open\ndefault/web has [\"deny\"]\ndefault/web is open").await;
    running.end(Signal::TERM).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn derived_objects_follow_their_service() {
    let cluster = Cluster::start().await;
    let rest = cluster.server.rest_client().unwrap();
    let services = Api::<Service>::namespaced(&rest, "default");
    let service = |annotations: Json| json!({"metadata": {"name": "web", "annotations": annotations}, "spec": {"ports": [{"port": 80}]}});
    services.apply(service(json!({"example.com/monitor": "/metrics"})), "test").await.unwrap();
    let mut running = Running::of(cluster.example("derived_objects", &["default"]).spawn().unwrap());
    running.wait_for("following the services").await;
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    let target = conditions::jsonpath("{.data.targets}", Some("http://web.default:80/metrics")).unwrap();
    maps.wait_for("web", target, PATIENCE).await.unwrap();
    services.apply(service(json!({})), "test").await.unwrap();
    maps.wait_for("web", conditions::deleted(), PATIENCE).await.unwrap();
    running.end(Signal::TERM).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finalizer_keeps_an_object_until_its_clean_up_is_done() {
    let cluster = Cluster::start().await;
    let maps = config_map(&cluster, r#"{"metadata":{"name":"shop","labels":{"bucket":"yes"}}}"#).await;
    let mut running = Running::of(cluster.example("finalizer", &["default"]).spawn().unwrap());
    running.wait_for("default/shop: bucket created").await;
    maps.delete("shop").await.unwrap();
    running.wait_for("default/shop: bucket removed").await;
    maps.wait_for("shop", conditions::deleted(), PATIENCE).await.unwrap();
    let said = running.end(Signal::TERM).await;
    holds(&said, &["bucket created", "is being emptied", "bucket removed"]);
}

/// The examples that run until a signal, and the signal.
const UNTIL_SIGNAL: [(&str, Signal); 11] = [
    ("derived_objects", Signal::TERM),
    ("gateway", Signal::TERM),
    ("network_policies", Signal::TERM),
    ("watch_pods", Signal::INT),
    ("shared_informer", Signal::INT),
    ("port_forward", Signal::INT),
    ("leader_election", Signal::INT),
    ("controller", Signal::TERM),
    ("finalizer", Signal::TERM),
    ("index", Signal::TERM),
    ("manager", Signal::TERM),
];

/// A process without its handler yet is ended by the signal, the system's default; one with a handler ends gracefully.
#[tokio::test(flavor = "multi_thread")]
async fn one_signal_at_the_start_is_enough() {
    let cluster = Cluster::start().await;
    for (name, signal) in UNTIL_SIGNAL {
        let mut running = Running::of(cluster.example(name, &[]).spawn().unwrap());
        let status = running.interrupt(signal).await;
        let by_signal = status.signal() == Some(signal.as_raw());
        assert!(status.success() || by_signal, "{name}: {status}: {}", running.said);
    }
}

/// A server that accepts a connection and never responds: one signal ends the program gracefully at every point.
#[tokio::test(flavor = "multi_thread")]
async fn one_signal_is_enough_while_a_server_does_not_answer() {
    let folder = tempfile::tempdir().unwrap();
    for (name, signal) in UNTIL_SIGNAL {
        // One listener per program: some open several connections, which would look like connections of the next program.
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let kubeconfig = format!(
            "{{apiVersion: v1, kind: Config, current-context: c, contexts: [{{name: c, context: {{cluster: c, user: ''}}}}], \
             clusters: [{{name: c, cluster: {{server: 'http://{}'}}}}]}}",
            listener.local_addr().unwrap()
        );
        std::fs::write(folder.path().join("config"), kubeconfig).unwrap();
        let arguments = if name == "port_forward" { &["default", "web", "0:80"][..] } else { &[] };
        let mut command = Command::new(program(name));
        command.args(arguments).env("KUBECONFIG", folder.path().join("config")).stdin(Stdio::null());
        let mut running = Running::of(command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap());
        let connection =
            tokio::time::timeout(PATIENCE, listener.accept()).await.expect("it does not connect");
        let status = running.interrupt(signal).await;
        assert!(status.success(), "{name}: {status}: {}", running.said);
        drop(connection);
    }
}

/// The program of `a_second_signal_ends_what_does_not_stop`, in its own process: it never stops gracefully.
#[tokio::test]
async fn stuck() {
    if std::env::var_os("STUCK").is_none() {
        return;
    }
    let stop = client_rs::controller::setup_signal_handler().unwrap();
    println!("ready");
    stop.cancelled().await;
    println!("stopping");
    std::future::pending::<()>().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_what_does_not_stop() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "stuck", "--nocapture"]).env("STUCK", "1").stdin(Stdio::null());
    let mut running = Running::of(command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap());
    running.wait_for("ready").await;
    let id = Pid::from_raw(i32::try_from(running.child.id().unwrap()).unwrap()).unwrap();
    kill_process(id, Signal::INT).unwrap();
    running.wait_for("stopping").await;
    let status = running.interrupt(Signal::TERM).await;
    assert_eq!(status.code(), Some(1), "{status}: {}", running.said);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_and_elections() {
    let cluster = Cluster::start().await;
    cluster.pod("web").await;
    let said = cluster.run("events", &["default", "web"]).await;
    holds(&said, &["recorded: had a look"]);
    assert!(said.contains("stored:   5x Looked had a look"), "{said}");
    let said = cluster.until("leader_election", &["default"], &["write with token"], Signal::INT).await;
    holds(&said, &["I am ", "write with token", "released: Released"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manager_with_its_endpoints() {
    let cluster = Cluster::start().await;
    cluster.pod("web").await;
    // Ports that were free a moment ago.
    let free = [(); 3].map(|()| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    let [health, metrics, debug] = free.map(|listener| listener.local_addr().unwrap().to_string());
    let mut arguments = vec!["--leader-elect", "--concurrency", "2"];
    arguments.extend(["--health-listen", &health, "--metrics-listen", &metrics, "--debug-listen", &debug]);
    let mut running = Running::of(cluster.example("manager", &arguments).spawn().unwrap());
    running.wait_for("default/web is").await;
    let ready = ask(&health, "/readyz?verbose").await;
    holds(&ready, &["200 OK", "[+]informers ok", "[+]example ok"]);
    holds(&ask(&health, "/healthz?verbose").await, &["200 OK", "[+]leaderElection ok"]);
    let lines = [
        "controller_runtime_reconcile_total{controller=\"pods\",result=\"success\"} 1",
        "controller_runtime_max_concurrent_reconciles{controller=\"pods\"} 2",
        "workqueue_adds_total{name=\"pods\"} 1",
        "leader_election_master_status{name=\"client-rs-example-manager\"} 1",
        "informer_queued_items{name=\"Pod\"} 0",
        "rest_client_requests_total{code=\"200\",method=\"GET\",host=\"",
        "workqueue_work_duration_seconds_count{name=\"pods\"} 1",
    ];
    // A run is counted a moment after its output.
    let give_up = Instant::now() + PATIENCE;
    loop {
        let said = ask(&metrics, "/metrics").await;
        let Some(missing) = lines.iter().find(|line| !said.contains(**line)) else { break };
        assert!(Instant::now() < give_up, "no {missing} in:\n{said}");
    }
    // Each endpoint is at its own address, and nowhere else.
    assert!(ask(&health, "/metrics").await.contains("404 Not Found"));
    let state = ask(&debug, "/debug/state").await;
    for part in ["\"leading\": true", "\"phase\": \"running\"", "\"name\": \"pods\""] {
        assert!(state.contains(part), "no {part} in:\n{state}");
    }
    let said = running.end(Signal::TERM).await;
    holds(&said, &["stopped in order"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn those_that_bring_their_own_server() {
    let cluster = Cluster::start().await;
    holds(&cluster.run("work_queue", &[]).await, &["images to resize", "runs, 1 of them panicked"]);
    let said = cluster.run("testing_with_the_fake", &[]).await;
    holds(&said, &["the controller did: get namespaces, create configmaps"]);
    let said = cluster.run("testing_with_the_embedded_server", &[]).await;
    holds(&said, &["one is labelled", "two is labelled", "stopped"]);
    let said = cluster.run("webhook", &[]).await;
    holds(&said, &["small was created by admin", "large is refused", "3 entries, at most two are allowed"]);
    let said = cluster.run("multi_cluster", &[]).await;
    let said_so =
        ["mirrored to the first edge", "which joined later", "the first has left, and keeps it: true"];
    holds(&said, &said_so);
    let said = cluster.run("sharded_controller", &[]).await;
    holds(&said, &["replica-1", "replica-2", "replica-3", "replica-1 leaves", "replica-2", "replica-3"]);
}

/// The response of an HTTP server, head and body.
async fn ask(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}
