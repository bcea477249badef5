//! Watches over HTTP, and the test controls, with a paused clock.

use std::collections::VecDeque;
use std::time::Duration;

use crate::common::{Client, server};
use client_rs_apiserver::{Effect, Fault};
use client_rs_machinery::wire::{Format, WatchDecoder, WatchEventType};
use client_rs_machinery::{Json, json};
use http_body_util::BodyExt;
use hyper::body::Incoming;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

fn config_map(name: &str) -> Json {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}})
}

/// The events of a watch, in order.
struct Events {
    body: Incoming,
    format: Format,
    decoder: WatchDecoder,
    ready: VecDeque<(WatchEventType, Json)>,
}

impl Events {
    async fn open(client: &mut Client, uri: &str, accept: &str) -> Self {
        let response = client.open("GET", uri, &[("accept", accept)], b"").await;
        assert_eq!(response.status(), 200);
        let format = if accept == PROTOBUF { Format::Protobuf } else { Format::Json };
        let decoder = WatchDecoder::new(format);
        Self { body: response.into_body(), format, decoder, ready: VecDeque::new() }
    }

    /// The next event; `None` at the end of the watch.
    async fn next(&mut self) -> Option<(WatchEventType, Json)> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            let frame = self.body.frame().await?.ok()?;
            self.decoder.push(&frame.into_data().ok()?);
            while let Some(event) = self.decoder.next_event().unwrap() {
                let object = match self.format {
                    Format::Json => Json::parse(event.object).unwrap(),
                    Format::Protobuf => {
                        let object = client_rs_api::scheme().decode_envelope(event.object).unwrap();
                        Json::parse(&object.to_json()).unwrap()
                    }
                };
                self.ready.push_back((event.kind, object));
            }
        }
    }

    async fn expect(&mut self, kind: WatchEventType, name: &str) -> Json {
        let (found, object) = self.next().await.unwrap();
        assert_eq!(
            (&found, object["metadata"]["name"].as_str().unwrap_or_default()),
            (&kind, name),
            "{object}"
        );
        object
    }
}

#[tokio::test(start_paused = true)]
async fn changes_arrive_in_order_in_both_formats() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    client.post(MAPS, &config_map("a")).await;
    for accept in ["application/json", PROTOBUF] {
        let mut watcher = Client::new(&server).await;
        let mut events = Events::open(&mut watcher, &format!("{MAPS}?watch=1"), accept).await;
        events.expect(WatchEventType::Added, "a").await;
        client.post(MAPS, &config_map("b")).await;
        client.patch(&format!("{MAPS}/b"), "merge-patch+json", br#"{"data":{"k":"v"}}"#).await;
        client.delete(&format!("{MAPS}/b")).await;
        events.expect(WatchEventType::Added, "b").await;
        assert_eq!(events.expect(WatchEventType::Modified, "b").await["data"]["k"], json!("v"));
        let last = events.expect(WatchEventType::Deleted, "b").await;
        let version: u64 = last["metadata"]["resourceVersion"].as_str().unwrap().parse().unwrap();
        assert_eq!(version, server.controls().revision());
    }
}

#[tokio::test(start_paused = true)]
async fn a_watch_resumes_where_another_ended() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let first = client.post(MAPS, &config_map("a")).await.json();
    client.post(MAPS, &config_map("b")).await;
    let version = first["metadata"]["resourceVersion"].as_str().unwrap();
    let uri = format!("{MAPS}?watch=1&resourceVersion={version}&timeoutSeconds=5");
    let mut events = Events::open(&mut client, &uri, "application/json").await;
    events.expect(WatchEventType::Added, "b").await;
    assert!(events.next().await.is_none(), "it ends by its timeout");
    server.controls().compact();
    let mut client = Client::new(&server).await;
    let mut events = Events::open(&mut client, &uri, "application/json").await;
    let (kind, status) = events.next().await.unwrap();
    assert_eq!(
        (kind, &status["code"], &status["reason"]),
        (WatchEventType::Error, &json!(410), &json!("Expired"))
    );
    assert!(events.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn the_initial_state_ends_with_a_bookmark_and_bookmarks_follow() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    client.post(MAPS, &config_map("a")).await;
    let uri = format!(
        "{MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=100"
    );
    let mut watcher = Client::new(&server).await;
    let mut events = Events::open(&mut watcher, &uri, "application/json").await;
    events.expect(WatchEventType::Added, "a").await;
    let end = events.expect(WatchEventType::Bookmark, "").await;
    assert_eq!(end["metadata"]["annotations"]["k8s.io/initial-events-end"], json!("true"));
    assert_eq!(end["metadata"]["resourceVersion"], json!(server.controls().revision().to_string()));
    client.post("/api/v1/namespaces/default/secrets", &json!({"metadata": {"name": "other"}})).await;
    let later = events.expect(WatchEventType::Bookmark, "").await;
    assert_eq!(later["metadata"]["annotations"], Json::Null);
    assert_eq!(later["metadata"]["resourceVersion"], json!(server.controls().revision().to_string()));
    server.controls().stop_bookmarks(true);
    assert!(events.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_table_names_its_columns_once() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    client.post(MAPS, &config_map("a")).await;
    client.post(MAPS, &config_map("b")).await;
    let accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let mut events = Events::open(&mut client, &format!("{MAPS}?watch=1"), accept).await;
    let (_, first) = events.next().await.unwrap();
    assert_eq!((&first["kind"], first["columnDefinitions"].as_list().unwrap().len()), (&json!("Table"), 3));
    let (_, second) = events.next().await.unwrap();
    assert_eq!((&second["columnDefinitions"], &second["rows"][0]["cells"][0]), (&Json::Null, &json!("b")));
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_does_not_read_expires_and_is_not_buffered() {
    let storage = client_rs_apiserver::StorageOptions::default().with_history(50).into();
    let options = client_rs_apiserver::ServerOptions::default().with_listen(None).with_storage(storage);
    let server = client_rs_apiserver::Server::start_with(options).await.unwrap();
    let mut client = Client::new(&server).await;
    let mut watcher = Client::new(&server).await;
    let version = server.controls().revision();
    let uri = format!("{MAPS}?watch=1&resourceVersion={version}");
    let mut events = Events::open(&mut watcher, &uri, "application/json").await;
    let filler = "x".repeat(10_000);
    for count in 0..200 {
        let mut map = config_map(&format!("m{count}"));
        map.set(&["data", "k"], filler.as_str()).unwrap();
        assert_eq!(client.post(MAPS, &map).await.code, 201);
    }
    let mut seen = 0;
    let last = loop {
        match events.next().await.unwrap() {
            (WatchEventType::Added, object) => {
                assert_eq!(object["metadata"]["name"], json!(format!("m{seen}")), "no gap before the cut");
                seen += 1;
            }
            other => break other,
        }
    };
    assert_eq!((last.0, &last.1["code"]), (WatchEventType::Error, &json!(410)));
    assert!(seen < 200 && events.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn garbage_and_namespaces_are_collected_after_the_response() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let owner = client.post(MAPS, &config_map("owner")).await.json();
    let mut child = config_map("child");
    let reference =
        json!([{"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": &owner["metadata"]["uid"]}]);
    child.set(&["metadata", "ownerReferences"], reference).unwrap();
    client.post(MAPS, &child).await;
    let mut watcher = Client::new(&server).await;
    let mut events = Events::open(&mut watcher, &format!("{MAPS}?watch=1"), "application/json").await;
    events.expect(WatchEventType::Added, "child").await;
    events.expect(WatchEventType::Added, "owner").await;
    client.delete(&format!("{MAPS}/owner")).await;
    events.expect(WatchEventType::Deleted, "owner").await;
    events.expect(WatchEventType::Deleted, "child").await;
    client.post("/api/v1/namespaces", &json!({"metadata": {"name": "n"}})).await;
    let mut watcher = Client::new(&server).await;
    let uri = "/api/v1/namespaces?watch=1&fieldSelector=metadata.name=n";
    let mut events = Events::open(&mut watcher, uri, "application/json").await;
    events.expect(WatchEventType::Added, "n").await;
    client.post("/api/v1/namespaces/n/configmaps", &config_map("a")).await;
    assert_eq!(client.delete("/api/v1/namespaces/n").await.json()["status"]["phase"], json!("Terminating"));
    events.expect(WatchEventType::Modified, "n").await;
    events.expect(WatchEventType::Deleted, "n").await;
    assert_eq!(client.get("/api/v1/namespaces/n/configmaps/a").await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn injected_faults_happen() {
    let server = server().await;
    let controls = server.controls();
    let mut client = Client::new(&server).await;
    let always = |effect| Fault::new(effect).method("GET").path_contains("configmaps");
    let fault = |effect| always(effect).times(1);
    controls.inject(fault(Effect::Status {
        code: 429,
        reason: "TooManyRequests".into(),
        message: "later".into(),
        retry_after_seconds: Some(7),
    }));
    assert_eq!(client.get("/api/v1/namespaces").await.code, 200);
    let busy = client.get(MAPS).await;
    assert_eq!((busy.code, busy.header("retry-after")), (429, vec!["7"]));
    assert_eq!(busy.json()["details"]["retryAfterSeconds"], json!(7));
    assert_eq!(client.get(MAPS).await.code, 200);
    controls.inject(fault(Effect::Delay(Duration::from_secs(9))));
    let before = tokio::time::Instant::now();
    assert_eq!(client.get(MAPS).await.code, 200);
    assert_eq!(before.elapsed(), Duration::from_secs(9));
    controls.inject(fault(Effect::Freeze));
    let frozen = tokio::time::timeout(Duration::from_mins(1), client.get(MAPS)).await;
    assert!(frozen.is_err());
    let mut client = Client::new(&server).await;
    controls.inject(fault(Effect::Truncate(10)));
    let response = client.open("GET", MAPS, &[], b"").await;
    assert!(response.into_body().collect().await.is_err());
    let injected = controls.inject(always(Effect::status(500, "", "")));
    let mut client = Client::new(&server).await;
    assert_eq!(client.get(MAPS).await.code, 500);
    assert_eq!(client.get(MAPS).await.code, 500);
    assert_eq!((injected.happened(), injected.left()), (2, None));
    controls.clear_faults();
    assert_eq!(client.get(MAPS).await.code, 200);
    let seen = controls.requests();
    assert_eq!((seen[0].method.as_str(), seen[0].uri.as_str()), ("GET", "/api/v1/namespaces"));
    controls.clear_requests();
    assert!(controls.requests().is_empty());
}

#[tokio::test(start_paused = true)]
async fn all_watches_can_be_dropped_and_the_clock_can_be_advanced() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let mut watcher = Client::new(&server).await;
    let mut events = Events::open(&mut watcher, &format!("{MAPS}?watch=1"), "application/json").await;
    client.post(MAPS, &config_map("a")).await;
    events.expect(WatchEventType::Added, "a").await;
    server.controls().drop_watches();
    assert!(events.next().await.is_none());
    server.controls().advance_clock(Duration::from_hours(9600));
    let table =
        client.send("GET", MAPS, &[("accept", "application/json;as=Table;v=v1;g=meta.k8s.io")], b"").await;
    assert_eq!(table.json()["rows"][0]["cells"][2], json!("400d"));
}

#[tokio::test(start_paused = true)]
async fn many_watchers_see_every_change_in_order() {
    let server = server().await;
    let mut tasks = Vec::new();
    for _ in 0..20 {
        let mut watcher = Client::new(&server).await;
        let mut events = Events::open(&mut watcher, &format!("{MAPS}?watch=1"), "application/json").await;
        tasks.push(tokio::spawn(async move {
            for count in 0..200 {
                events.expect(WatchEventType::Added, &format!("m{count}")).await;
            }
            drop(watcher);
        }));
    }
    let mut client = Client::new(&server).await;
    for count in 0..200 {
        client.post(MAPS, &config_map(&format!("m{count}"))).await;
    }
    for task in tasks {
        task.await.unwrap();
    }
}
