//! The validation of statuses and of other subresources.

use anyhow::{Context as _, Result, ensure};
use client_rs_tests::Stage;
use serde_json::{Value, json};

use super::http::{Http, MERGE_PATCH};

const NEGATIVE: &str = "must be greater than or equal to 0";

/// A patch that the server refuses with these errors.
async fn refuses(http: &Http, path: &str, change: Value, why: &str) -> Result<()> {
    let answer = http.patch(path, MERGE_PATCH, &change).await?;
    answer.refuses(422, why).with_context(|| format!("{path} {change}"))
}

async fn accepts(http: &Http, path: &str, change: Value) -> Result<Value> {
    http.patch(path, MERGE_PATCH, &change).await?.ok(200).with_context(|| format!("{path} {change}"))
}

async fn create(http: &Http, path: &str, spec: Value) -> Result<()> {
    http.post(path, &json!({"metadata": {"name": "x"}, "spec": spec})).await?.ok(201)?;
    Ok(())
}

fn negative(fields: &[&str]) -> (Value, Vec<String>) {
    let status: serde_json::Map<String, Value> =
        fields.iter().map(|field| ((*field).to_owned(), json!(-1))).collect();
    let errors = fields.iter().map(|field| format!("status.{field}: Invalid value: -1: {NEGATIVE}"));
    (json!({"status": status}), errors.collect())
}

pub(super) async fn ephemeral_containers(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let pods = format!("/api/v1/namespaces/{}/pods", stage.namespace().await?);
    let container = json!({"name": "c", "image": "i"});
    create(&http, &pods, json!({"containers": [container], "initContainers": [{"name": "i", "image": "i"}]}))
        .await?;
    let path = format!("{pods}/x/ephemeralcontainers");
    let of = |containers: &[Value]| json!({"spec": {"ephemeralContainers": containers}});
    let with = |field: &str, value: Value| {
        let mut container = json!({"name": "e", "image": "i"});
        container[field] = value;
        container
    };
    let good = with("targetContainerName", json!("c"));
    let forbidden = |field: &str| {
        format!("spec.ephemeralContainers[0].{field}: Forbidden: cannot be set for an Ephemeral Container")
    };
    for (containers, why) in [
        (vec![json!({"image": "i"})], "spec.ephemeralContainers[0].name: Required value".to_owned()),
        (vec![json!({"name": "e"})], "spec.ephemeralContainers[0].image: Required value".to_owned()),
        (
            vec![with("name", json!("i"))],
            "spec.ephemeralContainers[0].name: Duplicate value: \"i\"".to_owned(),
        ),
        (
            vec![good.clone(), good.clone()],
            "spec.ephemeralContainers[1].name: Duplicate value: \"e\"".to_owned(),
        ),
        (
            vec![with("targetContainerName", json!("z"))],
            "spec.ephemeralContainers[0].targetContainerName: Not found: \"z\"".to_owned(),
        ),
        (vec![with("ports", json!([{"containerPort": 80}]))], forbidden("ports")),
        (vec![with("livenessProbe", json!({"exec": {"command": ["x"]}}))], forbidden("livenessProbe")),
        (vec![with("resources", json!({"requests": {"cpu": "1"}}))], forbidden("resources")),
        (vec![with("restartPolicy", json!("Always"))], forbidden("restartPolicy")),
    ] {
        refuses(&http, &path, of(&containers), &why).await?;
    }
    let pod = accepts(&http, &path, of(std::slice::from_ref(&good))).await?;
    ensure!(pod["metadata"]["generation"] == 2, "{}", pod["metadata"]);
    let more = json!({"name": "f", "image": "i"});
    accepts(&http, &path, of(&[more.clone(), good.clone()])).await?;
    let removed =
        "spec.ephemeralContainers: Forbidden: existing ephemeral containers \"e\" may not be removed\n";
    refuses(&http, &path, of(&[more]), removed).await?;
    let mut other = good.clone();
    other["image"] = json!("other");
    let changed = http.patch(&path, MERGE_PATCH, &of(&[other])).await?.ok(422)?;
    let message = changed["message"].as_str().unwrap_or_default();
    ensure!(message.contains("existing ephemeral containers \"e\" may not be changed\n"), "{message}");
    let early = json!({"metadata": {"name": "y"}, "spec": {"containers": [container], "ephemeralContainers": [good]}});
    http.refused(&pods, &early, "spec.ephemeralContainers: Forbidden: cannot be set on create").await
}

pub(super) async fn resizes(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let pods = format!("/api/v1/namespaces/{}/pods", stage.namespace().await?);
    let of = |cpu: &str, memory: &str| json!({"requests": {"cpu": cpu, "memory": "64Mi"}, "limits": {"cpu": "200m", "memory": memory}});
    let with = |resources: Value| json!({"name": "c", "image": "i", "resources": resources});
    create(&http, &pods, json!({"containers": [with(of("100m", "128Mi"))]})).await?;
    let path = format!("{pods}/x/resize");
    let change = |containers: &[Value]| json!({"spec": {"containers": containers}});
    let resources = "spec.containers[0].resources";
    let mut storage = of("100m", "128Mi");
    storage["requests"]["ephemeral-storage"] = json!("1Gi");
    let mut policy = with(of("100m", "128Mi"));
    policy["resizePolicy"] = json!([{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]);
    let only = "spec: Forbidden: only cpu and memory resources are mutable";
    for (containers, why) in [
        (
            vec![with(of("300m", "128Mi"))],
            format!(
                "{resources}.requests: Invalid value: \"300m\": must be less than or equal to cpu limit of 200m"
            ),
        ),
        (
            vec![with(json!({}))],
            format!(
                "[spec: Invalid value: \"Burstable\": Pod QOS Class may not change as a result of resizing, \
                 {resources}.requests: Forbidden: resource requests cannot be removed, \
                 {resources}.limits: Forbidden: resource limits cannot be removed]"
            ),
        ),
        (vec![with(storage)], only.to_owned()),
        (vec![policy], only.to_owned()),
        (
            vec![with(of("100m", "128Mi")), json!({"name": "d", "image": "i"})],
            "spec.containers: Forbidden: containers may not be added or removed on resize".to_owned(),
        ),
        (
            vec![json!({"name": "d", "image": "i"})],
            "[spec: Invalid value: \"Burstable\": Pod QOS Class may not change as a result of resizing, \
             spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize]"
                .to_owned(),
        ),
    ] {
        refuses(&http, &path, change(&containers), &why).await?;
    }
    let mut image = with(of("150m", "256Mi"));
    image["image"] = json!("other");
    let pod = accepts(&http, &path, change(&[image])).await?;
    let found = &pod["spec"]["containers"][0];
    ensure!(found["image"] == "i" && found["resources"] == of("150m", "256Mi"), "{found}");
    // The node has to be able to resize what it runs.
    let status = json!({"name": "c", "ready": true, "restartCount": 0, "image": "i", "imageID": "", "state": {"running": {}}});
    let runs = json!({"status": {"containerStatuses": [status]}});
    accepts(&http, &format!("{pods}/x/status"), runs).await?;
    let why = "spec: Forbidden: Pod running on node without support for resize";
    refuses(&http, &path, change(&[with(of("100m", "128Mi"))]), why).await
}

pub(super) async fn pods(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let pods = format!("/api/v1/namespaces/{}/pods", stage.namespace().await?);
    create(&http, &pods, json!({"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}))
        .await?;
    let path = format!("{pods}/x/status");
    let of = |field: &str, value: Value| json!({"status": {field: value}});
    let ip = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    let claim = "must match the name of an entry in `spec.resourceClaims`";
    for (change, why) in [
        (of("podIP", json!("x")), format!("status.podIPs[0]: Invalid value: \"x\": {ip}")),
        (
            of("podIPs", json!([{"ip": "10.0.0.1"}, {"ip": "10.0.0.2"}])),
            "status.podIPs: Invalid value: [{\"IP\":\"10.0.0.1\"},{\"IP\":\"10.0.0.2\"}]: may specify no more than one IP for \
             each IP family"
                .to_owned(),
        ),
        (
            of("hostIPs", json!([{"ip": "10.0.0.1"}])),
            "status.hostIPs[0].ip: Invalid value: \"10.0.0.1\": must be equal to `hostIP`".to_owned(),
        ),
        (
            of("resourceClaimStatuses", json!([{"name": "x"}])),
            format!("status.resourceClaimStatuses[0].name: Invalid value: \"x\": {claim}"),
        ),
        (
            of("observedGeneration", json!(-1)),
            "status.observedGeneration: Invalid value: -1: must be a non-negative integer".to_owned(),
        ),
        (
            of("qosClass", json!("Guaranteed")),
            "status.qosClass: Invalid value: \"Guaranteed\": field is immutable".to_owned(),
        ),
    ] {
        refuses(&http, &path, change, &why).await?;
    }
    // The first address has a field of its own.
    let pod = accepts(&http, &path, of("podIP", json!("10.0.0.1"))).await?;
    ensure!(pod["status"]["podIPs"] == json!([{"ip": "10.0.0.1"}]), "{}", pod["status"]);
    let pod =
        accepts(&http, &path, json!({"status": {"podIP": null, "podIPs": [{"ip": "10.0.0.2"}]}})).await?;
    ensure!(pod["status"]["podIP"] == "10.0.0.2", "{}", pod["status"]);
    // The container does not start again.
    let of = |state: Value| {
        let status = json!({"name": "c", "ready": false, "restartCount": 0, "image": "i", "imageID": "", "state": state});
        json!({"status": {"containerStatuses": [status]}})
    };
    accepts(&http, &path, of(json!({"terminated": {"exitCode": 1}}))).await?;
    let why = "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state";
    refuses(&http, &path, of(json!({"running": {}})), why).await
}

pub(super) async fn counts(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let namespace = stage.namespace().await?;
    let template =
        json!({"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}});
    let selector = json!({"matchLabels": {"a": "b"}});
    let apps = format!("/apis/apps/v1/namespaces/{namespace}");
    let core = format!("/api/v1/namespaces/{namespace}");
    let spec = json!({"replicas": 0, "selector": selector, "template": template});
    let mut set = spec.clone();
    set["serviceName"] = json!("x");
    let mut controller = spec.clone();
    controller["selector"] = json!({"a": "b"});
    let daemons = json!({"selector": selector, "template": template});
    for (path, spec) in [
        (format!("{apps}/deployments"), spec.clone()),
        (format!("{apps}/replicasets"), spec),
        (format!("{apps}/statefulsets"), set),
        (format!("{apps}/daemonsets"), daemons),
        (format!("{core}/replicationcontrollers"), controller),
    ] {
        create(&http, &path, spec).await?;
    }
    let more = |field: &str, value: i64, than: &str| {
        format!("status.{field}: Invalid value: {value}: cannot be greater than {than}")
    };
    let status =
        json!({"status": {"replicas": 1, "updatedReplicas": 1, "readyReplicas": 2, "availableReplicas": 3}});
    let of = "status.replicas";
    let both = [more("readyReplicas", 2, of), more("availableReplicas", 3, of)].join(", ");
    let available = |ready: &str| more("availableReplicas", 3, ready);
    for (path, ready) in [
        (format!("{apps}/deployments"), "readyReplicas"),
        (format!("{apps}/replicasets"), "readyReplicas"),
        (format!("{apps}/statefulsets"), "status.readyReplicas"),
        (format!("{core}/replicationcontrollers"), "readyReplicas"),
    ] {
        let why = format!("[{both}, {}]", available(ready));
        refuses(&http, &format!("{path}/x/status"), status.clone(), &why).await?;
    }
    let (change, errors) = negative(&[
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount",
    ]);
    let path = format!("{apps}/daemonsets/x/status");
    refuses(&http, &path, change, &format!("[{}]", errors.join(", "))).await?;
    let path = format!("{apps}/deployments/x/status");
    accepts(&http, &path, json!({"status": {"collisionCount": 5}})).await?;
    let why = |value: i64| format!("status.collisionCount: Invalid value: {value}: cannot be decremented");
    refuses(&http, &path, json!({"status": {"collisionCount": 4}}), &why(4)).await?;
    let scale = format!("{apps}/deployments/x/scale");
    let scaled = http.patch(&scale, MERGE_PATCH, &json!({"spec": {"replicas": -1}})).await?.ok(422)?;
    let expected =
        format!("Scale.autoscaling \"x\" is invalid: spec.replicas: Invalid value: -1: {NEGATIVE}");
    ensure!(scaled["message"] == expected.as_str(), "{scaled}");
    Ok(())
}

pub(super) async fn jobs(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let jobs = format!("/apis/batch/v1/namespaces/{}/jobs", stage.namespace().await?);
    let pod = json!({"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]});
    create(
        &http,
        &jobs,
        json!({"suspend": true, "managedBy": "example.com/nobody", "template": {"spec": pod}}),
    )
    .await?;
    let path = format!("{jobs}/x/status");
    let holds =
        |kinds: &[&str]| kinds.iter().map(|kind| json!({"type": kind, "status": "True"})).collect::<Vec<_>>();
    let (start, end) = ("2026-01-02T00:00:00Z", "2026-01-02T00:01:00Z");
    let conditions = |why: &str| format!("status.conditions: Invalid value: {why}");
    let no_criteria =
        conditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
    let no_target = conditions("cannot set Failed=True condition without the FailureTarget=true condition");
    let done = holds(&["SuccessCriteriaMet", "Complete"]);
    for (status, why) in [
        (json!({"active": 1, "ready": 2}), "status.ready: Invalid value: 2: cannot set more ready pods than active".to_owned()),
        (
            json!({"completionTime": end}),
            format!("status.completionTime: Invalid value: {end:?}: cannot set completionTime when there is no Complete=True condition"),
        ),
        (
            json!({"conditions": holds(&["Complete"])}),
            format!(
                "[status.completionTime: Required value: completionTime is required for Complete jobs, {no_criteria}, \
                 status.startTime: Required value: startTime is required for finished job]"
            ),
        ),
        (
            json!({"startTime": start, "completionTime": end, "conditions": holds(&["Complete", "Failed"])}),
            format!("[{}, {no_target}, {no_criteria}]", conditions("cannot set Complete=True and Failed=true conditions")),
        ),
        (
            json!({"startTime": end, "completionTime": start, "conditions": done}),
            format!("status.completionTime: Invalid value: {start:?}: must be equal to or after `startTime`"),
        ),
        (
            json!({"completedIndexes": "1", "failedIndexes": "2"}),
            "[status.completedIndexes: Invalid value: \"1\": error parsing completedIndexes: too large index: \"1\", \
             status.completedIndexes: Invalid value: \"1\": cannot set non-empty completedIndexes when non-indexed completion \
             mode, status.failedIndexes: Invalid value: \"2\": cannot set non-null failedIndexes when backoffLimitPerIndex is null]"
                .to_owned(),
        ),
        (
            json!({"uncountedTerminatedPods": {"succeeded": ["a", "a"], "failed": ["a", ""]}}),
            "[status.uncountedTerminatedPods.succeeded[1]: Duplicate value: \"a\", \
             status.uncountedTerminatedPods.failed[0]: Duplicate value: \"a\", \
             status.uncountedTerminatedPods.failed[1]: Invalid value: \"\": must not be empty]"
                .to_owned(),
        ),
        (
            json!({"conditions": holds(&["FailureTarget", "SuccessCriteriaMet"])}),
            conditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"),
        ),
    ] {
        refuses(&http, &path, json!({"status": status}), &why).await?;
    }
    let good = json!({"startTime": start, "completionTime": end, "succeeded": 1, "conditions": done});
    accepts(&http, &path, json!({"status": good})).await?;
    for (status, why) in [
        (
            json!({"succeeded": 0}),
            "status.succeeded: Invalid value: 0: cannot decrease the succeeded counter".to_owned(),
        ),
        (
            json!({"completionTime": start}),
            format!("status.completionTime: Invalid value: {start:?}: field is immutable"),
        ),
        (
            json!({"conditions": holds(&["SuccessCriteriaMet"])}),
            format!(
                "[status.completionTime: Invalid value: {end:?}: cannot set completionTime when there is no Complete=True \
                 condition, {}]",
                conditions("cannot disable the terminal Complete=True condition")
            ),
        ),
    ] {
        refuses(&http, &path, json!({"status": status}), &why).await?;
    }
    Ok(())
}

pub(super) async fn others(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let namespace = stage.namespace().await?;
    let core = format!("/api/v1/namespaces/{namespace}");
    let phase =
        "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty";
    refuses(&http, &format!("{core}/status"), json!({"status": {"phase": "Terminating"}}), phase).await?;
    let finalize = json!({"metadata": {"name": namespace}, "spec": {"finalizers": ["kubernetes", "plain"]}});
    let why = "spec.finalizers[1]: Invalid value: \"plain\": name is neither a standard finalizer name nor is it fully qualified";
    http.put(&format!("{core}/finalize"), &finalize).await?.refuses(422, why)?;

    let services = format!("{core}/services");
    create(&http, &services, json!({"ports": [{"port": 80}]})).await?;
    let of = |points: Value| json!({"status": {"loadBalancer": {"ingress": points}}});
    let why = "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'";
    refuses(&http, &format!("{services}/x/status"), of(json!([{"ip": "192.0.2.1"}])), why).await?;
    accepts(&http, &format!("{services}/x"), json!({"spec": {"type": "LoadBalancer"}})).await?;
    let ip = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    let points = json!([{"ip": "x"}, {"ip": "192.0.2.1", "ipMode": "Nope"}, {"hostname": "a.b", "ipMode": "VIP"}, {"hostname": "1.2.3.4"}]);
    let why = format!(
        "[status.loadBalancer.ingress[0].ip: Invalid value: \"x\": {ip}, \
         status.loadBalancer.ingress[1].ipMode: Unsupported value: \"Nope\": supported values: \"Proxy\", \"VIP\", \
         status.loadBalancer.ingress[2].ipMode: Forbidden: may not be specified when `ip` is not set, \
         status.loadBalancer.ingress[3].hostname: Invalid value: \"1.2.3.4\": must be a DNS name, not an IP address]"
    );
    refuses(&http, &format!("{services}/x/status"), of(points), &why).await?;

    let ingresses = format!("/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses");
    create(&http, &ingresses, json!({"defaultBackend": {"service": {"name": "a", "port": {"number": 1}}}}))
        .await?;
    let why = format!("status.loadBalancer.ingress[0].ip: Invalid value: \"x\": {ip}");
    refuses(&http, &format!("{ingresses}/x/status"), of(json!([{"ip": "x"}])), &why).await?;

    let budgets = format!("/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets");
    create(&http, &budgets, json!({"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}})).await?;
    let (change, errors) =
        negative(&["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"]);
    refuses(&http, &format!("{budgets}/x/status"), change, &format!("[{}]", errors.join(", "))).await?;
    let condition = json!({"type": "Odd", "status": "x", "reason": "1", "lastTransitionTime": null});
    let path = format!("{budgets}/x/status");
    let answer = http.patch(&path, MERGE_PATCH, &json!({"status": {"conditions": [condition]}})).await?;
    let message = answer.ok(422)?["message"].as_str().unwrap_or_default().to_owned();
    for why in [
        "status.conditions[0].status: Unsupported value: \"x\": supported values: \"False\", \"True\", \"Unknown\"",
        "status.conditions[0].lastTransitionTime: Required value",
        "status.conditions[0].reason: Invalid value: \"1\": a condition reason must start with alphabetic character",
    ] {
        ensure!(message.contains(why), "{message}");
    }

    let scalers = format!("/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers");
    let target = json!({"kind": "Deployment", "name": "none", "apiVersion": "apps/v1"});
    create(&http, &scalers, json!({"maxReplicas": 3, "scaleTargetRef": target})).await?;
    let (change, errors) = negative(&["currentReplicas", "desiredReplicas"]);
    refuses(&http, &format!("{scalers}/x/status"), change, &format!("[{}]", errors.join(", "))).await?;

    let quotas = format!("{core}/resourcequotas");
    create(&http, &quotas, json!({"hard": {"pods": "1"}})).await?;
    let why = format!("status.used[pods]: Invalid value: \"-1\": {NEGATIVE}");
    refuses(&http, &format!("{quotas}/x/status"), json!({"status": {"used": {"pods": "-1"}}}), &why).await
}

pub(super) async fn nodes(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let name = format!("node-{:x}", std::process::id());
    http.post("/api/v1/nodes", &json!({"metadata": {"name": name}})).await?.ok(201)?;
    let path = format!("/api/v1/nodes/{name}");
    let status = format!("{path}/status");
    // The capacity is allocatable, unless the node says less.
    let each = ["capacity", "allocatable"]
        .map(|field| format!("status.{field}.cpu: Invalid value: \"-1\": {NEGATIVE}"));
    let why = format!("[{}]", each.join(", "));
    refuses(&http, &status, json!({"status": {"capacity": {"cpu": "-1"}}}), &why).await?;
    let address = json!({"type": "InternalIP", "address": "192.0.2.1"});
    let why = "status.addresses[1]: Duplicate value: {\"Type\":\"InternalIP\",\"Address\":\"192.0.2.1\"}";
    refuses(&http, &status, json!({"status": {"addresses": [address, address]}}), why).await?;
    let why = "spec.podCIDRs[0]: Invalid value: \"x\": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
    refuses(&http, &path, json!({"spec": {"podCIDR": "x"}}), why).await?;
    // The first range has a field of its own.
    let node =
        accepts(&http, &path, json!({"spec": {"podCIDR": "10.1.0.0/24", "providerID": "a://b"}})).await?;
    ensure!(node["spec"]["podCIDRs"] == json!(["10.1.0.0/24"]), "{}", node["spec"]);
    let why = "spec.podCIDRs: Forbidden: node updates may not change podCIDR except from \"\" to valid";
    refuses(&http, &path, json!({"spec": {"podCIDR": "10.2.0.0/24"}}), why).await?;
    for (value, what) in [(json!("a://c"), "modified"), (json!(null), "cleared")] {
        let why = format!("spec.providerID: Invalid value: null: field cannot be {what} once set");
        refuses(&http, &path, json!({"spec": {"providerID": value}}), &why).await?;
    }
    http.delete(&path).await?.ok(200)?;
    Ok(())
}
