//! The front end: timeouts, formats, discovery, health checks, headers, keys.

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client_rs_tests::Stage;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderName, Method};
use serde_json::json;

use super::http::Http;

pub(super) async fn timeouts(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    for (timeout, why) in [
        ("abc", "invalid duration \"abc\""),
        ("5", "missing unit in duration \"5\""),
        ("1x", "unknown unit \"x\" in duration \"1x\""),
    ] {
        let why = format!("invalid timeout specified in the request URL - time: {why}");
        for path in ["/api/v1/namespaces", "/api/v1/namespaces/default", "/version", "/apis"] {
            let answer = http.get(&format!("{path}?timeout={timeout}")).await?;
            answer.refuses(400, &why).with_context(|| path.to_owned())?;
        }
    }
    for timeout in ["1h", "100m", ".5s", "1h1m", "", "0"] {
        http.get(&format!("/api/v1/namespaces/default?timeout={timeout}")).await?.ok(200)?;
    }
    Ok(())
}

pub(super) async fn not_acceptable(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let why = "only the following media types are accepted: application/json, application/yaml, \
               application/vnd.kubernetes.protobuf";
    let review = json!({"spec": {"nonResourceAttributes": {"path": "/", "verb": "get"}}}).to_string();
    let path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    let ask = |accept: String| {
        let (http, review) = (&http, review.clone());
        async move {
            let headers = [(CONTENT_TYPE, "application/json"), (ACCEPT, accept.as_str())];
            http.send(Method::POST, path, &headers, review).await
        }
    };
    ask(table.to_owned()).await?.refuses(406, why)?;
    let plain = ask(format!("{table},application/json")).await?.ok(201)?;
    ensure!(plain["kind"] == "SelfSubjectAccessReview" && plain["status"]["allowed"] == true, "{plain}");
    let unknown = [(ACCEPT, "application/json;as=Nope;v=v1;g=meta.k8s.io")];
    http.send(Method::GET, "/api/v1/namespaces", &unknown, "").await?.refuses(406, why)?;
    let rows = http.send(Method::GET, "/api/v1/namespaces", &[(ACCEPT, table)], "").await?.ok(200)?;
    ensure!(rows["kind"] == "Table", "{rows}");
    Ok(())
}

pub(super) async fn storage_version_hashes(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    for (path, resource, hash) in [
        ("/api/v1", "pods", "xPOwRZ+Yhw8="),
        ("/api/v1", "configmaps", "qFsyl6wFWjQ="),
        ("/api/v1", "bindings", ""),
        ("/api/v1", "pods/status", ""),
        ("/apis/apps/v1", "deployments", "8aSe+NMegvE="),
        ("/apis/events.k8s.io/v1", "events", "r2yiGXH7wu8="),
        ("/apis/autoscaling/v1", "horizontalpodautoscalers", "qwQve8ut294="),
        ("/apis/autoscaling/v2", "horizontalpodautoscalers", "qwQve8ut294="),
        ("/apis/certificates.k8s.io/v1", "clustertrustbundles", "v5yhuVertL4="),
        ("/apis/certificates.k8s.io/v1", "podcertificaterequests", "wYA9yXQH8fg="),
        ("/apis/apiextensions.k8s.io/v1", "customresourcedefinitions", "jfWCUB31mvA="),
        ("/apis/storagemigration.k8s.io/v1", "storageversionmigrations", "pCjmmKOkLy4="),
        ("/apis/authorization.k8s.io/v1", "subjectaccessreviews", ""),
    ] {
        let list = http.get(path).await?.ok(200)?;
        let resources = list["resources"].as_array().context("no resources")?;
        let found = resources.iter().find(|known| known["name"] == resource).context(resource)?;
        let found = found["storageVersionHash"].as_str().unwrap_or_default();
        ensure!(found == hash, "{path} {resource}: {found:?} instead of {hash:?}");
    }
    Ok(())
}

pub(super) async fn health(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    for (path, code, text) in [
        ("/healthz", 200, "ok"),
        ("/healthz/ping", 200, "ok"),
        ("/livez/etcd", 200, "ok"),
        ("/readyz/poststarthook/rbac/bootstrap-roles", 200, "ok"),
        ("/readyz/shutdown", 200, "ok"),
        ("/livez/nope", 404, "404 page not found\n"),
        ("/livez/shutdown", 404, "404 page not found\n"),
    ] {
        let answer = http.get(path).await?;
        ensure!(
            (answer.code, answer.text.as_str()) == (code, text),
            "{path}: {} {}",
            answer.code,
            answer.text
        );
    }
    for endpoint in ["healthz", "livez", "readyz"] {
        let answer = http.get(&format!("/{endpoint}?verbose&exclude=ping&exclude=zzz")).await?.text;
        ensure!(answer.starts_with("[+]ping excluded: ok\n[+]log ok\n"), "{answer}");
        ensure!(answer.contains("\n[+]etcd ok\n"), "{answer}");
        let warning = "warn: some health checks cannot be excluded: no matches for \"zzz\"\n";
        ensure!(answer.ends_with(&format!("{warning}{endpoint} check passed\n")), "{answer}");
    }
    let paths = http.get("/").await?.ok(200)?;
    for path in ["/healthz/ping", "/livez/etcd", "/readyz/shutdown", "/openid/v1/jwks"] {
        ensure!(paths["paths"].as_array().is_some_and(|paths| paths.contains(&json!(path))), "{path}");
    }
    Ok(())
}

pub(super) async fn headers(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let schema = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/exempt";
    let schema = http.get(schema).await?.ok(200)?["metadata"]["uid"].clone();
    let level = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/exempt";
    let level = http.get(level).await?.ok(200)?["metadata"]["uid"].clone();
    for path in [
        "/api/v1/namespaces",
        "/version",
        "/apis",
        "/healthz",
        "/api/v1/namespaces/none",
        "/nope",
        "/openapi/v2",
    ] {
        let answer = http.get(path).await?;
        let of = |name: &str| json!(answer.header(name));
        ensure!(of("x-kubernetes-pf-flowschema-uid") == schema, "{path}: {:?}", answer.headers);
        ensure!(of("x-kubernetes-pf-prioritylevel-uid") == level, "{path}: {:?}", answer.headers);
        ensure!(answer.header("audit-id").len() == 36, "{path}: {:?}", answer.headers);
    }
    let own = [(HeaderName::from_static("audit-id"), "mine")];
    let answer = http.send(Method::GET, "/version", &own, "").await?;
    ensure!(answer.header("audit-id") == "mine", "{:?}", answer.headers);
    let refused = http.get("/version?timeout=x").await?;
    ensure!(refused.header("audit-id").len() == 36, "{:?}", refused.headers);
    Ok(())
}

pub(super) async fn openid(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let configuration = http.get("/.well-known/openid-configuration").await?;
    let cached = configuration.header("cache-control").to_owned();
    let configuration = configuration.ok(200)?;
    ensure!(cached == "public, max-age=3600", "{cached}");
    ensure!(configuration["issuer"] == "https://kubernetes.default.svc.cluster.local", "{configuration}");
    ensure!(configuration["jwks_uri"].as_str().is_some_and(|uri| uri.ends_with("/openid/v1/jwks")));
    let keys = http.send(Method::GET, "/openid/v1/jwks", &[], "").await?;
    ensure!(keys.header("content-type") == "application/jwk-set+json", "{:?}", keys.headers);
    let key = keys.ok(200)?["keys"][0].clone();
    let algorithm = &configuration["id_token_signing_alg_values_supported"][0];
    ensure!(key["alg"] == *algorithm && key["use"] == "sig" && key["kid"].is_string(), "{key}");
    let namespace = stage.namespace().await?;
    let path = format!("/api/v1/namespaces/{namespace}/serviceaccounts/default/token");
    let request = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}});
    let token = http.post(&path, &request).await?.ok(201)?;
    let token = token["status"]["token"].as_str().context("no token")?;
    // The head of the token names the key.
    let head = token.split('.').next().unwrap_or_default();
    let named = format!("\"kid\":{}", key["kid"]);
    let head = String::from_utf8(URL_SAFE_NO_PAD.decode(head)?)?;
    ensure!(head.contains(&named), "{head} has not {named}");
    Ok(())
}
