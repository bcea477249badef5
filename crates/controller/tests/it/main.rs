//! Applies, the cluster client, several clusters, finalizers, owned objects, handovers, prunes, unreadable objects and sinks, against the embedded server. One program for all tests, so that the crate is linked once.

mod applies;
#[cfg(feature = "cluster")]
mod cluster_client;
#[cfg(feature = "cluster")]
mod clusters;
mod finalizers;
mod handover;
mod owned;
#[cfg(feature = "collections")]
mod prunes;
#[cfg(feature = "cluster")]
mod sharded;
#[cfg(feature = "collections")]
mod sinks;
mod unreadable;
