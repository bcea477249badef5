//! What a reactor makes of a request.

use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::wire::{Format, Payload, WatchEventType};
use client_rs_machinery::{ApiError, Json, Unstructured, json};
use tokio::sync::mpsc;

/// What comes of a request that is no watch.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Reaction {
    /// Not handled: the next reactor is asked, and at last the storage. What this one changed in the action stays.
    Continue,
    /// As [`Continue`](Self::Continue), after this time.
    Delay(Duration),
    /// It succeeds with this object, and the storage knows nothing of it.
    Answer(Unstructured),
    /// It fails with this error, and the storage knows nothing of it.
    Fail(ApiError),
}

impl Reaction {
    /// It succeeds with an object or a list of a type.
    pub fn answer<P: Payload>(object: &P) -> Self {
        match Unstructured::from_json(&object.encode(Format::Json)) {
            Ok(object) => Self::Answer(object),
            Err(error) => Self::Fail(ApiError::internal_error(error)),
        }
    }
}

/// What comes of a watch.
#[derive(Debug)]
#[non_exhaustive]
pub enum WatchReaction {
    /// Not handled: the next reactor is asked, and at last the storage.
    Continue,
    /// The watch gives what the test [sends](FakeWatch).
    Watch(WatchEvents),
    /// There is no watch, but this error.
    Fail(ApiError),
}

/// The events of a watch that a test makes up; see [`fake_watch`].
#[derive(Debug)]
pub struct WatchEvents(pub(super) mpsc::Receiver<Bytes>);

/// The sending side of a watch that a test makes up. The watch ends when it is dropped.
#[derive(Clone, Debug)]
pub struct FakeWatch(mpsc::Sender<Bytes>);

/// How many events may wait to be read.
const BUFFER: usize = 100;

/// A watch whose events a test sends. At most 100 of them wait to be read; then sending waits.
pub fn fake_watch() -> (FakeWatch, WatchEvents) {
    let (sender, receiver) = mpsc::channel(BUFFER);
    (FakeWatch(sender), WatchEvents(receiver))
}

impl FakeWatch {
    /// Sends an event. False if nobody watches any more.
    pub async fn send<P: Payload>(&self, kind: WatchEventType, object: &P) -> bool {
        match Json::parse(&object.encode(Format::Json)) {
            Ok(object) => self.put(kind.as_str(), object).await,
            Err(_) => false,
        }
    }

    /// Sends an object that is new. False if nobody watches any more.
    pub async fn add<P: Payload>(&self, object: &P) -> bool {
        self.send(WatchEventType::Added, object).await
    }

    /// Sends an object that has changed. False if nobody watches any more.
    pub async fn modify<P: Payload>(&self, object: &P) -> bool {
        self.send(WatchEventType::Modified, object).await
    }

    /// Sends an object that is gone. False if nobody watches any more.
    pub async fn delete<P: Payload>(&self, object: &P) -> bool {
        self.send(WatchEventType::Deleted, object).await
    }

    /// Sends an error, such as that a version has expired. False if nobody watches any more.
    pub async fn fail(&self, error: &ApiError) -> bool {
        let status = error.status();
        let object = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": status.message.to_string(), "reason": status.reason.as_str(), "code": i64::from(status.code),
        });
        self.put("ERROR", object).await
    }

    async fn put(&self, kind: &str, object: Json) -> bool {
        let mut line = json!({"type": kind, "object": object}).to_vec();
        line.push(b'\n');
        self.0.send(line.into()).await.is_ok()
    }
}
