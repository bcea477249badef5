//! Trust bundles, and requests for certificates.

use anyhow::{Context as _, Result, ensure};
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
    let dry = format!("{REQUESTS}?dryRun=All");
    let dry = dry.as_str();
    let http = Http::new(stage)?;
    let pem = CertificateParams::default().serialize_request(&KeyPair::generate()?)?.pem()?;
    let request = STANDARD.encode(pem);
    let of = |spec: Value| json!({"metadata": {"name": "r"}, "spec": spec});
    let not_pem = "PEM block type must be CERTIFICATE REQUEST";
    let all = format!(
        "[spec.request: Invalid value: null: {not_pem}, spec.usages: Required value, spec.signerName: Required value]"
    );
    http.refused(dry, &of(json!({})), &all).await?;
    let good = json!({"request": request, "usages": ["client auth"], "signerName": "example.com/x"});
    let with = |field: &str, value: Value| {
        let mut spec = good.clone();
        spec[field] = value;
        of(spec)
    };
    http.refused(
        dry,
        &with("request", json!("YQ==")),
        &format!("spec.request: Invalid value: \"YQ==\": {not_pem}"),
    )
    .await?;
    let twice = json!(["client auth", "client auth"]);
    http.refused(dry, &with("usages", twice), "spec.usages[1]: Duplicate value: \"client auth\"").await?;
    let unknown = http.post(dry, &with("usages", json!(["flying"]))).await?.ok(422)?;
    let message = unknown["message"].as_str().unwrap_or_default();
    let start = "spec.usages[0]: Unsupported value: \"flying\": supported values: \"any\", \"cert sign\", ";
    ensure!(message.contains(start) && message.ends_with("\"signing\", \"timestamping\""), "{message}");
    http.refused(
        dry,
        &with("signerName", json!("kubernetes.io/legacy-unknown")),
        "spec.signerName: Invalid value: \"kubernetes.io/legacy-unknown\": the legacy signerName is not allowed via this API \
         version",
    )
    .await?;
    http.refused(
        dry,
        &with("expirationSeconds", json!(599)),
        "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)",
    )
    .await?;
    http.post(dry, &of(good.clone())).await?.ok(201)?;
    Ok(())
}

const REQUESTS: &str = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

fn block(label: &str, der: &[u8]) -> String {
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", STANDARD.encode(der))
}

/// A request with this PEM.
fn signing_request(name: &str, pem: &str) -> Value {
    json!({"metadata": {"name": name}, "spec": {
        "request": STANDARD.encode(pem), "usages": ["client auth"], "signerName": "example.com/x",
    }})
}

pub(super) async fn signatures(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let path = format!("{REQUESTS}?dryRun=All");
    for (kind, failure) in [
        (&rcgen::PKCS_ECDSA_P256_SHA256, "x509: ECDSA verification failure"),
        (&rcgen::PKCS_ECDSA_P384_SHA384, "x509: ECDSA verification failure"),
        (&rcgen::PKCS_ED25519, "x509: Ed25519 verification failure"),
    ] {
        let params = CertificateParams::new(vec!["node.example".to_owned(), "10.0.0.1".to_owned()])?;
        let request = params.serialize_request(&KeyPair::generate_for(kind)?)?;
        let (pem, der) = (request.pem()?, request.der().to_vec());
        http.post(&path, &signing_request("r", &format!("text\n{pem}more"))).await?.ok(201)?;
        let mut changed = der.clone();
        let at = changed.windows(4).position(|part| part == b"node").context("no name")?;
        changed[at] = b'c';
        for (der, why) in [
            (changed, failure),
            (der[..der.len() - 3].to_vec(), "asn1: syntax error: data truncated"),
            ([&der[..], b"x"].concat(), "asn1: syntax error: trailing data"),
            (Vec::new(), "asn1: syntax error: sequence truncated"),
        ] {
            let request = signing_request("r", &block("CERTIFICATE REQUEST", &der));
            let shown = &request["spec"]["request"];
            http.refused(&path, &request, &format!("spec.request: Invalid value: {shown}: {why}")).await?;
        }
        let request = signing_request("r", &block("NEW CERTIFICATE REQUEST", &der));
        let shown = &request["spec"]["request"];
        let why = "PEM block type must be CERTIFICATE REQUEST";
        http.refused(&path, &request, &format!("spec.request: Invalid value: {shown}: {why}")).await?;
    }
    Ok(())
}

/// The parts of a stored request, which are patched.
struct Request<'a> {
    http: &'a Http,
    path: String,
}

impl<'a> Request<'a> {
    async fn create(http: &'a Http, name: &str) -> Result<Self> {
        let pem = CertificateParams::default().serialize_request(&KeyPair::generate()?)?.pem()?;
        http.post(REQUESTS, &signing_request(name, &pem)).await?.ok(201)?;
        Ok(Self { http, path: format!("{REQUESTS}/{name}") })
    }

    async fn patch(&self, part: &str, patch: &Value) -> Result<Value> {
        let answer = self.http.patch(&format!("{}{part}", self.path), MERGE_PATCH, patch).await?;
        answer.ok(200).with_context(|| patch.to_string())
    }

    async fn refuses(&self, part: &str, patch: &Value, why: &str) -> Result<()> {
        let answer = self.http.patch(&format!("{}{part}", self.path), MERGE_PATCH, patch).await?;
        answer.refuses(422, why).with_context(|| patch.to_string())
    }
}

fn conditions(kinds: &[&str]) -> Value {
    let all = kinds.iter().map(|kind| json!({"type": kind, "status": "True"}));
    json!({"status": {"conditions": all.collect::<Vec<_>>()}})
}

/// The types, statuses and reasons of the conditions of a request, all of which have times.
fn found(request: &Value) -> Result<Vec<String>> {
    let all = request["status"]["conditions"].as_array().context("no conditions")?;
    for one in all {
        ensure!(one["lastUpdateTime"].is_string() && one["lastTransitionTime"].is_string(), "{one}");
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(all
        .iter()
        .map(|one| format!("{}={} {}", text(&one["type"]), text(&one["status"]), text(&one["reason"])))
        .collect())
}

pub(super) async fn decisions(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let name = format!("decided-{:x}", std::process::id());
    let request = Request::create(&http, &name).await?;
    let both = "status.conditions: Invalid value: \"{conditions[{\\\"type\\\": \\\"Approved\\\"}], conditions[{\\\"type\\\": \
                \\\"Denied\\\"}]}\": must specify at most one of: `conditions[{\"type\": \"Approved\"}]`, \
                `conditions[{\"type\": \"Denied\"}]`";
    let change = |what: &str, kind: &str| {
        format!("status.conditions: Forbidden: updates may not {what} a condition of type {kind:?}")
    };
    let doubled = "status.conditions[2].type: Duplicate value: \"Approved\"";
    let wrong = json!({"status": {"conditions": [
        {"type": "Approved", "status": "Unknown"}, {"type": "X"}, {"type": "", "status": "True"}, {"type": "Y", "status": "Nope"},
    ]}});
    for (part, patch, why) in [
        ("/approval", conditions(&["Denied", "Approved"]), both.to_owned()),
        ("/approval", conditions(&["Approved", "Denied", "Approved"]), format!("[{doubled}, {both}]")),
        (
            "/approval",
            wrong,
            "[status.conditions[0].status: Unsupported value: \"Unknown\": supported values: \"True\", \
             status.conditions[1].status: Required value, status.conditions[2].type: Required value, \
             status.conditions[3].status: Unsupported value: \"Nope\": supported values: \"False\", \"True\", \"Unknown\"]"
                .to_owned(),
        ),
        ("/status", conditions(&["Approved"]), change("add", "Approved")),
    ] {
        request.refuses(part, &patch, &why).await?;
    }
    // The object itself takes neither a decision nor another spec.
    let mut patch = conditions(&["Approved"]);
    patch["spec"] = json!({"usages": ["flying"], "expirationSeconds": 1});
    let same = request.patch("", &patch).await?;
    ensure!(same["spec"]["usages"] == json!(["client auth"]), "{same}");
    ensure!(same["spec"].get("expirationSeconds").is_none() && same["status"] == json!({}), "{same}");
    ensure!(found(&request.patch("/status", &conditions(&["Failed"])).await?)? == ["Failed=True "]);
    request.refuses("/approval", &conditions(&["Approved"]), &change("remove", "Failed")).await?;
    let approved = request.patch("/approval", &conditions(&["Failed", "Approved"])).await?;
    ensure!(found(&approved)? == ["Failed=True ", "Approved=True "], "{approved}");
    // A status keeps the content of a decision.
    let other = json!({"status": {"conditions": [
        {"type": "Approved", "status": "True", "reason": "Other"}, {"type": "Failed", "status": "True", "reason": "Other"},
    ]}});
    let kept = request.patch("/status", &other).await?;
    ensure!(found(&kept)? == ["Approved=True ", "Failed=True Other"], "{kept}");
    let transition =
        |object: &Value, at: usize| object["status"]["conditions"][at]["lastTransitionTime"].clone();
    ensure!(transition(&kept, 1) == transition(&approved, 0), "{kept}");
    for (part, patch, why) in [
        ("/status", conditions(&["Failed"]), change("remove", "Approved")),
        (
            "/status",
            conditions(&["Approved", "Denied", "Failed"]),
            format!("[{}, {both}]", change("add", "Denied")),
        ),
        ("/approval", conditions(&["Failed", "Denied"]), change("remove", "Approved")),
        ("/approval", conditions(&["Failed", "Approved", "Denied"]), both.to_owned()),
    ] {
        request.refuses(part, &patch, &why).await?;
    }
    http.delete(&request.path).await?.ok(200)?;
    Ok(())
}

pub(super) async fn issued(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let name = format!("issued-{:x}", std::process::id());
    let request = Request::create(&http, &name).await?;
    let (one, other) = (certificate(false)?, certificate(false)?);
    let der = STANDARD.decode(one.lines().filter(|line| !line.starts_with("---")).collect::<String>())?;
    let of = |content: &str| json!({"status": {"certificate": STANDARD.encode(content)}});
    let invalid = |why: &str| format!("status.certificate: Invalid value: \"<certificate data>\": {why}");
    let malformed = invalid("x509: malformed certificate");
    for (content, why) in [
        ("garbage".to_owned(), invalid("must contain at least one CERTIFICATE PEM block")),
        (
            one.replace("CERTIFICATE", "PRIVATE KEY"),
            invalid("only CERTIFICATE PEM blocks are allowed, found \"PRIVATE KEY\""),
        ),
        (one.replacen("E-----", "E-----\nFoo: bar\n", 1), invalid("no PEM block headers are permitted")),
        (block("CERTIFICATE", &[]), invalid("found CERTIFICATE PEM block containing 0 certificates")),
        (block("CERTIFICATE", &[0, 0, 0]), malformed.clone()),
        (block("CERTIFICATE", &der[..der.len() - 2]), malformed.clone()),
        (format!("{one}{}", block("CERTIFICATE", &[&der[..], b"x"].concat())), malformed.clone()),
    ] {
        request.refuses("/status", &of(&content), &why).await?;
    }
    // An approval and the object itself leave the certificate alone.
    ensure!(request.patch("/approval", &of(&one)).await?["status"] == json!({}));
    ensure!(request.patch("", &of(&one)).await?["status"] == json!({}));
    let chain = of(&format!("a chain\n{one}{}", block("CERTIFICATE", &[&der[..], &der].concat())));
    let set = request.patch("/status", &chain).await?;
    ensure!(set["status"]["certificate"] == chain["status"]["certificate"], "{set}");
    request.patch("/status", &chain).await?;
    let again = "status.certificate: Forbidden: updates may not modify existing certificate content";
    request.refuses("/status", &of(&other), again).await?;
    request.refuses("/status", &json!({"status": {"certificate": null}}), again).await?;
    let both = format!("[{}, {again}]", invalid("must contain at least one CERTIFICATE PEM block"));
    request.refuses("/status", &of("garbage"), &both).await?;
    http.delete(&request.path).await?.ok(200)?;
    Ok(())
}
