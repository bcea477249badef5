//! Server-side apply and field ownership, compared with the real server's responses in `tests/corpora/apply.json`.
//! `cargo xtask record apply` records and describes them.

use std::collections::BTreeMap;

use client_rs_apiserver::{Server, ServerOptions, StorageOptions};
use client_rs_machinery::patch::merge_patch;
use client_rs_machinery::{Json, json};

use crate::common::{Answer, Client};

const CORPUS: &str = include_str!("../../../../tests/corpora/apply.json");

#[tokio::test(start_paused = true)]
async fn recorded_sequences_have_the_responses_of_the_real_server() {
    let corpus = Json::parse(CORPUS.as_bytes()).unwrap();
    let options = ServerOptions::default()
        .with_listen(None)
        .with_storage(StorageOptions::default().with_collect_garbage(false).into());
    let server = Server::start_with(options).await.unwrap();
    let mut client = Client::new(&server).await;
    let (mut steps, mut wrong) = (0, Vec::new());
    for sequence in corpus["sequences"].as_list().unwrap() {
        let mut versions = BTreeMap::new();
        for (at, step) in sequence["steps"].as_list().unwrap().iter().enumerate() {
            let answer = answer(&mut client, &step["send"]).await;
            let ours = normal(step["send"]["path"].as_str().unwrap(), &answer, &mut versions);
            steps += 1;
            if ours != step["answer"] {
                let mut differences = Vec::new();
                differ("", &step["answer"], &ours, &mut differences);
                wrong.push(format!("{}, step {at}:\n{}", sequence["name"], differences.join("\n")));
                break;
            }
        }
    }
    assert!(steps > 300, "the corpus has {steps} steps");
    assert!(wrong.is_empty(), "{} sequences differ\n{}", wrong.len(), wrong.join("\n"));
}

async fn answer(client: &mut Client, send: &Json) -> Answer {
    let text = |key: &str| send[key].as_str();
    let path = text("path").unwrap();
    let body = match (text("text"), send.get("body"), send.get("edit")) {
        (Some(text), ..) => text.as_bytes().to_vec(),
        (_, Some(body), _) => body.to_vec(),
        (_, _, Some(edit)) => {
            let object = client.get(path.split('?').next().unwrap()).await.json();
            merge_patch::apply(&object, edit).to_vec()
        }
        _ => Vec::new(),
    };
    let mut headers = vec![("user-agent", text("agent").unwrap_or("corpus"))];
    headers.extend(text("type").map(|content_type| ("content-type", content_type)));
    client.send(text("method").unwrap(), path, &headers, &body).await
}

/// A response without the values that differ between runs, as in the corpus.
fn normal(path: &str, answer: &Answer, versions: &mut BTreeMap<String, Json>) -> Json {
    let body = answer.json();
    if answer.code >= 400 {
        let mut causes: Vec<Json> =
            body["details"]["causes"].as_list().map(|causes| causes.to_vec()).unwrap_or_default();
        causes.sort_by_key(|cause| {
            ["field", "message", "reason"].map(|key| cause[key].as_str().unwrap_or_default().to_owned())
        });
        return json!({
            "code": i64::from(answer.code), "reason": body["reason"].clone(), "message": body["message"].clone(),
            "causes": causes,
        });
    }
    let name = body["metadata"]["name"].as_str().unwrap_or_default().to_owned();
    let path = path.split('?').next().unwrap();
    let key = path.split_once(&format!("/{name}")).map_or(path, |(base, _)| base);
    let version = body["metadata"]["resourceVersion"].clone();
    let changed = versions.insert(format!("{key}/{name}"), version.clone()) != Some(version);
    let mut object = body;
    let mut managers = Vec::new();
    if let Some(meta) = object.path_mut(&["metadata"]).and_then(Json::as_map_mut) {
        for key in ["uid", "resourceVersion", "creationTimestamp"] {
            meta.remove(key);
        }
        if let Some(Json::List(entries)) = meta.remove("managedFields") {
            managers = entries.to_vec();
        }
    }
    for entry in &mut managers {
        if entry.get("time").is_some() {
            entry.set(&["time"], "T").unwrap();
        }
    }
    managers.sort_by_key(|entry| {
        ["operation", "manager", "apiVersion", "subresource"]
            .map(|key| entry[key].as_str().unwrap_or_default().to_owned())
    });
    for (path, by) in [(&["spec", "clusterIP"], json!("IP")), (&["spec", "clusterIPs"], json!(["IP"]))] {
        if object.path(path).is_some() {
            object.set(path, by).unwrap();
        }
    }
    if let Some(ports) = object.path_mut(&["spec", "ports"]).and_then(Json::as_list_mut) {
        for port in ports.iter_mut().filter(|port| port.get("nodePort").is_some()) {
            port.set(&["nodePort"], 0).unwrap();
        }
    }
    let object = without_noise(&object);
    json!({"code": i64::from(answer.code), "changed": changed, "managedFields": managers, "object": object})
}

/// Removes fields that are irrelevant for apply, as in the corpus.
fn without_noise(value: &Json) -> Json {
    match value {
        Json::Map(entries) => {
            let entries = entries.iter().filter(|(key, value)| {
                let protection = json!(["kubernetes.io/pvc-protection"]);
                !(value.is_null()
                    || **value == json!([])
                    || key.as_str() == "finalizers" && **value == protection)
            });
            let entries = entries.map(|(key, value)| {
                let mut value = value.clone();
                if key.as_str() == "details" {
                    value.remove(&["uid"]);
                }
                (key.clone(), without_noise(&value))
            });
            Json::Map(entries.collect())
        }
        Json::List(items) => items.iter().map(without_noise).collect(),
        _ => value.clone(),
    }
}

/// Collects the differences of two values.
fn differ(at: &str, real: &Json, ours: &Json, found: &mut Vec<String>) {
    match (real, ours) {
        (Json::Map(left), Json::Map(right)) => {
            let keys: std::collections::BTreeSet<_> = left.keys().chain(right.keys()).collect();
            for key in keys {
                differ(&format!("{at}.{key}"), &real[key.as_str()], &ours[key.as_str()], found);
            }
        }
        (Json::List(left), Json::List(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right.iter()).enumerate() {
                differ(&format!("{at}[{index}]"), left, right, found);
            }
        }
        _ if real == ours => {}
        _ => found.push(format!("    {at}: real {real}, ours {ours}")),
    }
}
