//! Resource quotas.

use anyhow::{Result, ensure};
use client_rs_client::RestClient;
use client_rs_tests::{Backend, Stage, eventually};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::requests::{container, delete, get, patch, pod, post};

/// Creates a quota, and waits until its usage is known.
async fn quota(client: &RestClient, namespace: &str, name: &str, spec: Value) -> Result<()> {
    let path = format!("/api/v1/namespaces/{namespace}/resourcequotas");
    let count = spec["hard"].as_object().map_or(0, serde_json::Map::len);
    post(client, &path, &json!({"metadata": {"name": name}, "spec": spec})).await?.accepted()?;
    eventually("the quota's usage", || async {
        let used = used(client, namespace, name).await?;
        ensure!(used.as_object().is_some_and(|used| used.len() == count), "{used}");
        Ok(())
    })
    .await
}

async fn used(client: &RestClient, namespace: &str, name: &str) -> Result<Value> {
    let path = format!("/api/v1/namespaces/{namespace}/resourcequotas/{name}");
    Ok(get(client, &path).await?["status"]["used"].clone())
}

async fn uses(client: &RestClient, namespace: &str, name: &str, expected: &Value) -> Result<()> {
    let used = used(client, namespace, name).await?;
    ensure!(used == *expected, "used {used} instead of {expected}");
    Ok(())
}

async fn will_use(client: &RestClient, namespace: &str, name: &str, expected: &Value) -> Result<()> {
    eventually("the quota's usage", || uses(client, namespace, name, expected)).await
}

fn secret(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}})
}

pub(crate) async fn counts(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let hard = json!({"secrets": "2", "count/secrets": "5", "count/roles.rbac.authorization.k8s.io": "1"});
    quota(&client, &namespace, "q", json!({"hard": hard})).await?;
    let secrets = format!("/api/v1/namespaces/{namespace}/secrets");
    let expected = |count: &str, roles: &str| json!({"secrets": count, "count/secrets": count, "count/roles.rbac.authorization.k8s.io": roles});
    post(&client, &secrets, &secret("a")).await?.accepted()?;
    uses(&client, &namespace, "q", &expected("1", "0")).await?;
    let dry = format!("{secrets}?dryRun=All");
    post(&client, &dry, &secret("b")).await?.accepted()?;
    uses(&client, &namespace, "q", &expected("1", "0")).await?;
    post(&client, &secrets, &secret("b")).await?.accepted()?;
    uses(&client, &namespace, "q", &expected("2", "0")).await?;
    let why = "secrets \"c\" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=2, limited: secrets=2";
    post(&client, &secrets, &secret("c")).await?.refused(403, why)?;
    post(&client, &dry, &secret("c")).await?.refused(403, why)?;
    delete(&client, &format!("{secrets}/a")).await?;
    will_use(&client, &namespace, "q", &expected("1", "0")).await?;
    post(&client, &secrets, &secret("c")).await?.accepted()?;
    let roles = format!("/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles");
    post(&client, &roles, &json!({"metadata": {"name": "a"}})).await?.accepted()?;
    uses(&client, &namespace, "q", &expected("2", "1")).await?;
    post(&client, &roles, &json!({"metadata": {"name": "b"}})).await?.refused(
        403,
        "roles.rbac.authorization.k8s.io \"b\" is forbidden: exceeded quota: q, requested: \
         count/roles.rbac.authorization.k8s.io=1, used: count/roles.rbac.authorization.k8s.io=1, limited: \
         count/roles.rbac.authorization.k8s.io=1",
    )?;
    // New limits are in force when they are in the status.
    let path = format!("/api/v1/namespaces/{namespace}/resourcequotas/q");
    patch(&client, &path, &json!({"spec": {"hard": {"secrets": "3"}}})).await?.accepted()?;
    eventually("the new limit", || async {
        let hard = get(&client, &path).await?["status"]["hard"]["secrets"].clone();
        ensure!(hard == json!("3"), "{hard}");
        Ok(())
    })
    .await?;
    eventually("a third secret", || async {
        post(&client, &secrets, &secret("d")).await?.accepted().map(drop)
    })
    .await?;
    uses(&client, &namespace, "q", &expected("3", "1")).await
}

pub(crate) async fn parallel(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    quota(&client, &namespace, "q", json!({"hard": {"secrets": "5"}})).await?;
    let secrets = format!("/api/v1/namespaces/{namespace}/secrets");
    let requests = (0..40).map(|number| {
        let (client, secrets) = (&client, &secrets);
        async move { post(client, secrets, &secret(&format!("s{number}"))).await }
    });
    let answers: Vec<_> = join_all(requests).await.into_iter().collect::<Result<_>>()?;
    let created = answers.iter().filter(|answer| answer.code == 200).count();
    // The real server may give up on a create whose quota changes too often.
    let enough = stage.backend() == Backend::Real || created == 5;
    ensure!(created <= 5 && created > 0 && enough, "{created} of 5 were created");
    ensure!(answers.iter().all(|answer| answer.code == 200 || answer.code == 403 || answer.code == 409));
    let listed = get(&client, &secrets).await?;
    ensure!(listed["items"].as_array().map(Vec::len) == Some(created), "{listed}");
    will_use(&client, &namespace, "q", &json!({"secrets": created.to_string()})).await
}

pub(crate) async fn compute(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let hard =
        json!({"requests.cpu": "1", "limits.memory": "1Gi", "pods": "3", "requests.example.com/gpu": "1"});
    quota(&client, &namespace, "q", json!({"hard": hard})).await?;
    let pods = format!("/api/v1/namespaces/{namespace}/pods");
    let bare = pod("bare", json!({"containers": [container("b", &json!({})), container("a", &json!({}))]}));
    let why = "pods \"bare\" is forbidden: failed quota: q: must specify limits.memory for: a,b; requests.cpu for: a,b";
    post(&client, &pods, &bare).await?.refused(403, why)?;
    let resources = |cpu: &str, memory: &str| json!({"requests": {"cpu": cpu}, "limits": {"memory": memory}});
    let small = |name: &str| pod(name, json!({"containers": [container("a", &resources("400m", "256Mi"))]}));
    post(&client, &pods, &small("one")).await?.accepted()?;
    let expected = json!({
        "requests.cpu": "400m", "limits.memory": "256Mi", "pods": "1", "requests.example.com/gpu": "0",
    });
    uses(&client, &namespace, "q", &expected).await?;
    let big = pod("big", json!({"containers": [container("a", &resources("700m", "1Gi"))]}));
    post(&client, &pods, &big).await?.refused(
        403,
        "pods \"big\" is forbidden: exceeded quota: q, requested: limits.memory=1Gi,requests.cpu=700m, used: \
         limits.memory=256Mi,requests.cpu=400m, limited: limits.memory=1Gi,requests.cpu=1",
    )?;
    let resources = json!({
        "requests": {"cpu": "1m", "example.com/gpu": "2"}, "limits": {"memory": "1Mi", "example.com/gpu": "2"},
    });
    let extended = pod("extended", json!({"containers": [container("a", &resources)]}));
    post(&client, &pods, &extended).await?.refused(
        403,
        "pods \"extended\" is forbidden: exceeded quota: q, requested: requests.example.com/gpu=2, used: \
         requests.example.com/gpu=0, limited: requests.example.com/gpu=1",
    )?;
    // A pod that has ended uses nothing.
    let status = json!({"status": {"phase": "Succeeded"}});
    patch(&client, &format!("{pods}/one/status"), &status).await?.accepted()?;
    let nothing =
        json!({"requests.cpu": "0", "limits.memory": "0", "pods": "0", "requests.example.com/gpu": "0"});
    will_use(&client, &namespace, "q", &nothing).await?;
    // Resizing is charged too.
    post(&client, &pods, &small("two")).await?.accepted()?;
    let resized = |cpu: &str| {
        let container = json!({
            "name": "a", "image": "none", "resources": {"requests": {"cpu": cpu}, "limits": {"memory": "256Mi"}},
        });
        json!({"spec": {"containers": [container]}})
    };
    patch(&client, &format!("{pods}/two/resize"), &resized("2")).await?.refused(
        403,
        "pods \"two\" is forbidden: exceeded quota: q, requested: requests.cpu=1600m, used: requests.cpu=400m, \
         limited: requests.cpu=1",
    )?;
    patch(&client, &format!("{pods}/two/resize"), &resized("600m")).await?.accepted()?;
    let expected = json!({
        "requests.cpu": "600m", "limits.memory": "256Mi", "pods": "1", "requests.example.com/gpu": "0",
    });
    uses(&client, &namespace, "q", &expected).await
}

pub(crate) async fn scopes(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let pods = format!("/api/v1/namespaces/{namespace}/pods");
    for (name, scope) in [("short", "Terminating"), ("long", "NotTerminating"), ("best", "BestEffort")] {
        let most = if name == "long" { "9" } else { "1" };
        quota(&client, &namespace, name, json!({"hard": {"pods": most}, "scopes": [scope]})).await?;
    }
    let classes = json!({"matchExpressions": [
        {"scopeName": "PriorityClass", "operator": "In", "values": ["system-cluster-critical"]},
    ]});
    let spec = json!({"hard": {"pods": "0"}, "scopeSelector": classes});
    quota(&client, &namespace, "critical", spec).await?;
    post(&client, &pods, &pod("one", json!({"activeDeadlineSeconds": 60}))).await?.accepted()?;
    for (name, count) in [("short", "1"), ("long", "0"), ("best", "1"), ("critical", "0")] {
        uses(&client, &namespace, name, &json!({"pods": count})).await?;
    }
    let requests = json!({"requests": {"cpu": "1m"}});
    let burstable = |name: &str, more: Value| {
        let mut spec = more;
        spec["containers"] = json!([container("a", &requests)]);
        pod(name, spec)
    };
    post(&client, &pods, &pod("two", json!({}))).await?.refused(
        403,
        "pods \"two\" is forbidden: exceeded quota: best, requested: pods=1, used: pods=1, limited: pods=1",
    )?;
    post(&client, &pods, &burstable("two", json!({}))).await?.accepted()?;
    post(&client, &pods, &burstable("three", json!({"priorityClassName": "system-cluster-critical"})))
        .await?
        .refused(
            403,
            "pods \"three\" is forbidden: exceeded quota: critical, requested: pods=1, used: pods=0, limited: pods=0",
        )?;
    // A deadline moves a pod to another scope, which is full.
    patch(&client, &format!("{pods}/two"), &json!({"spec": {"activeDeadlineSeconds": 5}})).await?.refused(
        403,
        "pods \"two\" is forbidden: exceeded quota: short, requested: pods=1, used: pods=1, limited: pods=1",
    )
}

pub(crate) async fn services(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let hard = json!({"services": "2", "services.nodeports": "1", "services.loadbalancers": "0"});
    quota(&client, &namespace, "q", json!({"hard": hard})).await?;
    let services = format!("/api/v1/namespaces/{namespace}/services");
    let service = json!({"metadata": {"name": "s"}, "spec": {"ports": [
        {"name": "a", "port": 80}, {"name": "b", "port": 81},
    ]}});
    post(&client, &services, &service).await?.accepted()?;
    let path = format!("{services}/s");
    patch(&client, &path, &json!({"spec": {"type": "NodePort"}})).await?.refused(
        403,
        "services \"s\" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: \
         services.nodeports=0, limited: services.nodeports=1",
    )?;
    let one = json!({"spec": {"type": "NodePort", "ports": [{"name": "a", "port": 80}]}});
    patch(&client, &path, &one).await?.accepted()?;
    let used = json!({"services": "1", "services.nodeports": "1", "services.loadbalancers": "0"});
    uses(&client, &namespace, "q", &used).await?;
    let balancer =
        json!({"metadata": {"name": "l"}, "spec": {"type": "LoadBalancer", "ports": [{"port": 80}]}});
    post(&client, &services, &balancer).await?.refused(
        403,
        "services \"l\" is forbidden: exceeded quota: q, requested: services.loadbalancers=1,services.nodeports=1, \
         used: services.loadbalancers=0,services.nodeports=1, limited: \
         services.loadbalancers=0,services.nodeports=1",
    )?;
    let internal = json!({"spec": {
        "type": "ClusterIP", "ports": [{"name": "a", "port": 80}], "externalTrafficPolicy": null,
    }});
    patch(&client, &path, &internal).await?.accepted()?;
    let used = json!({"services": "1", "services.nodeports": "0", "services.loadbalancers": "0"});
    will_use(&client, &namespace, "q", &used).await
}

pub(crate) async fn storage(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let hard = json!({
        "persistentvolumeclaims": "2", "requests.storage": "10Gi",
        "gold.storageclass.storage.k8s.io/requests.storage": "1Gi",
        "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
    });
    quota(&client, &namespace, "q", json!({"hard": hard})).await?;
    let claims = format!("/api/v1/namespaces/{namespace}/persistentvolumeclaims");
    let claim = |name: &str, class: &str, size: &str| {
        json!({"metadata": {"name": name}, "spec": {
            "accessModes": ["ReadWriteOnce"], "storageClassName": class, "resources": {"requests": {"storage": size}},
        }})
    };
    post(&client, &claims, &claim("a", "gold", "2Gi")).await?.refused(
        403,
        "persistentvolumeclaims \"a\" is forbidden: exceeded quota: q, requested: \
         gold.storageclass.storage.k8s.io/requests.storage=2Gi, used: \
         gold.storageclass.storage.k8s.io/requests.storage=0, limited: \
         gold.storageclass.storage.k8s.io/requests.storage=1Gi",
    )?;
    post(&client, &claims, &claim("a", "gold", "1Gi")).await?.accepted()?;
    post(&client, &claims, &claim("b", "iron", "2Gi")).await?.accepted()?;
    let used = json!({
        "persistentvolumeclaims": "2", "requests.storage": "3Gi",
        "gold.storageclass.storage.k8s.io/requests.storage": "1Gi",
        "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
    });
    uses(&client, &namespace, "q", &used).await?;
    post(&client, &claims, &claim("c", "iron", "8Gi")).await?.refused(
        403,
        "persistentvolumeclaims \"c\" is forbidden: exceeded quota: q, requested: \
         persistentvolumeclaims=1,requests.storage=8Gi, used: persistentvolumeclaims=2,requests.storage=3Gi, \
         limited: persistentvolumeclaims=2,requests.storage=10Gi",
    )
}

pub(crate) async fn custom_resources(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let group = format!("{namespace}.example.com");
    let definition = json!({
        "metadata": {"name": format!("gears.{group}")},
        "spec": {
            "group": group, "scope": "Namespaced", "names": {"plural": "gears", "kind": "Gear"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {
                "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            }}],
        },
    });
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    post(&client, definitions, &definition).await?.accepted()?;
    let name = format!("count/gears.{group}");
    let path = format!("/api/v1/namespaces/{namespace}/resourcequotas");
    let hard = json!({name.as_str(): "1"});
    post(&client, &path, &json!({"metadata": {"name": "q"}, "spec": {"hard": hard}})).await?.accepted()?;
    let gears = format!("/apis/{group}/v1/namespaces/{namespace}/gears");
    let gear =
        |name: &str| json!({"apiVersion": format!("{group}/v1"), "kind": "Gear", "metadata": {"name": name}});
    // The quota controller of a real cluster looks for new resources twice a minute; until then the limit is unknown,
    // and either nothing is limited or everything is refused.
    if stage.backend() == Backend::Embedded {
        will_use(&client, &namespace, "q", &json!({name.as_str(): "0"})).await?;
        post(&client, &gears, &gear("a")).await?.accepted()?;
        uses(&client, &namespace, "q", &json!({name.as_str(): "1"})).await?;
        post(&client, &gears, &gear("b")).await?.refused(
            403,
            &format!(
                "gears.{group} \"b\" is forbidden: exceeded quota: q, requested: {name}=1, used: {name}=1, limited: \
                 {name}=1"
            ),
        )?;
    } else {
        eventually("the quota's status", || async {
            let status = get(&client, &format!("{path}/q")).await?["status"].clone();
            ensure!(status["hard"] == hard, "{status}");
            Ok(())
        })
        .await?;
        if used(&client, &namespace, "q").await?.is_null() {
            let unknown =
                format!("gears.{group} \"a\" is forbidden: status unknown for quota: q, resources: {name}");
            post(&client, &gears, &gear("a")).await?.refused(403, &unknown)?;
        }
    }
    delete(&client, &format!("{definitions}/gears.{group}")).await
}
