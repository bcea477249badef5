//! The requests of client-go's broadcasters compared with ours, for the same events, in simulated time.
//!
//! `tests/corpora/events.jsonl` has the requests of client-go (`cargo xtask record events` records it again). Ours must send
//! the same creates and patches, of the same names, at the same milliseconds.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_api::core::v1::{self as core, Node, Pod};
use client_rs_api::events::v1 as events;
use client_rs_client::Error;
use client_rs_events::{EventType, Reference, events_v1, record};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Map, Str};
use serde::Deserialize;
use tokio::time::Instant;

use crate::common::{api_error, clock, transport_error};

#[derive(Deserialize)]
struct Trace {
    api: String,
    moves: Vec<Move>,
    calls: Vec<Call>,
}

/// A step of a trace, this many milliseconds after the start.
#[derive(Deserialize)]
struct Move {
    at: u64,
    say: Option<Saying>,
    #[serde(default)]
    forget: bool,
    answer: Option<String>,
}

#[derive(Deserialize)]
struct Saying {
    object: String,
    #[serde(default)]
    related: String,
    r#type: String,
    reason: String,
    #[serde(default)]
    action: String,
    text: String,
    annotations: Option<BTreeMap<String, String>>,
}

/// A request to the server.
#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Call {
    at: u64,
    verb: String,
    name: String,
    event: Option<serde_json::Value>,
    patch: Option<serde_json::Value>,
}

/// A server that keeps the names of events, and the requests.
#[derive(Clone)]
struct Server(Arc<Mutex<State>>);

struct State {
    begin: Instant,
    stored: BTreeSet<String>,
    calls: Vec<Call>,
    mood: String,
    version: u64,
}

impl Server {
    fn new() -> Self {
        let state = State {
            begin: Instant::now(),
            stored: BTreeSet::new(),
            calls: Vec::new(),
            mood: String::new(),
            version: 0,
        };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Returns the version of the stored object.
    fn asked(
        &self,
        verb: &str,
        name: &Str,
        event: Option<Vec<u8>>,
        patch: Option<&Patch>,
    ) -> Result<Str, Error> {
        let mut state = self.0.lock().unwrap();
        let at = u64::try_from(state.begin.elapsed().as_millis()).unwrap();
        let json = |bytes: Vec<u8>| serde_json::from_slice(&bytes).unwrap();
        let name = name.as_str().to_owned();
        state.calls.push(Call {
            at,
            verb: verb.to_owned(),
            name: name.clone(),
            event: event.map(json),
            patch: patch.map(|patch| json(patch.body())),
        });
        match (state.mood.as_str(), verb) {
            ("forbidden", _) => return Err(api_error(403)),
            ("unreachable", _) => return Err(transport_error()),
            (_, "create") if state.stored.contains(&name) => return Err(api_error(409)),
            (_, "patch") if !state.stored.contains(&name) => return Err(api_error(404)),
            _ => {}
        }
        state.stored.insert(name);
        state.version += 1;
        Ok(state.version.to_string().into())
    }
}

macro_rules! sink {
    ($api:ident, $event:ty) => {
        impl $api::EventSink for Server {
            async fn create(&self, event: &$event) -> Result<$event, Error> {
                let version = self.asked("create", &event.metadata.name, Some(event.to_json()), None)?;
                let mut stored = event.clone();
                stored.metadata.resource_version = version;
                Ok(stored)
            }

            async fn update(&self, event: &$event) -> Result<$event, Error> {
                panic!("{} is replaced: client-go never does that", event.metadata.name)
            }

            async fn patch(&self, event: &$event, patch: &Patch) -> Result<$event, Error> {
                let version = self.asked("patch", &event.metadata.name, None, Some(patch))?;
                let mut stored = event.clone();
                stored.metadata.resource_version = version;
                Ok(stored)
            }
        }
    };
}

sink!(record, core::Event);
sink!(events_v1, events::Event);

/// 2000-01-01, the start of simulated time in Go.
const MIDNIGHT: i64 = 946_684_800;

fn pod(name: &str) -> Pod {
    let metadata = ObjectMeta {
        name: name.into(),
        namespace: "shop".into(),
        uid: "u-1".into(),
        resource_version: "7".into(),
        ..ObjectMeta::EMPTY
    };
    Pod { metadata, ..Pod::EMPTY }
}

fn event_type(name: &str) -> EventType {
    if name == "Normal" { EventType::Normal } else { EventType::Warning }
}

/// A recorder of either API.
type Say = Box<dyn Fn(&Saying)>;

fn core_recorder(server: &Server) -> Say {
    let options = record::EventBroadcasterOptions::default().with_clock(clock(MIDNIGHT));
    let broadcaster = record::EventBroadcaster::with_options(options);
    broadcaster.start_recording_to_sink(server.clone()).unwrap();
    let recorder = broadcaster.recorder("kubelet", "node-1");
    Box::new(move |said| {
        let (object, kind) = (pod(&said.object), event_type(&said.r#type));
        match &said.annotations {
            None => recorder.event(&object, kind, &said.reason, &said.text),
            Some(annotations) => {
                let annotations: Map<Str> = annotations
                    .iter()
                    .map(|(key, value)| (Str::from(key.as_str()), value.as_str().into()))
                    .collect();
                recorder.annotated_event(&object, annotations, kind, &said.reason, &said.text);
            }
        }
    })
}

fn series_recorder(server: &Server) -> Say {
    let options = events_v1::EventBroadcasterOptions::default().with_clock(clock(MIDNIGHT));
    let broadcaster = events_v1::EventBroadcaster::with_options(options);
    broadcaster.start_recording_to_sink(server.clone()).unwrap();
    let recorder = broadcaster.recorder("scheduler");
    Box::new(move |said| {
        let metadata =
            ObjectMeta { name: said.related.as_str().into(), uid: "u-2".into(), ..ObjectMeta::EMPTY };
        let node = Node { metadata, ..Node::EMPTY };
        let related = (!said.related.is_empty()).then(|| Reference::from(&node));
        let kind = event_type(&said.r#type);
        recorder.event(&pod(&said.object), related, kind, &said.reason, &said.action, &said.text);
    })
}

/// Plays a trace, and returns the requests to the server.
async fn play(trace: &Trace) -> Vec<Call> {
    let server = Server::new();
    let say = if trace.api == "v1" { core_recorder(&server) } else { series_recorder(&server) };
    let begin = Instant::now();
    let mut end = begin;
    for step in &trace.moves {
        end = begin + Duration::from_millis(step.at);
        tokio::time::sleep_until(end).await;
        if let Some(said) = &step.say {
            say(said);
        }
        let mut state = server.0.lock().unwrap();
        if step.forget {
            state.stored.clear();
        }
        if let Some(mood) = &step.answer {
            state.mood.clone_from(mood);
        }
    }
    tokio::time::sleep_until(end + Duration::from_secs(13 * 60 + 30)).await;
    let mut calls = server.0.lock().unwrap().calls.clone();
    // Requests at the same time have no order, in both languages.
    calls.sort_by(|one, other| (one.at, &one.name).cmp(&(other.at, &other.name)));
    calls
}

/// The call with its event as our type decodes it: Go writes some empty fields that we omit.
fn read(api: &str, call: &Call) -> (u64, String, String, Option<Vec<u8>>, Option<serde_json::Value>) {
    let event = call.event.as_ref().map(|event| {
        let host = format!("scheduler-{}", client_rs_events::hostname());
        let text = event.to_string().replace(&host, "scheduler-HOST");
        if api == "v1" {
            core::Event::from_json(text.as_bytes()).unwrap().to_json()
        } else {
            events::Event::from_json(text.as_bytes()).unwrap().to_json()
        }
    });
    (call.at, call.verb.clone(), call.name.clone(), event, call.patch.clone())
}

#[tokio::test(start_paused = true)]
async fn the_same_events_reach_the_server_as_from_client_go() {
    let mut compared = BTreeMap::new();
    for (number, line) in include_str!("../../../../tests/corpora/events.jsonl").lines().skip(1).enumerate() {
        let trace: Trace = serde_json::from_str(line).unwrap();
        let calls = play(&trace).await;
        for (index, (ours, theirs)) in calls.iter().zip(&trace.calls).enumerate() {
            let (ours, theirs) = (read(&trace.api, ours), read(&trace.api, theirs));
            assert_eq!(ours, theirs, "trace {number} of {}, call {index}", trace.api);
        }
        assert_eq!(calls.len(), trace.calls.len(), "trace {number} of {}: {calls:#?}", trace.api);
        for call in &calls {
            *compared.entry((trace.api.clone(), call.verb.clone())).or_insert(0) += 1;
        }
    }
    // An empty corpus would pass too.
    for (api, verb, least) in [
        ("v1", "create", 100),
        ("v1", "patch", 100),
        ("events.k8s.io/v1", "create", 40),
        ("events.k8s.io/v1", "patch", 60),
    ] {
        let count = compared.get(&(api.to_owned(), verb.to_owned())).copied().unwrap_or_default();
        assert!(count >= least, "{count} of {api} {verb}");
    }
}
