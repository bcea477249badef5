//! Finalizers, owned objects, handovers and sinks, against the embedded server. One program for all tests, so that the crate is linked once.

mod finalizers;
mod handover;
mod owned;
#[cfg(feature = "collections")]
mod sinks;
