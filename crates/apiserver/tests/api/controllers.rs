//! The controllers of the server.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_apiserver::{Server, ServerOptions, StorageOptions};
use client_rs_machinery::{Json, json};
use rcgen::{CertificateParams, DnType, KeyPair};

use crate::common::{Client, server};

const REQUESTS: &str = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

fn request(user: &str) -> String {
    let mut params = CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, user);
    let request = params.serialize_request(&KeyPair::generate().unwrap()).unwrap();
    STANDARD.encode(request.pem().unwrap())
}

/// Retries until the condition holds: controllers work between requests.
async fn until(client: &mut Client, uri: &str, holds: impl Fn(u16, &Json) -> bool) {
    for _ in 0..1000 {
        let answer = client.get(uri).await;
        if holds(answer.code, &answer.json()) {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("it never holds: {}", client.get(uri).await.json());
}

#[tokio::test(start_paused = true)]
async fn an_approved_request_is_signed_or_marked_as_failed() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    for (name, signer, usages, signed) in [
        ("client", "kubernetes.io/kube-apiserver-client", json!(["client auth"]), true),
        ("server", "kubernetes.io/kube-apiserver-client", json!(["client auth", "server auth"]), false),
        ("other", "example.com/own", json!(["client auth"]), false),
    ] {
        let object = json!({
            "apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest", "metadata": {"name": name},
            "spec": {"request": request("jane"), "signerName": signer, "usages": usages, "expirationSeconds": 3600},
        });
        assert_eq!(client.post(REQUESTS, &object).await.code, 201, "{name}");
        let mut object = client.get(&format!("{REQUESTS}/{name}")).await.json();
        let approved = json!([{"type": "Approved", "status": "True", "reason": "Test", "message": "yes"}]);
        object.set(&["status", "conditions"], approved).unwrap();
        let answer = client.put(&format!("{REQUESTS}/{name}/approval"), &object).await;
        assert_eq!(answer.code, 200, "{}", answer.message());
        let status = client.get(&format!("{REQUESTS}/{name}")).await.json()["status"].clone();
        let certificate = STANDARD.decode(status["certificate"].as_str().unwrap_or_default()).unwrap();
        assert_eq!(certificate.starts_with(b"-----BEGIN CERTIFICATE-----"), signed, "{name}: {status}");
        let failed = status["conditions"].as_list().unwrap().iter().any(|one| one["type"] == json!("Failed"));
        assert_eq!(failed, name == "server", "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_expires_an_hour_after_its_last_write() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let events = "/api/v1/namespaces/default/events";
    for name in ["old", "young"] {
        let event = json!({
            "apiVersion": "v1", "kind": "Event", "metadata": {"name": name},
            "involvedObject": {"namespace": "default"}, "message": "m",
        });
        assert_eq!(client.post(events, &event).await.code, 201);
    }
    server.controls().advance_clock(Duration::from_mins(50));
    let patched = client.patch(&format!("{events}/young"), "merge-patch+json", br#"{"count":2}"#).await;
    assert_eq!(patched.code, 200, "{}", patched.message());
    server.controls().advance_clock(Duration::from_mins(11));
    assert_eq!(client.get(&format!("{events}/old")).await.code, 404);
    assert_eq!(client.get(&format!("{events}/young")).await.code, 200);
    server.controls().advance_clock(Duration::from_hours(1));
    let left = client.get("/apis/events.k8s.io/v1/events").await.json();
    assert_eq!(left["items"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn an_aggregated_role_has_the_rules_of_its_parts() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    let role = |name: &str, more: Json| {
        let base = json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": name}});
        client_rs_machinery::patch::merge_patch::apply(&base, &more)
    };
    let whole = role(
        "whole",
        json!({"aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"part": "yes"}}]}}),
    );
    assert_eq!(client.post(roles, &whole).await.code, 201);
    let granted = json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]});
    let part = role("part", json!({"metadata": {"labels": {"part": "yes"}}, "rules": [granted.clone()]}));
    assert_eq!(client.post(roles, &part).await.code, 201);
    until(&mut client, &format!("{roles}/whole"), |_, role| role["rules"] == json!([granted.clone()])).await;
    client.delete(&format!("{roles}/part")).await;
    until(&mut client, &format!("{roles}/whole"), |_, role| role["rules"] != json!([granted.clone()])).await;
    // The default roles.
    until(&mut client, &format!("{roles}/view"), |_, role| {
        role["rules"].as_list().is_some_and(|all| !all.is_empty())
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_claim_is_kept_while_a_pod_uses_it() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let (claims, pods) =
        ("/api/v1/namespaces/default/persistentvolumeclaims", "/api/v1/namespaces/default/pods");
    let claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    });
    let made = client.post(claims, &claim).await;
    assert_eq!(made.json()["metadata"]["finalizers"], json!(["kubernetes.io/pvc-protection"]));
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "user"},
        "spec": {
            "containers": [{"name": "main", "image": "none"}],
            "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
        },
    });
    assert_eq!(client.post(pods, &pod).await.code, 201);
    assert_eq!(client.delete(&format!("{claims}/data")).await.code, 200);
    for _ in 0..20 {
        tokio::task::yield_now().await;
        assert_eq!(client.get(&format!("{claims}/data")).await.code, 200, "it went while it was used");
    }
    client.delete(&format!("{pods}/user?gracePeriodSeconds=0")).await;
    until(&mut client, &format!("{claims}/data"), |code, _| code == 404).await;
}

#[tokio::test(start_paused = true)]
async fn an_autoscaler_is_served_in_two_versions() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let path =
        |version: &str| format!("/apis/autoscaling/{version}/namespaces/default/horizontalpodautoscalers");
    let first = json!({
        "apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "web"},
        "spec": {
            "maxReplicas": 3, "targetCPUUtilizationPercentage": 50,
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
        },
    });
    let made = client.post(&path("v1"), &first).await;
    assert_eq!((made.code, &made.json()["spec"]["targetCPUUtilizationPercentage"]), (201, &json!(50)));
    let second = client.get(&format!("{}/web", path("v2"))).await.json();
    assert_eq!(second["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"], json!(50));
    assert_eq!(second["metadata"]["uid"], made.json()["metadata"]["uid"]);
    let memory = br#"{"spec":{"metrics":[{"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue","averageValue":"1Gi"}}}]}}"#;
    assert_eq!(client.patch(&format!("{}/web", path("v2")), "merge-patch+json", memory).await.code, 200);
    let again = client.get(&format!("{}/web", path("v1"))).await.json();
    let kept = again["metadata"]["annotations"]["autoscaling.alpha.kubernetes.io/metrics"]
        .as_str()
        .unwrap_or_default();
    assert!(kept.contains("targetAverageValue"), "{again}");
    let listed = client.get(&path("v1")).await.json();
    assert_eq!(listed["items"].as_list().map(client_rs_machinery::List::len), Some(1));
}

#[tokio::test(start_paused = true)]
async fn an_aggregated_group_is_listed_and_unavailable() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let service = json!({
        "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": "v1.far.example.com"},
        "spec": {
            "group": "far.example.com", "version": "v1", "groupPriorityMinimum": 100, "versionPriority": 100,
            "service": {"name": "nobody", "namespace": "default"},
        },
    });
    let services = "/apis/apiregistration.k8s.io/v1/apiservices";
    assert_eq!(client.post(services, &service).await.code, 201);
    let told = client.get(&format!("{services}/v1.far.example.com")).await.json();
    assert_eq!(told["status"]["conditions"][0]["reason"], json!("ServiceNotFound"), "{told}");
    let answer = client.get("/apis/far.example.com/v1/things").await;
    assert_eq!((answer.code, &answer.body[..]), (503, &b"service unavailable\n"[..]));
    assert_eq!(client.get("/apis/far.example.com/v1").await.code, 503);
    assert_eq!(client.get("/apis/far.example.com").await.json()["versions"][0]["version"], json!("v1"));
    let accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let groups = client.send("GET", "/apis", &[("accept", accept)], b"").await.json();
    let last = groups["items"].as_list().unwrap().last().cloned().unwrap();
    assert_eq!(last["versions"], json!([{"version": "v1", "freshness": "Stale"}]));
    client.delete(&format!("{services}/v1.far.example.com")).await;
    assert_eq!(client.get("/apis/far.example.com/v1").await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn without_the_collector_no_object_waits_for_it() {
    let options = ServerOptions::default()
        .with_listen(None)
        .with_storage(StorageOptions::default().with_collect_garbage(false).into());
    let server = Server::start_with(options).await.unwrap();
    let mut client = Client::new(&server).await;
    let claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    let claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    });
    assert_eq!(client.post(claims, &claim).await.json()["metadata"].get("finalizers"), None);
    client.delete(&format!("{claims}/data")).await;
    assert_eq!(client.get(&format!("{claims}/data")).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn a_namespace_keeps_its_service_account_and_certificate_authority() {
    let options = ServerOptions::default()
        .with_listen(None)
        .with_storage(StorageOptions::default().with_populate(true).into());
    let server = Server::start_with(options).await.unwrap();
    let mut client = Client::new(&server).await;
    client.post("/api/v1/namespaces", &json!({"metadata": {"name": "n"}})).await;
    let account = "/api/v1/namespaces/n/serviceaccounts/default";
    let map = "/api/v1/namespaces/n/configmaps/kube-root-ca.crt";
    let authority = client.get(map).await.json()["data"]["ca.crt"].clone();
    assert!(authority.as_str().unwrap().starts_with("-----BEGIN CERTIFICATE-----"), "{authority}");
    client.delete(account).await;
    client.delete(map).await;
    until(&mut client, account, |code, _| code == 200).await;
    until(&mut client, map, |code, _| code == 200).await;
    let other = json!({"metadata": {"name": "kube-root-ca.crt", "labels": {"l": "v"}}, "data": {"ca.crt": "", "b": ""}});
    assert_eq!(client.put(map, &other).await.code, 200);
    until(&mut client, map, |_, map| map["data"] == json!({"ca.crt": authority.clone()})).await;
    let restored = client.get(map).await.json();
    assert_eq!(restored["metadata"]["labels"]["l"], json!("v"));
    assert!(restored["metadata"]["annotations"].get("kubernetes.io/description").is_some(), "{restored}");
    // Nothing keeps a namespace from ending.
    client.delete("/api/v1/namespaces/n").await;
    until(&mut client, "/api/v1/namespaces/n", |code, _| code == 404).await;
    assert_eq!(client.get(map).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn a_flow_schema_reports_whether_its_level_exists() {
    const FLOWS: &str = "/apis/flowcontrol.apiserver.k8s.io/v1";
    let server = server().await;
    let mut client = Client::new(&server).await;
    let schema = json!({
        "apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "FlowSchema", "metadata": {"name": "s"},
        "spec": {"matchingPrecedence": 900, "priorityLevelConfiguration": {"name": "l"}},
    });
    assert_eq!(client.post(&format!("{FLOWS}/flowschemas"), &schema).await.code, 201);
    let named = "This FlowSchema references the PriorityLevelConfiguration object named \"l\"";
    let reports = |status: &str, reason: &str, message: String| {
        let expected = [json!("Dangling"), json!(status), json!(reason), Json::from(message)];
        move |_: u16, schema: &Json| {
            let all = schema["status"]["conditions"].as_list().map(|all| all.to_vec()).unwrap_or_default();
            all.len() == 1
                && ["type", "status", "reason", "message"].map(|field| all[0][field].clone()) == expected
                && !all[0]["lastTransitionTime"].is_null()
        }
    };
    let path = format!("{FLOWS}/flowschemas/s");
    let missing = reports("True", "NotFound", format!("{named} but there is no such object"));
    until(&mut client, &path, missing).await;
    let level = json!({
        "apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "PriorityLevelConfiguration", "metadata": {"name": "l"},
        "spec": {"type": "Limited", "limited": {"nominalConcurrencyShares": 1, "limitResponse": {"type": "Reject"}}},
    });
    assert_eq!(client.post(&format!("{FLOWS}/prioritylevelconfigurations"), &level).await.code, 201);
    until(&mut client, &path, reports("False", "Found", format!("{named} and it exists"))).await;
    let metrics = client.get("/metrics").await;
    let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
    let seats = metrics.lines().find_map(|line| {
        line.strip_prefix("apiserver_flowcontrol_nominal_limit_seats{priority_level=\"l\"} ")
    });
    assert!(seats.is_some_and(|seats| seats.parse::<u32>().is_ok_and(|seats| seats > 0)), "{metrics}");
}

#[tokio::test(start_paused = true)]
async fn a_continue_token_expires_after_five_to_ten_minutes() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let maps = "/api/v1/namespaces/default/configmaps";
    for name in ["a", "b", "c"] {
        client.post(maps, &json!({"metadata": {"name": name}})).await;
    }
    let first = client.get(&format!("{maps}?limit=1")).await.json();
    let token = first["metadata"]["continue"].as_str().unwrap().to_owned();
    let (next, exact) = (format!("{maps}?limit=1&continue={token}"), {
        let version = first["metadata"]["resourceVersion"].as_str().unwrap();
        format!("{maps}?resourceVersionMatch=Exact&resourceVersion={version}")
    });
    // The list stays as it was when it began.
    client.delete(&format!("{maps}/b")).await;
    server.controls().advance_clock(Duration::from_secs(299));
    assert_eq!(client.get(&next).await.json()["items"][0]["metadata"]["name"], json!("b"));
    assert_eq!(client.get(&exact).await.json()["items"].as_list().unwrap().len(), 3);
    server.controls().advance_clock(Duration::from_secs(302));
    let expired = client.get(&next).await;
    assert_eq!((expired.code, client.get(&exact).await.code), (410, 410), "{}", expired.message());
    // The token of the error continues with the current objects.
    let token = expired.json()["metadata"]["continue"].as_str().unwrap().to_owned();
    let rest = client.get(&format!("{maps}?continue={token}")).await.json();
    assert_eq!(rest["items"].as_list().unwrap().len(), 1, "{rest}");
    assert_eq!(rest["items"][0]["metadata"]["name"], json!("c"));
}
