//! `cargo xtask record apply`: the real server's responses to server-side apply and similar requests, to compare the
//! embedded one with.
//!
//! The corpus is a list of sequences of requests. A step's request is written by hand; its response is the real
//! server's, without the parts that differ from run to run. `crates/apiserver/tests/api/apply.rs` replays it on the
//! embedded server and reads it the same way: change both together.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::{Context, Result};
use client_rs_testkit::Probe;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::corpus;
use client_rs_tests_tools::Report;

#[derive(Deserialize)]
struct Corpus {
    sequences: Vec<Sequence>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sequence {
    name: String,
    steps: Vec<Step>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    send: Send,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
}

/// A request. Its body is `body`, or `text` unchanged, or the existing object with `edit` merged into it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Send {
    method: String,
    path: String,
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    content_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edit: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

pub(crate) fn run(args: &corpus::How) -> Result<ExitCode> {
    let (path, Corpus { mut sequences }) = corpus::read::<Corpus>("apply")?;
    let (_cluster, probe) = args.server(corpus::still())?;
    let mut report = Report::new("record apply");
    for sequence in &mut sequences {
        let recorded = record(&probe, sequence);
        let outcome = recorded.and_then(|answers| {
            for (at, (step, answer)) in sequence.steps.iter_mut().zip(answers).enumerate() {
                args.keep(&format!("step {at}"), &mut step.answer, answer)?;
            }
            Ok(())
        });
        report.record(&sequence.name, outcome);
    }
    if !args.check {
        // One line per step: a change of one response is a change of one line.
        let mut text = corpus::document("apply", &corpus::server_version(&probe)?) + "\"sequences\":[\n";
        for (at, sequence) in sequences.iter().enumerate() {
            let comma = if at == 0 { "" } else { ",\n" };
            writeln!(text, "{comma}{{\"name\":{},\"steps\":[", json!(sequence.name))?;
            let steps: Vec<String> =
                sequence.steps.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
            text.push_str(&steps.join(",\n"));
            text.push_str("\n]}");
        }
        text.push_str("\n]}\n");
        corpus::write(&path, &text)?;
    }
    Ok(report.finish())
}

fn record(probe: &Probe, sequence: &Sequence) -> Result<Vec<Value>> {
    let mut versions = BTreeMap::new();
    let mut answers = Vec::new();
    for step in &sequence.steps {
        let send = &step.send;
        let body = match send {
            Send { text: Some(text), .. } => text.clone(),
            Send { body: Some(body), .. } => body.to_string(),
            Send { edit: Some(edit), path, .. } => {
                let path = path.split('?').next().unwrap_or_default();
                let mut object: Value = serde_json::from_str(&probe.get(path)?.body)?;
                merge(&mut object, edit);
                object.to_string()
            }
            _ => String::new(),
        };
        let mut headers = vec![("Accept", "application/json")];
        headers.extend(send.content_type.as_deref().map(|content_type| ("Content-Type", content_type)));
        headers.push(("User-Agent", send.agent.as_deref().unwrap_or("corpus")));
        let answer = probe.send(&send.method, &send.path, &headers, body.as_bytes())?;
        let value: Value = serde_json::from_str(&answer.body)
            .with_context(|| format!("{} {}: {}", send.method, send.path, answer.body))?;
        answers.push(normal(&send.path, answer.status, &value, &mut versions));
    }
    Ok(answers)
}

/// A JSON merge patch.
fn merge(object: &mut Value, patch: &Value) {
    let Value::Object(entries) = patch else {
        *object = patch.clone();
        return;
    };
    if !object.is_object() {
        *object = json!({});
    }
    let Value::Object(object) = object else { return };
    for (key, value) in entries {
        if value.is_null() {
            object.remove(key);
        } else {
            merge(object.entry(key).or_insert(Value::Null), value);
        }
    }
}

/// An answer without what differs from run to run.
fn normal(path: &str, code: u16, body: &Value, versions: &mut BTreeMap<String, Value>) -> Value {
    if code >= 400 {
        let mut causes = body["details"]["causes"].as_array().cloned().unwrap_or_default();
        causes.sort_by_key(ToString::to_string);
        return json!({
            "code": code, "reason": body["reason"], "message": body["message"], "causes": causes,
        });
    }
    let mut object = body.clone();
    let parts: Vec<&str> = path.split('?').next().unwrap_or_default().split('/').collect();
    // A subresource is its object.
    let named = parts.iter().position(|part| Some(*part) == body["metadata"]["name"].as_str());
    let key = named.map_or_else(|| parts.join("/") + "/", |at| parts[..=at].join("/"));
    let key = match (named, body["metadata"]["name"].as_str()) {
        (None, Some(name)) => format!("{key}{name}"),
        _ => key,
    };
    let version = body["metadata"]["resourceVersion"].clone();
    let changed = versions.insert(key, version.clone()) != Some(version);
    let mut managers = Vec::new();
    if let Some(meta) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        for key in ["uid", "resourceVersion", "creationTimestamp"] {
            meta.remove(key);
        }
        if let Some(Value::Array(entries)) = meta.remove("managedFields") {
            managers = entries;
        }
    }
    for entry in &mut managers {
        if let Some(time) = entry.get_mut("time") {
            *time = json!("T");
        }
    }
    managers.sort_by_key(|entry| {
        ["operation", "manager", "apiVersion", "subresource"]
            .map(|key| entry[key].as_str().unwrap_or_default().to_owned())
    });
    hide_addresses(&mut object);
    hide_noise(&mut object);
    json!({"code": code, "changed": changed, "managedFields": managers, "object": object})
}

/// Removes parts that are not about apply: the UID of a deleted object, fields for controllers, and `null` or `[]`
/// for nothing.
fn hide_noise(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            if let Some(Value::Object(details)) = entries.get_mut("details") {
                details.remove("uid");
            }
            if entries.get("finalizers") == Some(&json!(["kubernetes.io/pvc-protection"])) {
                entries.remove("finalizers");
            }
            entries.retain(|_, value| !value.is_null() && *value != json!([]));
            entries.values_mut().for_each(hide_noise);
        }
        Value::Array(items) => items.iter_mut().for_each(hide_noise),
        _ => {}
    }
}

/// Removes values that a server picks at random.
fn hide_addresses(object: &mut Value) {
    let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) else { return };
    let hide = |spec: &mut Map<String, Value>, key: &str, by: Value| {
        if let Some(value) = spec.get_mut(key) {
            *value = by;
        }
    };
    hide(spec, "clusterIP", json!("IP"));
    hide(spec, "clusterIPs", json!(["IP"]));
    for port in spec.get_mut("ports").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(number) = port.get_mut("nodePort") {
            *number = json!(0);
        }
    }
}
