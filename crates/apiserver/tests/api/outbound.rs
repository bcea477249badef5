//! The addresses that the server dials, with a dialer that records them and opens nothing.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use client_rs_apiserver::{Server, ServerOptions};
use client_rs_machinery::{Json, json};
use client_rs_transport::http::{Dial, Stream};

use super::common::{Answer, Client};

#[derive(Debug, Default)]
struct Recorder(Mutex<Vec<String>>);

impl Recorder {
    fn dialled(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Dial for Recorder {
    fn dial<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        self.0.lock().unwrap().push(format!("{host} {port}"));
        Box::pin(async { Err(io::Error::new(io::ErrorKind::ConnectionRefused, "nobody")) })
    }
}

struct Scene {
    _server: Server,
    client: Client,
    recorder: Arc<Recorder>,
}

const PODS: &str = "/api/v1/namespaces/default/pods";
const SERVICES: &str = "/api/v1/namespaces/default/services";

impl Scene {
    async fn new(dial_loopback: bool) -> Self {
        let recorder = Arc::new(Recorder::default());
        let dial = Arc::clone(&recorder);
        let options =
            ServerOptions::default().with_listen(None).with_dial(dial).with_dial_loopback(dial_loopback);
        let server = Server::start_with(options).await.unwrap();
        let client = Client::new(&server).await;
        Self { _server: server, client, recorder }
    }

    async fn create(&mut self, uri: &str, object: &Json) {
        let made = self.client.post(uri, object).await;
        assert_eq!(made.code, 201, "{}", made.message());
    }

    async fn status(&mut self, uri: &str, status: &Json) {
        let patch = json!({"status": status.clone()}).to_vec();
        let patched = self.client.patch(&format!("{uri}/status"), "merge-patch+json", &patch).await;
        assert_eq!(patched.code, 200, "{}", patched.message());
    }

    /// Creates a node with a kubelet at this address, and a pod of the same name on it with the same address.
    async fn node(&mut self, name: &str, address: &str, port: i64, labels: &Json) {
        let node = json!({
            "apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels.clone()},
        });
        self.create("/api/v1/nodes", &node).await;
        let status = json!({
            "addresses": [{"type": "InternalIP", "address": address}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
        });
        self.status(&format!("/api/v1/nodes/{name}"), &status).await;
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": name}},
            "spec": {"nodeName": name, "containers": [{"name": "main", "image": "none"}]},
        });
        self.create(PODS, &pod).await;
        let status = json!({
            "podIP": address, "podIPs": [{"ip": address}], "phase": "Running",
            "conditions": [{"type": "Ready", "status": "True"}],
        });
        self.status(&format!("{PODS}/{name}"), &status).await;
        let service = json!({
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": name},
            "spec": {"selector": {"app": name}, "ports": [{"port": 80}]},
        });
        self.create(SERVICES, &service).await;
    }

    /// Sends every request that reaches a node, a pod or a service.
    async fn everything(&mut self, name: &str) -> Vec<(String, Answer)> {
        let mut answers = Vec::new();
        for uri in [
            format!("{PODS}/{name}/exec?command=ls&stdout=true"),
            format!("{PODS}/{name}/attach?stdout=true"),
            format!("{PODS}/{name}/portforward?ports=80"),
        ] {
            let headers =
                [("connection", "upgrade"), ("upgrade", "SPDY/3.1"), ("content-type", "application/json")];
            answers.push((uri.clone(), self.client.send("POST", &uri, &headers, b"").await));
        }
        for uri in [
            format!("{PODS}/{name}/log"),
            format!("{PODS}/{name}/proxy/"),
            format!("{PODS}/{name}:8080/proxy/"),
            format!("{SERVICES}/{name}:80/proxy/"),
            format!("/api/v1/nodes/{name}/proxy/metrics"),
            format!("/api/v1/nodes/{name}:8080/proxy/metrics"),
        ] {
            answers.push((uri.clone(), self.client.get(&uri).await));
        }
        answers
    }
}

#[tokio::test(start_paused = true)]
async fn only_addresses_of_nodes_pods_and_services_are_dialled() {
    let mut scene = Scene::new(false).await;
    scene.node("far", "10.200.1.2", 10_250, &json!({})).await;
    assert_eq!(scene.recorder.dialled(), [""; 0]);
    scene.everything("far").await;
    let expected = [
        // Exec, attach, port-forward and logs go to the kubelet.
        "10.200.1.2 10250",
        "10.200.1.2 10250",
        "10.200.1.2 10250",
        "10.200.1.2 10250",
        "10.200.1.2 80",
        "10.200.1.2 8080",
        "10.200.1.2 80",
        "10.200.1.2 10250",
        "10.200.1.2 8080",
    ];
    assert_eq!(scene.recorder.dialled(), expected);
    // An unscheduled pod and a service without endpoints have no address.
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "unplaced"},
        "spec": {"containers": [{"name": "main", "image": "none"}]},
    });
    scene.create(PODS, &pod).await;
    for (uri, answer) in scene.everything("unplaced").await {
        assert!(answer.code >= 400 || uri.ends_with("/log"), "{uri} {}", answer.code);
    }
    assert_eq!(scene.recorder.dialled(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_simulated_node_is_never_dialled_and_the_response_has_the_reason() {
    let mut scene = Scene::new(true).await;
    // Nodes as `client_rs_workloads` creates them, and with addresses that may exist in a user's network.
    for (name, address, port) in
        [("one", "192.0.2.1", 0), ("two", "192.168.0.2", 0), ("three", "192.168.0.3", 10_250)]
    {
        scene.node(name, address, port, &json!({"client-rs.dev/played": "true"})).await;
        for (uri, answer) in scene.everything(name).await {
            if uri.starts_with(SERVICES) {
                continue;
            }
            assert_eq!(answer.code, 501, "{uri} {:?}", answer.body);
            let why = format!("node \"{name}\" is simulated: no kubelet and no container runs there");
            assert!(answer.message().starts_with(&why), "{uri} {}", answer.message());
        }
    }
    // The simulator writes the addresses of its pods. Those of `client_rs_workloads` belong to no machine.
    scene
        .status(&format!("{PODS}/one"), &json!({"podIP": "198.18.3.4", "podIPs": [{"ip": "198.18.3.4"}]}))
        .await;
    scene.recorder.dialled();
    let answer = scene.client.get(&format!("{SERVICES}/one:80/proxy/")).await;
    assert_eq!(answer.code, 400);
    assert!(answer.message().starts_with("address not allowed: 198.18.3.4: "), "{}", answer.message());
    assert_eq!(scene.recorder.dialled(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_node_without_a_kubelet_port_is_not_dialled_on_the_default_port() {
    let mut scene = Scene::new(true).await;
    scene.node("no-kubelet", "10.200.1.2", 0, &json!({})).await;
    for uri in [format!("{PODS}/no-kubelet/exec?command=ls"), format!("{PODS}/no-kubelet/log")] {
        scene.client.get(&uri).await;
    }
    assert_eq!(scene.client.get("/api/v1/nodes/no-kubelet/proxy/metrics").await.code, 501);
    assert_eq!(scene.recorder.dialled(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn objects_can_not_make_the_server_dial_forbidden_addresses() {
    let mut scene = Scene::new(false).await;
    for (name, address) in [
        ("metadata", "169.254.169.254"),
        ("link", "fe80::1"),
        ("group", "224.0.0.1"),
        ("group6", "ff02::1"),
        ("nowhere", "0.0.0.0"),
        ("nowhere6", "::"),
        ("own", "127.0.0.1"),
        ("own6", "::1"),
        ("mapped", "::ffff:169.254.169.254"),
        ("docs", "2001:db8::1"),
    ] {
        scene.node(name, address, 10_250, &json!({})).await;
        for (uri, answer) in scene.everything(name).await {
            assert_eq!(answer.code, 400, "{uri} {:?}", answer.body);
            assert!(answer.message().starts_with("address not allowed: "), "{uri} {}", answer.message());
        }
    }
    assert_eq!(scene.recorder.dialled(), [""; 0]);
    // Tests with kubelets on this machine set the option.
    let mut scene = Scene::new(true).await;
    scene.node("own", "127.0.0.1", 10_250, &json!({})).await;
    scene.everything("own").await;
    assert_eq!(scene.recorder.dialled().len(), 9);
    scene.node("metadata", "169.254.169.254", 10_250, &json!({})).await;
    scene.everything("metadata").await;
    assert_eq!(scene.recorder.dialled(), [""; 0]);
}

#[tokio::test]
async fn a_name_is_dialled_by_the_address_that_was_checked() {
    // `localhost` is the only name that resolves everywhere.
    let mut scene = Scene::new(false).await;
    scene.node("named", "10.0.0.1", 10_250, &json!({})).await;
    let status = json!({"addresses": [{"type": "Hostname", "address": "localhost"}]});
    scene.status("/api/v1/nodes/named", &status).await;
    let answer = scene.client.get("/api/v1/nodes/named/proxy/metrics").await;
    assert!(answer.message().contains("address not allowed"), "{}", answer.message());
    assert_eq!(scene.recorder.dialled(), [""; 0]);
    let mut scene = Scene::new(true).await;
    scene.node("named", "10.0.0.1", 10_250, &json!({})).await;
    scene.status("/api/v1/nodes/named", &status).await;
    scene.client.get("/api/v1/nodes/named/proxy/metrics").await;
    let dialled = scene.recorder.dialled();
    assert!(
        !dialled.is_empty() && dialled.iter().all(|to| to == "127.0.0.1 10250" || to == "::1 10250"),
        "{dialled:?}"
    );
}

#[tokio::test]
async fn webhooks_are_dialled_at_the_address_in_their_configuration() {
    let mut scene = Scene::new(false).await;
    scene.node("backend", "10.200.1.2", 10_250, &json!({})).await;
    scene.node("own", "127.0.0.1", 10_250, &json!({})).await;
    scene.node("played", "192.0.2.9", 0, &json!({"client-rs.dev/played": "true"})).await;
    scene.recorder.dialled();
    for (index, (client, dialled, why)) in [
        (json!({"url": "https://10.200.1.3:8443/x"}), vec!["10.200.1.3 8443"], "connection refused"),
        // The configuration of a webhook may name this machine.
        (json!({"url": "https://127.0.0.1:8443/x"}), vec!["127.0.0.1 8443"], "connection refused"),
        (json!({"url": "https://169.254.169.254/x"}), vec![], "address not allowed"),
        (
            json!({"service": {"namespace": "default", "name": "backend", "port": 80}}),
            vec!["10.200.1.2 80"],
            "refused",
        ),
        (
            json!({"service": {"namespace": "default", "name": "own", "port": 80}}),
            vec![],
            "address not allowed",
        ),
        (
            json!({"service": {"namespace": "default", "name": "played", "port": 80}}),
            vec![],
            "address not allowed",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("hook-{index}");
        let hooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
        let hook = json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": name.as_str()},
            "webhooks": [{
                "name": "a.example.com", "clientConfig": client, "sideEffects": "None",
                "admissionReviewVersions": ["v1"], "timeoutSeconds": 5,
                "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}],
            }],
        });
        scene.create(hooks, &hook).await;
        let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
        let refused = scene.client.post("/api/v1/namespaces/default/configmaps", &map).await;
        assert_eq!(refused.code, 500, "{:?}", refused.body);
        assert!(
            refused.message().contains(why),
            "{} {}",
            hook["webhooks"][0]["clientConfig"],
            refused.message()
        );
        assert_eq!(scene.recorder.dialled(), dialled, "{}", hook["webhooks"][0]["clientConfig"]);
        assert_eq!(scene.client.delete(&format!("{hooks}/{name}")).await.code, 200);
    }
}
