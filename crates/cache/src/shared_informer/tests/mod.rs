//! A shared informer with a server in memory.

mod delivery;
mod failures;
mod handlers;
mod knowledge;
mod lifecycle;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use client_rs_machinery::{ApiError, ObjectKey};

use super::*;
use crate::fake_server::{FakeServer, GARBAGE, ListFault, expired};
use crate::fixtures::TestObject;
use crate::reflector::WatchErrorHandler;
use crate::{Delivery, Delta, Execution, HandlerFns, Notification, Transform};

/// Lets all tasks run until they wait.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A handler that records its notifications.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl Recorder {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    fn sorted(&self) -> Vec<String> {
        let mut told = self.take();
        told.sort();
        told
    }

    fn note(&self, told: &Notification<TestObject>) {
        self.0.lock().unwrap().push(format!("{told:?}"));
    }
}

impl EventHandler<TestObject> for Recorder {
    fn handle(&self, notification: &Notification<TestObject>) {
        self.note(notification);
    }
}

struct Started {
    informer: SharedInformer<TestObject>,
    cancel: CancellationToken,
    task: tokio::task::JoinHandle<Result<(), InformerError>>,
}

fn informer(server: &FakeServer) -> SharedInformer<TestObject> {
    informer_with(server, InformerOptions::default())
}

fn informer_with(server: &FakeServer, options: InformerOptions<TestObject>) -> SharedInformer<TestObject> {
    SharedInformer::with_options(server.clone(), options)
}

fn start(informer: &SharedInformer<TestObject>) -> Started {
    let (informer, cancel) = (informer.clone(), CancellationToken::new());
    let (own, token) = (informer.clone(), cancel.clone());
    let task = tokio::spawn(async move { own.run(token).await });
    Started { informer, cancel, task }
}

impl Started {
    async fn stop(self) {
        self.cancel.cancel();
        self.task.await.unwrap().unwrap();
        assert!(self.informer.is_stopped());
    }
}

fn add(informer: &SharedInformer<TestObject>, options: HandlerOptions) -> (Recorder, Registration) {
    let recorder = Recorder::default();
    let registration = informer.add_handler_with(recorder.clone(), options).unwrap();
    (recorder, registration)
}

fn every(period: Duration) -> HandlerOptions {
    HandlerOptions { resync_period: Some(period), ..HandlerOptions::default() }
}
