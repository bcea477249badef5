//! Validation rules of definitions, compared with the real server's results in `rules.json`. `cargo xtask record
//! rules` records and describes them.

use client_rs_machinery::{Json, json};

use crate::common::{Answer, Client, server};

const RECORDED: &str = include_str!("../../../../tests/corpora/rules.json");
/// The number of rules that are evaluated together.
const BATCH: usize = 50;
/// Rules for which this server's result differs, with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("timestamp('2020-01-02T03:04:05Z').getHours('America/New_York') == 22", ZONES),
    ("timestamp('2020-07-02T03:04:05Z').getDayOfMonth('Europe/Berlin') == 1", ZONES),
    ("= string(timestamp('2020-01-02T03:04:05+02:00'))", "a time is in UTC, wherever it was written"),
    ("string(type(1)) == 'int'", "a type is printed without its parameter"),
];
const ZONES: &str = "no time zone database";
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

#[tokio::test]
async fn rules_are_refused_as_by_the_real_server() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let corpus = Json::parse(RECORDED.as_bytes()).unwrap();
    let rules = corpus["rules"].as_list().unwrap();
    let mut wrong = Vec::new();
    for entry in rules {
        let (rule, expected) = (entry[0].as_str().unwrap(), entry[1].as_str());
        let definition = definition("rules", &with_rules(&corpus["schema"], &[rule]));
        let said = refusal(&client.post(&format!("{DEFINITIONS}?dryRun=All"), &definition).await);
        let same = match (&said, expected) {
            // Syntax errors have our own texts.
            (Some(said), Some(expected)) if expected.contains("Syntax error") => {
                said.contains("Syntax error")
            }
            (said, expected) => said.as_deref() == expected,
        };
        if !same && !is_different(rule) {
            wrong.push(format!("{rule}\n  real: {expected:?}\n  here: {said:?}"));
        }
    }
    assert!(rules.len() > 700, "the corpus has {} rules", rules.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rules.len(), wrong.join("\n"));
}

#[tokio::test]
async fn rules_have_the_results_of_the_real_server() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let corpus = Json::parse(RECORDED.as_bytes()).unwrap();
    let rules = corpus["rules"].as_list().unwrap();
    let taken = rules.iter().filter(|rule| rule[1].is_null());
    // The result of a rule that prints a value (`=`) is found by its position among such rules, so those have their
    // own batches.
    let (shown, plain): (Vec<&Json>, Vec<&Json>) =
        taken.partition(|rule| rule[0].as_str().unwrap().starts_with('='));
    let mut wrong = Vec::new();
    for (number, batch) in plain.chunks(BATCH).chain(shown.chunks(BATCH)).enumerate() {
        let texts: Vec<&str> = batch.iter().map(|rule| rule[0].as_str().unwrap()).collect();
        let schema = with_rules(&corpus["schema"], &texts);
        let said = made(&mut client, &format!("batch{number}"), &schema, &corpus["object"]).await;
        for (index, (rule, recorded)) in texts.iter().zip(batch).enumerate() {
            let (ours, theirs) = (outcome(&said, index, rule), recorded[2].as_str().unwrap());
            if ours != theirs && !is_different(rule) {
                wrong.push(format!("{rule}\n  real: {theirs}\n  here: {ours}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn costs_are_estimated_as_by_the_real_server() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let corpus = Json::parse(RECORDED.as_bytes()).unwrap();
    let wholes = corpus["wholes"].as_list().unwrap();
    let mut wrong = Vec::new();
    for whole in wholes {
        let (name, expected) = (whole["name"].as_str().unwrap(), whole["answer"].as_str());
        let definition = definition("wholes", &whole["schema"]);
        let mut said = refusal(&client.post(&format!("{DEFINITIONS}?dryRun=All"), &definition).await);
        if said.is_none() && !whole["object"].is_null() {
            let plural = format!("whole{}", name.replace(' ', ""));
            let causes = made(&mut client, &plural, &whole["schema"], &whole["object"]).await;
            said = (!causes.is_empty()).then(|| causes.join("\n"));
        }
        if said.as_deref() != expected {
            wrong.push(format!("{name}\n  real: {expected:?}\n  here: {said:?}"));
        }
    }
    assert!(wholes.len() > 70, "the corpus has {} schemas", wholes.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), wholes.len(), wrong.join("\n"));
}

fn is_different(rule: &str) -> bool {
    DIFFERENT.iter().any(|(known, _)| *known == rule)
}

/// A schema with these rules.
fn with_rules(schema: &Json, rules: &[&str]) -> Json {
    let shown = |shown: &str| json!({"rule": "false", "messageExpression": shown.trim()});
    let rules = rules.iter().map(|rule| rule.strip_prefix('=').map_or_else(|| json!({"rule": *rule}), shown));
    let mut schema = schema.clone();
    schema.set(&["x-kubernetes-validations"], rules.collect::<Vec<Json>>()).unwrap();
    schema
}

fn definition(plural: &str, spec: &Json) -> Json {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.rules.example.com")},
        "spec": {
            "group": "rules.example.com", "scope": "Cluster",
            "names": {"plural": plural, "kind": format!("Kind{plural}")},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec.clone()}}},
            }],
        },
    })
}

/// The reason for refusing a definition, without the part before the rule.
fn refusal(answer: &Answer) -> Option<String> {
    if answer.code == 201 {
        return None;
    }
    let message = answer.message();
    let why = message.split_once("is invalid: ").map_or(message.as_str(), |(_, why)| why);
    let why = why.split_once("\"OptionalOldSelf\":null}: ").map_or(why, |(_, why)| why);
    Some(why.to_owned())
}

/// The errors of an object of a definition: each cause of its refusal.
async fn made(client: &mut Client, plural: &str, schema: &Json, spec: &Json) -> Vec<String> {
    let answer = client.post(DEFINITIONS, &definition(plural, schema)).await;
    assert_eq!(answer.code, 201, "{}", answer.message());
    let object = json!({
        "apiVersion": "rules.example.com/v1", "kind": format!("Kind{plural}"), "metadata": {"name": "one"},
        "spec": spec.clone(),
    });
    let answer = client.post(&format!("/apis/rules.example.com/v1/{plural}?dryRun=All"), &object).await;
    if answer.code == 201 {
        return Vec::new();
    }
    let answer = answer.json();
    let causes = answer["details"]["causes"].as_list().unwrap();
    causes.iter().map(|cause| cause["message"].as_str().unwrap().to_owned()).collect()
}

/// The result of one rule among others.
fn outcome(said: &[String], index: usize, rule: &str) -> String {
    let plain = |said: &str| said.strip_prefix("Invalid value: ").unwrap_or(said).to_owned();
    if rule.starts_with('=') {
        return said.get(index).map(|said| plain(said)).unwrap_or_default();
    }
    let end = format!(": {rule}");
    said.iter().find_map(|said| said.strip_suffix(&end)).map_or_else(|| "holds".to_owned(), plain)
}

#[tokio::test]
async fn a_message_expression_must_return_a_string_and_the_root_has_a_name() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let definition = |rule: Json| {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "roots.rules.example.com"},
            "spec": {
                "group": "rules.example.com", "scope": "Namespaced", "names": {"plural": "roots", "kind": "Root"},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                    "type": "object", "x-kubernetes-validations": [rule],
                }}}],
            },
        })
    };
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All";
    let named =
        json!({"rule": "self.metadata.name.startsWith('a')", "messageExpression": "'not ' + self.kind"});
    assert_eq!(client.post(path, &definition(named)).await.code, 201);
    let labelled = json!({"rule": "self.metadata.labels == {}"});
    let answer = client.post(path, &definition(labelled)).await;
    assert!(answer.message().contains("undefined field 'labels'"), "{}", answer.message());
    let number = json!({"rule": "true", "messageExpression": "1"});
    let answer = client.post(path, &definition(number)).await;
    assert!(
        answer.message().ends_with("messageExpression must evaluate to a string"),
        "{}",
        answer.message()
    );
}
