//! Every built-in Kubernetes type, generated, in JSON and protobuf.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[allow(clippy::pedantic)]
mod generated;

pub use generated::*;

#[cfg(feature = "core-node")]
impl client_rs_machinery::Cordonable for core::v1::Node {}
#[cfg(feature = "apps")]
impl client_rs_machinery::Restartable for apps::v1::DaemonSet {}
#[cfg(feature = "apps")]
impl client_rs_machinery::Restartable for apps::v1::Deployment {}
#[cfg(feature = "apps")]
impl client_rs_machinery::Restartable for apps::v1::StatefulSet {}
