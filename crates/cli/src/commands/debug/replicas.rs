//! The managers behind the page.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use client_rs_api::core::v1::Pod;
use client_rs_client::streams::{ForwardTarget, ForwardedPort, Forwarder, ForwarderOptions};
use client_rs_client::{Api, Request, RestClient};
use client_rs_machinery::{ApiError, CauseType, Unstructured};
use client_rs_transport::Config;
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use super::Targets;
use crate::GlobalArgs;
use crate::commands::why::DEBUG_PORT;
use crate::pods::{self, For};
use crate::session::Session;

/// How long a replica has for its answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The shortest time between two looks at the pods of a workload. Without requests for the page there is none.
const REFRESH: Duration = Duration::from_secs(5);

/// A manager.
pub(crate) struct Replica {
    pub(crate) name: String,
    client: RestClient,
    /// Ends with the replica.
    _forwarder: Option<Forwarder>,
}

/// All managers, as they are now.
pub(crate) struct Replicas {
    known: watch::Receiver<Vec<Arc<Replica>>>,
    wanted: Arc<Notify>,
    /// Keeps the list up to date; without it the list is fixed.
    follower: Option<JoinHandle<()>>,
    /// Keeps a fixed list.
    _fixed: Option<watch::Sender<Vec<Arc<Replica>>>>,
}

impl Replicas {
    /// The managers that the arguments name.
    pub(crate) async fn find(global: &GlobalArgs, args: &Targets) -> Result<Self> {
        match &args.managers[..] {
            [] => Self::at(&[format!("http://127.0.0.1:{DEBUG_PORT}")]),
            [workload] if !workload.contains("://") => Self::of_workload(global, workload, args).await,
            urls => Self::at(urls),
        }
    }

    /// Managers at fixed addresses.
    pub(crate) fn at(urls: &[String]) -> Result<Self> {
        let replicas = urls.iter().map(|url| {
            if !url.contains("://") {
                bail!("{url:?} is not a URL; one workload alone may be named");
            }
            Ok(Arc::new(Replica { name: url.clone(), client: client_of(url)?, _forwarder: None }))
        });
        let (sender, known) = watch::channel(replicas.collect::<Result<_>>()?);
        Ok(Self { known, wanted: Arc::default(), follower: None, _fixed: Some(sender) })
    }

    /// The pods of a workload. They are looked up again while the page is used.
    async fn of_workload(global: &GlobalArgs, workload: &str, args: &Targets) -> Result<Self> {
        let session = Session::open(global)?;
        let object = pods::object(&session, workload).await?;
        let pods = Pods { session, object, port: args.port, patience: args.pod_running_timeout };
        let first = pods.replicas(&[]).await?;
        if first.is_empty() {
            bail!("no pod of {workload} is running");
        }
        let (sender, known) = watch::channel(first);
        let wanted = Arc::new(Notify::new());
        let asked = Arc::clone(&wanted);
        let follower = tokio::spawn(async move {
            loop {
                asked.notified().await;
                let old = sender.borrow().clone();
                match pods.replicas(&old).await {
                    Ok(replicas) => {
                        sender.send_replace(replicas);
                    }
                    // The replicas stay as they are; each says itself whether it can be reached.
                    Err(error) => tracing::warn!("can't look up the pods: {error:#}"),
                }
                tokio::time::sleep(REFRESH).await;
            }
        });
        Ok(Self { known, wanted, follower: Some(follower), _fixed: None })
    }

    /// The managers of this moment.
    pub(crate) fn now(&self) -> Vec<Arc<Replica>> {
        self.known.borrow().clone()
    }

    /// The states of all replicas, side by side.
    pub(super) async fn state(&self) -> Value {
        self.wanted.notify_one();
        let replicas = self.known.borrow().clone();
        let asked: Vec<_> = replicas
            .into_iter()
            .map(|replica| tokio::spawn(async move { (replica.name.clone(), replica.state().await) }))
            .collect();
        let mut states = Vec::new();
        for one in asked {
            match one.await {
                Ok((name, Ok(state))) => states.push(json!({"name": name, "state": state})),
                Ok((name, Err(error))) => states.push(json!({"name": name, "error": format!("{error:#}")})),
                Err(_) => {}
            }
        }
        json!({"replicas": states})
    }

    /// The answer of one replica to a question.
    pub(super) async fn why(&self, name: &str, controller: &str, key: &str) -> Result<Vec<u8>> {
        let replica = self.known.borrow().iter().find(|replica| replica.name == name).cloned();
        let replica = replica.ok_or_else(|| anyhow!("there is no replica {name:?} any more"))?;
        let question = Request::get()
            .abs_path(["debug", "why"])
            .param("controller", controller)
            .param("key", key)
            .param("output", "json");
        replica.ask(question).await
    }
}

impl Drop for Replicas {
    fn drop(&mut self) {
        if let Some(follower) = &self.follower {
            follower.abort();
        }
    }
}

impl Replica {
    async fn state(&self) -> Result<Value> {
        let body = self.ask(Request::get().abs_path(["debug", "state"])).await?;
        serde_json::from_slice(&body).context("the answer is not JSON")
    }

    /// The answer to a request. One with an error status is [`Refused`].
    pub(crate) async fn ask(&self, request: Request) -> Result<Vec<u8>> {
        match tokio::time::timeout(PATIENCE, self.client.send_raw(request)).await {
            Ok(Ok(response)) => Ok(response.body.to_vec()),
            // The client's own hint is about the API server.
            Ok(Err(error)) if error.is_connection_refused() => {
                bail!("the connection was refused: is the manager running with --debug-listen?")
            }
            Ok(Err(error)) => {
                // A manager answers in plain text, which is not an error of an API server.
                let answer = error.api().and_then(|api| api.cause(&CauseType::UnexpectedServerResponse));
                match answer.map(|cause| cause.message.trim().to_owned()).filter(|text| !text.is_empty()) {
                    Some(text) => {
                        let code = error.api().map_or(0, ApiError::code);
                        Err(Refused { code, text }.into())
                    }
                    None => Err(error.into()),
                }
            }
            Err(_) => bail!("no answer within {} seconds", PATIENCE.as_secs()),
        }
    }
}

/// The answer of a manager that refuses.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) code: i32,
    text: String,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Refused {}

fn client_of(url: &str) -> Result<RestClient> {
    let uri: http::Uri = url.parse().with_context(|| format!("{url:?} is not a URL"))?;
    Ok(RestClient::from_config(&Config::new(uri))?)
}

/// The pods of a workload, in a cluster.
struct Pods {
    session: Session,
    object: Unstructured,
    port: u16,
    patience: Duration,
}

impl Pods {
    /// The running pods, in the order of their names. Those that are known keep their forwarded ports.
    async fn replicas(&self, known: &[Arc<Replica>]) -> Result<Vec<Arc<Replica>>> {
        let mut pods = pods::of(&self.session, &self.object, For::Work, self.patience, "ask").await?;
        pods.retain(|pod| pod.status.phase == "Running");
        pods.sort_by(|one, other| one.metadata.name.cmp(&other.metadata.name));
        let mut replicas = Vec::new();
        for pod in pods {
            let name = pod.metadata.name.to_string();
            replicas.push(match known.iter().find(|replica| replica.name == name) {
                Some(replica) => Arc::clone(replica),
                None => Arc::new(self.forwarded(name, &pod).await?),
            });
        }
        Ok(replicas)
    }

    async fn forwarded(&self, name: String, pod: &Pod) -> Result<Replica> {
        let api = Api::<Pod>::namespaced(self.session.client.rest(), pod.metadata.namespace.clone());
        let mut options = ForwarderOptions::default();
        options.addresses.push(std::net::Ipv4Addr::LOCALHOST.into());
        let port = ForwardedPort { local: 0, remote: self.port };
        let forwarder =
            Forwarder::start_with(&api, ForwardTarget::Pod(name.clone()), &[port], options).await?;
        let local = forwarder.ports().first().and_then(|port| port.local.first().copied());
        let local = local.context("no local port could be opened")?;
        Ok(Replica { client: client_of(&format!("http://{local}"))?, name, _forwarder: Some(forwarder) })
    }
}
