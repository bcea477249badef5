//! `cargo xtask record validation`: what the real server makes of good and bad objects of many kinds, for the embedded one
//! to be held against.
//!
//! The corpus has, by kind, an object that is good, and what is changed of it case by case, before it is created or after.
//! The answers are the real server's, without what differs from run to run. `crates/apiserver/tests/api/validation.rs` sends
//! the same to the embedded server and reads it the same way: a change of one is a change of the other.

use std::fmt::Write as _;
use std::net::IpAddr;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use client_rs_testkit::Probe;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::corpus;
use client_rs_tests_tools::Report;

const NAMESPACE: &str = "corpus";

#[derive(Deserialize)]
struct Corpus {
    kinds: Vec<Resource>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Resource {
    kind: String,
    /// The path of the collection.
    path: String,
    good: Value,
    cases: Vec<Case>,
}

/// A change of the good object before it is created, or of what was created.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edit: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    update: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
}

pub(crate) fn run(args: &corpus::How) -> Result<ExitCode> {
    let (path, Corpus { mut kinds }) = corpus::read::<Corpus>("validation")?;
    let (_cluster, probe) = args.server(corpus::still())?;
    prepare(&probe)?;
    let mut report = Report::new("record validation");
    for kind in &mut kinds {
        let outcome = record(&probe, kind).and_then(|answers| {
            for (case, answer) in kind.cases.iter_mut().zip(answers) {
                args.keep(&case.name, &mut case.answer, answer)?;
            }
            Ok(())
        });
        report.record(&kind.kind, outcome);
    }
    if !args.check {
        corpus::write(&path, &written(&kinds, &corpus::server_version(&probe)?)?)?;
    }
    Ok(report.finish())
}

/// A namespace in which pods can be created.
fn prepare(probe: &Probe) -> Result<()> {
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}});
    let made = send(probe, "POST", "/api/v1/namespaces", &namespace)?;
    ensure!(made.0 == 201, "no namespace: {}", made.1);
    let give_up = Instant::now() + Duration::from_mins(1);
    while probe.get(&format!("/api/v1/namespaces/{NAMESPACE}/serviceaccounts/default"))?.status != 200 {
        ensure!(Instant::now() < give_up, "the namespace has no account");
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn record(probe: &Probe, kind: &Resource) -> Result<Vec<Value>> {
    let mut answers = Vec::new();
    for case in &kind.cases {
        let (method, path, body) = match (&case.edit, &case.update) {
            (Some(edit), None) => {
                ("POST", format!("{}?dryRun=All", kind.path), merged(&named(&kind.good, "case"), edit))
            }
            (None, Some(update)) => {
                let base = base(probe, kind)?;
                ("PUT", format!("{}/base?dryRun=All", kind.path), merged(&base, update))
            }
            _ => anyhow::bail!("{}: either an edit or an update", case.name),
        };
        let (code, answer) = send(probe, method, &path, &body)?;
        answers.push(normal(code, &answer));
    }
    Ok(answers)
}

/// The object that updates are made to.
fn base(probe: &Probe, kind: &Resource) -> Result<Value> {
    let path = format!("{}/base", kind.path);
    let found = probe.get(&path)?;
    if found.status == 200 {
        return Ok(serde_json::from_str(&found.body)?);
    }
    let (code, made) = send(probe, "POST", &kind.path, &named(&kind.good, "base"))?;
    ensure!(code == 201, "the good one is bad: {made}");
    Ok(made)
}

fn send(probe: &Probe, method: &str, path: &str, body: &Value) -> Result<(u16, Value)> {
    let headers =
        [("Accept", "application/json"), ("Content-Type", "application/json"), ("User-Agent", "corpus")];
    let answer = probe.send(method, path, &headers, body.to_string().as_bytes())?;
    let value =
        serde_json::from_str(&answer.body).with_context(|| format!("{method} {path}: {}", answer.body))?;
    Ok((answer.status, value))
}

fn named(object: &Value, name: &str) -> Value {
    merged(object, &json!({"metadata": {"name": name}}))
}

/// A JSON merge patch, but that nothing is taken out of what the patch itself adds.
fn merged(object: &Value, patch: &Value) -> Value {
    let Value::Object(entries) = patch else { return patch.clone() };
    let mut map = object.as_object().cloned().unwrap_or_default();
    for (key, value) in entries {
        match value {
            Value::Null => drop(map.remove(key)),
            value => {
                let old = map.get(key).cloned().unwrap_or(Value::Null);
                map.insert(key.clone(), merged(&old, value));
            }
        }
    }
    Value::Object(map)
}

/// Returns the part of a response that is the same in every run: the message of a refusal, or the object without the
/// fields that the server adds to every object.
fn normal(code: u16, answer: &Value) -> Value {
    if code >= 300 {
        return json!({"code": code, "message": same_text(answer["message"].as_str().unwrap_or_default())});
    }
    let mut object = answer.as_object().cloned().unwrap_or_default();
    let metadata = object.remove("metadata").unwrap_or_default();
    let kept = ["name", "labels", "annotations", "finalizers", "generation"];
    let metadata: Map<String, Value> =
        kept.iter().filter_map(|key| Some(((*key).to_owned(), metadata.get(*key)?.clone()))).collect();
    object.insert("metadata".to_owned(), metadata.into());
    json!({"code": code, "object": settled("", Value::Object(object))})
}

/// Without times, UIDs, and what the server chooses.
fn settled(key: &str, value: Value) -> Value {
    match (key, value) {
        ("lastPhaseTransitionTime", _) => json!("T"),
        ("clusterIP", Value::String(text)) if text.parse::<IpAddr>().is_ok() => json!("IP"),
        ("clusterIPs", Value::Array(list)) if list.iter().all(|one| *one != json!("None")) => json!(["IP"]),
        ("nodePort" | "healthCheckNodePort", _) => json!(0),
        (_, Value::Object(map)) => map
            .into_iter()
            .map(|(key, value)| {
                let value = settled(&key, value);
                (key, value)
            })
            .collect(),
        (_, Value::Array(list)) => list.into_iter().map(|value| settled("", value)).collect(),
        (_, Value::String(text)) => Value::String(same_text(&text)),
        (_, other) => other,
    }
}

/// A text without what is another every time: UIDs, the end of a volume's name, and the difference of two of the real
/// server's own types that it adds to some refusals.
fn same_text(text: &str) -> String {
    if text.starts_with("kube-api-access-") {
        return "kube-api-access-X".to_owned();
    }
    let text = text.split("\n@@").next().unwrap_or_default();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.get(..36).is_some_and(is_uid) {
            out.push_str("UID");
            rest = &rest[36..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

fn is_uid(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    })
}

/// One line per case: a change of one response is a change of one line.
fn written(kinds: &[Resource], from: &str) -> Result<String> {
    let mut text = corpus::document("validation", from) + "\"kinds\":[\n";
    for (at, kind) in kinds.iter().enumerate() {
        let comma = if at == 0 { "" } else { ",\n" };
        let (name, path) = (json!(kind.kind), json!(kind.path));
        writeln!(text, "{comma}{{\"kind\":{name},\"path\":{path},\"good\":{},\"cases\":[", kind.good)?;
        let cases: Vec<String> = kind.cases.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        text.push_str(&cases.join(",\n"));
        text.push_str("\n]}");
    }
    text.push_str("\n]}\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_its_sentence_and_an_object_is_settled() {
        let refusal = json!({"message": "no 3f1c1f4e-55f8-4a4b-9c0e-1d2c3b4a5f60\n@@ -1 +1"});
        assert_eq!(normal(422, &refusal), json!({"code": 422, "message": "no UID"}));
        let object = json!({
            "metadata": {"name": "a", "uid": "u", "labels": {"a": "b"}},
            "spec": {"volumes": [{"name": "kube-api-access-x7x2x"}], "clusterIP": "10.0.0.1"},
        });
        let expected = json!({
            "metadata": {"name": "a", "labels": {"a": "b"}},
            "spec": {"volumes": [{"name": "kube-api-access-X"}], "clusterIP": "IP"},
        });
        assert_eq!(normal(201, &object), json!({"code": 201, "object": expected}));
    }

    #[test]
    fn null_takes_out() {
        assert_eq!(
            merged(&json!({"a": 1, "b": {"c": 2}}), &json!({"a": null, "b": {"d": 3}})),
            json!({"b": {"c": 2, "d": 3}})
        );
    }
}
