//! Finalizers and owned objects, against the embedded server. One program for all: each would link the whole crate again.

mod finalizers;
mod owned;
