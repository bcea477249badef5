//! Tables: the columns of each list, and the cells of kinds whose cells are computed.

use anyhow::{Context, Result, ensure};
use client_rs_tests::{Stage, eventually};
use http::Method;
use http::header::ACCEPT;
use serde_json::{Value, json};

use super::http::{Http, MERGE_PATCH};

const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

/// The columns of each list, as the real server has them.
const RECORDED: &str = include_str!("tables.txt");

async fn table(http: &Http, path: &str) -> Result<Value> {
    http.send(Method::GET, path, &[(ACCEPT, TABLE)], "").await?.ok(200).with_context(|| path.to_owned())
}

pub(super) async fn columns(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let mut different = Vec::new();
    let lines = RECORDED.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines {
        let (path, expected) = line.split_once(": ").context("a line is `path: columns`")?;
        let found = table(&http, &format!("{path}?limit=1")).await?;
        let definitions = found["columnDefinitions"].as_array().context("no columns")?;
        let shown: Vec<String> = definitions.iter().map(definition).collect();
        let shown = shown.join(", ");
        if shown != expected {
            different.push(format!("{path}\n  has {shown}\n  not {expected}"));
        }
    }
    ensure!(different.is_empty(), "{}", different.join("\n"));
    Ok(())
}

/// A column: name, type, format if it has one, and `*` if it is only shown with `-o wide`.
fn definition(column: &Value) -> String {
    let text = |field: &str| column[field].as_str().unwrap_or_default();
    let format = Some(text("format")).filter(|format| !format.is_empty());
    let format = format.map(|format| format!("({format})")).unwrap_or_default();
    let wide = if column["priority"] == 0 { "" } else { "*" };
    format!("{} {}{format}{wide}", text("name"), text("type"))
}

/// Objects with the cells that the real server shows. A cell of `null` is not compared: it has an age or a time.
#[allow(clippy::too_many_lines, reason = "it is a table")]
fn examples(namespace: &str) -> Vec<(String, Value, Value)> {
    let core = format!("/api/v1/namespaces/{namespace}");
    let named = |name: &str| format!("{namespace}-{name}");
    let info = json!({
        "kubeletVersion": "v1", "osImage": "os", "kernelVersion": "6.1", "containerRuntimeVersion": "c://1",
        "architecture": "amd64", "machineID": "", "systemUUID": "", "bootID": "", "operatingSystem": "linux",
        "kubeProxyVersion": "",
    });
    let addresses =
        json!([{"type": "InternalIP", "address": "10.0.0.9"}, {"type": "ExternalIP", "address": "1.2.3.4"}]);
    let roles = json!({"node-role.kubernetes.io/control-plane": "", "kubernetes.io/role": "extra"});
    vec![
        (
            "/api/v1/nodes".to_owned(),
            json!({
                "metadata": {"name": named("full"), "labels": roles}, "spec": {"unschedulable": true},
                "status": {"nodeInfo": info, "addresses": addresses, "conditions": [{"type": "Ready", "status": "True"}]},
            }),
            json!([
                named("full"),
                "Ready,SchedulingDisabled",
                "control-plane,extra",
                null,
                "v1",
                "10.0.0.9",
                "1.2.3.4",
                "os",
                "6.1 (amd64)",
                "c://1"
            ]),
        ),
        (
            "/api/v1/nodes".to_owned(),
            json!({"metadata": {"name": named("empty")}}),
            json!([
                named("empty"),
                "Unknown",
                "<none>",
                null,
                "",
                "<none>",
                "<none>",
                "<unknown>",
                "<unknown>",
                "<unknown>"
            ]),
        ),
        (
            format!("{core}/secrets"),
            json!({"metadata": {"name": "s"}, "data": {"a": "YQ=="}}),
            json!(["s", "Opaque", 1, null]),
        ),
        (
            format!("{core}/services"),
            json!({"metadata": {"name": "s"}, "spec": {"clusterIP": "None", "externalIPs": ["9.9.9.9"], "ports": [{"port": 1}]}}),
            json!(["s", "ClusterIP", "None", "9.9.9.9", "1/TCP", null, "<none>"]),
        ),
        (
            format!("/apis/events.k8s.io/v1/namespaces/{namespace}/events"),
            json!({
                "metadata": {"name": "e"}, "regarding": {"kind": "Pod", "name": "p", "namespace": namespace}, "reason": "R",
                "note": " n ", "type": "Normal", "action": "a", "eventTime": "2020-01-01T00:00:00.000000Z",
                "reportingController": "x/c", "reportingInstance": "i",
            }),
            json!([null, "Normal", "R", "pod/p", "", "x/c, i", "n", null, 1, "e"]),
        ),
        (
            "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations".to_owned(),
            json!({
                "metadata": {"name": named("queues")},
                "spec": {"type": "Limited", "limited": {"nominalConcurrencyShares": 5, "limitResponse": {
                    "type": "Queue", "queuing": {"queues": 8, "handSize": 2, "queueLengthLimit": 10},
                }}},
            }),
            json!([named("queues"), "Limited", 5, 8, 2, 10, null]),
        ),
        (
            "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations".to_owned(),
            json!({
                "metadata": {"name": named("refuses")},
                "spec": {"type": "Limited", "limited": {"nominalConcurrencyShares": 5, "limitResponse": {"type": "Reject"}}},
            }),
            json!([named("refuses"), "Limited", 5, "<none>", "<none>", "<none>", null]),
        ),
        (
            "/apis/resource.k8s.io/v1/devicetaintrules".to_owned(),
            json!({
                "metadata": {"name": named("taint")},
                "spec": {"taint": {"key": "a/b", "value": "v", "effect": "NoSchedule", "timeAdded": "2020-01-01T00:00:00Z"}},
            }),
            json!([named("taint"), "a/b", "v", "NoSchedule", null, null]),
        ),
        (
            "/apis/storage.k8s.io/v1/storageclasses".to_owned(),
            json!({"metadata": {"name": named("class")}, "provisioner": "a/b", "allowVolumeExpansion": true}),
            json!([named("class"), "a/b", "Delete", "Immediate", true, null]),
        ),
        (
            "/apis/storagemigration.k8s.io/v1/storageversionmigrations".to_owned(),
            json!({"metadata": {"name": named("migration")}, "spec": {"resource": {"group": "nowhere.example.com", "resource": "things"}}}),
            json!([named("migration"), "things.nowhere.example.com", null]),
        ),
        (
            format!("/apis/batch/v1/namespaces/{namespace}/cronjobs"),
            json!({
                "metadata": {"name": "c"},
                "spec": {"schedule": "0 0 1 1 *", "timeZone": "UTC", "suspend": true, "jobTemplate": {"spec": {"template": {
                    "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]},
                }}}},
            }),
            json!(["c", "0 0 1 1 *", "UTC", "True", 0, "<none>", null, "c", "i", "<none>"]),
        ),
    ]
}

pub(super) async fn cells(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    for (path, object, expected) in examples(&namespace) {
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        http.post(&path, &object).await?.ok(201).with_context(|| object.to_string())?;
        let one = format!("{path}/{name}");
        if name.ends_with("-full") {
            // A new node has no addresses of its own choice on every server.
            http.patch(&format!("{one}/status"), MERGE_PATCH, &json!({"status": object["status"]}))
                .await?
                .ok(200)?;
        }
        let found = table(&http, &one).await?;
        let found = found["rows"][0]["cells"].as_array().context("no cells")?;
        let expected = expected.as_array().context("a list")?;
        let same = found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, cell)| cell.is_null() || found == cell);
        ensure!(same, "{path}\n  has {}\n  not {}", json!(found), json!(expected));
        http.delete(&one).await?;
    }
    Ok(())
}

/// The table of definitions, which the server for extensions makes by itself.
pub(super) async fn definitions(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let group = format!("{}.example.com", stage.namespace().await?);
    let version = |name: &str, served: bool, storage: bool| json!({"name": name, "served": served, "storage": storage, "schema": {"openAPIV3Schema": {"type": "object"}}});
    let name = format!("shown.{group}");
    let object = json!({"metadata": {"name": name}, "spec": {
        "group": group, "scope": "Cluster",
        "names": {"plural": "shown", "kind": "Shown", "shortNames": ["sh", "own"]},
        "versions": [version("v2", true, true), version("v1", true, false), version("v0", false, false)],
    }});
    let all = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    http.post(all, &object).await?.ok(201)?;
    let one = format!("{all}/{name}");
    eventually("the definition is established", || async {
        let shown = table(&http, &one).await?;
        let cells = &shown["rows"][0]["cells"];
        let before = [&cells[0], &cells[1], &cells[2], &cells[4], &cells[5], &cells[6]];
        let expected = [
            json!(name),
            json!("Cluster"),
            json!("v1,v2(storage)"),
            json!(group),
            json!("Shown"),
            json!("sh,own"),
        ];
        ensure!(before.into_iter().eq(&expected), "{cells}");
        ensure!(cells[7] == true, "{cells}");
        Ok(())
    })
    .await?;
    http.delete(&one).await?.ok(200)?;
    Ok(())
}
