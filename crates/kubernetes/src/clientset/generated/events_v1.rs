// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `events.k8s.io/v1`.

use client_rs_api::events::v1::Event;
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `events.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct EventsV1 {
    rest: RestClient,
}

impl EventsV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `events` of a namespace, or of all.
    #[inline]
    pub fn events<W: Within>(&self, namespace: W) -> Api<Event, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
