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
use client_rs_custom::webhook::{Admitted, Conversions, Denied, Hook, Review, WebhookOptions, WebhookServer};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Message, Payload};
use client_rs_machinery::{Json, Str, json};
use client_rs_tests::{Stage, eventually};
use tokio_util::sync::CancellationToken;

use super::gadget::{self, Gadget, GadgetSpec, older};

/// Webhooks that are served, and the certificate that a server must trust, in base64.
pub(super) struct Served {
    pub(super) url: String,
    pub(super) bundle: String,
    pub(super) stop: CancellationToken,
}

pub(super) async fn serve(stage: &Stage, hooks: Vec<(&str, Hook)>) -> Result<Served> {
    serve_as(stage, "localhost", hooks).await
}

/// With a certificate for this name.
pub(super) async fn serve_as(stage: &Stage, name: &str, hooks: Vec<(&str, Hook)>) -> Result<Served> {
    let folder = stage.folder()?;
    let made = rcgen::generate_simple_self_signed([name.to_owned()])?;
    let (certificate, key) = (folder.join(format!("{name}.crt")), folder.join(format!("{name}.key")));
    std::fs::write(&certificate, made.cert.pem())?;
    std::fs::write(&key, made.signing_key.serialize_pem())?;
    let options = WebhookOptions::default()
        .with_listen(([127, 0, 0, 1], 0))
        .with_certificate(certificate)
        .with_key(key);
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

pub(super) fn map(name: &str) -> ConfigMap {
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

/// Refuses every request.
fn refusing(why: &'static str) -> Hook {
    refusing_of::<ConfigMap>(why)
}

/// Refuses every request for a type.
pub(super) fn refusing_of<K: Payload>(why: &'static str) -> Hook {
    Hook::admission(move |_: Review<K>| async move { Err(Denied::because(why)) })
}

/// One webhook of a configuration over everything that is done to the config maps of a namespace.
pub(super) fn webhook(name: &str, namespace: &str, url: &str, bundle: &str, more: &Json) -> Json {
    let mut webhook = json!({
        "name": format!("{name}.conformance.example.com"), "sideEffects": "NoneOnDryRun",
        "admissionReviewVersions": ["v1"], "clientConfig": {"url": url, "caBundle": bundle}, "timeoutSeconds": 2,
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
        "rules": [{
            "apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"],
        }],
    });
    for (key, value) in more.as_map().into_iter().flatten() {
        let _ = webhook.set(&[key.as_str()], value.clone());
    }
    webhook
}

/// Waits until something is refused, for this reason.
pub(super) async fn refused<T, F, Fut>(what: &str, expected: &str, attempt: F) -> Result<()>
where
    F: Fn() -> Fut,
    Fut: IntoFuture<Output = Result<T, client_rs_client::Error>>,
{
    eventually(what, || async {
        let error = attempt().await.err().context("it was taken")?;
        let said = error.api().context("no answer")?.message().to_owned();
        ensure!(said == expected, "{said}");
        Ok(())
    })
    .await
}

/// Keeps config maps with a label, and refuses dry runs.
fn keeping() -> Hook {
    Hook::admission(|review: Review<ConfigMap>| async move {
        let labelled = |map: &Option<ConfigMap>| {
            map.as_ref().is_some_and(|map| map.metadata.labels.get("keep").is_some())
        };
        match review.operation() {
            "DELETE" if labelled(&review.old_object) && review.object.is_none() => {
                Err(Denied::because("it is kept").as_code(409, "Conflict"))
            }
            "UPDATE" if labelled(&review.old_object) && !labelled(&review.object) => {
                Err(Denied::because("it stays kept").warn("mind the label"))
            }
            "CREATE" if review.is_dry_run() => Err(Denied::because("it is a dry run")),
            _ => Ok(Admitted::unchanged()),
        }
    })
}

/// A condition that can't always be evaluated.
const BROKEN: &str = "object.metadata.name == 'broken' && object.data.nope == 'x'";

/// Webhooks that are chosen by all that there is to choose by. `elsewhere` is one whose certificate has another name.
fn choices(namespace: &str, served: &Served, elsewhere: &Served) -> Json {
    let created = json!([{
        "apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["*"], "scope": "Namespaced",
    }]);
    let others = json!([{
        "apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["secrets", "configmaps/status"],
    }]);
    let met = |expression: &str| {
        let condition = json!({"name": "condition", "expression": expression});
        json!({"matchConditions": [condition], "rules": created.clone()})
    };
    let named = |name: &str| met(&format!("has(object.metadata) && object.metadata.name == '{name}'"));
    let labelled = json!({"objectSelector": {"matchLabels": {"hook": "yes"}}, "rules": created.clone()});
    let (refuse, closed) = (format!("{}/refuse", served.url), "https://127.0.0.1:1/x");
    let hook = |name: &str, url: &str, more: &Json| webhook(name, namespace, url, &served.bundle, more);
    let misnamed = format!("{}/x", elsewhere.url);
    json!([
        hook("named", &refuse, &named("named")),
        hook("labelled", &refuse, &labelled),
        hook("ignored", closed, &json!({"failurePolicy": "Ignore"})),
        hook("closed", closed, &named("closed")),
        hook("broken", &refuse, &met(BROKEN)),
        hook("others", &refuse, &json!({"rules": others})),
        hook("keeping", &format!("{}/keep", served.url), &json!({})),
        webhook("misnamed", namespace, &misnamed, &elsewhere.bundle, &named("misnamed")),
    ])
}

pub(super) fn denied(hook: &str, why: &str) -> String {
    format!("admission webhook \"{hook}.conformance.example.com\" denied the request: {why}")
}

fn failed(hook: &str, why: &str) -> String {
    let hook = format!("{hook}.conformance.example.com");
    format!("Internal error occurred: failed calling webhook {hook:?}: failed to call webhook: {why}")
}

/// The choice of webhooks, and the effect of failed calls.
pub(super) async fn choice(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let namespace = stage.namespace().await?;
    let served = serve(stage, vec![("/refuse", refusing("always")), ("/keep", keeping())]).await?;
    let elsewhere = serve_as(stage, "other.example.com", vec![("/x", refusing("never"))]).await?;
    let name = format!("c-{namespace}");
    let configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": name.as_str()}, "webhooks": choices(&namespace, &served, &elsewhere),
    });
    let validators = Api::<ValidatingWebhookConfiguration>::cluster(&rest);
    let made = validators.create(ValidatingWebhookConfiguration::from_json(&configuration.to_vec())?).await?;
    let first = Json::parse(&made.to_json())?["webhooks"][0].clone();
    for (key, value) in [
        ("failurePolicy", json!("Fail")),
        ("matchPolicy", json!("Equivalent")),
        ("objectSelector", json!({})),
    ] {
        ensure!(first[key] == value, "{key}: {first}");
    }
    let maps = Api::<ConfigMap>::namespaced(&rest, namespace.as_str());
    let attempt = |map: ConfigMap| {
        let maps = &maps;
        async move {
            let name = map.metadata.name.clone();
            let made = maps.create(map).await;
            if made.is_ok() {
                maps.delete(&name).await?;
            }
            made
        }
    };
    refused("a condition", &denied("named", "always"), || attempt(map("named"))).await?;
    let mut labelled = map("labelled");
    labelled.metadata.labels.insert("hook", "yes".into());
    refused("a label", &denied("labelled", "always"), || attempt(labelled.clone())).await?;
    let why = r#"Post "https://127.0.0.1:1/x?timeout=2s": dial tcp 127.0.0.1:1: connect: connection refused"#;
    refused("a closed port", &failed("closed", why), || attempt(map("closed"))).await?;
    let why = format!(
        "configmaps \"broken\" is forbidden: expression '{BROKEN}' resulted in error: no such key: data"
    );
    refused("a condition that fails", &why, || attempt(map("broken"))).await?;
    let why = format!(
        "Post \"{}/x?timeout=2s\": tls: failed to verify certificate: x509: certificate is valid for \
         other.example.com, not localhost",
        elsewhere.url
    );
    refused("another name", &failed("misnamed", &why), || attempt(map("misnamed"))).await?;
    refused("a dry run", &denied("keeping", "it is a dry run"), || maps.create(map("kept")).dry_run())
        .await?;
    let mut kept = map("kept");
    kept.metadata.labels.insert("keep", "yes".into());
    let mut kept = maps.create(kept).await?;
    kept.metadata.labels = client_rs_machinery::Map::new();
    refused("an update", &denied("keeping", "it stays kept"), || maps.update(kept.clone())).await?;
    let gone = maps.delete("kept").await.err().context("it went")?;
    let said = gone.api().context("no answer")?;
    ensure!(said.message() == denied("keeping", "it is kept") && said.code() == 409, "{said:?}");
    ensure!(said.is_conflict(), "{said:?}");
    let many = maps.delete_collection().await.err().context("they went")?;
    ensure!(many.api().is_some_and(|said| said.message() == denied("keeping", "it is kept")), "{many}");
    validators.delete(&name).await?;
    served.stop.cancel();
    elsewhere.stop.cancel();
    Ok(())
}

/// Webhooks that change what others have changed.
pub(super) async fn reinvocation(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let namespace = stage.namespace().await?;
    // Writes down how many entries it found each time.
    let counting = |key: &'static str| {
        Hook::admission(move |review: Review<ConfigMap>| async move {
            let Some(mut map) = review.object else { return Ok(Admitted::unchanged()) };
            let before = map.data.get(key).map(Str::to_string).unwrap_or_default();
            let others = map.data.iter().filter(|(name, _)| *name != key).count();
            map.data.insert(key, format!("{before}{others}").into());
            Ok(Admitted::changed(map).warn(format!("{key} saw {others}")))
        })
    };
    let adding = Hook::admission(|review: Review<ConfigMap>| async move {
        let Some(mut map) = review.object else { return Ok(Admitted::unchanged()) };
        map.data.insert("last", "here".into());
        Ok(Admitted::changed(map))
    });
    let hooks = vec![("/again", counting("again")), ("/once", counting("once")), ("/last", adding)];
    let served = serve(stage, hooks).await?;
    let hook = |name: &str, policy: &str| {
        let rules = json!([{
            "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
        }]);
        let more = json!({"reinvocationPolicy": policy, "rules": rules});
        webhook(name, &namespace, &format!("{}/{name}", served.url), &served.bundle, &more)
    };
    let name = format!("r-{namespace}");
    let configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": name.as_str()},
        "webhooks": [hook("again", "IfNeeded"), hook("once", "Never"), hook("last", "Never")],
    });
    let mutators = Api::<MutatingWebhookConfiguration>::cluster(&rest);
    mutators.create(MutatingWebhookConfiguration::from_json(&configuration.to_vec())?).await?;
    let maps = Api::<ConfigMap>::namespaced(&rest, namespace.as_str());
    let made = eventually("the webhooks", || async {
        let made = maps.create(map("a")).await?;
        maps.delete("a").await?;
        ensure!(made.data.get("last").is_some(), "{made:?}");
        Ok(made)
    })
    .await?;
    let data = |key: &str| made.data.get(key).map(Str::as_str).unwrap_or_default().to_owned();
    // The first saw nothing, and again what the two behind it had added; the second saw the first alone.
    ensure!((data("again"), data("once")) == ("02".to_owned(), "1".to_owned()), "{made:?}");
    mutators.delete(&name).await?;
    served.stop.cancel();
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
    // All versions of a list at once, and of a watch, whichever is stored.
    let mut wide = old.get("a").await?;
    wide.metadata = ObjectMeta { name: "wide".into(), ..ObjectMeta::EMPTY };
    wide.spec.high = 400;
    let wide = old.create(wide).await?;
    ensure!(wide.spec.high == 400, "{wide:?}");
    let all = newer.list().await?;
    let mut names: Vec<&str> = all.items.iter().map(|item| item.metadata.name.as_str()).collect();
    names.sort_unstable();
    ensure!(names == ["a", "wide"], "{names:?}");
    newer.delete("wide").await?;
    let listed = old.list().await?;
    ensure!(listed.items.len() == 1 && listed.items[0].metadata.annotations["code"] == "abc", "{listed:?}");
    let mut events = old.watch().resource_version(&listed.metadata.resource_version).await?;
    let mut another = gadget::gadget("b");
    another.spec.code = Some("xyz".to_owned());
    newer.create(another).await?;
    let event =
        tokio::time::timeout(Duration::from_secs(30), events.next()).await?.context("the watch ended")??;
    let seen = match event {
        client_rs_machinery::wire::WatchEvent::Added(seen) => seen,
        other => anyhow::bail!("{other:?}"),
    };
    ensure!(seen.metadata.name == "b" && seen.metadata.annotations["code"] == "xyz", "{seen:?}");

    // A failed conversion is reported, also for a list that contains the object.
    let mut large = gadget::gadget("large");
    large.spec.high = 900;
    newer.create(large).await?;
    let refused = old.get("large").await.err().context("it was converted")?.to_string();
    ensure!(refused.contains("v1beta1 ends at 500"), "{refused}");
    let said = old.get("large").await.err().and_then(|error| error.api().cloned()).context("no answer")?;
    let stored = newer.get("large").await?.metadata.resource_version;
    let (group, plural) = ("derive.conformance.example.com", "gadgets");
    let expected = |key: &str| {
        format!(
            "StorageError: corrupt object, Code: 7, Key: {key}/{group}/{plural}/{namespace}/large, ResourceVersion: 0, \
             AdditionalErrorMsg: object not decodable revision={stored}: conversion webhook for {group}/v1, Kind=Gadget \
             failed: v1beta1 ends at 500"
        )
    };
    ensure!(said.message() == format!("Internal error occurred: {}", expected("")), "{said:?}");
    let listed = eventually("a list that can't be converted", || async {
        old.list().await.err().and_then(|error| error.api().cloned()).context("it was listed")
    })
    .await?;
    let text =
        format!("failed to read one or more {plural}.{group} from the storage: {}", expected("/registry"));
    ensure!(listed.message() == text && listed.code() == 500, "{listed:?}");
    newer.delete_collection().await?;
    let gone = Duration::from_mins(1);
    newer.wait_for("a", client_rs_client::wait::conditions::deleted(), gone).await?;
    gadget::remove(&rest, &merged).await?;
    served.stop.cancel();
    Ok(())
}
