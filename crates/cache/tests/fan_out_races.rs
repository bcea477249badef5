//! The queue of a handler between the informer, the handler, and handlers that are added and removed, in many
//! interleavings.
//!
//! The sources are compiled here a second time with shuttle's locks instead of the standard ones. A failure
//! prints the schedule that replays it.

#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs)]

#[path = "../src/delta.rs"]
mod delta;
#[path = "../src/processor/mod.rs"]
mod processor;
mod sync {
    pub(crate) use shuttle::sync::{Mutex, MutexGuard, RwLock};
}
#[path = "../src/fixtures.rs"]
mod fixtures;
#[path = "../src/read_scope.rs"]
mod read_scope;
#[path = "../src/store/mod.rs"]
mod store;
#[path = "../src/testing.rs"]
mod testing;
#[path = "../src/transform.rs"]
mod transform;

pub use delta::{Bookmark, Coverage, Deleted, Delta, DeltaKind, Replacement, Tombstone};
pub use transform::{Transform, TransformError};

use std::sync::Arc;
use std::time::Instant;

use client_rs_machinery::Object;
use fixtures::{TestObject, object};
use processor::{Delivery, EventHandler, Execution, Job, Listener, Notification};
use shuttle::future::block_on;
use shuttle::thread;
use store::Change;

/// The number of schedules per race.
const SCHEDULES: usize = 500;

fn main() {
    let races: &[(&str, fn())] = &[
        ("a_reader_that_parks_is_woken", a_reader_that_parks_is_woken),
        ("closing_wakes_the_reader", closing_wakes_the_reader),
        ("an_informer_that_waits_is_woken", an_informer_that_waits_is_woken),
        ("a_handler_on_threads_runs_once_at_a_time", a_handler_on_threads_runs_once_at_a_time),
        ("an_inline_handler_is_called_in_order", an_inline_handler_is_called_in_order),
        ("a_handler_is_dropped_before_its_end", a_handler_is_dropped_before_its_end),
        ("synced_once_all_initial_additions_are_delivered", synced_once_all_initial_additions_are_delivered),
    ];
    println!("\nrunning {} races", races.len());
    for (name, race) in races {
        shuttle::check_random(*race, SCHEDULES);
        shuttle::check_pct(*race, SCHEDULES, 3);
        println!("test {name} ... ok");
    }
    println!("\ntest result: ok. {} passed; 0 failed", races.len());
}

/// Reads until the listener is closed; returns the final knowledge of the reader.
fn read(listener: &Arc<Listener<TestObject>>) -> thread::JoinHandle<Vec<String>> {
    let listener = listener.clone();
    thread::spawn(move || {
        let mut knows: Vec<Arc<TestObject>> = Vec::new();
        while let Some((told, _done)) = block_on(std::future::poll_fn(|cx| listener.poll_next(cx))) {
            match told {
                Notification::Added { object, .. } => {
                    assert!(knows.iter().all(|known| known.key() != object.key()), "added twice");
                    knows.push(object);
                }
                Notification::Updated { old, new } => {
                    let held = knows.iter_mut().find(|held| Arc::ptr_eq(held, &old));
                    *held.expect("old is the known state") = new;
                }
                Notification::Deleted(deleted) => {
                    let at = knows.iter().position(|known| known.key() == deleted.key());
                    knows.remove(at.expect("it was added"));
                }
            }
        }
        knows.iter().map(|object| format!("{}@{}", object.name(), object.resource_version())).collect()
    })
}

fn added(object: Arc<TestObject>, is_initial: bool) -> Change<TestObject> {
    Change::Added { object: object.into(), is_initial }
}

fn updated(old: &Arc<TestObject>, new: &Arc<TestObject>) -> Change<TestObject> {
    Change::Updated { old: old.clone().into(), new: new.clone().into() }
}

/// Waits until everything is delivered, then closes.
fn close_when_done(listener: &Listener<TestObject>, told: u64) {
    loop {
        let progress = listener.progress();
        if progress.delivered + progress.merged >= told && progress.pending == 0 {
            return listener.close();
        }
        thread::yield_now();
    }
}

fn a_reader_that_parks_is_woken() {
    for limit in [0, 2, 100] {
        let listener = Arc::new(Listener::new(Delivery::Coalesced { limit }));
        let reader = read(&listener);
        let now = Instant::now();
        let mut old = object("a", 1);
        let _ = listener.push([added(old.clone(), false)], now, &mut Vec::new());
        for version in 2..6 {
            let new = object("a", version);
            let _ = listener.push([updated(&old, &new)], now, &mut Vec::new());
            old = new;
        }
        close_when_done(&listener, 5);
        assert_eq!(reader.join().unwrap(), ["a@5"]);
    }
}

fn closing_wakes_the_reader() {
    let listener = Arc::new(Listener::new(Delivery::Coalesced { limit: 1 }));
    let reader = read(&listener);
    let closing = {
        let listener = listener.clone();
        thread::spawn(move || listener.close())
    };
    let _ = listener.push([added(object("a", 1), true)], Instant::now(), &mut Vec::new());
    closing.join().unwrap();
    assert!(reader.join().unwrap().len() <= 1);
    assert_eq!(listener.progress().pending, 0);
}

fn an_informer_that_waits_is_woken() {
    for limit in [0, 1, 3] {
        let listener = Arc::new(Listener::new(Delivery::Paced { limit }));
        let reader = read(&listener);
        let now = Instant::now();
        let mut old = object("a", 1);
        let _ = listener.push([added(old.clone(), false)], now, &mut Vec::new());
        for version in 2..6 {
            let new = object("a", version);
            let behind = listener.push([updated(&old, &new)], now, &mut Vec::new()).behind;
            if behind {
                block_on(std::future::poll_fn(|cx| listener.poll_caught_up(cx)));
            }
            old = new;
        }
        close_when_done(&listener, 5);
        assert_eq!((reader.join().unwrap(), listener.progress().delivered), (vec!["a@5".to_owned()], 5));
    }
    // The informer does not wait for a handler that was removed.
    let listener = Arc::new(Listener::<TestObject>::new(Delivery::Paced { limit: 0 }));
    assert!(listener.push([added(object("a", 1), false)], Instant::now(), &mut Vec::new()).behind);
    let closing = {
        let listener = listener.clone();
        thread::spawn(move || listener.close())
    };
    block_on(std::future::poll_fn(|cx| listener.poll_caught_up(cx)));
    closing.join().unwrap();
}

fn synced_once_all_initial_additions_are_delivered() {
    let listener = Arc::new(Listener::new(Delivery::Coalesced { limit: 0 }));
    let (one, two) = (object("a", 1), object("b", 2));
    let initial = |object| added(object, true);
    let _ = listener.push([initial(one), initial(two.clone())], Instant::now(), &mut Vec::new());
    assert!(!listener.progress().synced);
    let reader = read(&listener);
    let upstream = {
        let listener = listener.clone();
        thread::spawn(move || listener.set_upstream_synced())
    };
    // It may cancel the addition; then neither is delivered.
    let _ = listener.push([Change::Deleted(Deleted::Object(two))], Instant::now(), &mut Vec::new());
    upstream.join().unwrap();
    while !listener.progress().synced {
        thread::yield_now();
    }
    close_when_done(&listener, 2);
    assert_eq!(reader.join().unwrap(), ["a@1"]);
}

/// Records the versions of its calls, and fails if two are in progress.
#[derive(Default)]
struct Alone {
    calls: sync::Mutex<Vec<String>>,
    inside: sync::Mutex<bool>,
}

impl EventHandler<TestObject> for Alone {
    fn handle(&self, notification: &Notification<TestObject>) {
        assert!(!std::mem::replace(&mut *self.inside.lock().unwrap(), true));
        thread::yield_now();
        let (Notification::Added { object, .. } | Notification::Updated { new: object, .. }) = notification
        else {
            unreachable!("nothing is deleted")
        };
        self.calls.lock().unwrap().push(object.resource_version().to_owned());
        *self.inside.lock().unwrap() = false;
    }
}

fn a_handler_on_threads_runs_once_at_a_time() {
    let listener = Arc::new(Listener::new(Delivery::EveryEvent));
    let (now, handler) = (Instant::now(), Arc::new(Alone::default()));
    let mut threads = Vec::new();
    let start = |listener: &Arc<Listener<TestObject>>| {
        let job: Arc<dyn Job> = listener.clone();
        thread::spawn(move || job.run(usize::MAX))
    };
    let mut old = object("a", 1);
    let _ = listener.push([added(old.clone(), true)], now, &mut Vec::new());
    if listener.attach(handler.clone(), Execution::Blocking) {
        threads.push(start(&listener));
    }
    for version in 2..6 {
        let new = object("a", version);
        if listener.push([updated(&old, &new)], now, &mut Vec::new()).runs.is_some() {
            threads.push(start(&listener));
        }
        old = new;
    }
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(*handler.calls.lock().unwrap(), ["1", "2", "3", "4", "5"]);
    assert_eq!(listener.progress().delivered, 5);
    assert_eq!(listener.progress().pending, 0);
    // Once it is closed, nothing makes it ready, and it is freed.
    listener.close();
    assert_eq!(listener.push([updated(&old, &object("a", 6))], now, &mut Vec::new()).runs, None);
    assert_eq!(Arc::strong_count(&handler), 1);
}

/// At the end of a handler nothing refers to it any more: neither a thread nor its task.
fn a_handler_is_dropped_before_its_end() {
    for (panics, most) in [(false, 1), (false, usize::MAX), (true, usize::MAX)] {
        let listener = Arc::new(Listener::new(Delivery::EveryEvent));
        let counted = Arc::new(());
        let held = Arc::clone(&counted);
        let handler = move |_: &Notification<TestObject>| {
            drop(Arc::clone(&held));
            thread::yield_now();
            if panics {
                std::panic::resume_unwind(Box::new("as a test wants"));
            }
        };
        let changes = [added(object("a", 1), true), added(object("b", 1), true)];
        let _ = listener.push(changes, Instant::now(), &mut Vec::new());
        assert!(listener.attach(Arc::new(handler), Execution::Blocking));
        let job: Arc<dyn Job> = listener.clone();
        let running = thread::spawn(move || job.run(most));
        let closing = {
            let listener = listener.clone();
            thread::spawn(move || listener.close())
        };
        while let Some(interruption) = block_on(std::future::poll_fn(|cx| listener.poll_interruption(cx))) {
            if format!("{interruption:?}") == "HandedOver" || listener.resume() {
                listener.run(most);
            }
        }
        closing.join().unwrap();
        assert_eq!(Arc::strong_count(&counted), 1);
        running.join().unwrap();
    }
}

/// The informer calls it, and its task continues where more waits than one turn gets.
fn an_inline_handler_is_called_in_order() {
    for at_once in [1, 2, 4] {
        let listener = Arc::new(Listener::new(Delivery::EveryEvent));
        let (now, handler) = (Instant::now(), Arc::new(Alone::default()));
        let mut old = object("a", 1);
        let _ = listener.push([added(old.clone(), true)], now, &mut Vec::new());
        let keeper = {
            let (listener, handler) = (listener.clone(), handler.clone());
            thread::spawn(move || {
                if listener.attach(handler, Execution::Inline) {
                    listener.run(at_once);
                }
                let interrupted = || block_on(std::future::poll_fn(|cx| listener.poll_interruption(cx)));
                while let Some(interruption) = interrupted() {
                    assert_eq!(format!("{interruption:?}"), "HandedOver");
                    listener.run(at_once);
                }
            })
        };
        for versions in [2..5, 5..7] {
            let changes: Vec<_> = versions
                .map(|version| {
                    let new = object("a", version);
                    let change = updated(&old, &new);
                    old = new;
                    change
                })
                .collect();
            if listener.push(changes, now, &mut Vec::new()).runs == Some(Execution::Inline) {
                listener.run(at_once - 1);
            }
        }
        close_when_done(&listener, 6);
        keeper.join().unwrap();
        assert_eq!(*handler.calls.lock().unwrap(), ["1", "2", "3", "4", "5", "6"]);
    }
}
