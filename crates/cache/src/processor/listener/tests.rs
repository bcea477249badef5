//! Handlers and objects belong to the user: they are dropped without the lock of the queue, and in time.

use std::sync::Weak;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Wake;

use client_rs_machinery::Metadata;
use client_rs_machinery::meta::v1::ObjectMeta;

use super::*;
use crate::Deleted;
use crate::fixtures::{TestObject, object};

/// Notes whether the queue is unlocked when it is dropped.
struct Probe {
    metadata: ObjectMeta,
    listener: Weak<Listener<Probe>>,
    unlocked: Arc<std::sync::Mutex<Vec<bool>>>,
}

impl Object for Probe {
    fn meta(&self) -> &dyn Metadata {
        &self.metadata
    }

    fn api_version(&self) -> &'static str {
        "test/v1"
    }

    fn kind(&self) -> &'static str {
        "Probe"
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        let listener = self.listener.upgrade();
        let unlocked = listener.is_some_and(|listener| listener.inbox.try_lock().is_ok());
        self.unlocked.lock().unwrap().push(unlocked);
    }
}

#[test]
fn objects_are_dropped_without_the_lock_of_the_queue() {
    let (listener, now) = (Arc::new(Listener::new(Delivery::Coalesced { limit: 0 })), Instant::now());
    let unlocked = Arc::<std::sync::Mutex<Vec<bool>>>::default();
    let probe = |name: &str| {
        let metadata = ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY };
        Arc::new(Probe { metadata, listener: Arc::downgrade(&listener), unlocked: Arc::clone(&unlocked) })
    };
    let added = |name: &str| Change::Added { object: probe(name).into(), is_initial: false };
    let deleted = |name: &str| Change::Deleted(Deleted::Object(probe(name)));
    let take = || std::mem::take(&mut *unlocked.lock().unwrap());

    // An addition and its deletion cancel each other out, and so do a replay and a deletion, which then waits.
    let changes = [added("a"), deleted("a")];
    let replayed = Stored::from(probe("b"));
    let replay = Change::Updated { old: replayed.clone(), new: replayed };
    let more = [replay, deleted("b")];
    let mut displaced = Vec::new();
    let _ = listener.push(changes.iter().cloned(), now, &mut displaced);
    let _ = listener.push(more.iter().cloned(), now, &mut displaced);
    drop((changes, more));
    assert_eq!((listener.progress().merged, displaced.len()), (2, 2));
    assert_eq!(take(), [true], "the deletion of `a`");
    drop(displaced);
    assert_eq!(take(), [true, true]);

    // Those that wait at the end.
    let _ = listener.push([added("c"), added("d")], now, &mut Vec::new());
    listener.close();
    assert_eq!(take(), [true, true, true]);
    // Those that come too late.
    let _ = listener.push([added("e")], now, &mut Vec::new());
    assert_eq!(take(), [true]);
}

/// Closes the queue when it is woken, and counts the references to the handler.
struct Closes {
    listener: Arc<Listener<TestObject>>,
    handler: Weak<dyn EventHandler<TestObject>>,
    left: AtomicUsize,
}

impl Wake for Closes {
    fn wake(self: Arc<Self>) {
        self.listener.close();
        self.left.store(self.handler.strong_count(), Ordering::Relaxed);
    }
}

#[test]
fn nobody_refers_to_a_handler_whose_turn_is_over() {
    for panics in [false, true] {
        let (listener, now) = (Arc::new(Listener::new(Delivery::EveryEvent)), Instant::now());
        let handler: Arc<dyn EventHandler<TestObject>> =
            Arc::new(move |_: &Notification<TestObject>| assert!(!panics, "as a test wants"));
        let closes = Closes {
            listener: Arc::clone(&listener),
            handler: Arc::downgrade(&handler),
            left: AtomicUsize::new(usize::MAX),
        };
        let closes = Arc::new(closes);
        let added = |name| Change::Added { object: object(name, 1).into(), is_initial: false };
        let _ = listener.push([added("a"), added("b")], now, &mut Vec::new());
        assert!(listener.attach(handler, Execution::Inline));
        let waker = Waker::from(Arc::clone(&closes));
        assert!(listener.poll_interruption(&mut Context::from_waker(&waker)).is_pending());
        // One of two, or a panic: its task is woken at the end of the turn.
        assert_eq!(listener.run(1), 1);
        assert_eq!(closes.left.load(Ordering::Relaxed), 0);
    }
}
