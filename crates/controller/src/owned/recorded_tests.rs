//! Documents compared with the real server's recorded responses: the corpora that also test the embedded server.
//!
//! No responses are remembered here, so it tests a process that has just started.

use client_rs_api::{
    apps, autoscaling, batch, coordination, core, discovery, events, networking, policy, rbac, scheduling,
    storage,
};
use client_rs_machinery::patch::merge_patch;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_machinery::{Json, Resource};

use super::same::{aligned, as_json, comparable, holds};
use super::shape::Shape;

const OBJECTS: &str = include_str!("../../../../tests/corpora/validation.json");
const APPLIES: &str = include_str!("../../../../tests/corpora/apply.json");

/// Responses that have other values than the document, or more items in a list. No type explains the difference, so `Owned`
/// remembers them.
const LEARNED: &[(&str, &str)] = &[
    ("pods: volume of no kind", "the server adds a volume"),
    ("pods: grace period", "the server takes another value"),
    ("namespaces: finalizer of its own", "the server adds a finalizer"),
    ("nodes: taint", "the server adds a taint"),
    ("services: target port number", "the server takes another value"),
    ("leases: strategy", "the server drops the field"),
    ("leases: preferred holder", "the server drops the field"),
    ("a container of another manager, step 1", OTHERS),
    ("a container of another manager, step 2", OTHERS),
    ("a container of another manager, step 3", OTHERS),
    ("environment by name, step 1", OTHERS),
    ("environment by name, step 2", OTHERS),
    ("ports by number and protocol, step 1", OTHERS),
    ("ports by number and protocol, step 2", OTHERS),
    ("strategic merge of a deployment, step 3", OTHERS),
    ("order of containers, step 2", OTHERS),
    ("service ports by number and protocol, step 1", OTHERS),
    ("service ports by number and protocol, step 3", OTHERS),
    ("duplicates that were there, step 3", OTHERS),
];
const OTHERS: &str = "another manager has items in the list";

/// Whether a response holds a document; `None` for a kind that is not in the list.
fn held(document: &Json, answer: &Json) -> Option<bool> {
    macro_rules! by_kind {
        ($($version:literal $kind:ident $module:path;)+) => {
            match (answer["apiVersion"].as_str()?, answer["kind"].as_str()?) {
                $(($version, stringify!($kind)) => {
                    use $module as kinds;
                    Some(of::<kinds::$kind>(document, answer))
                })+
                _ => None,
            }
        };
    }
    by_kind! {
        "v1" Pod core::v1;
        "v1" Namespace core::v1;
        "v1" Node core::v1;
        "v1" Service core::v1;
        "v1" Endpoints core::v1;
        "v1" ConfigMap core::v1;
        "v1" Secret core::v1;
        "v1" ServiceAccount core::v1;
        "v1" Event core::v1;
        "v1" PersistentVolume core::v1;
        "v1" PersistentVolumeClaim core::v1;
        "v1" LimitRange core::v1;
        "v1" ResourceQuota core::v1;
        "discovery.k8s.io/v1" EndpointSlice discovery::v1;
        "events.k8s.io/v1" Event events::v1;
        "apps/v1" Deployment apps::v1;
        "apps/v1" ReplicaSet apps::v1;
        "apps/v1" StatefulSet apps::v1;
        "apps/v1" DaemonSet apps::v1;
        "batch/v1" Job batch::v1;
        "batch/v1" CronJob batch::v1;
        "networking.k8s.io/v1" Ingress networking::v1;
        "networking.k8s.io/v1" NetworkPolicy networking::v1;
        "policy/v1" PodDisruptionBudget policy::v1;
        "autoscaling/v2" HorizontalPodAutoscaler autoscaling::v2;
        "autoscaling/v1" HorizontalPodAutoscaler autoscaling::v1;
        "rbac.authorization.k8s.io/v1" Role rbac::v1;
        "rbac.authorization.k8s.io/v1" ClusterRole rbac::v1;
        "rbac.authorization.k8s.io/v1" RoleBinding rbac::v1;
        "rbac.authorization.k8s.io/v1" ClusterRoleBinding rbac::v1;
        "coordination.k8s.io/v1" Lease coordination::v1;
        "scheduling.k8s.io/v1" PriorityClass scheduling::v1;
        "storage.k8s.io/v1" StorageClass storage::v1;
    }
}

fn of<K: Resource + Payload>(document: &Json, answer: &Json) -> bool {
    let mut answer = answer.clone();
    // The recording has no timestamps.
    answer.remove(&["status"]);
    let object = K::decode(Format::Json, &answer.to_vec(), &mut Decoding::new()).unwrap();
    let live = as_json(&object);
    holds::<K>(&live, &aligned(&live, &comparable::<K>(document)), &Shape::default())
}

/// All documents that differ from this one in one value.
fn changes(document: &Json) -> Vec<Json> {
    let mut found = Vec::new();
    match document {
        Json::Map(map) => {
            for (key, value) in map {
                found.extend(changes(value).into_iter().map(|value| {
                    let mut map = map.clone();
                    map.insert(key.clone(), value);
                    Json::Map(map)
                }));
            }
        }
        Json::List(list) => {
            for (at, value) in list.iter().enumerate() {
                found.extend(changes(value).into_iter().map(|value| {
                    let mut list = list.to_vec();
                    list[at] = value;
                    Json::from(list)
                }));
            }
        }
        Json::Str(text) => found.push(format!("1{text}x").into()),
        Json::Int(number) => found.push((number + 1).into()),
        Json::Bool(value) => found.push((!value).into()),
        Json::Float(_) | Json::Null => {}
    }
    found
}

/// The part of a document that is compared.
fn compared(document: &Json) -> Json {
    let mut document = document.clone();
    for path in
        [&["apiVersion"][..], &["kind"], &["metadata", "name"], &["metadata", "namespace"], &["status"]]
    {
        document.remove(path);
    }
    document
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap()
}

#[derive(Default)]
struct Tally {
    answers: usize,
    changes: usize,
    wrong: Vec<String>,
    unnoticed: Vec<String>,
}

impl Tally {
    fn add(&mut self, what: &str, document: &Json, answer: &Json) {
        let document = compared(document);
        let Some(holds) = held(&document, answer) else { return };
        self.answers += 1;
        let learned = LEARNED.iter().any(|(name, _)| *name == what);
        if holds == learned {
            self.wrong.push(format!("{what}, held: {holds}\n  wanted {document}\n  answer {answer}"));
        }
        for changed in changes(&document) {
            self.changes += 1;
            if held(&changed, answer) == Some(true) {
                self.unnoticed.push(format!("{what}\n  wanted {changed}\n  answer {answer}"));
            }
        }
    }
}

#[test]
fn recorded_responses_hold_their_document_and_no_changed_one() {
    let mut tally = Tally::default();
    for kind in Json::parse(OBJECTS.as_bytes()).unwrap()["kinds"].as_list().unwrap() {
        for case in kind["cases"].as_list().unwrap() {
            let (Some(edit), Some(200..300)) = (case.get("edit"), case["answer"]["code"].as_i64()) else {
                continue;
            };
            let what = format!("{}: {}", text(&kind["kind"]), text(&case["name"]));
            tally.add(&what, &merge_patch::apply(&kind["good"], edit), &case["answer"]["object"]);
        }
    }
    for sequence in Json::parse(APPLIES.as_bytes()).unwrap()["sequences"].as_list().unwrap() {
        for (at, step) in sequence["steps"].as_list().unwrap().iter().enumerate() {
            let (send, answer) = (&step["send"], &step["answer"]);
            let is_apply =
                send["type"].as_str().is_some_and(|text| text.starts_with("application/apply-patch"));
            let (true, Some(200..300), Some(body)) = (is_apply, answer["code"].as_i64(), send.get("body"))
            else {
                continue;
            };
            // A subresource uses only a part of the document.
            if !text(&send["path"]).contains("/status?") {
                tally.add(&format!("{}, step {at}", text(&sequence["name"])), body, &answer["object"]);
            }
        }
    }
    let Tally { answers, changes, wrong, unnoticed } = tally;
    assert!(answers > 200 && changes > 700, "{answers} answers, {changes} changes");
    assert!(wrong.is_empty(), "{} of {answers}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(unnoticed.is_empty(), "{} of {changes} unnoticed:\n{}", unnoticed.len(), unnoticed.join("\n"));
}
