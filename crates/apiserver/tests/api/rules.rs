//! Rules of definitions: which of them a server takes, and what it says of the others.

use client_rs_machinery::{Json, json};

use crate::common::{Client, server};

/// What a real server said to a definition with one rule each: null, or why not.
const RECORDED: &str = include_str!("rules.json");

fn schema(rule: &str) -> Json {
    json!({"type": "object", "properties": {"spec": {
        "type": "object", "x-kubernetes-validations": [{"rule": rule}],
        "properties": {
            "text": {"type": "string", "maxLength": 20}, "count": {"type": "integer"}, "ratio": {"type": "number"},
            "flag": {"type": "boolean"}, "when": {"type": "string", "format": "date-time"},
            "span": {"type": "string", "format": "duration"}, "raw": {"type": "string", "format": "byte"},
            "port": {"x-kubernetes-int-or-string": true},
            "names": {"type": "array", "maxItems": 10, "items": {"type": "string", "maxLength": 10}},
            "labels": {
                "type": "object", "maxProperties": 10, "additionalProperties": {"type": "string", "maxLength": 10},
            },
            "parts": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
                "name": {"type": "string", "maxLength": 10}, "size": {"type": "integer"},
            }}},
            "inner": {"type": "object", "properties": {
                "a": {"type": "integer"}, "namespace": {"type": "string"}, "x-dash": {"type": "integer"},
                "in": {"type": "integer"},
            }},
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "maybe": {"type": "integer", "nullable": true},
        },
    }}})
}

#[tokio::test]
async fn rules_are_refused_as_by_the_real_server() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let recorded = Json::parse(RECORDED.as_bytes()).unwrap();
    let mut wrong = Vec::new();
    for entry in recorded.as_list().unwrap() {
        let (rule, expected) = (entry[0].as_str().unwrap(), entry[1].as_str());
        let definition = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "rules.rules.example.com"},
            "spec": {
                "group": "rules.example.com", "scope": "Namespaced", "names": {"plural": "rules", "kind": "Rule"},
                "versions": [{
                    "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema(rule)},
                }],
            },
        });
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All";
        let answer = client.post(path, &definition).await;
        let said = (answer.code != 201).then(|| answer.message());
        let same = match (&said, expected) {
            (None, None) => true,
            // What is no expression is told in words of our own.
            (Some(said), Some(expected)) if expected.contains("Syntax error") => {
                said.contains("Syntax error")
            }
            (Some(said), Some(expected)) => {
                said.split_once("\"OptionalOldSelf\":null}: ").is_some_and(|(_, why)| why == expected)
            }
            _ => false,
        };
        if !same {
            wrong.push(format!("{rule}\n  real: {expected:?}\n  here: {said:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        recorded.as_list().unwrap().len(),
        wrong.join("\n")
    );
}

#[tokio::test]
async fn a_message_must_be_a_text_and_the_root_has_a_name() {
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
