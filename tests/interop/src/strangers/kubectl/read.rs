//! Reading: get in its forms, describe, events.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::objects::config_map;
use super::{Check, Kubectl, NAMESPACE, PATIENCE, has, same};

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("get as a table", get_table),
    ("get -o wide", get_wide),
    ("get -o yaml", get_yaml),
    ("get -o json", get_json),
    ("get -o custom-columns", get_custom_columns),
    ("get -o jsonpath", get_jsonpath),
    ("get by selectors", get_selectors),
    ("get of several kinds", get_several),
    ("get in chunks", get_chunks),
    ("get what is missing", get_missing),
    ("get -w", get_watch),
    ("describe", describe),
    ("events", events),
];

fn get_table(kubectl: &Kubectl) -> Result<()> {
    has(
        &kubectl.run(&["get", "pods"])?,
        &["NAME", "READY", "STATUS", "RESTARTS", "AGE", "one", "0/1", "Pending"],
    )?;
    has(&kubectl.run(&["get", "deployments"])?, &["UP-TO-DATE", "AVAILABLE", "web"])?;
    has(&kubectl.run(&["get", "services"])?, &["CLUSTER-IP", "EXTERNAL-IP", "front", "80/TCP"])?;
    has(&kubectl.run(&["get", "configmaps", "-A"])?, &["NAMESPACE", "DATA", NAMESPACE])
}

fn get_wide(kubectl: &Kubectl) -> Result<()> {
    has(
        &kubectl.run(&["get", "pods", "-o", "wide"])?,
        &["NODE", "NOMINATED NODE", "READINESS GATES", "<none>"],
    )?;
    let deployments = kubectl.run(&["get", "deployments", "-o", "wide"])?;
    has(&deployments, &["CONTAINERS", "IMAGES", "SELECTOR", "registry.example/app:1", "app=web"])
}

fn get_yaml(kubectl: &Kubectl) -> Result<()> {
    let text = kubectl.run(&["get", "pod", "one", "-o", "yaml"])?;
    has(&text, &["apiVersion: v1\n", "kind: Pod\n", "  name: one\n", "  uid: ", "restartPolicy: Always\n"])?;
    ensure!(!text.contains("managedFields"), "they are shown when asked for");
    Ok(())
}

fn get_json(kubectl: &Kubectl) -> Result<()> {
    let list: Value = serde_json::from_str(&kubectl.run(&["get", "pods", "-o", "json"])?)?;
    same(&list["kind"], &json!("List"))?;
    same(&list["items"][0]["kind"], &json!("Pod"))?;
    same(&list["items"][0]["metadata"]["name"], &json!("one"))
}

fn get_custom_columns(kubectl: &Kubectl) -> Result<()> {
    let columns = "custom-columns=WHO:.metadata.name,WHAT:.spec.containers[*].image";
    let found = kubectl.run(&["get", "pods", "one", "-o", columns])?;
    let cells: Vec<&str> = found.split_whitespace().collect();
    ensure!(cells == ["WHO", "WHAT", "one", "registry.example/app:1"], "{found}");
    Ok(())
}

fn get_jsonpath(kubectl: &Kubectl) -> Result<()> {
    let found = kubectl.run(&["get", "pods", "-o", "jsonpath={.items[*].metadata.name}"])?;
    ensure!(found.split_whitespace().any(|name| name == "one"), "{found}");
    Ok(())
}

fn get_selectors(kubectl: &Kubectl) -> Result<()> {
    let by_label = kubectl.run(&["get", "pods", "-l", "app in (one,two)", "-o", "name"])?;
    ensure!(by_label == "pod/one\n", "{by_label}");
    let by_field =
        kubectl.run(&["get", "configmaps", "--field-selector=metadata.name=made", "-o", "name"])?;
    ensure!(by_field == "configmap/made\n", "{by_field}");
    Ok(())
}

fn get_several(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["get", "po,deploy,cm"])?, &["pod/one", "deployment.apps/web", "configmap/made"])?;
    has(
        &kubectl.run(&["get", "all"])?,
        &["pod/one", "service/front", "deployment.apps/web", "cronjob.batch/nightly"],
    )
}

fn get_chunks(kubectl: &Kubectl) -> Result<()> {
    let whole = kubectl.run(&["get", "configmaps", "-o", "name", "--chunk-size=0"])?;
    let chunks = kubectl.run(&["get", "configmaps", "-o", "name", "--chunk-size=1"])?;
    ensure!(whole == chunks && whole.lines().count() > 2, "{whole} and {chunks}");
    Ok(())
}

fn get_missing(kubectl: &Kubectl) -> Result<()> {
    let error = kubectl.refused(&["get", "pod", "nobody"], "")?;
    has(&error, &["Error from server (NotFound): pods \"nobody\" not found"])?;
    has(
        &kubectl.refused(&["get", "nonsense"], "")?,
        &["the server doesn't have a resource type \"nonsense\""],
    )
}

fn get_watch(kubectl: &Kubectl) -> Result<()> {
    let mut command =
        kubectl.command(&["get", "configmaps", "-l", "watched=yes", "-w", "--output-watch-events"]);
    let mut watching = Ending(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?);
    let printed = watching.0.stdout.take().context("kubectl has no output")?;
    let (lines, received) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(printed).lines().map_while(Result::ok) {
            if lines.send(line).is_err() {
                break;
            }
        }
    });
    let mut object = config_map("watched", &json!({"a": "1"}));
    object["metadata"]["labels"] = json!({"watched": "yes"});
    kubectl.create(&object)?;
    kubectl.run(&["patch", "configmap", "watched", "-p", r#"{"data":{"a":"2"}}"#])?;
    kubectl.run(&["delete", "configmap", "watched"])?;
    let mut seen = Vec::new();
    while !seen.iter().any(|line: &String| line.starts_with("DELETED")) {
        seen.push(received.recv_timeout(PATIENCE).with_context(|| format!("only {seen:?}"))?);
    }
    // Changes from before the watch began are one ADDED.
    let rows: Vec<Vec<&str>> = seen.iter().map(|line| line.split_whitespace().take(2).collect()).collect();
    let added = rows.iter().any(|row| row == &["ADDED", "watched"]);
    ensure!(added, "{seen:?}");
    Ok(())
}

fn describe(kubectl: &Kubectl) -> Result<()> {
    let found = kubectl.run(&["describe", "pod", "one"])?;
    has(
        &found,
        &[
            "Name:             one",
            "Service Account:  runner",
            "Image:        registry.example/app:1",
            "Events:",
        ],
    )?;
    has(&kubectl.run(&["describe", "deployment", "web"])?, &["StrategyType:", "RollingUpdate", "Selector:"])?;
    has(&kubectl.run(&["describe", "namespace", NAMESPACE])?, &["Status:       Active", "limits"])?;
    has(&kubectl.run(&["describe", "service", "front"])?, &["TargetPort:", "8080/TCP"])?;
    has(&kubectl.run(&["describe", "role", "reader"])?, &["pods", "[get list]"])?;
    let cron = kubectl.run(&["describe", "cronjob", "nightly"])?;
    has(&cron, &["Schedule:", "0 3 * * *", "Concurrency Policy:", "Allow"])
}

fn events(kubectl: &Kubectl) -> Result<()> {
    let uid = kubectl.at("pod/one", "/metadata/uid")?;
    kubectl.create(&json!({
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": "one.happened", "namespace": NAMESPACE},
        "involvedObject": {"apiVersion": "v1", "kind": "Pod", "name": "one", "namespace": NAMESPACE, "uid": uid},
        "type": "Normal", "reason": "Happened", "message": "something did", "count": 1,
    }))?;
    has(&kubectl.run(&["events", "--for", "pod/one"])?, &["Normal", "Happened", "Pod/one", "something did"])?;
    has(&kubectl.run(&["get", "events"])?, &["LAST SEEN", "pod/one", "something did"])?;
    has(&kubectl.run(&["describe", "pod", "one"])?, &["something did"])
}

/// Ends a process that would run forever.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
