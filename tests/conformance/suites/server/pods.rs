//! Validation of pods.

use anyhow::Result;
use client_rs_tests::Stage;
use serde_json::{Value, json};

use super::http::{Http, MERGE_PATCH};

fn pod(spec: &Value) -> Value {
    let mut spec = spec.clone();
    spec["containers"] = json!([{"name": "c", "image": "i"}]);
    json!({"metadata": {"name": "p"}, "spec": spec})
}

pub(super) async fn sysctls(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let pods = format!("/api/v1/namespaces/{namespace}/pods?dryRun=All");
    let of = |sysctls: Value| pod(&json!({"securityContext": {"sysctls": sysctls}}));
    let at = |index: usize, why: &str| format!("spec.securityContext.sysctls[{index}].name: {why}");
    let regex = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
    let why = format!("Invalid value: \"foo-\": must have at most 253 characters and match regex {regex}");
    http.refused(&pods, &of(json!([{"name": "foo-", "value": "1"}])), &at(0, &why)).await?;
    http.refused(&pods, &of(json!([{"name": "", "value": "1"}])), &at(0, "Required value")).await?;
    let same = json!([{"name": "kernel.sem", "value": "1"}, {"name": "kernel.sem", "value": "2"}]);
    http.refused(&pods, &of(same), &at(1, "Duplicate value: \"kernel.sem\"")).await?;
    for name in ["net/ipv4/ip_forward", "net.ipv4.conf.eth0/1.forwarding", "a.b-c_d"] {
        http.post(&pods, &of(json!([{"name": name, "value": "0"}]))).await?.ok(201)?;
    }
    let shared = pod(&json!({
        "hostNetwork": true, "hostIPC": true,
        "securityContext": {"sysctls": [{"name": "net.a", "value": "1"}, {"name": "kernel.shmmax", "value": "1"}]},
    }));
    let net = at(0, "Invalid value: \"net.a\": may not be specified when 'hostNetwork' is true");
    let ipc = at(1, "Invalid value: \"kernel.shmmax\": may not be specified when 'hostIPC' is true");
    http.refused(&pods, &shared, &format!("[{net}, {ipc}]")).await
}

pub(super) async fn host_names(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let pods = format!("/api/v1/namespaces/{namespace}/pods?dryRun=All");
    let at = |why: &str| format!("spec.hostnameOverride: Forbidden: may not be specified when {why} is true");
    let as_domain = pod(&json!({"hostnameOverride": "a", "setHostnameAsFQDN": true}));
    http.refused(&pods, &as_domain, &at("setHostnameAsFQDN")).await?;
    http.refused(&pods, &pod(&json!({"hostnameOverride": "a", "hostNetwork": true})), &at("hostNetwork"))
        .await?;
    let long = pod(&json!({"hostnameOverride": "a".repeat(65)}));
    let why = "spec.hostnameOverride: Too long: may not be more than 64 bytes";
    http.refused(&pods, &long, why).await?;
    http.post(&pods, &pod(&json!({"hostnameOverride": "a.b"}))).await?.ok(201)?;
    Ok(())
}

/// Updates that are allowed, and those that are not.
pub(super) async fn updates(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let pods = format!("/api/v1/namespaces/{namespace}/pods");
    let gated = pod(&json!({
        "terminationGracePeriodSeconds": -5, "activeDeadlineSeconds": 600, "nodeSelector": {"a": "1"},
        "schedulingGates": [{"name": "example.com/one"}, {"name": "example.com/two"}],
    }));
    let made = http.post(&pods, &gated).await?.ok(201)?;
    anyhow::ensure!(made["spec"]["terminationGracePeriodSeconds"] == 1, "{made}");
    let condition = &made["status"]["conditions"][0];
    anyhow::ensure!(
        condition["type"] == "PodScheduled" && condition["reason"] == "SchedulingGated",
        "{made}"
    );
    let one = format!("{pods}/p");
    for (change, why) in [
        (
            json!({"activeDeadlineSeconds": 700}),
            "spec.activeDeadlineSeconds: Invalid value: 700: must be less than or equal to previous value",
        ),
        (
            json!({"activeDeadlineSeconds": null}),
            "spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value",
        ),
        (
            json!({"schedulingGates": [{"name": "example.com/one"}, {"name": "example.com/two"}, {"name": "example.com/new"}]}),
            "spec.schedulingGates[2].name: Forbidden: only deletion is allowed, but found new scheduling gate 'example.com/new'",
        ),
        (
            json!({"nodeSelector": {"a": "2"}}),
            "spec.nodeSelector: Invalid value: {\"a\":\"2\"}: only additions to spec.nodeSelector are allowed (no mutations or \
             deletions)",
        ),
    ] {
        http.patch(&one, MERGE_PATCH, &json!({"spec": change})).await?.refuses(422, why)?;
    }
    for change in [
        json!({"terminationGracePeriodSeconds": -1}),
        json!({"activeDeadlineSeconds": 500}),
        json!({"nodeSelector": {"b": "2"}}),
        json!({"schedulingGates": [{"name": "example.com/two"}]}),
        json!({"schedulingGates": null}),
    ] {
        http.patch(&one, MERGE_PATCH, &json!({"spec": change})).await?.ok(200)?;
    }
    // Without a gate the nodes are fixed, like the grace period.
    for change in [json!({"nodeSelector": {"c": "3"}}), json!({"terminationGracePeriodSeconds": 9})] {
        let answer = http.patch(&one, MERGE_PATCH, &json!({"spec": change})).await?;
        let text = answer.ok(422)?["message"].as_str().unwrap_or_default().to_owned();
        anyhow::ensure!(
            text.contains("spec: Forbidden: pod updates may not change fields other than"),
            "{text}"
        );
    }
    Ok(())
}

/// Updates of the templates of a suspended and a running job.
pub(super) async fn job_templates(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let jobs = format!("/apis/batch/v1/namespaces/{namespace}/jobs");
    let template = json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}});
    for (name, suspend) in [("rests", true), ("runs", false)] {
        let job = json!({"metadata": {"name": name}, "spec": {"suspend": suspend, "template": template}});
        http.post(&jobs, &job).await?.ok(201)?;
    }
    let resources = json!({"requests": {"cpu": "100m"}});
    let changed = json!({"spec": {
        "nodeSelector": {"a": "b"}, "containers": [{"name": "c", "image": "i", "resources": resources}],
    }});
    let patch = |template: &Value| json!({"spec": {"template": template}});
    http.patch(&format!("{jobs}/rests"), MERGE_PATCH, &patch(&changed)).await?.ok(200)?;
    for (name, template, field) in [
        ("rests", json!({"spec": {"containers": [{"name": "c", "image": "other"}]}}), "spec.template.spec: "),
        ("runs", changed, "spec.template: "),
    ] {
        let answer = http.patch(&format!("{jobs}/{name}"), MERGE_PATCH, &patch(&template)).await?;
        let text = answer.ok(422)?["message"].as_str().unwrap_or_default().to_owned();
        anyhow::ensure!(text.contains(field) && text.ends_with(": field is immutable"), "{text}");
    }
    Ok(())
}

/// Ranges of ports in a network policy.
pub(super) async fn port_ranges(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let policies = format!("/apis/networking.k8s.io/v1/namespaces/{namespace}/networkpolicies?dryRun=All");
    let of = |port: Value| json!({"metadata": {"name": "p"}, "spec": {"podSelector": {}, "egress": [{"ports": [port]}]}});
    let at =
        |value: i64, why: &str| format!("spec.egress[0].ports[0].endPort: Invalid value: {value}: {why}");
    for (port, value, why) in [
        (json!({"endPort": 90}), 90, "may not be specified when `port` is not specified"),
        (json!({"port": "web", "endPort": 90}), 90, "may not be specified when `port` is non-numeric"),
        (json!({"port": 80, "endPort": 79}), 79, "must be greater than or equal to `port`"),
        (json!({"port": 80, "endPort": 70_000}), 70_000, "must be between 1 and 65535, inclusive"),
    ] {
        http.refused(&policies, &of(port), &at(value, why)).await?;
    }
    http.post(&policies, &of(json!({"port": 80, "endPort": 80}))).await?.ok(201)?;
    Ok(())
}

pub(super) async fn projected(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let pods = format!("/api/v1/namespaces/{namespace}/pods?dryRun=All");
    let of = |sources: &Value| pod(&json!({"volumes": [{"name": "v", "projected": {"sources": sources}}]}));
    for (sources, why) in refused_certificates().into_iter().chain(refused_sources()) {
        http.refused(&pods, &of(&sources), &why).await?;
    }
    let longest = certificate(&json!({"maxExpirationSeconds": 7_862_400, "credentialBundlePath": "x"}));
    for sources in [longest, json!([{}])] {
        http.post(&pods, &of(&sources)).await?.ok(201)?;
    }
    Ok(())
}

const VOLUME: &str = "spec.volumes[0].projected";

/// Sources with one certificate.
fn certificate(more: &Value) -> Value {
    let mut source = json!({"signerName": "a.b/c", "keyType": "ED25519"});
    source.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!([{"podCertificate": source}])
}

fn refused_certificates() -> Vec<(Value, String)> {
    let volume = VOLUME;
    let of_certificate = format!("{volume}.sources[0].podCertificate");
    let types = "supported values: \"RSA3072\", \"RSA4096\", \"ECDSAP256\", \"ECDSAP384\", \"ECDSAP521\", \"ED25519\"";
    vec![
        (
            certificate(&json!({"maxExpirationSeconds": 3599, "credentialBundlePath": "x"})),
            format!(
                "{of_certificate}.maxExpirationSeconds: Invalid value: 3599: if provided, maxExpirationSeconds must be >= 3600"
            ),
        ),
        (
            certificate(&json!({"maxExpirationSeconds": 7_862_401, "credentialBundlePath": "x"})),
            format!(
                "{of_certificate}.maxExpirationSeconds: Invalid value: 7862401: if provided, maxExpirationSeconds must be <= \
                 7862400"
            ),
        ),
        (
            certificate(&json!({
                "signerName": "kubernetes.io/kube-apiserver-client", "maxExpirationSeconds": 86_401, "keyPath": "k",
            })),
            format!(
                "{of_certificate}.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400"
            ),
        ),
        (
            certificate(&json!({"keyType": "nope", "keyPath": "k"})),
            format!("{of_certificate}.keyType: Unsupported value: \"nope\": {types}"),
        ),
        (
            certificate(&json!({"keyPath": "k", "certificateChainPath": "/abs"})),
            format!(
                "{of_certificate}.certificateChainPath: Invalid value: \"/abs\": must be a relative path"
            ),
        ),
        (
            certificate(&json!({"keyPath": "k", "certificateChainPath": "k"})),
            format!("{volume}: Invalid value: \"k\": conflicting duplicate paths"),
        ),
        (
            certificate(&json!({})),
            format!(
                "{of_certificate}: Required value: specify at least one of credentialBundlePath, keyPath, and \
                 certificateChainPath"
            ),
        ),
        (
            certificate(&json!({"keyPath": "k", "userAnnotations": {"nodomain": "z"}})),
            format!(
                "{of_certificate}.userAnnotations: Invalid value: \"nodomain\": must be a domain-prefixed key (such as \
                 \"acme.io/foo\")"
            ),
        ),
    ]
}

fn refused_sources() -> Vec<(Value, String)> {
    let volume = VOLUME;
    let bundle = format!("{volume}.sources[0].clusterTrustBundle");
    vec![
        (
            json!([{"serviceAccountToken": {"path": "t", "expirationSeconds": 599}}]),
            format!(
                "{volume}.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration \
                 less than 10 minutes"
            ),
        ),
        (
            json!([{"serviceAccountToken": {"path": "", "expirationSeconds": 600}}]),
            format!("{volume}.path: Required value"),
        ),
        (
            json!([{"clusterTrustBundle": {"path": "t"}}]),
            format!("{bundle}: Required value: either name or signerName must be specified"),
        ),
        (
            json!([{"clusterTrustBundle": {"path": "t", "name": "x", "signerName": "y.z/w"}}]),
            format!(
                "{bundle}: Invalid value: {{\"Name\":\"x\",\"SignerName\":\"y.z/w\",\"LabelSelector\":null,\"Optional\":null,\
                 \"Path\":\"t\",\"User\":null}}: only one of name and signerName may be used"
            ),
        ),
        (
            json!([{"secret": {"name": "s"}, "configMap": {"name": "c"}}]),
            format!("{volume}.sources[0]: Forbidden: may not specify more than 1 volume type per source"),
        ),
        (
            json!([
                {"secret": {"name": "s", "items": [{"key": "k", "path": "p"}]}},
                {"configMap": {"name": "c", "items": [{"key": "k", "path": "p"}]}},
            ]),
            format!("{volume}: Invalid value: \"c\": conflicting duplicate paths"),
        ),
        (
            json!([{"secret": {"name": "s", "items": [{"key": "", "path": "../p", "mode": 512}]}}]),
            format!(
                "[{volume}.sources[0].secret.items[0].key: Required value, {volume}.sources[0].secret.items[0].path: Invalid \
                 value: \"../p\": must not contain '..', {volume}.sources[0].secret.items[0].mode: Invalid value: 512: must \
                 be a number between 0 and 0777 (octal), both inclusive]"
            ),
        ),
        (
            json!([{"downwardAPI": {"items": [{"path": "a", "fieldRef": {"fieldPath": "spec.nope"}}]}}]),
            format!(
                "{volume}.sources[0].downwardAPI.fieldRef.fieldPath: Invalid value: \"spec.nope\": error converting \
                 fieldPath: field label not supported: spec.nope"
            ),
        ),
        (
            json!([{"downwardAPI": {"items": [{"path": "a", "fieldRef": {"fieldPath": "spec.nodeName"}}]}}]),
            format!(
                "{volume}.sources[0].downwardAPI.fieldRef.fieldPath: Unsupported value: \"spec.nodeName\": supported values: \
                 \"metadata.annotations\", \"metadata.labels\", \"metadata.name\", \"metadata.namespace\", \"metadata.uid\""
            ),
        ),
    ]
}
