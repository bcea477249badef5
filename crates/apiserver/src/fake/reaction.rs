//! The decisions of reactors.

use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::wire::{Format, Payload, WatchEventType};
use client_rs_machinery::{ApiError, Json, Unstructured, json};
use http::Response;
use tokio::sync::mpsc;

/// The decision of a reactor about a request that is not a watch.
///
/// See [`Fake::prepend_reactor`](super::Fake::prepend_reactor) for the order of reactors.
///
/// ```
/// use std::time::Duration;
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_apiserver::fake::{FakeClient, Faked, Reaction};
/// use client_rs_client::{Api, RestClient};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let Faked { client, fake } = RestClient::fake(&[])?;
/// fake.prepend_reactor("get", "configmaps", |action| match action.name.as_str() {
///     "settings" => Reaction::answer(&ConfigMap::EMPTY),
///     "slow" => Reaction::Delay(Duration::from_millis(1)),
///     _ => Reaction::Continue,
/// });
///
/// let maps = Api::<ConfigMap, _>::within(&client, "shop");
/// assert!(maps.get("settings").await.is_ok());
/// // After the delay, the storage has no such object.
/// assert!(maps.get("slow").await.unwrap_err().is_not_found());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Reaction {
    /// Not handled: the next reactor runs, and after the last one the storage. Changes that the reactor made to the
    /// action are kept.
    Continue,
    /// As [`Continue`](Self::Continue), after this delay. Cancelling the request cancels the delay.
    Delay(Duration),
    /// The request succeeds with this object. The storage does not see the request.
    Answer(Unstructured),
    /// The request gets this response, of any content: for logs and for requests that are proxied to a pod or a service. The storage does not
    /// see the request.
    Respond(Response<Bytes>),
    /// The request fails with this error. The storage does not see the request.
    Fail(ApiError),
}

impl Reaction {
    /// Creates an [`Answer`](Self::Answer) from a typed object or list.
    pub fn answer<P: Payload>(object: &P) -> Self {
        match Unstructured::from_json(&object.encode(Format::Json)) {
            Ok(object) => Self::Answer(object),
            Err(error) => Self::Fail(ApiError::internal_error(error)),
        }
    }
}

/// The decision of a reactor about a watch. See [`fake_watch`].
#[derive(Debug)]
#[non_exhaustive]
pub enum WatchReaction {
    /// Not handled: the next reactor runs, and after the last one the storage.
    Continue,
    /// The watch delivers the events that the test [sends](FakeWatch).
    Watch(WatchEvents),
    /// The watch fails with this error.
    Fail(ApiError),
}

/// The receiving side of a [`fake_watch`], for [`WatchReaction::Watch`].
#[derive(Debug)]
pub struct WatchEvents(pub(super) mpsc::Receiver<Bytes>);

/// The sending side of a [`fake_watch`]. The watch ends when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct FakeWatch(mpsc::Sender<Bytes>);

/// The number of events that are buffered.
const BUFFER: usize = 100;

/// Creates a watch whose events the test sends.
///
/// Use it to send sequences of events that the storage would not produce. It buffers at most 100 events; then
/// sending waits until the client reads one.
///
/// ```
/// use std::sync::Mutex;
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_apiserver::fake::{FakeClient, Faked, WatchReaction, fake_watch};
/// use client_rs_client::{Api, RestClient};
/// use client_rs_machinery::wire::WatchEvent;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let Faked { client, fake } = RestClient::fake(&[])?;
/// let (sender, events) = fake_watch();
/// // The first watch gets these events. Later watches go to the storage.
/// let events = Mutex::new(Some(events));
/// fake.prepend_watch_reactor("configmaps", move |_| match events.lock().unwrap().take() {
///     Some(events) => WatchReaction::Watch(events),
///     None => WatchReaction::Continue,
/// });
///
/// let mut watch = Api::<ConfigMap, _>::within(&client, "shop").watch().await?;
/// assert!(sender.delete(&ConfigMap::EMPTY).await);
/// drop(sender);
/// assert!(matches!(watch.next().await, Some(Ok(WatchEvent::Deleted(_)))));
/// assert!(watch.next().await.is_none());
/// # Ok(())
/// # }
/// ```
pub fn fake_watch() -> (FakeWatch, WatchEvents) {
    let (sender, receiver) = mpsc::channel(BUFFER);
    (FakeWatch(sender), WatchEvents(receiver))
}

impl FakeWatch {
    /// Sends an event. Returns false if the client has closed the watch.
    pub async fn send<P: Payload>(&self, kind: WatchEventType, object: &P) -> bool {
        match Json::parse(&object.encode(Format::Json)) {
            Ok(object) => self.put(kind.as_str(), object).await,
            Err(_) => false,
        }
    }

    /// Sends an added object. Returns false if the client has closed the watch.
    pub async fn add<P: Payload>(&self, object: &P) -> bool {
        self.send(WatchEventType::Added, object).await
    }

    /// Sends a modified object. Returns false if the client has closed the watch.
    pub async fn modify<P: Payload>(&self, object: &P) -> bool {
        self.send(WatchEventType::Modified, object).await
    }

    /// Sends a deleted object. Returns false if the client has closed the watch.
    pub async fn delete<P: Payload>(&self, object: &P) -> bool {
        self.send(WatchEventType::Deleted, object).await
    }

    /// Sends an error, such as an expired resource version. Returns false if the client has closed the watch.
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
