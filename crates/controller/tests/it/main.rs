//! Finalizers, owned objects and handovers, against the embedded server. One program for all tests, so that the crate is linked once.

mod finalizers;
mod handover;
mod owned;
