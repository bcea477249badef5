//! Events that lead to no run, or to an unexpected one.

use std::sync::Arc;
use std::time::Duration;

use client_rs_cache::{InformerOptions, SharedInformer};
use client_rs_machinery::{GroupKind, GroupResource, ObjectKey};
use tokio::time::sleep;

use super::super::source::owned;
use super::*;
use crate::{Action, Context, Controller, Notification, Predicate, generation_changed, labels_changed};

async fn done(_: ObjectKey, _: Context) -> crate::Result {
    Ok(Action::done())
}

fn generation(name: &str, generation: i64) -> Thing {
    let mut thing = thing(name);
    thing.metadata.generation = generation;
    thing
}

#[tokio::test(start_paused = true)]
async fn puzzle_01_the_status_changed_and_the_predicate_wants_the_spec() {
    let source = Source::new();
    source.put(generation("a", 1));
    let informer = source.informer();
    let controller =
        Controller::with_options("c", informer.clone(), options()).when(generation_changed()).reconcile(done);
    let running = Running::start(controller, spawned(&[&informer])).await;
    sleep(SECOND).await;
    source.put(generation("a", 1)); // The same generation: only the status.
    sleep(SECOND).await;
    let why = running.why(&key("a"));
    assert_now(&why, "idle", &["1 event since its last run", "the predicate generation_changed refused"]);
    let event = &why.ignored[0];
    assert_eq!(
        (event.refused_by.as_str(), event.version, event.object.as_str()),
        ("generation_changed", 2, "n/a")
    );
    assert!(event.text.contains("neither its metadata nor its generation changed"), "{why}");
    assert_eq!(why.runs.len(), 1);
    assert_cause(&why, "event", &["n/a was in the first list at version 1"]);
    assert!(why.memory.complete && why.memory.text.contains("since the controller was built"), "{why}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_02_the_second_of_several_predicates_refuses() {
    let source = Source::new();
    let informer = source.informer();
    let selected =
        (|event: &Notification<Thing>| event.key().name.starts_with("web-")).named("name starts with web-");
    let controller = Controller::with_options("c", informer.clone(), options())
        .when(generation_changed().or(labels_changed()))
        .when(selected.and(|_: &_| true))
        .reconcile(done);
    let running = Running::start(controller, spawned(&[&informer])).await;
    source.put(thing("db-1"));
    sleep(SECOND).await;
    let why = running.why(&key("db-1"));
    assert_now(
        &why,
        "idle",
        &["the predicate name starts with web- refused", "It has not run since the controller was built"],
    );
    assert!(why.ignored[0].text.contains("was added at version 1"), "{why}");
    let closure = running.why(&key("web-1"));
    assert_now(&closure, "idle", &["No event that leads to it was seen", "has no object with this key"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_03_the_child_changed_and_a_predicate_of_the_child_refuses() {
    let (parents, children) = (Source::new(), Source::new());
    parents.put(thing("a"));
    children.put(owned("a-1", "ReplicaSet", "a", true));
    let (primary, secondary) = (parents.informer(), children.informer());
    let controller = Controller::with_options("c", primary.clone(), options())
        .owns_as(GroupKind::new("apps", "ReplicaSet"), true, &secondary, generation_changed())
        .reconcile(done);
    let running = Running::start(controller, spawned(&[&primary, &secondary])).await;
    sleep(SECOND).await;
    children.put(owned("a-1", "ReplicaSet", "a", true));
    sleep(SECOND).await;
    let why = running.why(&key("a"));
    assert_now(&why, "idle", &["the predicate generation_changed refused"]);
    assert_eq!(why.ignored[0].object, "n/a-1", "the mapping leads from the child to the key");
    assert!(running.why(&key("b")).ignored.is_empty());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_04_a_child_without_an_owner_reference_leads_nowhere() {
    let (parents, children) = (Source::new(), Source::new());
    parents.put(thing("a"));
    let (primary, secondary) = (parents.informer(), children.informer());
    let controller = Controller::with_options("c", primary.clone(), options())
        .owns_as(GroupKind::new("apps", "ReplicaSet"), true, &secondary, |_: &Notification<Thing>| true)
        .reconcile(done);
    let running = Running::start(controller, spawned(&[&primary, &secondary])).await;
    children.put(owned("a-1", "ReplicaSet", "a", false)); // Not as controller.
    sleep(SECOND).await;
    let why = running.why(&key("a"));
    assert_now(&why, "idle", &["Nothing has enqueued it since"]);
    assert_note(&why, &["1 of 1 events of", "led to no key of this controller", "n/a-1"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_05_a_mapping_that_panics_runs_everything() {
    let (parents, others) = (Source::new(), Source::new());
    parents.put(thing("a"));
    parents.put(thing("b"));
    let (primary, secondary) = (parents.informer(), others.informer());
    let controller = Controller::with_options("c", primary.clone(), options())
        .watches(&secondary, |_: &Arc<Thing>| -> Vec<ObjectKey> { panic!("on purpose") })
        .reconcile(done);
    let running = Running::start(controller, spawned(&[&primary, &secondary])).await;
    others.put(thing("x"));
    sleep(SECOND).await;
    let why = running.why(&key("b"));
    assert_eq!(why.runs.len(), 2, "{why}");
    assert_cause(
        &why,
        "mappingPanicked",
        &["a mapping function panicked", "all primary objects were enqueued"],
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_06_runs_every_minute_because_of_a_resync() {
    let source = Source::new();
    source.put(thing("a"));
    let resync = InformerOptions::default().with_resync_period(Duration::from_mins(1));
    let informer = SharedInformer::with_options(source.list_watch(), resync);
    let controller = Controller::with_options("c", informer.clone(), options()).reconcile(done);
    let running = Running::start(controller, spawned(&[&informer])).await;
    sleep(Duration::from_mins(3)).await;
    let why = running.why(&key("a"));
    assert!(why.runs.len() >= 3, "{why}");
    assert_cause(&why, "event", &["was replayed without a change (resync)"]);
    assert!(why.runs[0].causes[0].changed.is_empty());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_07_the_program_adds_the_key_itself() {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let controller = Controller::with_options("c", informer.clone(), options()).reconcile(done);
    let running = Running::start(controller, spawned(&[&informer])).await;
    running.controller.queue().add(key("a"));
    sleep(SECOND).await;
    let why = running.why(&key("a"));
    assert_eq!(why.runs.len(), 2, "{why}");
    assert_cause(&why, "program", &["the program added the key to the queue (Controller::queue)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_08_the_memory_does_not_reach_back_and_nothing_is_claimed() {
    let source = Source::new();
    source.put(thing("quiet"));
    let informer = source.informer();
    let recorder = Recorder::with_limit(64 << 10);
    let small = ControllerOptions::default().with_recorder(recorder.clone());
    let controller = Controller::with_options("c", informer.clone(), small).reconcile(done);
    let running = Running::start(controller, spawned(&[&informer])).await;
    assert_eq!(running.why(&key("quiet")).runs.len(), 1);
    for number in 0..6_000 {
        source.put(thing(&format!("busy-{}", number % 1_000)));
        if number % 100 == 0 {
            sleep(Duration::from_millis(10)).await;
        }
    }
    sleep(SECOND).await;
    let why = running.why(&key("quiet"));
    assert!(why.runs.is_empty() && !why.memory.complete, "{why}");
    assert_now(&why, "idle", &["No event that leads to it was seen since", "where the memory begins"]);
    assert!(why.memory.text.contains("nothing is known about the time before"), "{why}");
    running.controller.queue().add(key("quiet"));
    sleep(SECOND).await;
    let why = running.why(&key("quiet"));
    assert_cause(&why, "unknown", &["the memory does not reach back"]);
    assert!(recorder.used() <= recorder.limit());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_09_with_the_recorder_off_only_the_live_state_is_known() {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let off = ControllerOptions::default().with_recorder(Recorder::off());
    let controller = Controller::with_options("c", informer.clone(), off)
        .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::requeue_after(Duration::from_hours(1))) });
    let running = Running::start(controller, spawned(&[&informer])).await;
    let why = running.why(&key("a"));
    assert_now(&why, "delayed", &["its next run is due at", "in 59m59s"]);
    assert!(why.runs.is_empty() && why.memory.text.contains("The recorder is off"), "{why}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_29_it_finds_nothing_because_the_cache_that_it_reads_has_no_first_list() {
    let (source, others) = (Source::new(), Source::new());
    source.put(thing("a"));
    others.put(thing("password"));
    let informer = source.informer();
    // The controller does not name this informer, so it does not wait for it.
    let secrets =
        SharedInformer::with_options(others.list_watch(), InformerOptions::default().with_name("secrets"));
    let lister = secrets.lister(GroupResource::new("", "secrets"));
    let reconcile = move |_: ObjectKey, _: Context| {
        let lister = lister.clone();
        async move {
            if lister.get(&key("password")).is_ok() { Ok(Action::done()) } else { Ok(Action::requeue()) }
        }
    };
    let controller = Controller::with_options("c", informer.clone(), options()).reconcile(reconcile);
    let running = Running::start(controller, spawned(&[&informer])).await;
    let why = running.why(&key("a"));
    let early =
        why.runs.iter().find(|run| run.result == "requeue").unwrap_or_else(|| panic!("no run:\n{why}"));
    assert_eq!(early.unsynced, ["secrets"], "{why}");
    assert!(early.text.contains("It read the cache of secrets before its first list"), "{why}");
    let findings = running.controller.state().findings;
    let finding = findings.iter().find(|finding| finding.kind == "unsyncedRead").unwrap();
    assert_eq!(finding.subject, "secrets");
    assert!(finding.text.contains("Controller::reads"), "{finding:?}");
    // From its first list on, reads are those of a complete cache.
    let _started = secrets.spawn();
    secrets.synced().await;
    source.put(thing("a"));
    sleep(SECOND).await;
    let why = running.why(&key("a"));
    assert_eq!((why.runs[0].result, why.runs[0].unsynced.len()), ("success", 0), "{why}");
    running.stop().await;
}
