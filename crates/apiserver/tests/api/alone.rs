//! A server with the controllers of kube-apiserver alone, as envtest has it, and its other options.

use client_rs_apiserver::{
    Access, AdmissionPlugin, Server, ServerOptions, StorageOptions, TokenOptions, User,
};
use client_rs_machinery::{Json, List, json};
use client_rs_transport::Secret;
use rcgen::KeyPair;

use crate::common::Client;

fn alone() -> StorageOptions {
    StorageOptions::default().with_api_server_only(true).with_bootstrap(true)
}

async fn over(storage: StorageOptions) -> Server {
    Server::start_with(ServerOptions::default().with_listen(None).with_storage(storage.into())).await.unwrap()
}

fn pod() -> Json {
    json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"},
        "spec": {"containers": [{"name": "c", "image": "i"}]},
    })
}

const PODS: &str = "/api/v1/namespaces/default/pods";

#[tokio::test(start_paused = true)]
async fn nothing_of_kube_controller_manager_happens() {
    let server = over(alone()).await;
    let mut client = Client::new(&server).await;
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "gone"}});
    assert_eq!(client.post("/api/v1/namespaces", &namespace).await.code, 201);
    let accounts = client.get("/api/v1/namespaces/gone/serviceaccounts").await.json();
    assert_eq!(accounts["items"].as_list().map(List::len), Some(0));
    // The finalizer of a namespace stays, and so does the one of a claim.
    assert_eq!(client.delete("/api/v1/namespaces/gone").await.code, 200);
    let claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    });
    let claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    let created = client.post(claims, &claim).await.json();
    assert_eq!(created["metadata"]["finalizers"], json!(["kubernetes.io/pvc-protection"]));
    assert_eq!(client.delete(&format!("{claims}/data")).await.code, 200);
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    let left = client.get("/api/v1/namespaces/gone").await.json();
    assert_eq!(left["status"]["phase"], json!("Terminating"));
    assert_eq!(left["spec"]["finalizers"], json!(["kubernetes"]));
    assert_eq!(client.get(&format!("{claims}/data")).await.code, 200);
    // The server's own objects exist.
    let service = client.get("/api/v1/namespaces/default/services/kubernetes").await.json();
    assert_eq!(service["spec"]["clusterIP"], json!("10.0.0.1"));
}

#[tokio::test(start_paused = true)]
async fn a_pod_needs_its_service_account_unless_the_plugin_is_off() {
    let server = over(alone()).await;
    let refused = Client::new(&server).await.post(PODS, &pod()).await;
    assert_eq!(refused.code, 403);
    assert!(refused.message().contains("error looking up service account default/default"));
    let server = over(alone().with_disable_plugins([AdmissionPlugin::ServiceAccount])).await;
    let created = Client::new(&server).await.post(PODS, &pod()).await;
    assert_eq!(created.code, 201, "{}", created.message());
    assert_eq!(created.json()["spec"].get("serviceAccountName"), None);
}

#[tokio::test(start_paused = true)]
async fn plugins_that_are_off_do_nothing() {
    use AdmissionPlugin as Plugin;
    let class = json!({
        "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": "p",
        "metadata": {"name": "fast", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
    });
    let claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    });
    let range = json!({
        "apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "small"},
        "spec": {"limits": [{"type": "Container", "default": {"cpu": "1"}}]},
    });
    let off = [
        Plugin::DefaultStorageClass,
        Plugin::LimitRanger,
        Plugin::Priority,
        Plugin::StorageObjectInUseProtection,
    ];
    for (off, set) in [(&off[..], false), (&[], true)] {
        let server = over(StorageOptions::default().with_disable_plugins(off.iter().copied())).await;
        let mut client = Client::new(&server).await;
        assert_eq!(client.post("/apis/storage.k8s.io/v1/storageclasses", &class).await.code, 201);
        assert_eq!(client.post("/api/v1/namespaces/default/limitranges", &range).await.code, 201);
        let claim = client.post("/api/v1/namespaces/default/persistentvolumeclaims", &claim).await.json();
        assert_eq!(claim["spec"].get("storageClassName").is_some(), set);
        assert_eq!(claim["metadata"].get("finalizers").is_some(), set);
        let pod = client.post(PODS, &pod()).await.json();
        assert_eq!(pod["spec"].get("priority").is_some(), set);
        assert_eq!(pod["spec"]["containers"][0]["resources"].get("limits").is_some(), set);
    }
}

#[tokio::test(start_paused = true)]
async fn the_range_of_services_is_an_option() {
    let server = over(alone().with_service_range("10.9.0.0/28")).await;
    let mut client = Client::new(&server).await;
    let own = client.get("/api/v1/namespaces/default/services/kubernetes").await.json();
    assert_eq!(own["spec"]["clusterIP"], json!("10.9.0.1"));
    let range = client.get("/apis/networking.k8s.io/v1/servicecidrs/kubernetes").await.json();
    assert_eq!(range["spec"]["cidrs"], json!(["10.9.0.0/28"]));
    let service = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]},
    });
    let made = client.post("/api/v1/namespaces/default/services", &service).await.json();
    assert!(made["spec"]["clusterIP"].as_str().unwrap().starts_with("10.9.0."));
    for range in ["10.0.0.0/8x", "fd00::/112", ""] {
        let options = StorageOptions::default().with_service_range(range);
        assert!(client_rs_apiserver::Storage::new(options).is_err(), "{range}");
    }
}

#[tokio::test(start_paused = true)]
async fn tokens_have_the_given_issuer_audience_and_key() {
    let key = KeyPair::generate().unwrap();
    let options = |audience: &str| {
        TokenOptions::default()
            .with_issuer("https://issuer.example")
            .with_audiences([audience])
            .with_signing_key(key.serialize_pem())
            .with_keys([Secret::new(key.public_key_pem())])
    };
    let server = over(StorageOptions::default().with_tokens(options("api"))).await;
    let mut client = Client::new(&server).await;
    let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web"}});
    let accounts = "/api/v1/namespaces/default/serviceaccounts";
    let account = client.post(accounts, &account).await.json();
    let request = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}});
    let issued = client.post(&format!("{accounts}/web/token"), &request).await.json();
    assert_eq!(issued["spec"]["audiences"], json!(["api"]));
    let document = client.get("/.well-known/openid-configuration").await.json();
    assert_eq!(document["issuer"], json!("https://issuer.example"));
    let keys = client.get("/openid/v1/jwks").await.json();
    assert_eq!(keys["keys"].as_list().map(List::len), Some(1), "the same key counts once");

    // Another server with the key, the issuer and the account accepts it; one with another audience does not.
    let data = server.storage().snapshot();
    for (audience, name) in [("api", "system:serviceaccount:default:web"), ("other", "")] {
        let storage = StorageOptions::default().with_tokens(options(audience));
        let storage = client_rs_apiserver::Storage::restore(storage, &data).unwrap();
        let options = ServerOptions::default().with_listen(None).with_storage(storage.into());
        let other = Server::start_with(options.with_access(Access::Authenticated)).await.unwrap();
        let bearer = format!("Bearer {}", issued["status"]["token"].as_str().unwrap());
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let review = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"});
        let path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
        let answer = Client::new(&other).await.send("POST", path, &headers, &review.to_vec()).await;
        assert_eq!(answer.code, if name.is_empty() { 401 } else { 201 });
        if !name.is_empty() {
            assert_eq!(answer.json()["status"]["userInfo"]["username"], json!(name));
            assert_eq!(answer.json()["status"]["userInfo"]["uid"], account["metadata"]["uid"]);
        }
    }
    let broken = StorageOptions::default().with_tokens(TokenOptions::default().with_signing_key("no key"));
    assert!(client_rs_apiserver::Storage::new(broken).is_err());
}

#[tokio::test(start_paused = true)]
async fn anonymous_requests_can_be_refused() {
    for (anonymous, code) in [(true, 200), (false, 401)] {
        let options = ServerOptions::default().with_listen(None).with_access(Access::Rbac);
        let server = Server::start_with(options.with_anonymous(anonymous)).await.unwrap();
        assert_eq!(Client::new(&server).await.get("/version").await.code, code);
        server.add_token("t", User::new("jane", ["system:masters"]));
        let headers = [("authorization", "Bearer t")];
        assert_eq!(Client::new(&server).await.send("GET", PODS, &headers, b"").await.code, 200);
    }
}

#[tokio::test(start_paused = true)]
async fn the_log_of_requests_has_a_limit() {
    for (limit, kept) in [(0, 0), (2, 2)] {
        let options = ServerOptions::default().with_listen(None).with_request_log(limit);
        let server = Server::start_with(options).await.unwrap();
        let mut client = Client::new(&server).await;
        for _ in 0..3 {
            client.get("/version").await;
        }
        assert_eq!(server.controls().requests().len(), kept);
    }
}
