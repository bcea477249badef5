//! README's controller with kube-rs, for `cargo xtask bench build`: a cache of all pods, and a worker that prints the
//! phase of each that has changed.

use std::convert::Infallible;
use std::sync::Arc;

use futures::StreamExt;
use k8s_openapi::api::core::v1::Pod;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::watcher;
use kube::{Api, Client, ResourceExt};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pods: Api<Pod> = Api::all(Client::try_default().await?);
    Controller::new(pods, watcher::Config::default())
        .shutdown_on_signal()
        .run(reconcile, |_, error, _| match *error {}, Arc::new(()))
        .for_each(|outcome| async move {
            if let Err(error) = outcome {
                eprintln!("{error}");
            }
        })
        .await;
    Ok(())
}

async fn reconcile(pod: Arc<Pod>, _: Arc<()>) -> Result<Action, Infallible> {
    let phase = pod.status.as_ref().and_then(|status| status.phase.as_deref()).unwrap_or_default();
    println!("{}/{} is {phase}", pod.namespace().unwrap_or_default(), pod.name_any());
    Ok(Action::await_change())
}
