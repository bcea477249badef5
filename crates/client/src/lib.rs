//! The Kubernetes REST client.
//!
//! A [`Request`] is plain data; a [`RestClient`] sends it and reads the answer as what the caller asks for: an object, a
//! list, its items as they arrive, the events of a watch, or bytes. Around that: [`Backoff`] and [`retry`],
//! [`flow_control`], the [`Pager`]. Above it, [`Api`]: what a server serves of one kind, as methods.
//!
//! | for | see |
//! |---|---|
//! | kinds that are known only at run time | [`DynamicClient`], [`MetadataClient`], [`ScaleClient`] |
//! | what a server serves, and what kinds are called | [`discovery`] |
//! | processes in containers, ports, files, logs | [`streams`] |
//! | HTTP to pods, services and nodes | [`proxy`] |
//! | waiting until an object is as it should be | [`wait`] |
//! | objects from YAML and JSON files | `manifest`, a feature |
//! | identities that the cluster signs and that renew themselves | `certificate`, a feature |
//! | writes only while this process may write | [`WriteGate`] |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod api;
pub mod backoff;
#[cfg(all(feature = "certificate", any(feature = "aws-lc-rs", feature = "ring")))]
pub mod certificate;
pub mod discovery;
pub mod dynamic;
pub mod error;
#[cfg(test)]
mod fake_api;
pub mod flow_control;
#[cfg(feature = "manifest")]
pub mod manifest;
pub mod metrics;
mod pager;
pub mod proxy;
mod read_modify_write;
pub mod request;
mod rest;
pub mod retry;
pub mod streams;
pub mod testing;
mod verb;
pub mod wait;
pub mod warning;
mod watch_list;
pub mod write_gate;

pub use api::{AllNamespaces, Api};
pub use backoff::{Backoff, ResettingBackoff};
pub use dynamic::{DynamicApi, DynamicClient, MetadataClient, ScaleClient};
pub use error::{Call, Error};
pub use pager::Pager;
pub use request::{BodySource, PathPart, Request, RequestError};
pub use rest::{
    BadEvent, DecodeOptions, ListItem, ListStream, Listed, RawResponse, RestClient, RestClientOptions,
    UrlBackoff, Watch, WatchEnd,
};
pub use retry::retry_on_conflict;
pub use verb::Verb;
pub use watch_list::watch_list_options;
pub use write_gate::{WriteGate, WriteRefused};
