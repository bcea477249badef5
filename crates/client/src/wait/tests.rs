//! A server that is a function, watched.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_machinery::{GroupVersionResource, Json, json};
use client_rs_transport::http::{Body, ConnectError, TransportError};

use super::*;
use crate::fake_api::{FakeApi, Heard, Reply, json as answer, refuse};
use crate::{DynamicApi, DynamicClient, Error};

const MINUTE: Duration = Duration::from_mins(1);

fn widget(version: u32, status: &Json) -> Json {
    json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "status": status.clone(),
        "metadata": {"name": "a", "uid": "u", "resourceVersion": version.to_string(), "generation": 1},
    })
}

fn list(version: u32, items: Vec<Json>) -> Reply {
    let metadata = json!({"resourceVersion": version.to_string()});
    answer(json!({"kind": "WidgetList", "metadata": metadata, "items": items}).to_string())
}

fn event(kind: &str, object: &Json) -> String {
    json!({"type": kind, "object": object.clone()}).to_string()
}

fn widgets(api: &FakeApi) -> DynamicApi {
    DynamicClient::from_rest(api.client()).resource(GroupVersionResource::new("example.com", "v1", "widgets"))
}

fn ready() -> Json {
    json!({"conditions": [{"type": "Ready", "status": "True"}]})
}

#[tokio::test(start_paused = true)]
async fn a_condition_that_already_holds_needs_no_watch() {
    let api = FakeApi::new(|_| list(7, vec![widget(5, &ready())]));
    let found = widgets(&api).wait_for("a", conditions::condition("ready", "true"), MINUTE).await.unwrap();
    assert_eq!(found.unwrap().resource_version(), "5");
    assert_eq!(api.take_calls(), ["GET /apis/example.com/v1/widgets?fieldSelector=metadata.name%3Da"]);
}

/// The parameters without the timeout of a watch, which exists if and only if it is a watch.
fn without_limit(query: &str) -> String {
    let (limits, others): (Vec<_>, Vec<_>) =
        query.split('&').partition(|pair| pair.starts_with("timeoutSeconds="));
    let seconds: Vec<u32> =
        limits.iter().map(|pair| pair.split_once('=').unwrap().1.parse().unwrap()).collect();
    assert_eq!(seconds.len(), usize::from(query.contains("watch=true")), "{query}");
    assert!(seconds.iter().all(|seconds| (60..=120).contains(seconds)), "{query}");
    others.join("&")
}

#[tokio::test(start_paused = true)]
async fn a_watch_continues_where_the_last_one_ended() {
    let watches = AtomicUsize::new(0);
    let api = FakeApi::new(move |heard: &Heard| -> Reply {
        if !heard.path().contains("watch=true") {
            return list(7, vec![]);
        }
        match watches.fetch_add(1, Ordering::SeqCst) {
            0 => answer(event("ADDED", &widget(8, &json!({})))),
            // It breaks off in the middle of an event.
            1 => answer(event("BOOKMARK", &widget(12, &json!({}))) + "{\"type\":"),
            2 => refuse(503, "ServiceUnavailable"),
            3 => answer(event("MODIFIED", &widget(13, &ready()))),
            _ => refuse(404, "NotFound"),
        }
    });
    let found = widgets(&api).wait_for("a", conditions::condition("Ready", "True"), MINUTE).await.unwrap();
    assert_eq!(found.unwrap().resource_version(), "13");
    let calls = api.take_calls();
    // The server ends its watches, so that a dead connection is detected.
    let asked: Vec<_> =
        calls.iter().map(|call| call.rsplit_once('?').unwrap().1).map(without_limit).collect();
    let watch = |version: u32| {
        format!(
            "allowWatchBookmarks=true&fieldSelector=metadata.name%3Da&resourceVersion={version}&watch=true"
        )
    };
    // After a failure, everything is listed again.
    let again = "fieldSelector=metadata.name%3Da".to_owned();
    assert_eq!(asked, [again.clone(), watch(7), watch(8), watch(12), again, watch(7)]);
}

#[tokio::test(start_paused = true)]
async fn an_expired_version_lists_again() {
    let calls = AtomicUsize::new(0);
    let gone =
        r#"{"type":"ERROR","object":{"kind":"Status","status":"Failure","reason":"Expired","code":410}}"#;
    let api = FakeApi::new(move |heard: &Heard| -> Reply {
        match (heard.path().contains("watch=true"), calls.fetch_add(1, Ordering::SeqCst)) {
            (false, 0) => list(7, vec![]),
            (true, 1) => answer(gone),
            (false, 2) => list(20, vec![]),
            (true, 3) => refuse(410, "Expired"),
            (false, 4) => list(30, vec![widget(29, &ready())]),
            other => panic!("{other:?} {}", heard.path()),
        }
    });
    let found = widgets(&api).wait_for("a", conditions::created(), MINUTE).await.unwrap();
    assert_eq!(found.unwrap().resource_version(), "29");
}

#[tokio::test(start_paused = true)]
async fn deleted_holds_when_that_object_is_gone() {
    // At once, if there is none.
    let api = FakeApi::new(|_| list(7, vec![]));
    assert_eq!(widgets(&api).wait_for("a", conditions::deleted(), MINUTE).await.unwrap(), None);
    // A new object with the same name is another one.
    for last in [event("DELETED", &widget(9, &json!({}))), {
        let mut other = widget(9, &json!({}));
        other.set(&["metadata", "uid"], "v").unwrap();
        event("MODIFIED", &other)
    }] {
        let api = FakeApi::new(move |heard: &Heard| -> Reply {
            if heard.path().contains("watch=true") {
                return answer(event("MODIFIED", &widget(8, &json!({}))) + &last);
            }
            list(7, vec![widget(5, &json!({}))])
        });
        widgets(&api).wait_for("a", conditions::deleted(), MINUTE).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn an_object_that_was_created_again_before_the_first_list_is_not_waited_for() {
    let mut new = widget(9, &json!({}));
    new.set(&["metadata", "uid"], "v").unwrap();
    let api = FakeApi::new(move |_| list(9, vec![new.clone()]));
    let found = widgets(&api).wait_for("a", conditions::deleted_uid("u"), MINUTE).await.unwrap();
    assert_eq!(found.unwrap().uid(), "v");
    // Without a UID it is the one that is there.
    for condition in [conditions::deleted_uid("v"), conditions::deleted_uid("")] {
        let error = widgets(&api).wait_for("a", condition, MINUTE).await.unwrap_err();
        assert!(error.to_string().contains("waiting for a to be deleted"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_restarts_refuses_connections_for_a_while() {
    let refused = || -> Reply {
        let error = Arc::new(io::ErrorKind::ConnectionRefused.into());
        Err(TransportError::Connect(ConnectError::Unreachable {
            target: "k8s.example:443".to_owned(),
            error,
        }))
    };
    let calls = AtomicUsize::new(0);
    let api = FakeApi::new(move |heard: &Heard| -> Reply {
        match (heard.path().contains("watch=true"), calls.fetch_add(1, Ordering::SeqCst)) {
            (false, 0) => list(7, vec![widget(5, &json!({}))]),
            (_, 1..=3) => refused(),
            (false, 4) => list(9, vec![widget(8, &ready())]),
            other => panic!("{other:?} {}", heard.path()),
        }
    });
    let found = widgets(&api).wait_for("a", conditions::condition("Ready", "True"), MINUTE).await.unwrap();
    assert_eq!(found.unwrap().resource_version(), "8");
    // If it has never answered, its address may be wrong.
    let api = FakeApi::new(move |_| refused());
    let error = widgets(&api).wait_for("a", conditions::created(), MINUTE).await.unwrap_err();
    assert!(matches!(&error, WaitError::Request(error) if error.is_connection_refused()), "{error}");
    assert_eq!(api.heard().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_names_the_condition() {
    let api = FakeApi::new(|heard: &Heard| -> Reply {
        if heard.path().contains("watch=true") {
            Ok(http::Response::new(Body::from("")))
        } else {
            list(7, vec![])
        }
    });
    let start = tokio::time::Instant::now();
    let error = widgets(&api).wait_for("a", conditions::created(), Duration::from_secs(5)).await.unwrap_err();
    assert!(error.to_string().starts_with("timed out after 5s waiting for a to be created"), "{error}");
    assert_eq!(start.elapsed().as_secs(), 5);
    // At most one attempt per second.
    assert!(api.heard().len() <= 12, "{}", api.heard().len());
}

#[tokio::test(start_paused = true)]
async fn a_permanent_failure_ends_the_wait() {
    let api = FakeApi::new(|_| refuse(403, "Forbidden"));
    let error = widgets(&api).wait_for("a", conditions::created(), MINUTE).await.unwrap_err();
    assert!(matches!(&error, WaitError::Request(Error::Api { .. })), "{error}");
    let failed = json!({"conditions": [{"type": "Failed", "status": "True"}]});
    let api = FakeApi::new(move |_| list(7, vec![widget(5, &failed)]));
    let error = widgets(&api).wait_for("a", conditions::job_completed(), MINUTE).await.unwrap_err();
    assert_eq!(error.to_string(), "waiting for a failed: the job has failed");
    for bad in ["", "a/b", "..", "a%"] {
        let api = FakeApi::new(|_| list(7, vec![]));
        let error = widgets(&api).wait_for(bad, conditions::created(), MINUTE).await.unwrap_err();
        assert!(matches!(error, WaitError::Request(Error::Request(_))), "{bad}: {error}");
        assert!(api.heard().is_empty());
    }
}

#[test]
fn conditions_hold_for_the_states_they_describe() {
    let holds = |condition: &mut dyn WaitCondition, object: &Json| condition.holds(Some(object));
    let deployment = |text: &str| -> Json {
        let mut object: Json = text.parse().unwrap();
        object.set(&["metadata"], json!({"generation": 2})).unwrap();
        object
    };
    let mut rolled_out = conditions::deployment_rolled_out();
    for (text, expected) in [
        (
            r#"{"spec":{"replicas":2},"status":{"observedGeneration":2,"replicas":2,"updatedReplicas":2,"availableReplicas":2}}"#,
            true,
        ),
        (r#"{"spec":{"replicas":0},"status":{"observedGeneration":2}}"#, true),
        (
            r#"{"status":{"observedGeneration":2,"replicas":1,"updatedReplicas":1,"availableReplicas":1}}"#,
            true,
        ),
        (
            r#"{"spec":{"replicas":2},"status":{"observedGeneration":1,"replicas":2,"updatedReplicas":2,"availableReplicas":2}}"#,
            false,
        ),
        (
            r#"{"spec":{"replicas":3},"status":{"observedGeneration":2,"replicas":2,"updatedReplicas":2,"availableReplicas":2}}"#,
            false,
        ),
        (
            r#"{"spec":{"replicas":2},"status":{"observedGeneration":2,"replicas":3,"updatedReplicas":2,"availableReplicas":2}}"#,
            false,
        ),
        (
            r#"{"spec":{"replicas":2},"status":{"observedGeneration":2,"replicas":2,"updatedReplicas":2,"availableReplicas":1}}"#,
            false,
        ),
        (r#"{"spec":{"replicas":2}}"#, false),
    ] {
        assert_eq!(holds(&mut rolled_out, &deployment(text)), Ok(expected), "{text}");
    }
    let late = r#"{"status":{"observedGeneration":2,"conditions":[{"type":"Progressing","reason":"ProgressDeadlineExceeded"}]}}"#;
    assert!(holds(&mut rolled_out, &deployment(late)).is_err());

    let status = |text: &str| json!({"status": text.parse::<Json>().unwrap()});
    let ready = status(r#"{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}"#);
    let (done, failed) = (status(r#"{"phase":"Succeeded"}"#), status(r#"{"phase":"Failed"}"#));
    assert_eq!(holds(&mut conditions::pod_ready(), &ready), Ok(true));
    assert_eq!(holds(&mut conditions::pod_ready(), &status("{}")), Ok(false));
    assert!(holds(&mut conditions::pod_ready(), &done).is_err());
    assert_eq!(holds(&mut conditions::pod_completed(), &done), Ok(true));
    assert!(holds(&mut conditions::pod_completed(), &failed).is_err());
    let complete = status(r#"{"conditions":[{"type":"Complete","status":"True"}]}"#);
    assert_eq!(holds(&mut conditions::job_completed(), &complete), Ok(true));
    let established = status(r#"{"conditions":[{"type":"Established","status":"True"}]}"#);
    assert_eq!(holds(&mut conditions::crd_established(), &established), Ok(true));
    let taken = status(r#"{"conditions":[{"type":"NamesAccepted","status":"False"}]}"#);
    assert!(holds(&mut conditions::crd_established(), &taken).is_err());
    assert_eq!(conditions::created().holds(None), Ok(false));

    // A condition of an older state of the object does not count.
    let mut old = ready.clone();
    old.set(&["metadata", "generation"], 3).unwrap();
    old.set(&["status", "observedGeneration"], 2).unwrap();
    assert_eq!(holds(&mut conditions::condition("Ready", "True"), &old), Ok(false));
    assert_eq!(holds(&mut conditions::condition("Other", "True"), &ready), Ok(false));
}

#[test]
fn paths_are_compared_with_one_scalar_value() {
    let object: Json =
        r#"{"status":{"phase":"Running","n":3,"ok":true,"list":["a","b"],"map":{}}}"#.parse().unwrap();
    for (path, value, expected) in [
        ("{.status.phase}", Some("Running"), Ok(true)),
        (".status.phase", Some("Pending"), Ok(false)),
        ("status.n", Some("3"), Ok(true)),
        ("{.status.ok}", Some("true"), Ok(true)),
        ("{.status.nope}", Some("x"), Ok(false)),
        ("{.status.nope}", None, Ok(false)),
        ("{.status.map}", None, Ok(true)),
        ("{.status.list[0]}", Some("a"), Ok(true)),
        ("{.status.list[*]}", Some("a"), Err(())),
        ("{.status.map}", Some("a"), Err(())),
        ("{.status.phase[0]}", Some("a"), Err(())),
    ] {
        let held = conditions::jsonpath(path, value).unwrap().holds(Some(&object));
        assert_eq!(held.map_err(drop), expected, "{path}");
    }
    assert!(conditions::jsonpath("{.a", None).is_err());
    assert_eq!(conditions::jsonpath("{.a}", Some("b")).unwrap().describe(), "to have {.a}=b");
    let seen = Mutex::new(0);
    let mut closure = |object: Option<&Json>| {
        *seen.lock().unwrap() += 1;
        object.is_none()
    };
    assert_eq!(WaitCondition::holds(&mut closure, None), Ok(true));
    assert_eq!(*seen.lock().unwrap(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_conflict_reads_changes_and_writes_again() {
    let writes = AtomicUsize::new(0);
    let api = FakeApi::new(move |heard: &Heard| -> Reply {
        if heard.method == "GET" || writes.fetch_add(1, Ordering::SeqCst) > 1 {
            return answer(widget(5, &json!({})).to_string());
        }
        refuse(409, "Conflict")
    });
    let mut changes = 0;
    widgets(&api)
        .retry_on_conflict("a", |object| {
            changes += 1;
            object.set_label("tried", changes.to_string());
        })
        .await
        .unwrap();
    assert_eq!((changes, api.take_calls().len()), (3, 6));
    let api = FakeApi::new(|heard: &Heard| {
        if heard.method == "GET" {
            answer(widget(5, &json!({})).to_string())
        } else {
            refuse(409, "Conflict")
        }
    });
    assert!(widgets(&api).retry_on_conflict("a", |_| ()).await.unwrap_err().is_conflict());
    assert_eq!(api.take_calls().len(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_missing_object_is_created_and_an_existing_one_updated() {
    let calls = AtomicUsize::new(0);
    // Missing, then another client was faster, then it exists.
    let api = FakeApi::new(move |_| match calls.fetch_add(1, Ordering::SeqCst) {
        0 => refuse(404, "NotFound"),
        1 => refuse(409, "AlreadyExists"),
        _ => answer(widget(5, &json!({})).to_string()),
    });
    let new = || client_rs_machinery::Unstructured::new("example.com/v1", "Widget", "a");
    let (object, created) =
        widgets(&api).create_or_update("a", new, |object| object.set_label("x", "y")).await.unwrap();
    assert_eq!((object.name(), created), ("a", false));
    let methods: Vec<_> = api.heard().iter().map(|heard| heard.method.to_string()).collect();
    assert_eq!(methods, ["GET", "POST", "GET", "PUT"]);
    let posted = Json::parse(&api.heard()[1].body).unwrap();
    assert_eq!(posted["metadata"]["labels"]["x"].as_str(), Some("y"));
}
