//! Definitions and custom objects, good and bad: the answers are those that a real server gave.
//!
//! `tests/corpora/custom-resources.json` holds a case a line: what is asked and what was answered. To record it anew, open a way to a
//! real server that has none of these definitions (`kubectl proxy --reject-methods='^$'`), and run
//! `CLIENT_RS_RECORD=127.0.0.1:8001 cargo test -p client-rs-apiserver --test api recorded`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use client_rs_machinery::{Json, json};
use tokio::net::TcpStream;

use crate::common::{Answer, Client, server};

/// What differs from run to run, and the words of others.
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
async fn answers_are_those_recorded_from_a_real_server() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpora/custom-resources.json");
    let cases = Json::parse(&std::fs::read(&path).unwrap()).unwrap();
    if let Ok(address) = std::env::var("CLIENT_RS_RECORD") {
        let mut client = Client::over(TcpStream::connect(address).await.unwrap()).await;
        let mut lines = Vec::new();
        for case in cases.as_list().unwrap() {
            lines.push(recorded(&mut client, case).await.to_string());
        }
        std::fs::write(path, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
        return;
    }
    let server = server().await;
    let mut client = Client::new(&server).await;
    let (mut wrong, mut checked) = (String::new(), 0);
    for case in cases.as_list().unwrap().iter().filter(|case| case["wait"].is_null()) {
        let answer = ask(&mut client, case).await;
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

/// What counts of an answer.
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

/// Brings what the real server leaves to chance into one form: the order of several errors, tokens, and objects in texts.
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

/// The case with the answer of a real server, which takes its time with definitions.
async fn recorded(client: &mut Client, case: &Json) -> Json {
    let Some(wait) = case["wait"].as_str() else {
        let answer = answered(&ask(client, case).await);
        let mut case = case.clone();
        for (key, value) in answer.as_map().unwrap() {
            case.remove(&[key.as_str()]);
            if !value.is_null() {
                let _ = case.set(&[key.as_str()], value.clone());
            }
        }
        return case;
    };
    let path = case["path"].as_str().unwrap();
    let (resource, group) = path.rsplit('/').next().unwrap().split_once('.').unwrap();
    let give_up = Instant::now() + Duration::from_mins(1);
    while !settled(client, wait, path, resource, group).await {
        assert!(Instant::now() < give_up, "{path} is never {wait}");
    }
    case.clone()
}

/// Whether a definition is what is waited for, in the eyes of each of the caches that answer what follows.
async fn settled(client: &mut Client, wait: &str, path: &str, resource: &str, group: &str) -> bool {
    let definition = client.get(path).await;
    let is = |kind: &str| {
        let conditions = definition.json()["status"]["conditions"].as_list().map(|all| all.to_vec());
        conditions.unwrap_or_default().iter().any(|known| known["type"].as_str() == Some(kind))
    };
    let expected = match wait {
        "gone" if definition.code == 404 => 404,
        "established" if is("Established") => 200,
        // Nothing else changes with names that are refused.
        "names" => return is("NamesAccepted"),
        _ => return false,
    };
    for told in
        [format!("/apis/{group}"), format!("/apis/{group}/v1"), format!("/apis/{group}/v1/{resource}")]
    {
        if client.get(&told).await.code != expected {
            return false;
        }
    }
    true
}
