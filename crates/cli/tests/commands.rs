//! Every command, as it is typed, against the embedded server.
#![allow(clippy::unwrap_used, reason = "tests may")]

use std::path::PathBuf;

use client_rs_apiserver::{Server, ServerOptions, StorageOptions};
use client_rs_cli::Streams;
use client_rs_client::DynamicClient;
use client_rs_machinery::{GroupVersionResource, Json, Unstructured};
use serde_json::json;

/// A server, and the environment for commands.
struct Desk {
    server: Server,
    folder: tempfile::TempDir,
}

/// The result of a command.
#[derive(Debug)]
struct Ended {
    code: u8,
    out: String,
    err: String,
}

impl Ended {
    #[track_caller]
    fn ok(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    #[track_caller]
    fn failed(self, expected: &str) -> String {
        assert_eq!(self.code, 1, "{}{}", self.out, self.err);
        assert!(self.err.contains(expected), "{}", self.err);
        self.out
    }
}

impl Desk {
    async fn new() -> Self {
        let server = Server::start_with(
            ServerOptions::default().with_storage(StorageOptions::default().with_populate(true).into()),
        )
        .await
        .unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("kubeconfig"), server.kubeconfig().unwrap()).unwrap();
        Self { server, folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// A file of objects.
    fn file(&self, name: &str, text: &str) -> String {
        std::fs::write(self.folder.path().join(name), text).unwrap();
        self.path(name)
    }

    async fn krs(&self, words: &[&str]) -> Ended {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let (kubeconfig, cache) = (self.path("kubeconfig"), self.path("cache"));
        let all = ["krs", "--kubeconfig", &kubeconfig, "--cache-dir", &cache];
        let code = client_rs_cli::run(all.iter().chain(words), Streams::plain(&mut out, &mut err)).await;
        Ended { code, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
    }

    /// An object as it is, whatever YAML takes.
    async fn create(&self, group: &str, resource: &str, object: serde_json::Value) {
        let object: Unstructured = Json::parse(object.to_string().as_bytes()).unwrap().try_into().unwrap();
        let client = DynamicClient::from_rest(self.server.rest_client().unwrap());
        let api = client.resource(GroupVersionResource::new(group, "v1", resource));
        let api = if group == "apiextensions.k8s.io" { api } else { api.namespace("default") };
        api.create(object).await.unwrap();
    }

    async fn apply(&self, text: &str) -> String {
        let file = self.file("applied.yaml", text);
        self.krs(&["apply", "-f", &file]).await.ok()
    }
}

const WEB: &str = "apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, tier: front}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: 'nginx:1.29', ports: [{containerPort: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {app: web}}
data: {key: value}
";

const PODS: &str = "apiVersion: v1
kind: Pod
metadata: {name: b, labels: {app: two}}
spec: {containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: a, labels: {app: one}}
spec: {initContainers: [{name: first, image: i}], containers: [{name: c, image: i}, {name: d, image: j}]}
";

/// The columns of each line, without ages.
fn cells(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn apply_and_get() {
    let desk = Desk::new().await;
    let applied = desk.apply(WEB).await;
    assert_eq!(
        applied,
        "deployment.apps/web serverside-applied\nservice/web serverside-applied\nconfigmap/settings serverside-applied\n"
    );
    let table = desk.krs(&["get", "deploy"]).await.ok();
    assert_eq!(cells(&table)[0], ["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE"]);
    assert_eq!(cells(&table)[1][..4], ["web", "0/2", "0", "0"]);
    let table = desk.krs(&["get", "deploy,svc,cm", "-l", "app=web"]).await.ok();
    let first: Vec<&str> = cells(&table).iter().filter_map(|line| line.first().copied()).collect();
    assert_eq!(first, ["NAME", "deployment.apps/web", "NAME", "configmap/settings"]);
    assert!(table.contains("\n\nNAME"), "{table}");

    let names = desk.krs(&["get", "deploy/web", "svc/web", "-o", "name"]).await.ok();
    assert_eq!(names, "deployment.apps/web\nservice/web\n");
    let path =
        ["get", "deploy", "web", "-o", "jsonpath={.spec.replicas} {.spec.template.spec.containers[*].image}"];
    assert_eq!(desk.krs(&path).await.ok(), "2 nginx:1.29");
    let yaml = desk.krs(&["get", "cm", "settings", "-o", "yaml"]).await.ok();
    assert!(yaml.starts_with("apiVersion: v1\ndata:\n  key: value\nkind: ConfigMap\nmetadata:\n"), "{yaml}");
    assert!(!yaml.contains("managedFields"));
    let yaml = desk.krs(&["get", "cm", "settings", "-o", "yaml", "--show-managed-fields"]).await.ok();
    assert!(yaml.contains("manager: krs"), "{yaml}");
    let json = desk.krs(&["get", "cm", "-l", "app=web", "-o", "json"]).await.ok();
    assert!(json.contains("\"kind\": \"List\""), "{json}");
    let columns =
        desk.krs(&["get", "cm", "settings", "-o", "custom-columns=N:.metadata.name,D:.data"]).await.ok();
    assert_eq!(columns, "N          D\nsettings   map[key:value]\n");
    let file = desk.path("applied.yaml");
    assert_eq!(desk.krs(&["get", "-f", &file, "-o", "name"]).await.ok().lines().count(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn get_chooses_sorts_and_forgives() {
    let desk = Desk::new().await;
    desk.apply(PODS).await;
    let names = |table: &str| cells(table).iter().skip(1).map(|line| line[0].to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&desk.krs(&["get", "po"]).await.ok()), ["a", "b"]);
    assert_eq!(names(&desk.krs(&["get", "pods", "-l", "app=two"]).await.ok()), ["b"]);
    assert_eq!(names(&desk.krs(&["get", "pods", "--field-selector", "metadata.name=a"]).await.ok()), ["a"]);
    assert_eq!(names(&desk.krs(&["get", "pods", "--chunk-size=1"]).await.ok()), ["a", "b"]);
    let sorted = desk.krs(&["get", "pods", "--sort-by={.spec.containers[0].name}"]).await.ok();
    assert_eq!(names(&sorted).len(), 2);
    let by_image = desk.krs(&["get", "pods", "--sort-by=.metadata.labels.app", "-o", "name"]).await.ok();
    assert_eq!(by_image, "pod/a\npod/b\n");
    let labels = desk.krs(&["get", "pods", "--show-labels", "-L", "app", "--no-headers"]).await.ok();
    let first = cells(&labels)[0].clone();
    assert_eq!((first[0], &first[first.len() - 2..]), ("a", &["one", "app=one"][..]));
    let all = desk.krs(&["get", "pods", "-A"]).await.ok();
    assert_eq!(cells(&all)[0][0], "NAMESPACE");
    let wide = desk.krs(&["get", "pods", "-o", "wide"]).await.ok();
    assert!(cells(&wide)[0].contains(&"NODE"), "{wide}");

    // If one of several is missing, the others are still printed.
    let ended = desk.krs(&["get", "pods", "a", "x", "b"]).await;
    let out = ended.failed("Error from server (NotFound): pods \"x\" not found");
    assert_eq!(names(&out), ["a", "b"]);
    desk.krs(&["get", "pods", "x"]).await.failed("NotFound");
    assert_eq!(desk.krs(&["get", "pods", "x", "--ignore-not-found"]).await.ok(), "");
    let nothing = desk.krs(&["get", "jobs"]).await;
    assert_eq!((nothing.code, nothing.err.as_str()), (0, "No resources found in default namespace.\n"));
    let nothing = desk.krs(&["get", "nodes"]).await;
    assert_eq!((nothing.code, nothing.err.as_str()), (0, "No resources found\n"));
    desk.krs(&["get", "nonsense"])
        .await
        .failed("error: the server doesn't have a resource type \"nonsense\"");
    desk.krs(&["get", "pods", "-o", "go-template={{.x}}"]).await.failed("does not have");
    desk.krs(&["get", "pods", "a", "-l", "x=y"]).await.failed("selector");
    desk.krs(&["get", "pods", "a", "-A"]).await.failed("across all namespaces");
    desk.krs(&["get"]).await.failed("you must specify the type");
    assert_eq!(desk.krs(&["get", "--no-such-flag"]).await.code, 2);
    let category = desk.krs(&["get", "all"]).await.ok();
    assert!(category.contains("pod/a"), "{category}");
}

#[tokio::test(flavor = "multi_thread")]
async fn get_watches() {
    let desk = Desk::new().await;
    desk.apply(PODS).await;
    // The server ends the watch once it stops.
    let watching = desk.krs(&["get", "pods", "-w", "--output-watch-events"]);
    let stop = async {
        let controls = desk.server.controls();
        loop {
            if controls.requests().iter().any(|request| request.uri.contains("watch=true")) {
                break;
            }
            tokio::task::yield_now().await;
        }
        desk.krs(&["delete", "pod", "a", "--force"]).await;
        controls.drop_watches();
    };
    let (ended, ()) = tokio::join!(watching, stop);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let lines = cells(&ended.out);
    assert_eq!(lines[0][..2], ["EVENT", "NAME"]);
    assert_eq!((&lines[1][..2], &lines[2][..2]), (&["ADDED", "a"][..], &["ADDED", "b"][..]));
    desk.krs(&["get", "pods,svc", "-w"]).await.failed("single resource type");
}

#[tokio::test(flavor = "multi_thread")]
async fn apply_tries_conflicts_and_reports() {
    let desk = Desk::new().await;
    desk.apply(WEB).await;
    let other = desk.file("other.yaml", &WEB.replace("replicas: 2", "replicas: 5"));
    let out = desk.krs(&["apply", "-f", &other, "--field-manager=other"]).await.failed("--force-conflicts");
    assert_eq!(out.lines().count(), 2, "{out}");
    let tried = desk
        .krs(&["apply", "-f", &other, "--field-manager=other", "--force-conflicts", "--dry-run=server"])
        .await;
    assert!(tried.ok().contains("deployment.apps/web serverside-applied (server dry run)\n"));
    let replicas = ["get", "deploy", "web", "-o", "jsonpath={.spec.replicas}"];
    assert_eq!(desk.krs(&replicas).await.ok(), "2");
    desk.krs(&["apply", "-f", &other, "--field-manager=other", "--force-conflicts"]).await.ok();
    assert_eq!(desk.krs(&replicas).await.ok(), "5");
    let tried = desk.krs(&["apply", "-f", &other, "--dry-run=client"]).await.ok();
    assert!(tried.contains("service/web serverside-applied (dry run)\n"), "{tried}");
    let yaml = desk.krs(&["apply", "-f", &other, "--force-conflicts", "-o", "yaml"]).await.ok();
    assert!(yaml.contains("kind: List"), "{yaml}");
    let wrong = desk.file("wrong.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, daata: {}}");
    desk.krs(&["apply", "-f", &wrong]).await.failed("daata");
    desk.krs(&["apply", "-f", &desk.path("missing.yaml")]).await.failed("does not exist");
    desk.krs(&["apply", "-f", &other, "--server-side=false"]).await.failed("on the server");
    desk.krs(&["apply"]).await.failed("-f");
    let unknown = desk.file("unknown.yaml", "{apiVersion: no.such/v1, kind: Thing, metadata: {name: x}}");
    desk.krs(&["apply", "-f", &unknown]).await.failed("no matches for kind");
}

#[tokio::test(flavor = "multi_thread")]
async fn delete_by_name_label_and_file() {
    let desk = Desk::new().await;
    desk.apply(WEB).await;
    desk.apply(PODS).await;
    let tried = desk.krs(&["delete", "deploy", "web", "--dry-run=server"]).await.ok();
    assert_eq!(tried, "deployment.apps \"web\" deleted from default namespace (server dry run)\n");
    assert_eq!(
        desk.krs(&["delete", "deploy", "web"]).await.ok(),
        "deployment.apps \"web\" deleted from default namespace\n"
    );
    desk.krs(&["delete", "deploy", "web"])
        .await
        .failed("Error from server (NotFound): deployments.apps \"web\" not found");
    assert_eq!(desk.krs(&["delete", "deploy", "web", "--ignore-not-found"]).await.ok(), "");
    let forced = desk.krs(&["delete", "pod/a", "--force"]).await;
    assert_eq!(forced.out, "pod \"a\" force deleted from default namespace\n");
    assert!(forced.err.starts_with("Warning: Immediate deletion"));
    let out = desk
        .krs(&["delete", "cm,pods", "-l", "app", "--grace-period=1", "-o", "name", "--wait=false"])
        .await
        .ok();
    assert_eq!(out, "configmap/settings\npod/b\n");
    desk.krs(&["delete", "pods"]).await.failed("no name was specified");
    desk.krs(&["delete", "pods", "b", "-l", "x=y"]).await.failed("selector");
    assert_eq!(desk.krs(&["delete", "svc", "--all", "-l", "x"]).await.code, 2);
    let file = desk.file("web.yaml", WEB);
    desk.krs(&["delete", "-f", &file]).await.failed("not found");
    assert_eq!(desk.krs(&["delete", "-f", &file, "--ignore-not-found"]).await.ok(), "");
    assert_eq!(desk.krs(&["delete", "jobs", "--all"]).await.ok(), "No resources found\n");

    // An object with a finalizer stays, and waiting for it ends in time.
    desk.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [a.b/c]}}").await;
    desk.krs(&["delete", "cm", "held", "--timeout=20ms"])
        .await
        .failed("timed out waiting for the condition on configmaps/held");
}

#[tokio::test(flavor = "multi_thread")]
async fn scale_sets_replicas() {
    let desk = Desk::new().await;
    desk.apply(WEB).await;
    let replicas = ["get", "deploy", "web", "-o", "jsonpath={.spec.replicas}"];
    assert_eq!(desk.krs(&["scale", "deploy/web", "--replicas=3"]).await.ok(), "deployment.apps/web scaled\n");
    assert_eq!(desk.krs(&replicas).await.ok(), "3");
    let out = desk.krs(&["scale", "deploy", "web", "--replicas=4", "--current-replicas=3"]).await.ok();
    assert_eq!(out, "deployment.apps/web scaled\n");
    desk.krs(&["scale", "deploy", "web", "--replicas=5", "--current-replicas=3"])
        .await
        .failed("error: Expected replicas to be 3, was 4");
    let tried = desk.krs(&["scale", "deploy", "web", "--replicas=9", "--dry-run=server"]).await.ok();
    assert_eq!(tried, "deployment.apps/web scaled (server dry run)\n");
    assert_eq!(desk.krs(&replicas).await.ok(), "4");
    assert_eq!(
        desk.krs(&["scale", "deploy", "--all", "--replicas=1", "-o", "name"]).await.ok(),
        "deployment.apps/web\n"
    );
    desk.krs(&["scale", "deploy", "web", "x", "--replicas=2"]).await.failed("\"x\" not found");
    desk.krs(&["scale", "cm", "settings", "--replicas=2"]).await.failed("no scale subresource");
    // Nothing makes pods here, so there never are as many.
    desk.krs(&["scale", "deploy", "web", "--replicas=2", "--timeout=1ms"])
        .await
        .failed("timed out waiting for \"web\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn logs_finds_pods_and_containers() {
    let desk = Desk::new().await;
    desk.apply(PODS).await;
    desk.apply(WEB).await;
    let ended = desk.krs(&["logs", "a", "--tail=1", "--timestamps"]).await;
    assert_eq!(
        (ended.code, ended.err.as_str()),
        (0, "Defaulted container \"c\" out of: c, d, first (init)\n")
    );
    desk.krs(&["logs", "a", "--all-containers", "--prefix"]).await.ok();
    desk.krs(&["logs", "a", "-c", "none"]).await.failed("container none is not valid for pod a");
    desk.krs(&["logs", "-l", "app in (one,two)", "--all-containers"]).await.ok();
    desk.krs(&["logs", "x"]).await.failed("pods \"x\" not found");
    desk.krs(&["logs", "deploy/web", "--pod-running-timeout=1ms"]).await.failed("timed out waiting");
    desk.krs(&["logs", "cm/settings"]).await.failed("has no pod selector");
    desk.krs(&["logs"]).await.failed("required argument");
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_say_what_is_missing() {
    let desk = Desk::new().await;
    desk.apply(PODS).await;
    desk.apply(WEB).await;
    for (words, expected) in [
        (&["exec", "a"][..], "error: you must specify at least one command for the container\n"),
        (&["exec", "a", "ls"], "Use exec [POD] -- [COMMAND] instead"),
        (&["exec", "x", "--", "ls"], "Error from server (NotFound): pods \"x\" not found\n"),
        (
            &["exec", "a", "-c", "x", "--", "ls"],
            "container x is not valid for pod a out of: c, d, first (init)",
        ),
        (&["exec", "deploy/web", "--pod-running-timeout=1ms", "--", "ls"], "timed out waiting"),
        (&["exec", "cm/settings", "--", "ls"], "cannot exec into ConfigMap"),
        (&["exec", "nonsense/x", "--", "ls"], "the server doesn't have a resource type \"nonsense\""),
        (&["attach"], "at least 1 argument is required for attach"),
        (&["attach", "a", "-c", "x"], "cannot attach to the container: container x is not valid"),
        (&["cp", "x"], "source and destination are required"),
        (&["cp", "/no/such", "a:b"], "/no/such doesn't exist in local filesystem"),
        (&["cp", "x:y", "z"], "pods \"x\" not found"),
        (&["cp", "x:y", "z:y"], "must be a local file specification"),
        (&["port-forward", "a"], "list of ports are required"),
        (&["port-forward", "a", "80"], "pod is not running"),
        (&["port-forward", "a", "x"], "Pod 'a' does not have a named port 'x'"),
        (&["port-forward", "svc/web", "80", "--pod-running-timeout=1ms"], "timed out waiting"),
        (&["port-forward", "a", "80", "--address=x"], "x is not a valid IP"),
    ] {
        desk.krs(words).await.failed(expected);
    }
    let both = desk.file("pods.yaml", PODS);
    desk.krs(&["exec", "-f", &both, "--", "ls"]).await.failed("multiple objects");
}

#[tokio::test(flavor = "multi_thread")]
async fn describe_tells_all() {
    let desk = Desk::new().await;
    desk.apply(WEB).await;
    desk.apply(PODS).await;
    let text = desk.krs(&["describe", "deploy", "web"]).await.ok();
    for line in [
        "Name:                   web\n",
        "Selector:               app=web\n",
        "Replicas:               2 desired | 0 updated | 0 total | 0 available | 0 unavailable\n",
        "    Image:         nginx:1.29\n",
        "Events:            <none>\n",
    ] {
        assert!(text.contains(line), "{line}{text}");
    }
    let text = desk.krs(&["describe", "svc/web"]).await.ok();
    assert!(text.contains("TargetPort:               80/TCP\n"), "{text}");
    let text = desk.krs(&["describe", "pod", "a"]).await.ok();
    assert!(text.contains("Init Containers:\n  first:\n"), "{text}");
    let text = desk.krs(&["describe", "cm", "settings"]).await.ok();
    assert!(text.contains("key:\n----\nvalue\n"), "{text}");
    // A name may be the beginning of several; several are shown without events.
    let text = desk.krs(&["describe", "cm", "sett"]).await.ok();
    assert!(text.contains("Name:         settings"), "{text}");
    let text = desk.krs(&["describe", "pods"]).await.ok();
    assert!(text.contains("\n\n\nName:") && !text.contains("Events:"), "{text}");
    desk.apply(
        "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {node-role.kubernetes.io/worker: ''}}}",
    )
    .await;
    let text = desk.krs(&["describe", "node", "n1"]).await.ok();
    assert!(text.contains("Roles:              worker\n") && text.contains("Non-terminated Pods:"), "{text}");
    let text = desk.krs(&["describe", "sa", "default"]).await.ok();
    assert!(text.contains("API Version:  v1\n"), "{text}");
    let event = "{apiVersion: v1, kind: Event, metadata: {name: e}, involvedObject: {kind: Pod, name: a, namespace: default, uid: UID},
        type: Warning, reason: Sad, message: it is, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:00Z',
        source: {component: me}}";
    let uid = desk.krs(&["get", "pod", "a", "-o", "jsonpath={.metadata.uid}"]).await.ok();
    desk.apply(&event.replace("UID", &uid)).await;
    let text = desk.krs(&["describe", "pod", "a"]).await.ok();
    assert!(text.contains("Warning") && text.contains("Sad") && text.contains("it is"), "{text}");
    desk.krs(&["describe", "pod", "none"]).await.failed("not found");
}

#[tokio::test(flavor = "multi_thread")]
async fn watch_tells_every_change() {
    let desk = Desk::new().await;
    desk.apply(PODS).await;
    let watching = desk.krs(&["watch", "pods", "--count=3"]);
    let change = async {
        let controls = desk.server.controls();
        while !controls.requests().iter().any(|request| request.uri.contains("watch=")) {
            tokio::task::yield_now().await;
        }
        desk.krs(&["apply", "-f", &desk.file("c.yaml", &PODS.replace("name: b,", "name: z,"))]).await;
    };
    let (ended, ()) = tokio::join!(watching, change);
    let out = ended.ok();
    let lines = cells(&out);
    assert_eq!(lines[0][..5], ["EVENT", "NAME", "READY", "STATUS", "RESTARTS"]);
    assert_eq!(lines.len(), 4, "{out}");
    let mut names: Vec<&str> = lines[1..].iter().map(|line| line[1]).collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "z"]);
    let one = desk.krs(&["watch", "pods/a", "--count=1", "-A", "--wide"]).await.ok();
    assert!(one.contains("NAMESPACE") && one.contains("NODE"), "{one}");
    desk.krs(&["watch", "pods,svc"]).await.failed("single resource type");
}

#[tokio::test(flavor = "multi_thread")]
async fn config_edits_files_and_keeps_what_it_does_not_know() {
    let desk = Desk::new().await;
    let file: PathBuf = desk.path("edited").into();
    std::fs::write(
        &file,
        "apiVersion: v1\nkind: Config\ncurrent-context: one\nfuture: kept\nclusters:\n- {name: k, cluster: {server: 'https://k', novel: 7}}\n\
         users:\n- {name: u, user: {token: hunter2}}\ncontexts:\n- {name: one, context: {cluster: k, user: u}}\n",
    )
    .unwrap();
    let path = file.to_str().unwrap();
    let config = async |words: &[&str]| {
        let all: Vec<&str> =
            ["config"].into_iter().chain(words.iter().copied()).chain(["--kubeconfig", path]).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = client_rs_cli::run(["krs"].iter().chain(&all), Streams::plain(&mut out, &mut err)).await;
        Ended { code, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
    };
    assert_eq!(config(&["current-context"]).await.ok(), "one\n");
    assert_eq!(
        config(&["set-context", "two", "--cluster=k", "--user=u", "-n", "web"]).await.ok(),
        "Context \"two\" created.\n"
    );
    assert_eq!(config(&["set-context", "--current", "-n", "db"]).await.ok(), "Context \"one\" modified.\n");
    let table = config(&["get-contexts"]).await.ok();
    assert_eq!(
        table,
        "CURRENT   NAME   CLUSTER   AUTHINFO   NAMESPACE\n*         one    k         u          db\n          two    k         u          web\n"
    );
    assert_eq!(config(&["get-contexts", "-o", "name"]).await.ok(), "one\ntwo\n");
    config(&["get-contexts", "three"]).await.failed("context three not found");
    assert_eq!(config(&["use-context", "two"]).await.ok(), "Switched to context \"two\".\n");
    config(&["use-context", "three"]).await.failed("no context exists with the name: \"three\"");
    assert_eq!(config(&["rename-context", "two", "2"]).await.ok(), "Context \"two\" renamed to \"2\".\n");
    assert_eq!(config(&["current-context"]).await.ok(), "2\n");
    assert_eq!(config(&["set-cluster", "k2", "--server=https://k2"]).await.ok(), "Cluster \"k2\" set.\n");
    assert_eq!(config(&["get-clusters"]).await.ok(), "NAME\nk\nk2\n");
    assert_eq!(
        config(&["set-credentials", "v", "--exec-command=login", "--exec-arg=a,b", "--exec-env=K=V"])
            .await
            .ok(),
        "User \"v\" set.\n"
    );
    assert_eq!(config(&["get-users"]).await.ok(), "NAME\nu\nv\n");
    let args = "jsonpath={.users[?(@.name=='v')].user.exec.args}";
    assert_eq!(config(&["view", "--raw", "-o", args]).await.ok(), "[\"a\",\"b\"]");
    assert_eq!(config(&["view", "-o", args]).await.ok(), "[\"REDACTED\",\"REDACTED\"]");
    let view = config(&["view"]).await.ok();
    assert!(view.contains("token: REDACTED") && !view.contains("hunter2"), "{view}");
    assert!(config(&["view", "--raw", "--minify"]).await.ok().contains("hunter2"));
    assert!(config(&["view", "-o", "json"]).await.ok().starts_with("{\n    \"kind\": \"Config\",\n"));
    assert_eq!(config(&["unset", "users.u.token"]).await.ok(), "Property \"users.u.token\" unset.\n");
    assert_eq!(config(&["delete-context", "one"]).await.ok(), format!("deleted context one from {path}\n"));
    assert_eq!(config(&["delete-cluster", "k2"]).await.ok(), format!("deleted cluster k2 from {path}\n"));
    assert_eq!(config(&["delete-user", "v"]).await.ok(), format!("deleted user v from {path}\n"));
    config(&["delete-user", "v"]).await.failed("cannot delete user v");
    let left = std::fs::read_to_string(&file).unwrap();
    for kept in ["future: kept", "novel: 7"] {
        assert!(left.contains(kept), "{left}");
    }
    assert!(!left.contains("hunter2"), "{left}");
}

#[tokio::test(flavor = "multi_thread")]
async fn completion_bench_and_discovery() {
    let desk = Desk::new().await;
    for (shell, mark) in [
        ("bash", "complete"),
        ("zsh", "#compdef krs"),
        ("fish", "complete -c krs"),
        ("powershell", "krs"),
        ("elvish", "krs"),
    ] {
        let script = desk.krs(&["completion", shell]).await.ok();
        assert!(script.contains(mark) && script.contains("port-forward"), "{shell}");
    }
    let table = desk.krs(&["bench", "--pods=20", "--updates=5", "--adds=1000", "--keys=100"]).await.ok();
    for what in ["create over HTTP", "informer sync", "write to handler, p99", "work queue, runs"] {
        assert!(table.contains(what), "{table}");
    }
    assert!(desk.krs(&["api-versions"]).await.ok().contains("apps/v1\n"));
    let policy = "KIND:       Pod\nVERSION:    v1\n\nFIELD: restartPolicy <string>\nENUM:\n    Always\n    Never\n    OnFailure\n\n\
                  DESCRIPTION:\n    Optional. One of Always, Never, OnFailure. Defaults to Always.\n    \n\n";
    assert_eq!(desk.krs(&["explain", "po.spec.restartPolicy"]).await.ok(), policy);
    let event = desk.krs(&["explain", "events.events.k8s.io.reportingController"]).await.ok();
    assert!(
        event.starts_with("GROUP:      events.k8s.io\nKIND:       Event\nVERSION:    v1\n\nFIELD: "),
        "{event}"
    );
    let scaler = desk.krs(&["explain", "hpa.spec", "--api-version=autoscaling/v1"]).await.ok();
    assert!(
        scaler.contains("VERSION:    v1\n") && scaler.contains("  maxReplicas\t<integer> -required-\n"),
        "{scaler}"
    );
    let header = desk.krs(&["explain", "deploy.spec.colour"]).await.failed("field \"colour\" does not exist");
    assert_eq!(header, "GROUP:      apps\nKIND:       Deployment\nVERSION:    v1\n\n");
    desk.krs(&["explain", "pods", "--api-version=v2"])
        .await
        .failed("couldn't find resource for \"/v2, Resource=pods\"");
    assert!(
        desk.krs(&["api-resources", "-o", "yaml"])
            .await
            .ok()
            .starts_with("apiVersion: v1\ngroupVersion: \"\"\n")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_server_is_reported() {
    let desk = Desk::new().await;
    let server = desk.server.address().unwrap();
    let Desk { server: running, folder } = desk;
    running.shutdown().await;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let kubeconfig = folder.path().join("kubeconfig");
    let words = [
        "krs",
        "get",
        "pods",
        "--kubeconfig",
        kubeconfig.to_str().unwrap(),
        "--cache-dir",
        folder.path().to_str().unwrap(),
    ];
    let code = client_rs_cli::run(words, Streams::plain(&mut out, &mut err)).await;
    assert_eq!(code, 1);
    let said = String::from_utf8(err).unwrap();
    assert!(said.contains("refused") && said.contains(&server.to_string()), "{said}");
}

/// A definition whose names would end a comment is refused, with its file, the field and the rule, and nothing is written.
#[tokio::test(flavor = "multi_thread")]
async fn a_definition_with_a_name_that_is_code_is_refused_with_its_file() {
    let desk = Desk::new().await;
    let definition = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "a"},
        "spec": {"group": "example.com", "names": {"kind": "A\nfn evil() {}", "plural": "as"}, "versions": []}}"#;
    let (file, output) = (desk.file("evil.json", definition), desk.path("generated.rs"));
    let refused = desk.krs(&["generate", "--crd", &file, "--output", &output]).await;
    assert_eq!(refused.code, 1, "{refused:?}");
    for part in [&*file, "spec.names.kind", r"A\nfn evil", "alphanumeric"] {
        assert!(refused.err.contains(part), "no {part} in {}", refused.err);
    }
    assert!(!std::path::Path::new(&output).exists());
}

/// Untrusted text can't control the terminal: not in pages, tables, headers, columns, errors or names. Output
/// for programs is unchanged.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_others_wrote_steers_the_terminal() {
    const EVIL: &str = "a\u{1b}[2Jb\rc\u{8}\u{7f}\u{9b}1Ad\u{202e}e";
    const SHOWN: &str = "a^[[2Jb\\rc^H^?\\u009b1Ad\\u202ee";
    let desk = Desk::new().await;
    let names = json!({"plural": "boats", "singular": "boat", "kind": "Boat", "listKind": "BoatList"});
    let spec = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let version = json!({
        "name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
        "additionalPrinterColumns": [{"name": EVIL, "type": "string", "jsonPath": ".spec.note"}],
    });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "boats.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]},
    });
    desk.create("apiextensions.k8s.io", "customresourcedefinitions", definition).await;
    let boat = |name: &str| {
        json!({
            "apiVersion": "example.com/v1", "kind": "Boat", "metadata": {"name": name, "annotations": {"note": EVIL}},
            "spec": {"note": EVIL, (EVIL): [EVIL]},
        })
    };
    desk.create("example.com", "boats", boat("one")).await;
    let uid = desk.krs(&["get", "boat", "one", "-o", "jsonpath={.metadata.uid}"]).await.ok();
    let of = json!({"apiVersion": "example.com/v1", "kind": "Boat", "name": "one", "namespace": "default", "uid": uid});
    let event = json!({
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": "one.1"}, "type": "Warning", "reason": EVIL, "message": EVIL,
        "involvedObject": of, "source": {"component": EVIL},
    });
    desk.create("", "events", event).await;

    let steers = |c: &char| {
        (c.is_control() && *c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let described = desk.krs(&["describe", "boat", "one"]).await.ok();
    // Annotation, field, name of a field, list, and reason, source and message of the event.
    assert_eq!(described.matches(SHOWN).count(), 7, "{described:?}");
    let table = desk.krs(&["get", "boats"]).await.ok();
    let header = "NAME   A^[[2JB\\rC^H^?\\u009b1AD\\u202eE\n";
    assert_eq!(table, format!("{header}one    a^[[2Jb...\n"));
    let columns =
        desk.krs(&["get", "boats", "-o", "custom-columns=A:metadata.annotations,S:spec.note"]).await.ok();
    assert!(columns.contains(&format!("map[note:{SHOWN}]")), "{columns:?}");
    let watched = desk.krs(&["watch", "events", "--wide", "--count", "1"]).await.ok();
    let events = desk.krs(&["get", "events", "-o", "wide", "--show-labels"]).await.ok();
    let missing = desk.krs(&["get", "boats", EVIL]).await;
    assert_eq!(missing.code, 1);
    let refused = desk.krs(&["apply", "-f", &desk.file("bad.yaml", &boat(EVIL).to_string())]).await;
    assert_eq!(refused.code, 1);
    let context = ["config", "set-context", EVIL, "--cluster=c", "--user", EVIL];
    desk.krs(&context).await.ok();
    let contexts = desk.krs(&["config", "get-contexts"]).await.ok();
    assert!(contexts.contains(SHOWN), "{contexts:?}");
    let names = desk.krs(&["config", "get-contexts", "-o", "name"]).await.ok();
    let view = desk.krs(&["config", "view"]).await.ok();
    let yaml = desk.krs(&["get", "boat", "one", "-o", "yaml"]).await.ok();
    for text in [described, table, columns, watched, events, missing.err, refused.err, contexts, names] {
        assert!(!text.contains(|c| steers(&c)), "{text:?}");
    }
    // YAML quotes them by itself, as kubectl's does.
    for text in [view, yaml] {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n') && text.contains("\\e[2J"), "{text:?}");
    }
    let raw = desk.krs(&["get", "boat", "one", "-o", "jsonpath={.spec.note}"]).await.ok();
    assert_eq!(raw, EVIL);
}
