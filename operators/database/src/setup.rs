//! How the parts of the operator fit together.

use std::net::SocketAddr;
use std::path::PathBuf;

use client_rs::api::apiextensions::v1::{CustomResourceConversion, CustomResourceDefinition};
use client_rs::controller::{ManagerArgs, Prometheus};
use client_rs::prelude::{ClusterClient, ClusterOptions, Config, Manager, Message, crds, json};
use client_rs::webhook::{WebhookOptions, WebhookServer};

use crate::api::v1::Database;
use crate::api::v1beta1;
use crate::{NAME, reconciler, webhook};

/// How the operator runs.
#[derive(clap::Args, Clone, Debug)]
pub struct OperatorArgs {
    /// Serve the webhooks at this address
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub webhook_listen: Option<SocketAddr>,
    /// Read tls.crt and tls.key for --webhook-listen from this folder
    #[arg(long, value_name = "FOLDER", default_value = "/tmp/k8s-webhook-server/serving-certs")]
    pub webhook_cert_path: PathBuf,
    /// The arguments of every manager
    #[command(flatten)]
    pub manager: ManagerArgs,
}

impl OperatorArgs {
    /// The options of the webhook server, if there is one.
    pub fn webhook_options(&self) -> Option<WebhookOptions> {
        let listen = self.webhook_listen?;
        Some(WebhookOptions::in_folder(&self.webhook_cert_path).with_listen(listen))
    }
}

/// The definition with both versions, as it is in `config/crd`.
///
/// # Errors
///
/// None that a test does not find: the versions name different kinds.
pub fn crd() -> anyhow::Result<CustomResourceDefinition> {
    let mut definition = crds::merge([v1beta1::Database::crd(), Database::crd()], "v1")?;
    let authority = format!("{NAME}-system/{NAME}-webhook");
    definition.metadata.annotations.insert("cert-manager.io/inject-ca-from", authority.into());
    let service =
        json!({"namespace": format!("{NAME}-system"), "name": format!("{NAME}-webhook"), "path": "/convert"});
    let conversion = json!({
        "strategy": "Webhook",
        "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"service": service}},
    });
    definition.spec.conversion = Some(CustomResourceConversion::from_json(&conversion.to_vec())?.into());
    Ok(definition)
}

/// Everything that the operator runs; `metrics` counts what it does. Every replica serves the webhooks, leader or not.
///
/// # Errors
///
/// If the configuration or the arguments are invalid.
pub fn manager(
    config: Config,
    args: &OperatorArgs,
    metrics: &Prometheus,
    webhooks: Option<WebhookServer>,
) -> anyhow::Result<Manager> {
    let config = args.manager.rate_limited(config);
    let options =
        ClusterOptions::default().with_factory(args.manager.factory_options()).with_metrics(metrics.clone());
    let client = ClusterClient::from_config_with(NAME, &config, options)?;
    let controller = reconciler::controller(&client, args.manager.controller_options());
    let mut manager = client.manager_with(args.manager.manager_options(client.rest())).controller(controller);
    if let Some(webhooks) = webhooks {
        let webhooks = webhook::routes(webhooks, &client.lister()?);
        manager = manager.runnable("webhooks", |stop| webhooks.run(stop));
    }
    let election = args.manager.election_options().with_metrics(metrics.election());
    if let Some(elector) = args.manager.elector_with(&config, NAME, election)? {
        manager = manager.election(elector);
    }
    Ok(manager)
}
