//! Where events go.

use client_rs_api::core::v1::Event;
use client_rs_client::{Error, Request, RequestError, RestClient};
use client_rs_machinery::patch::Patch;

/// Stores events, each in the namespace that it names.
///
/// The errors decide what happens next: what a server refused, or what can't be sent at all, is given up; anything
/// else is tried again. A call may be cancelled at any `await` when the broadcaster is shut down.
pub trait EventSink: Send + Sync + 'static {
    /// Creates an event; gives it as the server has it.
    fn create(&self, event: &Event) -> impl Future<Output = Result<Event, Error>> + Send;
    /// Replaces an event; gives it as the server has it.
    fn update(&self, event: &Event) -> impl Future<Output = Result<Event, Error>> + Send;
    /// Patches the event of this name; gives it as the server has it.
    fn patch(&self, event: &Event, patch: &Patch) -> impl Future<Output = Result<Event, Error>> + Send;
}

/// The API server as a sink. An event without a namespace is refused before it is sent.
#[derive(Clone, Debug)]
pub struct RestEventSink {
    client: RestClient,
}

impl RestEventSink {
    /// With this client.
    pub fn new(client: RestClient) -> Self {
        Self { client }
    }
}

impl EventSink for RestEventSink {
    async fn create(&self, event: &Event) -> Result<Event, Error> {
        let request =
            Request::post().of::<Event>().namespace(&event.metadata.namespace).object(event.clone());
        self.client.send(request).await
    }

    async fn update(&self, event: &Event) -> Result<Event, Error> {
        let request = Request::put().of::<Event>().namespace(&event.metadata.namespace);
        self.client.send(request.name(&event.metadata.name).object(event.clone())).await
    }

    async fn patch(&self, event: &Event, patch: &Patch) -> Result<Event, Error> {
        if event.metadata.namespace.is_empty() {
            return Err(RequestError::EmptyNamespaceOfName.into());
        }
        let request = Request::patch(patch).of::<Event>().namespace(&event.metadata.namespace);
        self.client.send(request.name(&event.metadata.name)).await
    }
}
