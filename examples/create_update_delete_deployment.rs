//! Creates a deployment, changes it, lists and deletes it: `cargo run --example create_update_delete_deployment -- NAMESPACE`.
//!
//! The update is tried again where somebody else was faster.

use client_rs::api::apps::v1::{Deployment, DeploymentSpec};
use client_rs::api::core::v1::{Container, ContainerPort, PodSpec, PodTemplateSpec};
use client_rs::client::api::Propagation;
use client_rs::client::{Backoff, retry_on_conflict};
use client_rs::kubernetes::Clientset;
use client_rs::machinery::Object;
use client_rs::machinery::meta::v1::{LabelSelector, ObjectMeta};
use client_rs::transport::Config;

fn demo() -> Deployment {
    let labels = || [("app", "demo".into())].into_iter().collect();
    let port = ContainerPort { name: "http".into(), container_port: 80, ..ContainerPort::EMPTY };
    let ports = [port].into();
    let container = Container { name: "web".into(), image: "nginx:1.28".into(), ports, ..Container::EMPTY };
    let template = PodTemplateSpec {
        metadata: ObjectMeta { labels: labels(), ..ObjectMeta::EMPTY },
        spec: PodSpec { containers: [container].into(), ..PodSpec::EMPTY }.into(),
    };
    let selector = LabelSelector { match_labels: labels(), ..LabelSelector::EMPTY };
    let spec = DeploymentSpec {
        replicas: Some(2),
        selector: Some(selector.into()),
        template: template.into(),
        ..DeploymentSpec::EMPTY
    };
    let metadata = ObjectMeta { name: "demo-deployment".into(), ..ObjectMeta::EMPTY };
    Deployment { metadata, spec: spec.into(), ..Deployment::EMPTY }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = Config::infer()?;
    let namespace = std::env::args().nth(1).unwrap_or_else(|| config.default_namespace.clone());
    let deployments = Clientset::new(&config)?.apps_v1().deployments(namespace);

    let created = deployments.create(demo()).await?;
    println!("created {} at version {}", created.key(), created.resource_version());

    let updated = retry_on_conflict(Backoff::DEFAULT_RETRY, async || {
        let mut deployment = deployments.get("demo-deployment").await?;
        deployment.spec.replicas = Some(1);
        deployment.spec.template.spec.containers[0].image = "nginx:1.29".into();
        deployments.update(deployment).await
    });
    println!("updated to {:?} replica(s)", updated.await?.spec.replicas);

    for deployment in deployments.list().await?.items {
        println!("listed  {} ({:?} replicas)", deployment.key(), deployment.spec.replicas);
    }

    deployments.delete("demo-deployment").propagation(Propagation::Foreground).await?;
    println!("deleted");
    Ok(())
}
