//! Defaults, and actions on objects through subresources.

use client_rs_machinery::{Json, json};

use crate::common::{Client, server};

const PODS: &str = "/api/v1/namespaces/default/pods";

fn pod(name: &str) -> Json {
    json!({"metadata": {"name": name, "labels": {"app": "x"}}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}})
}

#[tokio::test(start_paused = true)]
async fn a_pod_is_bound_once() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let created = client.post(PODS, &pod("a")).await.json();
    assert_eq!(created["spec"]["restartPolicy"], json!("Always"));
    assert_eq!(created["spec"]["containers"][0]["imagePullPolicy"], json!("IfNotPresent"));
    assert_eq!(created["spec"]["tolerations"].as_list().unwrap().len(), 2);
    let binding = json!({"metadata": {"name": "a"}, "target": {"kind": "Node", "name": "n"}});
    let bound = client.post(&format!("{PODS}/a/binding"), &binding).await;
    assert_eq!((bound.code, bound.json()["status"].as_str()), (201, Some("Success")));
    let again = client.post("/api/v1/namespaces/default/bindings", &binding).await;
    assert_eq!(again.code, 409, "{:?}", again.body);
    let pod = client.get(&format!("{PODS}/a")).await.json();
    assert_eq!((&pod["spec"]["nodeName"], &pod["status"]["phase"]), (&json!("n"), &json!("Pending")));
    assert_eq!(pod["status"]["conditions"][0]["type"], json!("PodScheduled"));
}

#[tokio::test(start_paused = true)]
async fn a_budget_limits_evictions() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    let budget = json!({"metadata": {"name": "b"}, "spec": {"selector": {"matchLabels": {"app": "x"}}}});
    client.post(budgets, &budget).await;
    let allow = br#"{"status":{"disruptionsAllowed":1,"observedGeneration":1}}"#;
    client.patch(&format!("{budgets}/b/status"), "merge-patch+json", allow).await;
    for name in ["a", "b"] {
        client.post(PODS, &pod(name)).await;
        let running = br#"{"status":{"phase":"Running"}}"#;
        client.patch(&format!("{PODS}/{name}/status"), "merge-patch+json", running).await;
    }
    let evict =
        |name: &str| json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name}});
    assert_eq!(client.post(&format!("{PODS}/a/eviction"), &evict("a")).await.code, 201);
    assert_eq!(client.get(&format!("{PODS}/a")).await.code, 404);
    let refused = client.post(&format!("{PODS}/b/eviction"), &evict("b")).await;
    assert_eq!((refused.code, refused.json()["reason"].as_str()), (429, Some("TooManyRequests")));
    assert_eq!(refused.json()["details"]["causes"][0]["reason"], json!("DisruptionBudget"));
    assert_eq!(client.get(&format!("{PODS}/b")).await.code, 200);
}

#[tokio::test(start_paused = true)]
async fn services_have_unique_addresses() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let services = "/api/v1/namespaces/default/services";
    let mut seen = std::collections::HashSet::new();
    for name in ["a", "b", "c"] {
        let service =
            json!({"metadata": {"name": name}, "spec": {"type": "NodePort", "ports": [{"port": 80}]}});
        let made = client.post(services, &service).await.json();
        let port = &made["spec"]["ports"][0];
        assert_eq!((&port["targetPort"], &port["protocol"]), (&json!(80), &json!("TCP")));
        assert!((30_000..=32_767).contains(&port["nodePort"].as_i64().unwrap()));
        assert!(
            seen.insert(made["spec"]["clusterIP"].to_string()) && seen.insert(port["nodePort"].to_string())
        );
    }
    let before = client.get(&format!("{services}/a")).await.json();
    let without = json!({"metadata": {"name": "a"}, "spec": {"type": "NodePort", "ports": [{"port": 80}]}});
    let after = client.put(&format!("{services}/a"), &without).await.json();
    assert_eq!(after["spec"], before["spec"]);
    assert_eq!(after["metadata"]["resourceVersion"], before["metadata"]["resourceVersion"]);
    let stolen = json!({"metadata": {"name": "d"}, "spec": {"ports": [{"port": 1}], "clusterIP": &before["spec"]["clusterIP"]}});
    let refused = client.post(services, &stolen).await;
    assert!(refused.code == 422 && refused.message().contains("already allocated"), "{:?}", refused.body);
}

#[tokio::test(start_paused = true)]
async fn string_data_of_a_secret_is_stored_as_data() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let secrets = "/api/v1/namespaces/default/secrets";
    let made =
        client.post(secrets, &json!({"metadata": {"name": "s"}, "stringData": {"k": "v"}})).await.json();
    assert_eq!(
        (&made["data"]["k"], &made["stringData"], &made["type"]),
        (&json!("dg=="), &Json::Null, &json!("Opaque"))
    );
}

#[tokio::test(start_paused = true)]
async fn reviews_on_an_open_server_allow_everything() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    let review = json!({"spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}}});
    let answer = client.post(reviews, &review).await;
    assert_eq!((answer.code, &answer.json()["status"]["allowed"]), (201, &json!(true)));
    let unknown =
        client.post("/apis/authentication.k8s.io/v1/tokenreviews", &json!({"spec": {"token": "x"}})).await;
    assert_eq!((unknown.code, &unknown.json()["status"]["error"]), (201, &json!("invalid bearer token")));
}

#[tokio::test(start_paused = true)]
async fn events_are_the_same_in_both_groups() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let new = "/apis/events.k8s.io/v1/namespaces/default/events";
    let event = json!({
        "metadata": {"name": "e"}, "regarding": {"name": "x"}, "note": "n", "reason": "r", "type": "Normal",
        "action": "a", "eventTime": "2026-01-02T03:04:05.000006Z", "reportingController": "example.com/c",
        "reportingInstance": "i",
    });
    assert_eq!(client.post(new, &event).await.json()["note"], json!("n"));
    let core =
        client.get("/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=x").await.json();
    assert_eq!(core["items"][0]["message"], json!("n"));
    let series = br#"{"series":{"count":2,"lastObservedTime":"2026-01-02T03:04:06.000006Z"}}"#;
    let patched = client.patch(&format!("{new}/e"), "merge-patch+json", series).await.json();
    assert_eq!(
        (&patched["apiVersion"], &patched["series"]["count"]),
        (&json!("events.k8s.io/v1"), &json!(2))
    );
    let list = client.get(&format!("{new}?fieldSelector=regarding.name=x")).await.json();
    assert_eq!((list["items"].as_list().unwrap().len(), &list["items"][0]["note"]), (1, &json!("n")));
}

#[tokio::test(start_paused = true)]
async fn validation_errors_have_the_texts_of_the_real_server() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let deployments = "/apis/apps/v1/namespaces/default/deployments";
    let maps = "/api/v1/namespaces/default/configmaps";
    let containers = json!([{"name": "c", "image": "i"}, {"name": "c", "image": " i"}]);
    for (uri, spec, expected) in [
        (
            deployments,
            json!({}),
            r#"Deployment.apps "x" is invalid: [spec.selector: Required value, spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`, spec.template.spec.containers: Required value]"#,
        ),
        (
            PODS,
            json!({"containers": [{}], "restartPolicy": "Y"}),
            r#"Pod "x" is invalid: [spec.containers[0].name: Required value, spec.containers[0].image: Required value, spec.restartPolicy: Unsupported value: "Y": supported values: "Always", "OnFailure", "Never"]"#,
        ),
        (
            PODS,
            json!({"containers": containers}),
            r#"Pod "x" is invalid: [spec.containers[1].name: Duplicate value: "c", spec.containers[1].image: Invalid value: " i": must not have leading or trailing whitespace]"#,
        ),
        (
            "/api/v1/namespaces/default/services",
            json!({}),
            r#"Service "x" is invalid: spec.ports: Required value"#,
        ),
    ] {
        let answer = client.post(uri, &json!({"metadata": {"name": "x"}, "spec": spec})).await;
        assert_eq!((answer.code, answer.message().as_str()), (422, expected));
    }
    client.post(maps, &json!({"metadata": {"name": "m"}, "immutable": true, "data": {"a": "1"}})).await;
    let refused = client.patch(&format!("{maps}/m"), "merge-patch+json", br#"{"data":{"a":"2"}}"#).await;
    assert_eq!(
        refused.message(),
        r#"ConfigMap "m" is invalid: data: Forbidden: field is immutable when `immutable` is set"#
    );
    client.post(PODS, &pod("p")).await;
    let uri = format!("{PODS}/p");
    let image = br#"{"spec":{"containers":[{"name":"c","image":"j"}]}}"#;
    assert_eq!(client.patch(&uri, "strategic-merge-patch+json", image).await.code, 200);
    let moved = client.patch(&uri, "merge-patch+json", br#"{"spec":{"nodeName":"n"}}"#).await;
    assert!(moved.code == 422 && moved.message().contains("pod updates may not change fields other than"));
}

#[tokio::test(start_paused = true)]
async fn the_default_content_of_a_namespace_comes_back() {
    let storage = client_rs_apiserver::StorageOptions::default().with_populate(true).with_bootstrap(true);
    let options =
        client_rs_apiserver::ServerOptions::default().with_listen(None).with_storage(storage.into());
    let server = client_rs_apiserver::Server::start_with(options).await.unwrap();
    let mut client = Client::new(&server).await;
    client.post("/api/v1/namespaces", &json!({"metadata": {"name": "n"}})).await;
    let (map, account) =
        ("/api/v1/namespaces/n/configmaps/kube-root-ca.crt", "/api/v1/namespaces/n/serviceaccounts/default");
    let certificate = |json: &Json| json["data"]["ca.crt"].as_str().unwrap_or_default().to_owned();
    let first = certificate(&client.get(map).await.json());
    assert!(first.starts_with("-----BEGIN CERTIFICATE-----"), "{first}");
    for path in [map, account] {
        assert_eq!(client.send("DELETE", path, &[], b"").await.code, 200);
        let mut code = 0;
        for _ in 0..100 {
            code = client.get(path).await.code;
            if code == 200 {
                break;
            }
            tokio::task::yield_now().await;
        }
        assert_eq!(code, 200, "{path}");
    }
    let patch = [("content-type", "application/merge-patch+json")];
    let changed = json!({"data": {"ca.crt": "mine", "more": "x"}}).to_vec();
    assert_eq!(client.send("PATCH", map, &patch, &changed).await.code, 200);
    let mut data = Json::Null;
    for _ in 0..100 {
        data = client.get(map).await.json()["data"].clone();
        if data["ca.crt"].as_str() == Some(first.as_str()) {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(data, json!({"ca.crt": first}));
    // A namespace that ends is not filled again.
    assert_eq!(client.send("DELETE", "/api/v1/namespaces/n", &[], b"").await.code, 200);
    for _ in 0..100 {
        if client.get("/api/v1/namespaces/n").await.code == 404 {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the namespace is still there");
}

#[tokio::test(start_paused = true)]
async fn with_populate_namespaces_and_pods_get_the_defaults_of_a_cluster() {
    let options = client_rs_apiserver::ServerOptions::default()
        .with_listen(None)
        .with_storage(client_rs_apiserver::StorageOptions::default().with_populate(true).into());
    let server = client_rs_apiserver::Server::start_with(options).await.unwrap();
    let mut client = Client::new(&server).await;
    client.post("/api/v1/namespaces", &json!({"metadata": {"name": "n"}})).await;
    assert_eq!(client.get("/api/v1/namespaces/n/serviceaccounts/default").await.code, 200);
    assert_eq!(client.get("/api/v1/namespaces/n/configmaps/kube-root-ca.crt").await.code, 200);
    // In whichever way it was created.
    let applied = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "m"}});
    let apply = [("content-type", "application/apply-patch+yaml")];
    let at = "/api/v1/namespaces/m?fieldManager=test";
    let dry = client.send("PATCH", &format!("{at}&dryRun=All"), &apply, &applied.to_vec()).await;
    assert_eq!(dry.code, 201, "{}", dry.message());
    assert_eq!(client.get("/api/v1/namespaces/m").await.code, 404);
    assert_eq!(client.get("/api/v1/namespaces/m/serviceaccounts/default").await.code, 404);
    assert_eq!(client.send("PATCH", at, &apply, &applied.to_vec()).await.code, 201);
    assert_eq!(client.get("/api/v1/namespaces/m/serviceaccounts/default").await.code, 200);
    assert_eq!(client.get("/api/v1/namespaces/m/configmaps/kube-root-ca.crt").await.code, 200);
    let pod = |account: &str| {
        json!({
            "metadata": {"name": "p"},
            "spec": {"serviceAccountName": account, "containers": [{"name": "c", "image": "i"}], "priorityClassName": "system-node-critical"},
        })
    };
    let pods = "/api/v1/namespaces/n/pods";
    let refused = client.post(pods, &pod("nobody")).await;
    let why = r#"pods "p" is forbidden: error looking up service account n/nobody: serviceaccount "nobody" not found"#;
    assert_eq!((refused.code, refused.message().as_str()), (403, why));
    let made = client.post(pods, &pod("default")).await.json();
    let (mount, volume) = (&made["spec"]["containers"][0]["volumeMounts"][0], &made["spec"]["volumes"][0]);
    assert_eq!(mount["mountPath"], json!("/var/run/secrets/kubernetes.io/serviceaccount"));
    assert_eq!(mount["name"], volume["name"]);
    assert_eq!(volume["projected"]["sources"][0]["serviceAccountToken"]["path"], json!("token"));
    assert_eq!(made["spec"]["priority"], json!(2_000_001_000));
}
