//! Recorder, broadcaster and delivery of `core/v1` events, in paused time.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_api::core::v1::{Event, EventSource, Node, ObjectReference, Pod};
use client_rs_client::{Error, RequestError};
use client_rs_events::{
    EventBroadcaster, EventBroadcasterOptions, EventRecorder, EventSink, EventType, FullChannel, Reference,
    eventf,
};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Metadata, Object, Str, Time};
use tokio::time::Instant;

use crate::common::{api_error, clock, transport_error};

/// Of 2026-03-01.
const NOON: i64 = 1_772_366_400;

/// A call of a sink.
#[derive(Clone, Debug, PartialEq)]
enum Call {
    Create(Event),
    Patch(Event, String),
}

/// Returns the configured errors, then success. Each call takes the configured time.
#[derive(Clone, Default)]
struct Sink {
    calls: Arc<Mutex<Vec<Call>>>,
    answers: Arc<Mutex<Vec<Error>>>,
    takes: Duration,
}

impl Sink {
    fn failing(answers: impl IntoIterator<Item = Error>) -> Self {
        let mut answers: Vec<Error> = answers.into_iter().collect();
        answers.reverse();
        Self { answers: Arc::new(Mutex::new(answers)), ..Self::default() }
    }

    fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    async fn answer(&self, call: Call, event: &Event) -> Result<Event, Error> {
        self.calls.lock().unwrap().push(call);
        tokio::time::sleep(self.takes).await;
        match self.answers.lock().unwrap().pop() {
            Some(error) => Err(error),
            None => Ok(event.clone()),
        }
    }
}

impl EventSink for Sink {
    async fn create(&self, event: &Event) -> Result<Event, Error> {
        self.answer(Call::Create(event.clone()), event).await
    }

    async fn update(&self, event: &Event) -> Result<Event, Error> {
        self.create(event).await
    }

    async fn patch(&self, event: &Event, patch: &Patch) -> Result<Event, Error> {
        let text = String::from_utf8(patch.body()).unwrap();
        self.answer(Call::Patch(event.clone(), text), event).await
    }
}

fn pod() -> Pod {
    Pod {
        metadata: ObjectMeta {
            name: "web".into(),
            namespace: "shop".into(),
            uid: "u-1".into(),
            resource_version: "7".into(),
            ..ObjectMeta::EMPTY
        },
        ..Pod::EMPTY
    }
}

fn options() -> EventBroadcasterOptions {
    EventBroadcasterOptions::default().with_clock(clock(NOON))
}

fn recording(sink: &Sink) -> (EventBroadcaster, EventRecorder) {
    let broadcaster = EventBroadcaster::with_options(options());
    broadcaster.start_recording_to_sink(sink.clone()).unwrap();
    let recorder = broadcaster.recorder("kubelet", "node-1");
    (broadcaster, recorder)
}

fn names(calls: &[Call]) -> Vec<String> {
    let text = |call: &Call| match call {
        Call::Create(event) => format!("create {} x{}", event.message, event.count),
        Call::Patch(event, _) => format!("patch {} x{}", event.message, event.count),
    };
    calls.iter().map(text).collect()
}

#[tokio::test(start_paused = true)]
async fn t6_2_01_shutdown_ends_every_watcher_and_refuses_new_ones() {
    let broadcaster = EventBroadcaster::with_options(options());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&seen);
    broadcaster.start_event_watcher(move |event| into.lock().unwrap().push(event.message.clone())).unwrap();
    broadcaster.start_logging().unwrap();
    let recorder = broadcaster.recorder("kubelet", "");
    recorder.event(&pod(), EventType::Normal, "Pulled", "before");
    let begin = Instant::now();
    broadcaster.shutdown().await;
    assert_eq!(begin.elapsed(), Duration::ZERO);
    recorder.event(&pod(), EventType::Normal, "Pulled", "after");
    assert_eq!(*seen.lock().unwrap(), ["before"]);
    assert_eq!(Arc::strong_count(&seen), 1, "a watcher is still there");
    assert!(broadcaster.start_event_watcher(|_| {}).is_err());
    assert!(broadcaster.start_recording_to_sink(Sink::default()).is_err());
    broadcaster.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn t6_2_02_eventf_creates_then_patches_counts() {
    let sink = Sink::default();
    let (broadcaster, recorder) = recording(&sink);
    let pod = pod();
    let by_hand = ObjectReference {
        kind: "Disk".into(),
        name: "d1".into(),
        namespace: "store".into(),
        ..ObjectReference::EMPTY
    };
    for _ in 0..3 {
        eventf!(recorder, &pod, EventType::Normal, "Started", "some {} note: {:>3}", "verbose", 1);
        let container = Reference::from(&pod).field_path("spec.containers[2]");
        eventf!(recorder, container, EventType::Warning, "Killed", "{}", "other");
        eventf!(recorder, by_hand.clone(), EventType::Normal, "Mounted", "no arguments");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    broadcaster.shutdown().await;
    let calls = sink.calls();
    assert_eq!(
        names(&calls),
        [
            "create some verbose note:   1 x1",
            "create other x1",
            "create no arguments x1",
            "patch some verbose note:   1 x2",
            "patch other x2",
            "patch no arguments x2",
            "patch some verbose note:   1 x3",
            "patch other x3",
            "patch no arguments x3",
        ]
    );
    let [Call::Create(first), Call::Create(container), Call::Create(disk), Call::Patch(second, patch), ..] =
        &calls[..]
    else {
        panic!("{calls:?}");
    };
    let object = ObjectReference {
        kind: "Pod".into(),
        namespace: "shop".into(),
        name: "web".into(),
        uid: "u-1".into(),
        api_version: "v1".into(),
        resource_version: "7".into(),
        ..ObjectReference::EMPTY
    };
    assert_eq!(*first.involved_object, object);
    assert_eq!(container.involved_object.field_path, "spec.containers[2]");
    assert_eq!((disk.metadata.namespace.as_str(), container.type_.as_str()), ("store", "Warning"));
    assert_eq!((first.type_.as_str(), first.reason.as_str()), ("Normal", "Started"));
    assert_eq!(first.source, EventSource { component: "kubelet".into(), host: "node-1".into() });
    assert_eq!(
        (first.reporting_component.as_str(), first.reporting_instance.as_str()),
        ("kubelet", "node-1")
    );
    assert_eq!((first.metadata.namespace.as_str(), first.count), ("shop", 1));
    assert_eq!(first.metadata.name, second.metadata.name);
    assert_eq!(
        *patch,
        r#"{"count":2,"lastTimestamp":"2026-03-01T12:00:01Z","message":"some verbose note:   1"}"#
    );
}

#[tokio::test(start_paused = true)]
async fn t6_2_03_refusals_are_tried_once_and_transport_errors_up_to_the_limit() {
    for error in
        [RequestError::NoFieldManager.into(), api_error(403), api_error(409), api_error(500), api_error(404)]
    {
        let sink = Sink::failing([error]);
        let (broadcaster, recorder) = recording(&sink);
        recorder.event(&pod(), EventType::Normal, "Pulled", "one");
        tokio::time::sleep(Duration::from_mins(10)).await;
        assert_eq!(names(&sink.calls()), ["create one x1"]);
        broadcaster.shutdown().await;
    }
    let sink = Sink::failing((0..20).map(|_| transport_error()));
    let (broadcaster, recorder) = recording(&sink);
    recorder.event(&pod(), EventType::Normal, "Pulled", "one");
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert!((2..=3).contains(&sink.calls().len()), "the first pause is at most 10 s: {}", sink.calls().len());
    tokio::time::sleep(Duration::from_mins(10)).await;
    assert_eq!(sink.calls().len(), 12);
    broadcaster.shutdown().await;

    let sink = Sink::failing([transport_error()]);
    let (broadcaster, recorder) = recording(&sink);
    recorder.event(&pod(), EventType::Normal, "Pulled", "one");
    tokio::time::sleep(Duration::from_mins(1)).await;
    assert_eq!(sink.calls().len(), 2);
    broadcaster.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn t6_2_04_the_update_of_an_expired_event_creates_it() {
    let sink = Sink::default();
    let (broadcaster, recorder) = recording(&sink);
    recorder.event(&pod(), EventType::Normal, "Pulled", "one");
    tokio::time::sleep(Duration::from_secs(1)).await;
    sink.answers.lock().unwrap().push(api_error(404));
    recorder.event(&pod(), EventType::Normal, "Pulled", "one");
    broadcaster.shutdown().await;
    let calls = sink.calls();
    assert_eq!(names(&calls), ["create one x1", "patch one x2", "create one x2"]);
    let [Call::Create(first), _, Call::Create(last)] = &calls[..] else { panic!("{calls:?}") };
    assert_eq!((&last.metadata.name, last.metadata.resource_version.as_str()), (&first.metadata.name, ""));
}

#[tokio::test(start_paused = true)]
async fn t6_2_05_a_shutdown_during_the_retry_sleep_ends_delivery_promptly() {
    let sink = Sink::failing((0..20).map(|_| transport_error()));
    let (broadcaster, recorder) = recording(&sink);
    for number in 0..3 {
        recorder.event(&pod(), EventType::Normal, "Pulled", number);
    }
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(sink.calls().len(), 1);
    let begin = Instant::now();
    broadcaster.shutdown().await;
    assert_eq!(begin.elapsed(), Duration::ZERO);
    // Each of the others was tried once.
    assert_eq!(names(&sink.calls()), ["create 0 x1", "create 1 x1", "create 2 x1"]);
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_is_bounded_when_the_sink_hangs() {
    let sink = Sink { takes: Duration::from_hours(1), ..Sink::default() };
    let (broadcaster, recorder) = recording(&sink);
    for number in 0..10 {
        recorder.event(&pod(), EventType::Normal, "Pulled", number);
    }
    let begin = Instant::now();
    broadcaster.shutdown().await;
    assert_eq!(begin.elapsed(), Duration::from_secs(5));
    assert_eq!(sink.calls().len(), 1);
    assert_eq!(Arc::strong_count(&sink.calls), 1, "the sink is still in use");
}

#[tokio::test(start_paused = true)]
async fn t6_2_06_thousands_of_events_never_block_the_caller() {
    let sink = Sink { takes: Duration::from_hours(1), ..Sink::default() };
    let (broadcaster, recorder) = recording(&sink);
    let begin = Instant::now();
    for number in 0..5000 {
        recorder.event(&pod(), EventType::Normal, "Pulled", number);
        if number % 500 == 0 {
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(begin.elapsed(), Duration::ZERO);
    broadcaster.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn t6_2_07_an_event_of_a_cluster_scoped_object_goes_to_default() {
    let (recorder, mut events) = EventRecorder::channel("kubelet", 10);
    let node = Node { metadata: ObjectMeta { name: "node-1".into(), ..ObjectMeta::EMPTY }, ..Node::EMPTY };
    recorder.event(&node, EventType::Normal, "Ready", "is ready");
    let event = events.recv().await.unwrap();
    assert_eq!(
        (event.metadata.namespace.as_str(), event.involved_object.namespace.as_str()),
        ("default", "")
    );
}

#[tokio::test(start_paused = true)]
async fn t6_2_08_each_recording_counts_from_a_clean_correlator() {
    let (first, second) = (Sink::default(), Sink::default());
    let (broadcaster, recorder) = recording(&first);
    recorder.event(&pod(), EventType::Normal, "Pulled", "one");
    tokio::time::sleep(Duration::from_secs(1)).await;
    broadcaster.start_recording_to_sink(second.clone()).unwrap();
    recorder.event(&pod(), EventType::Normal, "Pulled", "one");
    broadcaster.shutdown().await;
    assert_eq!(names(&first.calls()), ["create one x1", "patch one x2"]);
    assert_eq!(names(&second.calls()), ["create one x1"]);
}

#[tokio::test(start_paused = true)]
async fn past_and_annotated_events_have_their_time_and_annotations() {
    let (recorder, mut events) = EventRecorder::channel("kubelet", 10);
    let at = Time::new(1_000_000, 0).unwrap();
    recorder.past_event(&pod(), at, EventType::Warning, "Failed", "long ago");
    recorder.annotated_event(
        &pod(),
        [(Str::from("team"), Str::from("blue"))].into_iter().collect(),
        EventType::Normal,
        "Pulled",
        format_args!("{}", 5),
    );
    let past = events.recv().await.unwrap();
    assert_eq!((past.first_timestamp, past.last_timestamp), (Some(at), Some(at)));
    let annotated = events.recv().await.unwrap();
    assert_eq!(annotated.metadata.annotations.get("team").unwrap(), "blue");
    assert_eq!(annotated.message, "5");
}

struct Kindless(ObjectMeta);

impl Object for Kindless {
    fn meta(&self) -> &dyn Metadata {
        &self.0
    }

    fn api_version(&self) -> &'static str {
        ""
    }

    fn kind(&self) -> &'static str {
        ""
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_of_an_object_without_a_kind_is_not_recorded() {
    let (recorder, mut events) = EventRecorder::channel("kubelet", 10);
    recorder.event(&Kindless(ObjectMeta::EMPTY), EventType::Normal, "Pulled", "lost");
    recorder.event(&pod(), EventType::Normal, "Pulled", "kept");
    assert_eq!(events.recv().await.unwrap().message, "kept");
}

#[tokio::test(start_paused = true)]
async fn a_watcher_that_panics_or_is_stopped_does_not_affect_others() {
    let broadcaster = EventBroadcaster::with_options(options().with_full(FullChannel::Wait));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&seen);
    broadcaster
        .start_event_watcher(move |event| {
            into.lock().unwrap().push(event.message.clone());
            assert_ne!(event.message, "bad");
        })
        .unwrap();
    let stopped = broadcaster.start_event_watcher(|_| {}).unwrap();
    let recorder = broadcaster.recorder("kubelet", "");
    for message in ["good", "bad", "better"] {
        recorder.event(&pod(), EventType::Normal, "Pulled", message);
        stopped.abort();
    }
    broadcaster.shutdown().await;
    let seen = seen.lock().map_or_else(|poisoned| poisoned.into_inner().clone(), |seen| seen.clone());
    assert_eq!(seen, ["good", "bad", "better"]);
}

#[tokio::test(start_paused = true)]
async fn a_broadcaster_runs_as_long_as_a_recorder_lives_and_then_tries_queued_events_once() {
    let sink = Sink::default();
    let (broadcaster, recorder) = recording(&sink);
    drop(broadcaster);
    recorder.event(&pod(), EventType::Normal, "Pulled", "one");
    drop(recorder);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(names(&sink.calls()), ["create one x1"]);
    assert_eq!(Arc::strong_count(&sink.calls), 1, "the sink is still in use");
}

/// A sink whose first write gets no response.
#[derive(Clone)]
struct Frozen {
    sink: Sink,
    frozen: Arc<Mutex<bool>>,
}

impl Frozen {
    fn new() -> Self {
        Self { sink: Sink::default(), frozen: Arc::new(Mutex::new(true)) }
    }

    async fn thaw(&self) {
        if std::mem::take(&mut *self.frozen.lock().unwrap()) {
            std::future::pending::<()>().await;
        }
    }
}

impl EventSink for Frozen {
    async fn create(&self, event: &Event) -> Result<Event, Error> {
        self.thaw().await;
        self.sink.create(event).await
    }

    async fn update(&self, event: &Event) -> Result<Event, Error> {
        self.create(event).await
    }

    async fn patch(&self, event: &Event, patch: &Patch) -> Result<Event, Error> {
        self.sink.patch(event, patch).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_without_a_response_does_not_stop_delivery() {
    let broadcaster = EventBroadcaster::new();
    let sink = Frozen::new();
    broadcaster.start_recording_to_sink(sink.clone()).unwrap();
    let recorder = broadcaster.recorder("test", "");
    recorder.event(&pod(), EventType::Normal, "First", "one");
    recorder.event(&pod(), EventType::Normal, "Second", "two");
    // One try of 30 s, a pause of at most 10 s.
    tokio::time::sleep(Duration::from_secs(45)).await;
    let reasons = |calls: Vec<Call>| -> Vec<String> {
        calls
            .iter()
            .map(|call| match call {
                Call::Create(event) | Call::Patch(event, _) => event.reason.as_str().to_owned(),
            })
            .collect()
    };
    assert_eq!(reasons(sink.sink.calls()), ["First", "Second"]);
    broadcaster.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn events_that_a_full_queue_drops_are_counted() {
    let options = EventBroadcasterOptions::default().with_queue(2);
    let broadcaster = EventBroadcaster::with_options(options);
    let sink = Sink { takes: Duration::from_secs(20), ..Sink::default() };
    broadcaster.start_recording_to_sink(sink.clone()).unwrap();
    let recorder = broadcaster.recorder("test", "");
    for number in 0..20 {
        recorder.event(&pod(), EventType::Normal, "Again", number);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // One is being written and two wait for that.
    assert_eq!(broadcaster.dropped(), 17);
    broadcaster.shutdown().await;
}
