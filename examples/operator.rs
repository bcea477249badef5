//! An operator, whole: a custom resource, a finalizer, an owned Deployment, conditions, events and leader election.
//! `cargo run --example operator -- NAMESPACE`, then create a `Site`.

use std::sync::Arc;

use client_rs::api::apps::v1::Deployment;
use client_rs::prelude::*;
use serde::{Deserialize, Serialize};

const NAME: &str = "site-operator";

/// The desired state of a site.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "example.com", version = "v1", kind = "Site", namespaced, status = SiteStatus, short_name = "st")]
#[resource(description = "A site that some copies of an image serve.")]
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
    client: ClusterClient,
}

impl Reconciler for Operator {
    async fn reconcile(&self, key: ObjectKey, context: Context) -> Result<Action, ReconcileError> {
        let client = self.client.of_run(&context); // Writes are refused as soon as the term is over.
        let Some(site) = client.get::<Site>(&key).await? else {
            return Ok(Action::done());
        };
        let step = |step| async {
            match step {
                Finalizing::Apply(site) => apply(&client, site).await,
                Finalizing::CleanUp(site) => {
                    client.event(&*site, EventType::Normal, "Removed", "what was made for it goes with it");
                    Ok(Action::done())
                }
            }
        };
        client.finalizer("example.com/site", &site, step).await
    }
}

async fn apply(client: &ClusterClient, site: Arc<Site>) -> Result<Action, ReconcileError> {
    client.owned(&*site)?.apply::<Deployment>(deployment(&site)).await?;
    let deployment = client.get::<Deployment>(&site.key()).await?;

    let ready = deployment.map_or(0, |deployment| deployment.status.ready_replicas);
    let (holds, reason) = if ready >= site.spec.replicas { (true, "AllReady") } else { (false, "Waiting") };
    let message = format!("{ready} of {} copies are ready", site.spec.replicas);
    let mut status = site.status.clone().unwrap_or_default();
    status.ready_replicas = ready;
    status.conditions.set(condition(&*site, "Ready", holds, reason, message.as_str()));
    if site.status.as_ref() != Some(&status) {
        client.event(&*site, EventType::Normal, reason, message);
        client.update_status(Site { status: Some(status), ..(*site).clone() }).await?;
    }
    Ok(Action::done())
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
    let caches = FactoryOptions::default().with_namespaces([namespace]);
    let options = ClusterOptions::default().with_factory(caches);
    let client = ClusterClient::from_config_with(NAME, config, options)?;
    crds::apply(client.rest(), [Site::crd()]).await?;
    let controller = client
        .controller::<Site>("sites")
        .owns(&client.informer::<Deployment>())
        .reconcile(Operator { client: client.clone() });
    Ok(client.manager().election(client.elector((namespace, NAME))?).controller(controller))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = Config::infer()?;
    let namespace = std::env::args().nth(1).unwrap_or_else(|| config.default_namespace.clone());
    Ok(operator(&config, &namespace).await?.run_until_signal().await?)
}
