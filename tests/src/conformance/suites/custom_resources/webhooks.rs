//! Webhooks that a server calls.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs::custom::crds;
use client_rs_api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use client_rs_api::apiextensions::v1::CustomResourceConversion;
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::Api;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Json, Str, json};
use client_rs_tests::{Stage, eventually};
use client_rs_webhook::{Admitted, Conversions, Denied, Hook, Review, WebhookOptions, WebhookServer};
use tokio_util::sync::CancellationToken;

use super::gadget::{self, Gadget, GadgetSpec, older};

/// Webhooks that are served, and the certificate that a server must trust, in base64.
struct Served {
    url: String,
    bundle: String,
    stop: CancellationToken,
}

async fn serve(stage: &Stage, hooks: Vec<(&str, Hook)>) -> Result<Served> {
    let folder = stage.folder()?;
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    std::fs::write(folder.join("tls.crt"), made.cert.pem())?;
    std::fs::write(folder.join("tls.key"), made.signing_key.serialize_pem())?;
    let options = WebhookOptions {
        listen: ([127, 0, 0, 1], 0).into(),
        certificate: folder.join("tls.crt"),
        key: folder.join("tls.key"),
        ..WebhookOptions::default()
    };
    let mut server = WebhookServer::bind(options).await?;
    for (path, hook) in hooks {
        server = server.route(path, hook);
    }
    let url = format!("https://localhost:{}", server.address().port());
    let stop = CancellationToken::new();
    tokio::spawn(server.run(stop.clone()));
    Ok(Served { url, bundle: base64(made.cert.pem().as_bytes()), stop })
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// A configuration of one webhook over the config maps of a namespace.
fn configuration(kind: &str, name: &str, namespace: &str, served: &Served, path: &str) -> Json {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": name},
        "webhooks": [{
            "name": "hook.conformance.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "clientConfig": {"url": format!("{}{path}", served.url), "caBundle": served.bundle.as_str()},
            "timeoutSeconds": 1, "failurePolicy": "Fail",
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
            "rules": [{
                "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
            }],
        }],
    })
}

fn map(name: &str) -> ConfigMap {
    ConfigMap { metadata: ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY }, ..ConfigMap::EMPTY }
}

pub(super) async fn admission(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let namespace = stage.namespace().await?;
    let validating = Hook::admission(|review: Review<ConfigMap>| async move {
        match review.object.as_ref().map(|map| map.metadata.name.as_str()) {
            Some("denied") => Err(Denied::because("no such map here")),
            Some("slow") => std::future::pending().await,
            _ => Ok(Admitted::unchanged().warn("seen")),
        }
    });
    let mutating = Hook::admission(|review: Review<ConfigMap>| async move {
        let Some(mut map) = review.object else { return Ok(Admitted::unchanged()) };
        map.data.insert("added", "by the webhook".into());
        Ok(Admitted::changed(map))
    });
    let served = serve(stage, vec![("/validate", validating), ("/mutate", mutating)]).await?;
    let (validate, mutate) = (format!("v-{namespace}"), format!("m-{namespace}"));
    let validators = Api::<ValidatingWebhookConfiguration>::cluster(&rest);
    let mutators = Api::<MutatingWebhookConfiguration>::cluster(&rest);
    let said = configuration("ValidatingWebhookConfiguration", &validate, &namespace, &served, "/validate");
    validators.create(ValidatingWebhookConfiguration::from_json(&said.to_vec())?).await?;
    let said = configuration("MutatingWebhookConfiguration", &mutate, &namespace, &served, "/mutate");
    mutators.create(MutatingWebhookConfiguration::from_json(&said.to_vec())?).await?;

    let maps = Api::<ConfigMap>::namespaced(&rest, namespace.as_str());
    // The server learns of its webhooks by a watch, in its own time.
    eventually("the webhooks", || async {
        let refused = maps.create(map("denied")).await;
        if refused.is_ok() {
            maps.delete("denied").await?;
        }
        let error = refused.err().context("it was taken")?.to_string();
        let expected =
            r#"admission webhook "hook.conformance.example.com" denied the request: no such map here"#;
        ensure!(error.contains(expected), "{error}");
        Ok(())
    })
    .await?;
    let made = eventually("the mutation", || async {
        let made = maps.create(map("changed")).await?;
        maps.delete("changed").await?;
        ensure!(made.data.get("added").is_some(), "{made:?}");
        Ok(made)
    })
    .await?;
    ensure!(made.data["added"] == "by the webhook", "{made:?}");
    let late = maps.create(map("slow")).await.err().context("it was taken")?.to_string();
    ensure!(late.contains("failed calling webhook") && late.contains("deadline exceeded"), "{late}");

    // A certificate that the server has no reason to trust.
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    let strange = Served { bundle: base64(other.cert.pem().as_bytes()), ..served };
    let said = configuration("ValidatingWebhookConfiguration", &validate, &namespace, &strange, "/validate");
    validators.apply(said, "conformance").force().await?;
    eventually("the bad certificate", || async {
        let refused = maps.create(map("untrusted")).await;
        if refused.is_ok() {
            maps.delete("untrusted").await?;
        }
        let error = refused.err().context("it was taken")?.to_string();
        ensure!(error.contains("x509: certificate signed by unknown authority"), "{error}");
        Ok(())
    })
    .await?;
    validators.delete(&validate).await?;
    mutators.delete(&mutate).await?;
    strange.stop.cancel();
    Ok(())
}

impl From<older::Gadget> for Gadget {
    fn from(old: older::Gadget) -> Self {
        let mut spec =
            GadgetSpec { low: old.spec.low, high: old.spec.high, replicas: 2, ..GadgetSpec::default() };
        spec.code = old.metadata.annotations.get("code").map(Str::to_string);
        Self { metadata: old.metadata, spec, status: None }
    }
}

impl TryFrom<Gadget> for older::Gadget {
    type Error = String;

    fn try_from(new: Gadget) -> Result<Self, String> {
        if new.spec.high > 500 {
            return Err("v1beta1 ends at 500".to_owned());
        }
        let mut metadata = new.metadata;
        if let Some(code) = new.spec.code {
            metadata.annotations.insert("code", code.into());
        }
        Ok(Self { metadata, spec: older::GadgetSpec { low: new.spec.low, high: new.spec.high } })
    }
}

pub(super) async fn conversion(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let hook = Conversions::<Gadget>::hub().version::<older::Gadget>().into_hook();
    let served = serve(stage, vec![("/convert", hook)]).await?;
    let mut merged = crds::merge([Gadget::crd(), older::Gadget::crd()], "v1")?;
    let conversion = json!({
        "strategy": "Webhook",
        "webhook": {
            "conversionReviewVersions": ["v1"],
            "clientConfig": {"url": format!("{}/convert", served.url), "caBundle": served.bundle.as_str()},
        },
    });
    merged.spec.conversion = Some(CustomResourceConversion::from_json(&conversion.to_vec())?.into());
    crds::apply(&rest, [merged.clone()]).await?;
    let namespace = stage.namespace().await?;
    let newer = Api::<Gadget>::namespaced(&rest, namespace.as_str());
    let old = Api::<older::Gadget>::namespaced(&rest, namespace.as_str());
    let mut object = gadget::gadget("a");
    object.spec.code = Some("abc".to_owned());
    newer.create(object).await?;
    let seen = eventually("the older version", || async { Ok(old.get("a").await?) }).await?;
    ensure!(seen.spec.low == 1 && seen.metadata.annotations["code"] == "abc", "{seen:?}");
    let mut changed = seen;
    changed.spec.low = 3;
    old.update(changed).await?;
    let back = newer.get("a").await?;
    ensure!(back.spec.low == 3 && back.spec.code.as_deref() == Some("abc"), "{back:?}");
    let mut large = gadget::gadget("large");
    large.spec.high = 900;
    newer.create(large).await?;
    let refused = old.get("large").await.err().context("it was converted")?.to_string();
    ensure!(refused.contains("v1beta1 ends at 500"), "{refused}");
    newer.delete_collection().await?;
    let gone = Duration::from_mins(1);
    newer.wait_for("a", client_rs_client::wait::conditions::deleted(), gone).await?;
    gadget::remove(&rest, &merged).await?;
    served.stop.cancel();
    Ok(())
}
