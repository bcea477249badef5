//! Finalizers and owned objects, against the embedded server. One program for all tests, so that the crate is linked once.

mod finalizers;
mod owned;
