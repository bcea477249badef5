//! An embedded Kubernetes API server, for tests, demos and offline work.

#![allow(dead_code)]

mod clock;
mod registry;
mod store;
