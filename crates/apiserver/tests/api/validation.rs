//! Valid and invalid objects of many kinds, compared with the real server's responses in
//! `tests/corpora/validation.json`. `cargo xtask record validation` records and describes them.

use client_rs_apiserver::{Server, ServerOptions, StorageOptions};
use client_rs_machinery::patch::merge_patch;
use client_rs_machinery::{Json, Map, Str, json};

use crate::common::{Answer, Client};

const CORPUS: &str = include_str!("../../../../tests/corpora/validation.json");

/// Cases in which this server's response differs: by kind and name, with the reason.
const DIFFERENT: &[(&str, &str, &str)] = &[
    ("pods", "two controllers", ORDER),
    ("pods", "no image", "the recorded sentence ends where the real server shows what differs"),
    ("statefulsets", "claims", "the update: see the jobs' template"),
    ("jobs", "template", "the real server shows the object in a form of its own"),
    ("horizontalpodautoscalers", "plain", NULL),
    ("horizontalpodautoscalers", "metric", NULL),
    ("horizontalpodautoscalers", "pods metric", NULL),
    ("roles", "no rules", NULL),
    ("clusterroles", "no rules", NULL),
    ("clusterroles", "aggregation", NULL),
];
const NULL: &str = "a list that is always written and empty is [] here, and null there";
const ORDER: &str = "the fields of an object that is shown stand in another order";

#[tokio::test(start_paused = true)]
async fn every_recorded_object_is_accepted_or_refused_as_by_the_real_server() {
    let corpus = Json::parse(CORPUS.as_bytes()).unwrap();
    let options = ServerOptions::default()
        .with_listen(None)
        .with_storage(StorageOptions::default().with_populate(true).into());
    let server = Server::start_with(options).await.unwrap();
    let mut client = Client::new(&server).await;
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "corpus"}});
    assert_eq!(client.post("/api/v1/namespaces", &namespace).await.code, 201);
    let (mut cases, mut wrong) = (0, Vec::new());
    for kind in corpus["kinds"].as_list().unwrap() {
        let (name, path) = (kind["kind"].as_str().unwrap(), kind["path"].as_str().unwrap());
        for case in kind["cases"].as_list().unwrap() {
            let ours = normal(&answer(&mut client, path, &kind["good"], case).await);
            cases += 1;
            let case_name = case["name"].as_str().unwrap();
            let different = DIFFERENT.iter().any(|(of, case, _)| (*of, *case) == (name, case_name));
            // A create and an update can have the same name, and only one of them may be in `DIFFERENT`.
            if ours != case["answer"] && !different {
                let theirs = &case["answer"];
                let update = if case.get("update").is_some() { "update, " } else { "" };
                wrong.push(format!("{name}: {update}{case_name}\n  theirs {theirs}\n  ours   {ours}"));
            }
        }
    }
    assert!(cases > 500, "the corpus has {cases} cases");
    assert!(wrong.is_empty(), "{} of {cases} cases differ\n{}", wrong.len(), wrong.join("\n"));
}

async fn answer(client: &mut Client, path: &str, good: &Json, case: &Json) -> Answer {
    let named = |name: &str| merge_patch::apply(good, &json!({"metadata": {"name": name}}));
    if let Some(edit) = case.get("edit") {
        return client.post(&format!("{path}?dryRun=All"), &merge_patch::apply(&named("case"), edit)).await;
    }
    let base = format!("{path}/base");
    loop {
        let mut found = client.get(&base).await;
        if found.code != 200 {
            found = client.post(path, &named("base")).await;
            if found.code != 201 {
                return found;
            }
        }
        let body = merge_patch::apply(&found.json(), &case["update"]);
        let answer = client.put(&format!("{base}?dryRun=All"), &body).await;
        // A controller may write the status meanwhile.
        let moved = client.get(&base).await.json()["metadata"]["resourceVersion"]
            != found.json()["metadata"]["resourceVersion"];
        if answer.code != 409 || !moved {
            return answer;
        }
    }
}

/// A response without the values that differ between runs, as in the corpus.
fn normal(answer: &Answer) -> Json {
    let (code, body) = (i64::from(answer.code), answer.json());
    if answer.code >= 300 {
        return json!({"code": code, "message": same_text(body["message"].as_str().unwrap_or_default())});
    }
    let mut object = body;
    let metadata = object["metadata"].clone();
    let kept = ["name", "labels", "annotations", "finalizers", "generation"];
    let metadata: Map<Json> =
        kept.iter().filter_map(|key| Some((Str::from(*key), metadata.get(*key)?.clone()))).collect();
    object.set(&["metadata"], Json::Map(metadata)).unwrap();
    json!({"code": code, "object": settled("", &object)})
}

fn settled(key: &str, value: &Json) -> Json {
    match (key, value) {
        ("lastPhaseTransitionTime", _) => json!("T"),
        ("clusterIP", Json::Str(text)) if text.parse::<std::net::IpAddr>().is_ok() => json!("IP"),
        ("clusterIPs", Json::List(list)) if list.iter().all(|one| *one != json!("None")) => json!(["IP"]),
        ("nodePort" | "healthCheckNodePort", _) => json!(0),
        (_, Json::Map(map)) => {
            Json::Map(map.iter().map(|(key, value)| (key.clone(), settled(key, value))).collect())
        }
        (_, Json::List(list)) => list.iter().map(|value| settled("", value)).collect::<Vec<_>>().into(),
        (_, Json::Str(text)) => same_text(text).into(),
        (_, other) => other.clone(),
    }
}

/// Normalizes texts like `cargo xtask record validation`.
fn same_text(text: &str) -> String {
    if text.starts_with("kube-api-access-") {
        return "kube-api-access-X".to_owned();
    }
    let is_uid = |text: &str| {
        text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text.split("\n@@").next().unwrap_or_default();
    while let Some(first) = rest.chars().next() {
        let length = if rest.get(..36).is_some_and(is_uid) {
            out.push_str("UID");
            36
        } else {
            out.push(first);
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    out
}
