use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_cache::InformerFactory;
use client_rs_machinery::{Object, ObjectKey};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::source::{Source, Thing, key, thing};
use crate::{
    Action, Context, Controller, ControllerOptions, KeyedController, KeyedOptions, Manager, ReconcileError,
    RunnableController,
};

type Runs = Arc<Mutex<Vec<String>>>;

fn runs(of: &Runs) -> Vec<String> {
    of.lock().unwrap().clone()
}

/// Until everything that can happen at this time has happened.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

fn recording(controller: Controller<Thing>) -> (RunnableController, Runs) {
    let log = Runs::default();
    let own = Arc::clone(&log);
    let controller = controller.reconcile(move |key: ObjectKey, _: Context| {
        own.lock().unwrap().push(key.to_string());
        async { Ok(Action::done()) }
    });
    (controller, log)
}

#[tokio::test(start_paused = true)]
async fn channels_and_functions_are_sources_of_keys_until_the_controller_is_dropped() {
    let informer = Source::new().informer();
    let _running = informer.spawn();
    let (sender, keys) = mpsc::channel(4);
    sender.send(key("early")).await.unwrap();
    let ended = Arc::new(Mutex::new(None));
    let token = Arc::clone(&ended);
    let controller = Controller::new("c", informer)
        .channel(keys)
        .source(move |queue, stop| async move {
            *token.lock().unwrap() = Some(stop);
            loop {
                queue.add(key("polled"));
                tokio::time::sleep(Duration::from_secs(10)).await;
            }
        })
        .source(|_, _| async { panic!("a source may panic") });
    let (controller, log) = recording(controller);
    for _ in 0..2 {
        // It starts twice, as in two terms; the sources start once.
        let stop = CancellationToken::new();
        let work = controller.run(stop.clone());
        let (ran, ()) = tokio::join!(work, async {
            settle().await;
            sender.send(key("sent")).await.unwrap();
            sender.send(key("sent")).await.unwrap();
            settle().await;
            stop.cancel();
        });
        ran.unwrap();
    }
    let mut seen = runs(&log);
    assert_eq!(seen.iter().filter(|name| *name == "n/polled").count(), 1, "every 10 s, and this took less");
    seen.sort();
    seen.dedup();
    assert_eq!(seen, ["n/early", "n/polled", "n/sent"]);
    let stop = ended.lock().unwrap().clone().unwrap();
    assert!(!stop.is_cancelled());
    drop(controller);
    assert!(stop.is_cancelled());
    settle().await;
    assert!(sender.is_closed(), "the task that read the channel is gone");
}

#[tokio::test(start_paused = true)]
async fn a_watch_is_added_to_a_running_controller_and_removed() {
    let (primary, other) = (Source::new(), Source::new());
    let (informer, added) = (primary.informer(), other.informer());
    let _running = (informer.spawn(), added.spawn());
    let (controller, log) = recording(Controller::new("c", informer));
    let stop = CancellationToken::new();
    let work = controller.run(stop.clone());
    let watching = async {
        settle().await;
        other.put(thing("existing"));
        settle().await;
        assert!(runs(&log).is_empty());
        let mapped = |thing: &Arc<Thing>| {
            assert_ne!(thing.name(), "bad", "a mapping function may panic");
            [ObjectKey::new("mapped", thing.name())]
        };
        let watch = controller.watch(&added, mapped).unwrap();
        settle().await;
        assert!(watch.registration().has_synced());
        assert_eq!(runs(&log), ["mapped/existing"]);
        other.put(thing("bad"));
        other.put(thing("new"));
        settle().await;
        assert_eq!(runs(&log), ["mapped/existing", "mapped/new"]);
        drop(watch);
        other.put(thing("unseen"));
        settle().await;
        assert_eq!(runs(&log).len(), 2);
        stop.cancel();
    };
    let (ran, ()) = tokio::join!(work, watching);
    ran.unwrap();
}

#[tokio::test(start_paused = true)]
async fn events_within_the_debounce_lead_to_one_run_and_do_not_prolong_it() {
    let source = Source::new();
    let informer = source.informer();
    let _running = informer.spawn();
    let options = ControllerOptions::default().with_debounce(Duration::from_secs(1));
    let (controller, log) = recording(Controller::with_options("c", informer, options));
    let stop = CancellationToken::new();
    let work = controller.run(stop.clone());
    let writing = async {
        settle().await;
        for _ in 0..25 {
            source.put(thing("a"));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(runs(&log).len(), 2, "one run per second of changes");
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(runs(&log).len(), 3);
        stop.cancel();
    };
    let (ran, ()) = tokio::join!(work, writing);
    ran.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_controller_may_have_keys_of_any_type() {
    let source = Source::new();
    source.put(thing("ab"));
    source.put(thing("ac"));
    source.put(thing("b"));
    let factory = InformerFactory::new();
    let informer = source.informer();
    let informer = factory.informer_for(move |_| informer.clone());
    let log: Arc<Mutex<Vec<(char, u32)>>> = Arc::default();
    let own = Arc::clone(&log);
    let options = KeyedOptions::default().with_workers(2).with_reconcile_timeout(Duration::from_secs(5));
    let controller = KeyedController::with_options(
        "letters",
        move |letter: char, context: Context| {
            own.lock().unwrap().push((letter, context.failures()));
            let failures = context.failures();
            async move {
                match (letter, failures) {
                    ('b', 0) => Err(ReconcileError::message("not yet")),
                    ('c', 0) => panic!("on purpose"),
                    ('d', 0) => std::future::pending().await,
                    ('e', _) => Err(ReconcileError::terminal("never")),
                    ('f', 0) => Ok(Action::requeue()),
                    _ => Ok(Action::done()),
                }
            }
        },
        options,
    );
    let first = |thing: &Arc<Thing>| thing.name().chars().next();
    let watch = controller.watch(&informer, first).unwrap();
    let stop = CancellationToken::new();
    let running = tokio::spawn(Manager::new(factory).controller(controller.clone()).run(stop.clone()));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(watch.registration().has_synced());
    let mut seen = log.lock().unwrap().clone();
    seen.sort_unstable();
    assert_eq!(seen, [('a', 0), ('b', 0), ('b', 1)], "one run for two objects, and a retry");
    assert_eq!(controller.state().last_error, Some(("b".to_owned(), "not yet".to_owned())));
    for letter in ['c', 'd', 'e', 'f'] {
        controller.queue().add(letter);
    }
    tokio::time::sleep(Duration::from_secs(10)).await;
    let state = controller.state();
    let counts = state.counts;
    assert_eq!((counts.errors, counts.panics, counts.timeouts, counts.terminal_errors), (1, 1, 1, 1));
    assert_eq!((counts.requeue, counts.success, state.phase), (1, 5, "running"));
    drop(watch);
    source.put(thing("x"));
    settle().await;
    assert_eq!(controller.state().counts, counts, "the watch has ended");
    stop.cancel();
    running.await.unwrap().unwrap();
    assert_eq!(controller.state().phase, "stopped");
}

#[tokio::test(start_paused = true)]
async fn a_keyed_controller_waits_for_first_lists_unless_it_need_not() {
    let late = Source::new().informer(); // Nobody runs it.
    let controller = |wait| {
        let options =
            KeyedOptions::default().with_wait_for_sync(wait).with_sync_timeout(Duration::from_secs(3));
        let controller =
            KeyedController::with_options("c", |_: u8, _: Context| async { Ok(Action::done()) }, options);
        controller.watch(&late, |_: &Arc<Thing>| [1]).unwrap().keep();
        controller.queue().add(7);
        controller
    };
    let waiting = controller(true);
    let error = waiting.run(CancellationToken::new()).await.unwrap_err();
    assert!(error.to_string().contains("after 3s"), "{error}");
    assert_eq!(waiting.state().counts.total(), 0);
    let eager = controller(false);
    let stop = CancellationToken::new();
    let (ran, ()) = tokio::join!(eager.run(stop.clone()), async {
        settle().await;
        stop.cancel();
    });
    ran.unwrap();
    assert_eq!(eager.state().counts.success, 1);
}
