//! A validating and a mutating webhook, over TLS, called by an API server in this process:
//! `cargo run --example webhook`.
//!
//! In a cluster the certificate comes from a Secret, and the two configurations name a Service instead of an address.

use client_rs::api::core::v1::ConfigMap;
use client_rs::apiserver::Server;
use client_rs::machinery::{Json, json};
use client_rs::prelude::*;
use client_rs::webhook::{Admitted, Denied, Hook, Review, WebhookOptions, WebhookServer};

/// Allows at most two entries. A deletion has no object, and is always allowed.
async fn validate(review: Review<ConfigMap>) -> Result<Admitted<ConfigMap>, Denied> {
    match review.object {
        Some(map) if map.data.len() > 2 => {
            Err(Denied::because(format!("{} entries, at most two are allowed", map.data.len())))
        }
        _ => Ok(Admitted::unchanged()),
    }
}

/// Adds the creator as a label.
async fn mutate(review: Review<ConfigMap>) -> Result<Admitted<ConfigMap>, Denied> {
    let Some(mut map) = review.object else { return Ok(Admitted::unchanged()) };
    let creator = review.request.user_info.username.clone();
    map.metadata.labels.insert("creator", creator);
    Ok(Admitted::changed(map).warn("the label creator was added"))
}

/// The configuration of a webhook for the cluster.
fn configuration(kind: &str, path: &str) -> Json {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
        "metadata": {"name": "example"},
        "webhooks": [{
            "name": "config-maps.example.com",
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["CREATE"]}],
            "clientConfig": {"service": {"namespace": "system", "name": "example", "path": path}},
            "sideEffects": "None", "admissionReviewVersions": ["v1"],
        }],
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::start().await?;
    let certificates = tempfile::tempdir()?;
    server.write_serving_certificate(certificates.path())?;
    let options = WebhookOptions::default()
        .with_listen(([127, 0, 0, 1], 0))
        .with_certificate(certificates.path().join("tls.crt"))
        .with_key(certificates.path().join("tls.key"));
    let webhooks = WebhookServer::bind(options)
        .await?
        .route("/validate", Hook::admission(validate))
        .route("/mutate", Hook::admission(mutate));
    let address = webhooks.address();
    for (kind, path) in
        [("ValidatingWebhookConfiguration", "/validate"), ("MutatingWebhookConfiguration", "/mutate")]
    {
        server.install_webhooks(&configuration(kind, path), address).await?;
    }
    // In an operator: `manager.runnable("webhooks", |stop| webhooks.run(stop))`.
    let stop = CancellationToken::new();
    let running = tokio::spawn(webhooks.run(stop.clone()));

    let maps = Api::<ConfigMap>::namespaced(&server.rest_client()?, "default");
    for (name, keys) in [("small", &["a"][..]), ("large", &["a", "b", "c"])] {
        let metadata = ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY };
        let data = keys.iter().map(|key| (*key, Str::from("x"))).collect();
        match maps.create(ConfigMap { metadata, data, ..ConfigMap::EMPTY }).await {
            Ok(map) => println!("{name} was created by {}", map.metadata.labels["creator"]),
            Err(error) => println!("{name} is refused: {error}"),
        }
    }
    stop.cancel();
    Ok(running.await??)
}
