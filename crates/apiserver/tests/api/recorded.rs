//! Valid and invalid definitions and custom objects, compared with the responses of a real server.
//!
//! `tests/corpora/custom-resources.jsonl` has one case per line: the request and the response. `cargo xtask record
//! custom-resources` sends the requests to a real server again.

use std::fmt::Write as _;

use client_rs_machinery::{Json, json};

use crate::common::{Answer, Client, server};

const CORPUS: &str = include_str!("../../../../tests/corpora/custom-resources.jsonl");

/// Fields whose values differ between runs, and descriptions, whose texts are not ours.
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

#[tokio::test]
async fn responses_are_those_recorded_from_a_real_server() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let (mut wrong, mut checked) = (String::new(), 0);
    let cases = CORPUS.lines().skip(1).map(|line| Json::parse(line.as_bytes()).unwrap());
    for case in cases.filter(|case| case["wait"].is_null()) {
        let answer = ask(&mut client, &case).await;
        checked += 1;
        let got = normal(&answered(&answer));
        let expected = normal(&json!({
            "code": case["code"].clone(), "answer": case["answer"].clone(), "warnings": case["warnings"].clone(),
        }));
        if got != expected {
            let name = case["name"].as_str().unwrap();
            writeln!(wrong, "{name}\n  real {expected}\n  ours {got}").unwrap();
        }
    }
    assert!(checked > 240, "{checked}");
    assert!(wrong.is_empty(), "{wrong}");
}

async fn ask(client: &mut Client, case: &Json) -> Answer {
    let text = |key: &str, other: &'static str| case[key].as_str().unwrap_or(other).to_owned();
    let accept = text("accept", "application/json");
    let mut headers = vec![("accept", accept.as_str()), ("user-agent", "cases")];
    let media_type = text("type", "application/json");
    let body = case.get("body").map(Json::to_vec).unwrap_or_default();
    if !body.is_empty() {
        headers.push(("content-type", media_type.as_str()));
    }
    client.send(case["method"].as_str().unwrap(), case["path"].as_str().unwrap(), &headers, &body).await
}

/// The relevant part of a response.
fn answered(answer: &Answer) -> Json {
    let body = Json::parse(&answer.body).unwrap_or_default();
    let warnings: Vec<Json> = answer.header("warning").into_iter().map(Json::from).collect();
    let warnings = if warnings.is_empty() { Json::Null } else { Json::from(warnings) };
    json!({"code": i64::from(answer.code), "answer": lasting(&body), "warnings": warnings})
}

fn lasting(value: &Json) -> Json {
    match value {
        Json::Map(map) => map
            .iter()
            .filter(|(key, _)| !PASSING.contains(&key.as_str()))
            .map(|(key, value)| (key.to_string(), lasting(value)))
            .collect(),
        Json::List(list) => Json::from(list.iter().map(lasting).collect::<Vec<_>>()),
        other => other.clone(),
    }
}

/// Normalizes values that the real server leaves to chance: the order of several errors, tokens, and objects in
/// texts.
fn normal(value: &Json) -> Json {
    let mut value = value.clone();
    let causes = value["answer"]["details"]["causes"].as_list().map(|all| all.to_vec()).unwrap_or_default();
    let whole = |text: &str| match (text.find("\"{"), text.rfind("}\": ")) {
        (Some(from), Some(to)) if from < to => format!("{}…{}", &text[..from], &text[to..]),
        _ => text.to_owned(),
    };
    let mut causes: Vec<Json> = causes
        .into_iter()
        .map(|mut cause| {
            let message = whole(cause["message"].as_str().unwrap_or_default());
            let _ = cause.set(&["message"], message);
            cause
        })
        .collect();
    causes.sort_by_key(ToString::to_string);
    let message = value["answer"]["message"].as_str().map(str::to_owned);
    if let Some(message) = message {
        let message = match causes.len() {
            0 | 1 => whole(&message),
            _ => message.split(" is invalid: ").next().unwrap_or_default().to_owned(),
        };
        let _ = value.set(&["answer", "message"], message);
    }
    if !causes.is_empty() {
        let _ = value.set(&["answer", "details", "causes"], Json::from(causes));
    }
    if let Some(token) = value["answer"]["metadata"]["continue"].as_str().map(|token| !token.is_empty()) {
        let _ = value.set(&["answer", "metadata", "continue"], token);
    }
    if let Some(warnings) = value["warnings"].as_list() {
        let mut warnings = warnings.to_vec();
        warnings.sort_by_key(ToString::to_string);
        let _ = value.set(&["warnings"], Json::from(warnings));
    }
    value
}
