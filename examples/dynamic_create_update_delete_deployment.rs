//! A Deployment without a Rust type: created, scaled by an update that is retried on conflict, listed, deleted. `cargo run --example dynamic_create_update_delete_deployment`
//!
//! The cluster comes from the kubeconfig (`KUBECONFIG`, or the one in the home folder), or is the one that the program runs
//! in.

use std::time::Duration;

use client_rs::client::api::Propagation;
use client_rs::client::wait::conditions;
use client_rs::client::{DynamicClient, RestClient};
use client_rs::machinery::{Json, Unstructured, json};
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = DynamicClient::from_rest(RestClient::from_config(&Config::infer()?)?);
    // All names that kubectl accepts are found: "deploy", "deployments.apps", "Deployment.v1.apps".
    let deployments = client.find("deploy").await?.namespace("default");

    let deployment = Unstructured::try_from(json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "demo-deployment"},
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": {"app": "demo"}},
            "template": {
                "metadata": {"labels": {"app": "demo"}},
                "spec": {"containers": [{"name": "web", "image": "nginx:1.28"}]},
            },
        },
    }))
    .map_err(|_| "a deployment is an object")?;
    let created = deployments.create(deployment).await?;
    println!("created {}", created.name());

    let updated = deployments.retry_on_conflict("demo-deployment", |deployment| {
        deployment.object.get_mut("spec").map(|spec| spec.set(&["replicas"], 1));
    });
    println!("updated to {} replica", updated.await?.object["spec"]["replicas"]);

    for item in deployments.list().await?.items {
        let replicas = item.object.get("spec").map_or(&Json::Null, |spec| &spec["replicas"]);
        println!("listed {} with {replicas} replicas", item.name());
    }

    deployments.delete("demo-deployment").propagation(Propagation::Foreground).await?;
    deployments.wait_for("demo-deployment", conditions::deleted(), Duration::from_mins(1)).await?;
    println!("deleted");
    Ok(())
}
