//! Definitions and custom objects, good and bad, in the order of sending: each case is one request and its response.
//!
//! `crates/apiserver/tests/api/recorded.rs` sends the same to the embedded server and reads it the same way: change
//! both together. A case with `wait` is not a request: the real server handles definitions asynchronously, and the
//! next case needs that to be done.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use client_rs_testkit::{Options, Probe};
use client_rs_tests_tools::Report;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::corpus::{self, How};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wait: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<Box<RawValue>>,
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    content_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    accept: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    warnings: Option<Value>,
}

/// Fields that differ from run to run, and texts of others.
const PASSING: [&str; 9] = [
    "managedFields",
    "uid",
    "creationTimestamp",
    "lastTransitionTime",
    "resourceVersion",
    "deletionTimestamp",
    "description",
    "storageVersionHash",
    "time",
];

pub(crate) fn run(how: &How) -> Result<ExitCode> {
    let (path, lines) = corpus::lines("custom-resources")?;
    let mut cases: Vec<Case> =
        lines.iter().map(|line| serde_json::from_str(line)).collect::<Result<_, _>>()?;
    let (_cluster, probe) = how.server(Options::default())?;
    let mut report = Report::new("record custom-resources");
    for case in &mut cases {
        let outcome = match case.wait.as_deref() {
            Some(wait) => until(&probe, wait, &case.path),
            None => ask(&probe, case).and_then(|(code, answer, warnings)| {
                // The order of several errors is left to chance, so that answers are compared only where that is undone:
                // in the test of the embedded server.
                ensure!(!how.check || case.code == Some(code), "is answered otherwise: {code} {answer:?}");
                (case.code, case.answer, case.warnings) = (Some(code), answer, warnings);
                Ok(())
            }),
        };
        let name = case.name.clone().unwrap_or_else(|| format!("wait for {}", case.path));
        report.record(&name, outcome);
    }
    if !how.check {
        let lines: Vec<String> = cases.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        let head = corpus::head("custom-resources", &corpus::server_version(&probe)?, None);
        corpus::write(&path, &format!("{head}\n{}\n", lines.join("\n")))?;
    }
    Ok(report.finish())
}

fn ask(probe: &Probe, case: &Case) -> Result<(u16, Option<Value>, Option<Value>)> {
    let mut headers =
        vec![("Accept", case.accept.as_deref().unwrap_or("application/json")), ("User-Agent", "cases")];
    let body = case.body.as_ref().map_or("", |body| body.get());
    if !body.is_empty() {
        headers.push(("Content-Type", case.content_type.as_deref().unwrap_or("application/json")));
    }
    let method = case.method.as_deref().context("no method")?;
    let answer = probe.send(method, &case.path, &headers, body.as_bytes())?;
    let value = serde_json::from_str(&answer.body).unwrap_or_default();
    let kept = |value: Value| if value.is_null() { None } else { Some(value) };
    let warnings = if answer.warnings.is_empty() { None } else { Some(answer.warnings.into()) };
    Ok((answer.status, kept(lasting(value)), warnings))
}

fn lasting(value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .filter(|(key, _)| !PASSING.contains(&key.as_str()))
            .map(|(key, value)| (key, lasting(value)))
            .collect(),
        Value::Array(list) => list.into_iter().map(lasting).collect(),
        other => other,
    }
}

/// Waits for a definition to be what is waited for.
fn until(probe: &Probe, wait: &str, path: &str) -> Result<()> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let (resource, group) = name.split_once('.').context("no definition")?;
    let give_up = Instant::now() + Duration::from_mins(1);
    while !is_settled(probe, wait, path, resource, group)? {
        ensure!(Instant::now() < give_up, "{path} is never {wait}");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Whether a definition is what is waited for, in the eyes of each of the caches that answer what follows.
fn is_settled(probe: &Probe, wait: &str, path: &str, resource: &str, group: &str) -> Result<bool> {
    let definition = probe.get(path)?;
    let object: Value = serde_json::from_str(&definition.body).unwrap_or_default();
    let is = |kind: &str| {
        let conditions = object["status"]["conditions"].as_array().cloned().unwrap_or_default();
        conditions.iter().any(|known| known["type"] == kind)
    };
    let expected = match wait {
        "gone" if definition.status == 404 => 404,
        "established" if is("Established") => 200,
        // Nothing else changes with names that are refused.
        "names" => return Ok(is("NamesAccepted")),
        _ => return Ok(false),
    };
    for asked in
        [format!("/apis/{group}"), format!("/apis/{group}/v1"), format!("/apis/{group}/v1/{resource}")]
    {
        if probe.get(&asked)?.status != expected {
            return Ok(false);
        }
    }
    Ok(true)
}
