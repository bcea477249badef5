//! Recorder, series and delivery of `events.k8s.io/v1` events, in paused time.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_api::core::v1::{Node, Pod};
use client_rs_api::events::v1::{Event, EventSeries};
use client_rs_client::{Error, RequestError};
use client_rs_events::EventType;
use client_rs_events::events_v1::{
    EventBroadcaster, EventBroadcasterOptions, EventRecorder, EventSink, SeriesCache, StartError,
};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Json, MicroTime, Shared};
use tokio::time::Instant;

use crate::common::{api_error, clock, transport_error};

/// Of 2026-03-01.
const NOON: i64 = 1_772_366_400;

/// A small server: keeps events by name, and returns the configured failures.
#[derive(Clone, Default)]
struct Server {
    events: Arc<Mutex<BTreeMap<String, Event>>>,
    calls: Arc<Mutex<Vec<String>>>,
    failures: Arc<Mutex<Vec<Error>>>,
    takes: Duration,
}

impl Server {
    fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    fn fail_next(&self, error: Error) {
        self.failures.lock().unwrap().push(error);
    }

    async fn begin(&self, call: &str, event: &Event) -> Result<(), Error> {
        let count = event.series.as_ref().map_or(1, |series| series.count);
        self.calls.lock().unwrap().push(format!("{call} {} x{count}", event.reason));
        tokio::time::sleep(self.takes).await;
        self.failures.lock().unwrap().pop().map_or(Ok(()), Err)
    }
}

impl EventSink for Server {
    async fn create(&self, event: &Event) -> Result<Event, Error> {
        self.begin("create", event).await?;
        let mut events = self.events.lock().unwrap();
        let name = event.metadata.name.as_str().to_owned();
        if events.contains_key(&name) {
            return Err(api_error(409));
        }
        events.insert(name, event.clone());
        Ok(event.clone())
    }

    async fn update(&self, event: &Event) -> Result<Event, Error> {
        self.create(event).await
    }

    async fn patch(&self, event: &Event, patch: &Patch) -> Result<Event, Error> {
        self.begin("patch", event).await?;
        let mut events = self.events.lock().unwrap();
        let stored = events.get_mut(event.metadata.name.as_str()).ok_or_else(|| api_error(404))?;
        let patch = Json::parse(&patch.body()).unwrap();
        assert_eq!(patch.as_map().unwrap().len(), 1, "nothing but the series is patched");
        let series = patch.get("series").unwrap();
        stored.series = Some(Shared::new(EventSeries {
            count: i32::try_from(series.get("count").unwrap().as_i64().unwrap()).unwrap(),
            last_observed_time: Some(
                series.get("lastObservedTime").unwrap().as_str().unwrap().parse().unwrap(),
            ),
        }));
        Ok(stored.clone())
    }
}

fn pod(name: &str) -> Pod {
    let metadata = ObjectMeta { name: name.into(), namespace: "shop".into(), ..ObjectMeta::EMPTY };
    Pod { metadata, ..Pod::EMPTY }
}

fn options() -> EventBroadcasterOptions {
    EventBroadcasterOptions::default().with_clock(clock(NOON))
}

fn recording(server: &Server) -> (EventBroadcaster, EventRecorder) {
    let broadcaster = EventBroadcaster::with_options(options());
    broadcaster.start_recording_to_sink(server.clone()).unwrap();
    let recorder = broadcaster.recorder("scheduler");
    (broadcaster, recorder)
}

fn say(recorder: &EventRecorder, reason: &str, note: &str) {
    recorder.event(&pod("web"), None, EventType::Normal, reason, "Binding", note);
}

async fn seconds(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

#[tokio::test(start_paused = true)]
async fn t6_3_01_the_first_event_is_created_as_it_is() {
    let server = Server::default();
    let (broadcaster, recorder) = recording(&server);
    let metadata = ObjectMeta { name: "node-1".into(), ..ObjectMeta::EMPTY };
    let node = Node { metadata, ..Node::EMPTY };
    let text = format_args!("to {}", node.metadata.name);
    recorder.event(&pod("web"), Some((&node).into()), EventType::Normal, "Scheduled", "Binding", text);
    broadcaster.shutdown().await;
    assert_eq!(server.calls(), ["create Scheduled x1"]);
    let events = server.events.lock().unwrap();
    let event = events.values().next().unwrap();
    assert_eq!(
        (event.series.clone(), event.note.as_str(), event.action.as_str()),
        (None, "to node-1", "Binding")
    );
    assert_eq!(event.reporting_controller, "scheduler");
    assert_eq!(event.reporting_instance, format!("scheduler-{}", client_rs_events::hostname()));
    assert_eq!((event.regarding.name.as_str(), event.metadata.namespace.as_str()), ("web", "shop"));
    assert_eq!(event.related.as_ref().unwrap().kind, "Node");
    assert_eq!(event.event_time.unwrap().to_string(), "2026-03-01T12:00:00.000000Z");
}

#[tokio::test(start_paused = true)]
async fn t6_3_02_the_second_equal_event_patches_a_series_of_two() {
    let server = Server::default();
    let (broadcaster, recorder) = recording(&server);
    for note in ["first", "second", "third", "fourth"] {
        say(&recorder, "Scheduled", note);
        seconds(1).await;
    }
    assert_eq!(server.calls(), ["create Scheduled x1", "patch Scheduled x2"]);
    let series = server.events.lock().unwrap().values().next().unwrap().series.clone().unwrap();
    assert_eq!((series.count, series.last_observed_time.unwrap().seconds()), (2, 1_772_366_401));
    // Occurrences that were only counted here are sent at the end.
    broadcaster.shutdown().await;
    assert_eq!(server.calls()[2..], ["patch Scheduled x4"]);
}

#[tokio::test(start_paused = true)]
async fn t6_3_03_a_series_whose_first_event_is_not_there_is_created() {
    let server = Server::default();
    let (broadcaster, recorder) = recording(&server);
    server.fail_next(api_error(403));
    say(&recorder, "Scheduled", "first");
    seconds(1).await;
    say(&recorder, "Scheduled", "second");
    broadcaster.shutdown().await;
    assert_eq!(server.calls(), ["create Scheduled x1", "patch Scheduled x2", "create Scheduled x2"]);
}

#[tokio::test(start_paused = true)]
async fn t6_3_04_a_patch_of_an_expired_event_creates_it() {
    let server = Server::default();
    let (broadcaster, recorder) = recording(&server);
    say(&recorder, "Scheduled", "first");
    seconds(1).await;
    server.events.lock().unwrap().clear();
    say(&recorder, "Scheduled", "second");
    broadcaster.shutdown().await;
    assert_eq!(server.calls(), ["create Scheduled x1", "patch Scheduled x2", "create Scheduled x2"]);
    let events = server.events.lock().unwrap();
    assert_eq!(events.values().next().unwrap().series.as_ref().unwrap().count, 2);
}

#[tokio::test(start_paused = true)]
async fn t6_3_07_concurrent_equal_events_are_one_object_with_a_series() {
    let server = Server { takes: Duration::from_millis(50), ..Server::default() };
    let (broadcaster, recorder) = recording(&server);
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let recorder = recorder.clone();
            tokio::spawn(async move { say(&recorder, "Scheduled", "note") })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    seconds(60).await;
    broadcaster.shutdown().await;
    let events = server.events.lock().unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events.values().next().unwrap().series.as_ref().unwrap().count, 20);
}

#[tokio::test(start_paused = true)]
async fn t6_3_08_an_idle_series_is_sent_a_last_time_unless_the_sink_fails() {
    let server = Server::default();
    let (broadcaster, recorder) = recording(&server);
    for _ in 0..5 {
        say(&recorder, "Scheduled", "note");
        seconds(1).await;
    }
    say(&recorder, "Alone", "note");
    // At six minutes it is not idle yet; at twelve it is, and the server can't be reached.
    seconds(11 * 60).await;
    assert_eq!(server.calls().len(), 3);
    server.fail_next(transport_error());
    seconds(60).await;
    assert_eq!(server.calls()[3..], ["patch Scheduled x5"]);
    seconds(6 * 60).await;
    assert_eq!(server.calls()[4..], ["patch Scheduled x5"]);
    // Both are forgotten: they start again as new events.
    say(&recorder, "Scheduled", "note");
    say(&recorder, "Alone", "note");
    seconds(1).await;
    assert_eq!(server.calls()[5..], ["create Scheduled x1", "create Alone x1"]);
    broadcaster.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn t6_3_09_series_are_sent_again_every_30_minutes() {
    let server = Server::default();
    let (broadcaster, recorder) = recording(&server);
    for _ in 0..29 {
        say(&recorder, "Scheduled", "note");
        seconds(60).await;
    }
    assert_eq!(server.calls(), ["create Scheduled x1", "patch Scheduled x2"]);
    server.fail_next(transport_error());
    for _ in 0..30 {
        say(&recorder, "Scheduled", "note");
        seconds(60).await;
    }
    // The first refresh failed and changed nothing; the second comes half an hour later.
    assert_eq!(server.calls()[2..], ["patch Scheduled x30"]);
    for _ in 0..2 {
        say(&recorder, "Scheduled", "note");
        seconds(60).await;
    }
    assert_eq!(server.calls()[3..], ["patch Scheduled x60"]);
    broadcaster.shutdown().await;
}

#[test]
fn occurrences_during_a_write_of_the_sink_are_not_lost() {
    let at = |seconds: i64| MicroTime::new(1_000_000 + seconds, 0).unwrap();
    let event = Event { reason: "Scheduled".into(), event_time: Some(at(0)), ..Event::EMPTY };
    let mut cache = SeriesCache::new(10);
    cache.observe(&event, at(0));
    cache.observe(&event, at(1));
    let sent = cache.series().remove(0);
    assert_eq!(cache.observe(&event, at(2)), None);
    let recorded = Event { note: "as the server has it".into(), ..sent.clone() };
    cache.refreshed(&sent, &recorded);
    let kept = cache.series().remove(0);
    assert_eq!((kept.series.unwrap().count, kept.note.as_str()), (3, "as the server has it"));

    let idle = cache.idle(at(1000)).remove(0);
    cache.observe(&event, at(1000));
    cache.finished(&idle);
    assert_eq!(cache.len(), 1, "it has gone on");
    let idle = cache.idle(at(2000)).remove(0);
    cache.finished(&idle);
    assert!(cache.is_empty());
    // Bounded: the least recently observed one is dropped.
    for number in 0..20 {
        let reason = format!("Reason{number}").into();
        cache.observe(&Event { reason, ..event.clone() }, at(0));
    }
    assert_eq!(cache.len(), 10);
}

#[tokio::test(start_paused = true)]
async fn events_wait_for_eight_workers_and_are_dropped_when_too_many_wait() {
    let server = Server { takes: Duration::from_secs(1), ..Server::default() };
    let broadcaster = EventBroadcaster::with_options(options().with_queue(10));
    broadcaster.start_recording_to_sink(server.clone()).unwrap();
    let recorder = broadcaster.recorder("scheduler");
    for number in 0..100 {
        say(&recorder, &format!("Reason{number}"), "note");
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(server.calls().len(), 8);
    seconds(60).await;
    assert!(server.calls().len() < 100, "{}", server.calls().len());
    broadcaster.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn retries_refusals_and_shutdown() {
    let server = Server::default();
    let (broadcaster, recorder) = recording(&server);
    assert_eq!(broadcaster.start_recording_to_sink(server.clone()).err(), Some(StartError::Recording));
    server.fail_next(RequestError::NoFieldManager.into());
    say(&recorder, "Refused", "note");
    seconds(600).await;
    assert_eq!(server.calls(), ["create Refused x1"]);
    server.fail_next(transport_error());
    say(&recorder, "Retried", "note");
    tokio::time::sleep(Duration::from_millis(9_999)).await;
    assert_eq!(server.calls().len(), 2);
    tokio::time::sleep(Duration::from_millis(2_502)).await;
    assert_eq!(server.calls()[1..], ["create Retried x1", "create Retried x1"]);

    for _ in 0..20 {
        server.fail_next(transport_error());
    }
    say(&recorder, "Hopeless", "note");
    seconds(600).await;
    assert_eq!(server.calls().len(), 3 + 12);
    say(&recorder, "Late", "note");
    seconds(1).await;
    let begin = Instant::now();
    broadcaster.shutdown().await;
    assert_eq!(begin.elapsed(), Duration::ZERO);
    assert_eq!(server.calls().len(), 3 + 12 + 1);
    assert!(matches!(broadcaster.start_recording_to_sink(server), Err(StartError::Stopped(_))));
}

#[tokio::test(start_paused = true)]
async fn writes_without_a_response_do_not_stop_delivery() {
    let broadcaster = EventBroadcaster::new();
    // As many as there are workers, so that none is left.
    let sink = Frozen { server: Server::default(), frozen: Arc::new(Mutex::new(8)) };
    broadcaster.start_recording_to_sink(sink.clone()).unwrap();
    let recorder = broadcaster.recorder("test");
    for number in 0..9 {
        recorder.event(&pod("web"), None, EventType::Normal, &format!("Reason{number}"), "Acting", "note");
    }
    // One try of 30 s, a pause of at most 12.5 s.
    tokio::time::sleep(Duration::from_secs(45)).await;
    assert_eq!(sink.server.calls().len(), 9, "{:?}", sink.server.calls());
    broadcaster.shutdown().await;
}

/// A server that does not respond to the first creates.
#[derive(Clone)]
struct Frozen {
    server: Server,
    frozen: Arc<Mutex<usize>>,
}

impl EventSink for Frozen {
    async fn create(&self, event: &Event) -> Result<Event, Error> {
        let frozen = {
            let mut left = self.frozen.lock().unwrap();
            let frozen = *left > 0;
            *left = left.saturating_sub(1);
            frozen
        };
        if frozen {
            std::future::pending::<()>().await;
        }
        self.server.create(event).await
    }

    async fn update(&self, event: &Event) -> Result<Event, Error> {
        self.create(event).await
    }

    async fn patch(&self, event: &Event, patch: &Patch) -> Result<Event, Error> {
        self.server.patch(event, patch).await
    }
}
