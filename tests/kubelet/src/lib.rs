//! A kubelet's streaming side: where commands, attachments, forwarded ports and logs of pods end.
//!
//! There are no containers. A container is a folder, a command in it a process of this machine with the folder as its
//! working directory, a port of a pod a port of this machine. An API server finds it as it finds any kubelet: by the
//! address and port of a Node.

mod exec;
mod logs;
mod ports;
mod server;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use client_rs_api::core::v1::{Node, Pod};
use client_rs_client::RestClient;
use client_rs_client::api::Api;
use client_rs_client::wait::conditions;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use serde_json::json;

use logs::Log;

/// The protocols of a [`Kubelet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KubeletOptions {
    /// Whether its Node announces WebSocket; else an API server translates to SPDY. Default: false.
    pub websocket: bool,
    /// Whether it takes a WebSocket at all. Default: true.
    pub takes_websocket: bool,
    /// Whether it takes SPDY. Default: true.
    pub takes_spdy: bool,
}

impl Default for KubeletOptions {
    fn default() -> Self {
        Self { websocket: false, takes_websocket: true, takes_spdy: true }
    }
}

/// A kubelet's streaming side, as a node of a cluster. Ends when it is dropped.
#[derive(Debug)]
pub struct Kubelet {
    shared: Arc<Shared>,
    address: SocketAddr,
    node: String,
    serving: tokio::task::JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    options: KubeletOptions,
    /// The folder of the containers.
    folder: tempfile::TempDir,
    logs: Mutex<BTreeMap<String, Arc<Log>>>,
    /// The requests that it received.
    asked: Mutex<Vec<String>>,
    /// Counts how often connections to ports were cut.
    cuts: tokio::sync::watch::Sender<u64>,
}

impl Kubelet {
    /// Starts one, and registers it as a node.
    pub async fn start(client: &RestClient, options: KubeletOptions) -> Result<Self> {
        let folder = tempfile::tempdir().context("a folder for containers")?;
        let shared = Arc::new(Shared {
            options,
            folder,
            logs: Mutex::default(),
            asked: Mutex::default(),
            cuts: tokio::sync::watch::Sender::new(0),
        });
        let (port, serving) = server::start(Arc::clone(&shared)).await?;
        let address = SocketAddr::new(own_address(), port);
        let node = format!("kubelet-{:016x}", fastrand::u64(..));
        let kubelet = Self { shared, address, node, serving };
        kubelet.register(client).await?;
        Ok(kubelet)
    }

    /// Its node's name.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// The address of its node, and of every pod on it.
    pub fn ip(&self) -> IpAddr {
        self.address.ip()
    }

    /// The folder that is a container.
    pub fn container(&self, namespace: &str, pod: &str, container: &str) -> Result<PathBuf> {
        self.shared.container(namespace, pod, container)
    }

    /// Writes a line of a container's log.
    pub fn log(&self, namespace: &str, pod: &str, container: &str, line: &str) {
        self.shared.log_of(namespace, pod, container).write(line);
    }

    /// The container has ended: so do the logs that follow it.
    pub fn end_log(&self, namespace: &str, pod: &str, container: &str) {
        self.shared.log_of(namespace, pod, container).end();
    }

    /// Cuts every log that is being followed, as a lost connection does.
    pub fn cut_logs(&self, namespace: &str, pod: &str, container: &str) {
        self.shared.log_of(namespace, pod, container).cut();
    }

    /// Cuts every connection to ports, as the end of a pod does.
    pub fn cut_forwards(&self) {
        self.shared.cuts.send_modify(|count| *count += 1);
    }

    /// Returns the method, path and protocol of the requests that it received.
    pub fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A pod on this node that runs, with these containers.
    pub async fn pod(
        &self,
        client: &RestClient,
        namespace: &str,
        name: &str,
        containers: &[&str],
    ) -> Result<Pod> {
        self.labelled_pod(client, namespace, name, containers, &[]).await
    }

    /// Like [`pod`](Self::pod), with labels.
    pub async fn labelled_pod(
        &self,
        client: &RestClient,
        namespace: &str,
        name: &str,
        containers: &[&str],
        labels: &[(&str, &str)],
    ) -> Result<Pod> {
        let list: Vec<_> = containers.iter().map(|name| json!({"name": name, "image": "none"})).collect();
        let labels: BTreeMap<_, _> = labels.iter().copied().collect();
        let metadata = json!({"name": name, "namespace": namespace, "labels": labels});
        self.pod_of(client, &metadata, &list).await
    }

    /// A pod on this node that runs, with this metadata, a namespace in it, and these containers.
    pub async fn pod_of(
        &self,
        client: &RestClient,
        metadata: &serde_json::Value,
        list: &[serde_json::Value],
    ) -> Result<Pod> {
        let text = |value: &serde_json::Value| value["name"].as_str().unwrap_or_default().to_owned();
        let (name, namespace) = (text(metadata), metadata["namespace"].as_str().unwrap_or_default());
        let containers: Vec<String> = list.iter().map(text).collect();
        let pods = Api::<Pod>::namespaced(client, namespace);
        let spec = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": metadata,
            "spec": {
                "nodeName": self.node, "containers": list, "terminationGracePeriodSeconds": 0,
                "tolerations": [{"operator": "Exists"}], "automountServiceAccountToken": false,
            },
        });
        let mut pod = pods.create(object::<Pod>(&spec)?).await.context("the pod")?;
        let status = json!({
            "phase": "Running", "podIP": self.ip().to_string(), "podIPs": [{"ip": self.ip().to_string()}],
            "hostIP": self.ip().to_string(),
            "conditions": [{"type": "Ready", "status": "True"}],
            "containerStatuses": containers.iter().map(|name| json!({
                "name": name, "ready": true, "restartCount": 0, "image": "none", "imageID": "none",
                "containerID": format!("test://{name}"), "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}},
            })).collect::<Vec<_>>(),
        });
        let with_status = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {}, "status": status,
        });
        pod.status = object::<Pod>(&with_status)?.status;
        // Controllers also write to it, so a conflict must not fail.
        pod.metadata.resource_version = Str::EMPTY;
        let pod = pods.update_status(pod).await.context("the pod's status")?;
        for container in &containers {
            self.container(namespace, &name, container)?;
        }
        Ok(pod)
    }

    async fn register(&self, client: &RestClient) -> Result<()> {
        let nodes = Api::<Node>::cluster(client);
        let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": self.node}});
        let mut made = nodes.create(object::<Node>(&node)?).await.context("the node")?;
        let features = if self.shared.options.websocket { vec!["ExtendWebSocketsToKubelet"] } else { vec![] };
        let with_status = json!({
            "apiVersion": "v1", "kind": "Node", "metadata": {"name": self.node},
            "status": {
                "addresses": [{"type": "InternalIP", "address": self.ip().to_string()}],
                "daemonEndpoints": {"kubeletEndpoint": {"Port": self.address.port()}},
                "declaredFeatures": features,
                "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
            },
        });
        made.status = object::<Node>(&with_status)?.status;
        made.metadata.resource_version = Str::EMPTY;
        nodes.update_status(made).await.context("the node's status")?;
        Ok(())
    }

    /// Takes its node away.
    pub async fn unregister(&self, client: &RestClient) -> Result<()> {
        Api::<Node>::cluster(client).delete(&self.node).await.context("the node")?;
        Ok(())
    }

    /// Waits until a pod is gone.
    pub async fn until_gone(&self, client: &RestClient, namespace: &str, pod: &str) -> Result<()> {
        let pods = Api::<Pod>::namespaced(client, namespace);
        pods.wait_for(pod, conditions::deleted(), Duration::from_mins(1)).await.context("the pod")?;
        Ok(())
    }
}

impl Drop for Kubelet {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Shared {
    fn container(&self, namespace: &str, pod: &str, container: &str) -> Result<PathBuf> {
        let folder = self.folder.path().join(namespace).join(pod).join(container);
        std::fs::create_dir_all(&folder).with_context(|| format!("{}", folder.display()))?;
        Ok(folder)
    }

    fn log_of(&self, namespace: &str, pod: &str, container: &str) -> Arc<Log> {
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(logs.entry(format!("{namespace}/{pod}/{container}")).or_default())
    }
}

fn object<K: Payload>(json: &serde_json::Value) -> Result<K> {
    Ok(K::decode(Format::Json, json.to_string().as_bytes(), &mut Decoding::new())?)
}

/// Returns an address of this machine that is not loopback, because proxies refuse those; loopback if there is no
/// other.
fn own_address() -> IpAddr {
    let outward = || -> std::io::Result<IpAddr> {
        let socket = std::net::UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        // Sends nothing: it only determines the route.
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        Ok(socket.local_addr()?.ip())
    };
    outward().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
}
