//! `cargo xtask record rules`: the real server's results for validation rules, to compare the embedded one with.
//!
//! `rules.json` has a schema and an object that fits it; rules, each with the error of a definition with it, or else
//! the message of its evaluation on the object; and whole schemas with objects, for the costs of all rules together.
//! A rule that begins with `=` is a text to be shown: a `messageExpression` of a rule that fails.
//! `crates/apiserver/tests/api/rules.rs` sends the same to the embedded server and reads it the same way: change both
//! together.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use client_rs_testkit::{Options, Probe};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::corpus;
use client_rs_tests_tools::Report;

#[derive(Serialize, Deserialize)]
struct Corpus {
    /// The schema of the field `spec`.
    schema: Value,
    /// The field `spec`.
    object: Value,
    rules: Vec<Rule>,
    wholes: Vec<Whole>,
}

/// A rule; the error of a definition with it; the message of the rule for the object.
#[derive(Serialize, Deserialize)]
struct Rule(String, #[serde(default)] Option<String>, #[serde(default)] Option<String>);

/// A schema of the field `spec`, and what is put there.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    name: String,
    schema: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    object: Option<Value>,
    /// The error of the definition, or else of the object; nothing if both are accepted.
    #[serde(default)]
    answer: Option<String>,
}

/// How many rules are evaluated at once.
const BATCH: usize = 50;
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

pub(crate) fn run(args: &corpus::How) -> Result<ExitCode> {
    let (path, mut corpus) = corpus::read::<Corpus>("rules")?;
    let (_cluster, probe) = args.server(Options::default())?;
    let mut report = Report::new("record rules");
    let rules = record(&probe, &mut corpus, args.check);
    report.record("rules", rules);
    for whole in &mut corpus.wholes {
        let outcome = record_whole(&probe, whole).and_then(|answer| {
            ensure!(!args.check || answer == whole.answer, "is answered otherwise: {answer:?}");
            whole.answer = answer;
            Ok(())
        });
        report.record(&whole.name, outcome);
    }
    if !args.check {
        corpus::write(&path, &written(&corpus, &corpus::server_version(&probe)?)?)?;
    }
    Ok(report.finish())
}

fn record(probe: &Probe, corpus: &mut Corpus, check: bool) -> Result<()> {
    let mut answers = Vec::new();
    for rule in &corpus.rules {
        let definition = definition("rules", &with_rules(&corpus.schema, &[&rule.0]));
        let (code, answer) = send(probe, "POST", &format!("{DEFINITIONS}?dryRun=All"), &definition)?;
        answers.push((refusal(code, &answer), None));
    }
    let taken = (0..answers.len()).filter(|at| answers[*at].0.is_none());
    // A shown rule is identified by its index among the shown rules.
    let (shown, plain): (Vec<usize>, Vec<usize>) = taken.partition(|at| corpus.rules[*at].0.starts_with('='));
    for (number, batch) in plain.chunks(BATCH).chain(shown.chunks(BATCH)).enumerate() {
        let rules: Vec<&str> = batch.iter().map(|at| corpus.rules[*at].0.as_str()).collect();
        let plural = format!("batch{number}");
        let said = made(probe, &plural, &with_rules(&corpus.schema, &rules), &corpus.object)?;
        for (index, (at, rule)) in batch.iter().zip(rules).enumerate() {
            answers[*at].1 = Some(outcome(&said, index, rule));
        }
    }
    for (rule, (refused, says)) in corpus.rules.iter_mut().zip(answers) {
        let same = rule.1 == refused && rule.2 == says;
        ensure!(!check || same, "{} is answered otherwise: {refused:?} {says:?}", rule.0);
        (rule.1, rule.2) = (refused, says);
    }
    Ok(())
}

fn record_whole(probe: &Probe, whole: &Whole) -> Result<Option<String>> {
    let definition = definition("wholes", &whole.schema);
    let (code, answer) = send(probe, "POST", &format!("{DEFINITIONS}?dryRun=All"), &definition)?;
    let refused = refusal(code, &answer);
    let Some(object) = whole.object.as_ref().filter(|_| refused.is_none()) else { return Ok(refused) };
    let plural = format!("whole{}", whole.name.replace(' ', ""));
    let said = made(probe, &plural, &whole.schema, object)?;
    Ok((!said.is_empty()).then(|| said.join("\n")))
}

/// A schema with these rules.
fn with_rules(schema: &Value, rules: &[&str]) -> Value {
    let rules = rules.iter().map(|rule| match rule.strip_prefix('=') {
        Some(shown) => json!({"rule": "false", "messageExpression": shown.trim()}),
        None => json!({"rule": rule}),
    });
    let mut schema = schema.clone();
    schema["x-kubernetes-validations"] = rules.collect();
    schema
}

fn definition(plural: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.rules.example.com")},
        "spec": {
            "group": "rules.example.com", "scope": "Cluster",
            "names": {"plural": plural, "kind": format!("Kind{plural}")},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
            }],
        },
    })
}

/// Returns the error of a definition, from the name of the rule on; types have different names every time.
fn refusal(code: u16, answer: &Value) -> Option<String> {
    if code == 201 {
        return None;
    }
    let message = answer["message"].as_str().unwrap_or_default();
    let why = message.split_once("is invalid: ").map_or(message, |(_, why)| why);
    let why = why.split_once("\"OptionalOldSelf\":null}: ").map_or(why, |(_, why)| why);
    let mut out = String::new();
    let mut rest = why;
    while let Some((before, after)) = rest.split_once("selfType") {
        out.push_str(before);
        out.push_str("selfType");
        rest = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
    }
    out.push_str(rest);
    Some(out)
}

/// Returns the server's errors for an object of a definition: each cause of its refusal.
fn made(probe: &Probe, plural: &str, schema: &Value, spec: &Value) -> Result<Vec<String>> {
    let (code, answer) = send(probe, "POST", DEFINITIONS, &definition(plural, schema))?;
    ensure!(code == 201, "no definition: {answer}");
    let path = format!("/apis/rules.example.com/v1/{plural}");
    let object = json!({
        "apiVersion": "rules.example.com/v1", "kind": format!("Kind{plural}"), "metadata": {"name": "one"}, "spec": spec,
    });
    let give_up = Instant::now() + Duration::from_mins(1);
    let (code, answer) = loop {
        let (code, answer) = send(probe, "POST", &format!("{path}?dryRun=All"), &object)?;
        if code != 404 {
            break (code, answer);
        }
        ensure!(Instant::now() < give_up, "the definition is not served: {answer}");
        std::thread::sleep(Duration::from_millis(100));
    };
    probe.send("DELETE", &format!("{DEFINITIONS}/{plural}.rules.example.com"), &[], &[])?;
    if code == 201 {
        return Ok(Vec::new());
    }
    ensure!(code == 422, "{answer}");
    let causes = answer["details"]["causes"].as_array().context("no causes")?;
    Ok(causes.iter().map(|cause| cause["message"].as_str().unwrap_or_default().to_owned()).collect())
}

/// Returns the message of one rule among others.
fn outcome(said: &[String], index: usize, rule: &str) -> String {
    let plain = |said: &str| said.strip_prefix("Invalid value: ").unwrap_or(said).to_owned();
    if rule.starts_with('=') {
        return said.get(index).map(|said| plain(said)).unwrap_or_default();
    }
    let end = format!(": {rule}");
    said.iter().find_map(|said| said.strip_suffix(&end)).map_or_else(|| "holds".to_owned(), plain)
}

fn send(probe: &Probe, method: &str, path: &str, body: &Value) -> Result<(u16, Value)> {
    let headers =
        [("Accept", "application/json"), ("Content-Type", "application/json"), ("User-Agent", "corpus")];
    let answer = probe.send(method, path, &headers, body.to_string().as_bytes())?;
    let value = serde_json::from_str(&answer.body).unwrap_or_else(|_| json!({"message": answer.body}));
    Ok((answer.status, value))
}

/// One line per rule: a change of one response is a change of one line.
fn written(corpus: &Corpus, from: &str) -> Result<String> {
    let mut text = corpus::document("rules", from);
    write!(text, "\"schema\":{},\n\"object\":{},\n\"rules\":[\n", corpus.schema, corpus.object)?;
    let rules: Vec<String> = corpus.rules.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    text.push_str(&rules.join(",\n"));
    text.push_str("\n],\n\"wholes\":[\n");
    let wholes: Vec<String> = corpus.wholes.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    text.push_str(&wholes.join(",\n"));
    text.push_str("\n]}\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_classified() {
        let said = ["Invalid value: failed rule: a == 1".to_owned(), "Invalid value: shown".to_owned()];
        assert_eq!(outcome(&said, 0, "a == 1"), "failed rule");
        assert_eq!(outcome(&said, 1, "b"), "holds");
        assert_eq!(outcome(&said, 1, "= 'x'"), "shown");
        let answer = json!({"message": "x is invalid: y: {\"OptionalOldSelf\":null}: no selfType123.a"});
        assert_eq!(refusal(422, &answer).as_deref(), Some("no selfType.a"));
        assert_eq!(refusal(201, &answer), None);
    }
}
