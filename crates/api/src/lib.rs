//! Every built-in Kubernetes type, generated, in JSON and protobuf.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[allow(clippy::pedantic)]
mod generated;

pub use generated::*;
