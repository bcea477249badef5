//! Trust bundles, and requests for certificates.

use anyhow::{Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_tests::Stage;
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
use serde_json::{Value, json};

use super::http::{Http, MERGE_PATCH};

const BUNDLES: &str = "/apis/certificates.k8s.io/v1/clustertrustbundles";

fn certificate(authority: bool) -> Result<String> {
    let mut params = CertificateParams::default();
    params.is_ca = if authority { IsCa::Ca(BasicConstraints::Unconstrained) } else { IsCa::ExplicitNoCa };
    Ok(params.self_signed(&KeyPair::generate()?)?.pem())
}

fn bundle(name: &str, signer: &str, content: &str) -> Value {
    let mut object = json!({"metadata": {"name": name}, "spec": {"trustBundle": content}});
    if !signer.is_empty() {
        object["spec"]["signerName"] = json!(signer);
    }
    object
}

pub(super) async fn trust_bundles(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let (one, other, leaf) = (certificate(true)?, certificate(true)?, certificate(false)?);
    let domain = format!("s{:x}.example", std::process::id());
    let (signer, prefix) = (format!("{domain}/one"), format!("{domain}:one:"));
    let name = format!("{prefix}0");
    http.post(BUNDLES, &bundle(&name, &signer, &one)).await?.ok(201)?;
    let named = |name: &str, why: &str| format!("metadata.name: Invalid value: {name:?}: {why}");
    let must = format!("ClusterTrustBundle for signerName {signer} must be named with prefix {prefix}");
    http.refused(BUNDLES, &bundle("noprefix", &signer, &one), &named("noprefix", &must)).await?;
    let without = "ClusterTrustBundle without signer name must not have \":\" in its name";
    http.refused(BUNDLES, &bundle("x:y", "", &one), &named("x:y", without)).await?;
    let bad = "spec.signerName: Invalid value: \"bad\": must be a fully qualified domain and path of the form \
               'example.com/signer-name'";
    http.refused(BUNDLES, &bundle("bad:0", "bad", &one), bad).await?;
    for (content, why) in [
        (String::new(), "at least one trust anchor must be provided"),
        ("garbage".to_owned(), "at least one trust anchor must be provided"),
        (format!("{one}{one}"), "duplicate trust anchor (indices [0 1])"),
        (leaf, "entry 0 does not have the CA bit set"),
        (one.replace("CERTIFICATE", "PRIVATE KEY"), "entry 0 has bad block type: PRIVATE KEY"),
        (one.replacen("E-----", "E-----\nFoo: bar\n", 1), "entry 0 has PEM block headers"),
        (
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----".to_owned(),
            "entry 0 does not parse as X.509",
        ),
    ] {
        let why = format!("spec.trustBundle: Invalid value: \"<value omitted>\": {why}");
        http.refused(BUNDLES, &bundle("some.name", "", &content), &why).await?;
    }
    let plain = format!("plain-{:x}", std::process::id());
    http.post(BUNDLES, &bundle(&plain, "", &format!("hello\n{one}{other}bye"))).await?.ok(201)?;
    let selected = http.get(&format!("{BUNDLES}?fieldSelector=spec.signerName={signer}")).await?.ok(200)?;
    let items = selected["items"].as_array().map_or(0, Vec::len);
    ensure!(items == 1 && selected["items"][0]["metadata"]["name"] == name.as_str(), "{selected}");
    let moved = json!({"spec": {"signerName": "a.b/c"}});
    let moved = http.patch(&format!("{BUNDLES}/{name}"), MERGE_PATCH, &moved).await?;
    let must = "ClusterTrustBundle for signerName a.b/c must be named with prefix a.b:c:";
    let immutable = "spec.signerName: Invalid value: \"a.b/c\": field is immutable";
    moved.refuses(422, &format!("[{}, {immutable}]", named(&name, must)))?;
    for name in [name, plain] {
        http.delete(&format!("{BUNDLES}/{name}")).await?.ok(200)?;
    }
    Ok(())
}

pub(super) async fn requests(stage: &Stage) -> Result<()> {
    const REQUESTS: &str = "/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All";
    let http = Http::new(stage)?;
    let pem = CertificateParams::default().serialize_request(&KeyPair::generate()?)?.pem()?;
    let request = STANDARD.encode(pem);
    let of = |spec: Value| json!({"metadata": {"name": "r"}, "spec": spec});
    let not_pem = "PEM block type must be CERTIFICATE REQUEST";
    let all = format!(
        "[spec.request: Invalid value: null: {not_pem}, spec.usages: Required value, spec.signerName: Required value]"
    );
    http.refused(REQUESTS, &of(json!({})), &all).await?;
    let good = json!({"request": request, "usages": ["client auth"], "signerName": "example.com/x"});
    let with = |field: &str, value: Value| {
        let mut spec = good.clone();
        spec[field] = value;
        of(spec)
    };
    http.refused(
        REQUESTS,
        &with("request", json!("YQ==")),
        &format!("spec.request: Invalid value: \"YQ==\": {not_pem}"),
    )
    .await?;
    let twice = json!(["client auth", "client auth"]);
    http.refused(REQUESTS, &with("usages", twice), "spec.usages[1]: Duplicate value: \"client auth\"")
        .await?;
    let unknown = http.post(REQUESTS, &with("usages", json!(["flying"]))).await?.ok(422)?;
    let message = unknown["message"].as_str().unwrap_or_default();
    let start = "spec.usages[0]: Unsupported value: \"flying\": supported values: \"any\", \"cert sign\", ";
    ensure!(message.contains(start) && message.ends_with("\"signing\", \"timestamping\""), "{message}");
    http.refused(
        REQUESTS,
        &with("signerName", json!("kubernetes.io/legacy-unknown")),
        "spec.signerName: Invalid value: \"kubernetes.io/legacy-unknown\": the legacy signerName is not allowed via this API \
         version",
    )
    .await?;
    http.refused(
        REQUESTS,
        &with("expirationSeconds", json!(599)),
        "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)",
    )
    .await?;
    http.post(REQUESTS, &of(good.clone())).await?.ok(201)?;
    Ok(())
}
