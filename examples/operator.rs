//! An operator, whole: a custom resource, a finalizer, an owned Deployment, conditions, events and leader election.
//! `cargo run --example operator -- NAMESPACE`, then create a `Site`.

use std::sync::Arc;

use client_rs::api::apps::v1::Deployment;
use client_rs::prelude::*;
use serde::{Deserialize, Serialize};

const MANAGER: &str = "site-operator";

/// A site that some copies of an image serve.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "example.com", version = "v1", kind = "Site", namespaced, status = SiteStatus, short_name = "st")]
#[resource(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.readyReplicas"))]
#[resource(column(name = "Ready", json_path = r#".status.conditions[?(@.type=="Ready")].status"#))]
pub struct SiteSpec {
    /// The image.
    #[schema(min_length = 1)]
    pub image: String,
    /// The number of copies.
    #[schema(minimum = 0, maximum = 100, default = 1)]
    pub replicas: i32,
}

/// The observed state of a site.
#[derive(Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteStatus {
    /// The number of copies that are ready.
    #[serde(default)]
    pub ready_replicas: i32,
    /// `Ready`, and why not.
    #[serde(default)]
    #[schema(list_type = "map", list_map_keys = ["type"])]
    pub conditions: Vec<Condition>,
}

struct Operator {
    rest: RestClient,
    sites: Lister<Site>,
    deployments: Lister<Deployment>,
    events: EventRecorder,
}

impl Reconciler for Operator {
    async fn reconcile(&self, key: ObjectKey, _: Context) -> Result<Action, ReconcileError> {
        let Ok(site) = self.sites.get(&key) else {
            return Ok(Action::done());
        };
        let api = Api::<Site>::namespaced(&self.rest, key.namespace.clone());
        finalizer(&api, "example.com/site", &site, |step| async {
            match step {
                Finalizing::Apply(site) => self.apply(&api, site).await,
                Finalizing::CleanUp(site) => {
                    self.events.event(
                        &*site,
                        EventType::Normal,
                        "Removed",
                        "what was made for it goes with it",
                    );
                    Ok(Action::done())
                }
            }
        })
        .await
    }
}

impl Operator {
    async fn apply(&self, api: &Api<Site>, site: Arc<Site>) -> Result<Action, ReconcileError> {
        let namespace = &site.metadata.namespace;
        let cached = self.deployments.get(&site.key()).ok();
        let deployments = Api::<Deployment>::namespaced(&self.rest, namespace.clone());
        let mut owned = Owned::by(&*site, MANAGER)?;
        owned.apply(&deployments, deployment(&site), cached.as_deref()).await?;

        let ready = cached.map_or(0, |deployment| deployment.status.ready_replicas);
        let (holds, reason) =
            if ready >= site.spec.replicas { (true, "AllReady") } else { (false, "Waiting") };
        let message = format!("{ready} of {} copies are ready", site.spec.replicas);
        let mut status = site.status.clone().unwrap_or_default();
        status.ready_replicas = ready;
        status.conditions.set(condition(&*site, "Ready", holds, reason, message.as_str()));
        if site.status.as_ref() != Some(&status) {
            self.events.event(&*site, EventType::Normal, reason, message);
            api.update_status(Site { status: Some(status), ..(*site).clone() }).await?;
        }
        Ok(Action::done())
    }
}

fn deployment(site: &Site) -> Json {
    let labels = json!({"site": site.metadata.name.as_str()});
    json!({
        "metadata": {"name": site.metadata.name.as_str(), "labels": labels.clone()},
        "spec": {
            "replicas": site.spec.replicas,
            "selector": {"matchLabels": labels.clone()},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "site", "image": site.spec.image.as_str()}]},
            },
        },
    })
}

/// Installs the definition, and returns the manager to run. If several replicas run, one does the work.
pub async fn operator(config: &Config, namespace: &str) -> Result<Manager, Box<dyn std::error::Error>> {
    let rest = RestClient::from_config(config)?;
    crds::apply(&rest, [Site::crd()]).await?;
    let broadcaster = EventBroadcaster::new();
    broadcaster.start_recording_to_sink(RestEventSink::new(rest.clone()))?;
    let options = FactoryOptions::default().with_namespaces([namespace]);
    let factory = SharedInformerFactory::with_options(rest.clone(), options);
    let (sites, deployments) = (factory.of::<Site>(), factory.apps().v1().deployments());
    let election = LeaderElectionOptions::default();
    let lock = LeaseLockOptions::new((namespace, MANAGER), unique_identity());
    let lock = LeaseLock::from_config(config, election.renew_deadline, lock)?;
    let elector = LeaderElector::with_options(lock, election)?;
    let rest = elector.gated(&rest); // Writes are refused as soon as the term is over.
    let events = broadcaster.recorder(MANAGER, "");
    let operator = Operator { rest, sites: sites.lister(), deployments: deployments.lister(), events };
    let controller = Controller::new("sites", sites.informer());
    let controller = controller.owns(&deployments.informer()).reconcile(operator);
    let manager = Manager::new(&factory)
        .election(elector)
        .runnable("events", |stop| async move {
            stop.cancelled().await;
            broadcaster.shutdown().await;
            Ok::<(), std::convert::Infallible>(())
        })
        .controller(controller);
    Ok(manager)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = Config::infer()?;
    let namespace = std::env::args().nth(1).unwrap_or_else(|| config.default_namespace.clone());
    Ok(operator(&config, &namespace).await?.run_until_signal().await?)
}
