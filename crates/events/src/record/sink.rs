//! Sinks: the destinations of events.

use client_rs_api::core::v1::Event;
use client_rs_client::{Api, Error, RestClient};
use client_rs_machinery::patch::Patch;

/// Stores events, each in its own namespace. [`RestEventSink`] writes to the API server; implement it for another
/// destination.
///
/// The error decides about a retry: an event that the server refused, or that can't be sent at all, is dropped; anything else
/// is retried. A call may be cancelled at any `.await`: after `write_timeout`, or when the broadcaster is shut down.
///
/// ```
/// use client_rs_api::core::v1::{Event, Pod};
/// use client_rs_client::Error;
/// use client_rs_events::{EventBroadcaster, EventSink, EventType};
/// use client_rs_machinery::patch::Patch;
///
/// /// Sends the reasons of new events to a channel.
/// struct Reasons(tokio::sync::mpsc::UnboundedSender<String>);
///
/// impl EventSink for Reasons {
///     async fn create(&self, event: &Event) -> Result<Event, Error> {
///         let _ = self.0.send(event.reason.to_string());
///         Ok(event.clone())
///     }
///     async fn update(&self, event: &Event) -> Result<Event, Error> {
///         Ok(event.clone())
///     }
///     async fn patch(&self, event: &Event, _: &Patch) -> Result<Event, Error> {
///         Ok(event.clone())
///     }
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_events::Stopped> {
/// let (sender, mut reasons) = tokio::sync::mpsc::unbounded_channel();
/// let broadcaster = EventBroadcaster::new();
/// broadcaster.start_recording_to_sink(Reasons(sender))?;
/// let recorder = broadcaster.recorder("my-controller", "");
/// // The second event is equal, so the sink gets a patch of the count.
/// recorder.event(&Pod::EMPTY, EventType::Normal, "Started", "");
/// recorder.event(&Pod::EMPTY, EventType::Normal, "Started", "");
/// broadcaster.shutdown().await;
/// assert_eq!(reasons.recv().await.as_deref(), Some("Started"));
/// assert_eq!(reasons.recv().await, None);
/// # Ok(())
/// # }
/// ```
pub trait EventSink: Send + Sync + 'static {
    /// Creates an event. Returns the object in the server's response.
    fn create(&self, event: &Event) -> impl Future<Output = Result<Event, Error>> + Send;
    /// Replaces an event. Returns the object in the server's response.
    fn update(&self, event: &Event) -> impl Future<Output = Result<Event, Error>> + Send;
    /// Patches the event of this name. Returns the object in the server's response.
    fn patch(&self, event: &Event, patch: &Patch) -> impl Future<Output = Result<Event, Error>> + Send;
}

/// The API server as a sink. An event without a namespace is refused before it is sent.
#[derive(Clone, Debug)]
pub struct RestEventSink {
    client: RestClient,
}

impl RestEventSink {
    /// A sink that uses this client.
    pub fn new(client: RestClient) -> Self {
        Self { client }
    }
}

impl RestEventSink {
    fn events(&self, event: &Event) -> Api<Event> {
        Api::namespaced(&self.client, event.metadata.namespace.clone())
    }
}

impl EventSink for RestEventSink {
    async fn create(&self, event: &Event) -> Result<Event, Error> {
        self.events(event).create(event.clone()).await
    }

    async fn update(&self, event: &Event) -> Result<Event, Error> {
        self.events(event).update(event.clone()).await
    }

    async fn patch(&self, event: &Event, patch: &Patch) -> Result<Event, Error> {
        self.events(event).patch(&event.metadata.name, patch).await
    }
}
