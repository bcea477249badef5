//! Sinks: the destinations of events.

use client_rs_api::events::v1::Event;
use client_rs_client::{Api, Error, RestClient};
use client_rs_machinery::patch::Patch;

/// Stores events, each in its own namespace.
///
/// The error decides about a retry: an event that the server refused, or that can't be sent at all, is dropped; anything else
/// is retried. Calls run concurrently. A call may be cancelled at any `.await`: after `write_timeout`, or when the broadcaster
/// is shut down.
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
