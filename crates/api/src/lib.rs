//! Every built-in Kubernetes type, generated, in JSON and protobuf.

#[allow(missing_docs, clippy::pedantic)]
mod generated;

pub use generated::*;
