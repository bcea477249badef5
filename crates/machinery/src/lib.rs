//! The Kubernetes object model without I/O: the counterpart of Go's `apimachinery`.
//!
//! Every other crate of client-rs builds on these types. A program that only parses, compares or patches objects
//! needs no other.
//!
//! # Objects
//!
//! A Kubernetes object has an `apiVersion`, a `kind` and `metadata`. The trait [`Object`] reads them from any Rust
//! type: a generated kind such as `Pod`, a custom kind, or an [`Unstructured`] object whose kind is known only at run
//! time. An [`ObjectKey`] is its namespace and name, the key of caches and work queues.
//!
//! ```
//! use client_rs_machinery::{Object, ObjectKey, Unstructured, json};
//!
//! let pod = Unstructured::try_from(json!({
//!     "apiVersion": "v1", "kind": "Pod",
//!     "metadata": {"name": "web-0", "namespace": "shop", "labels": {"app": "web"}},
//!     "spec": {"nodeName": "node-1"},
//! })).unwrap();
//! assert_eq!(pod.key(), ObjectKey::new("shop", "web-0"));
//! assert_eq!(pod.label("app"), Some("web"));
//! assert_eq!(pod.nested_str(&["spec", "nodeName"])?, Some("node-1"));
//! # Ok::<(), client_rs_machinery::NestedError>(())
//! ```
//!
//! The metadata of typed objects is [`meta::v1::ObjectMeta`]. Its fields use the collections of this crate: [`Str`],
//! [`List`], [`Map`] and [`Shared`]. Each is one word wide, and a clone shares its content until one side edits it.
//!
//! ```
//! use client_rs_machinery::meta::v1::ObjectMeta;
//!
//! let meta = ObjectMeta { name: "web".into(), labels: [("app", "web")].into(), ..ObjectMeta::default() };
//! let mut copy = meta.clone();
//! copy.labels.insert("track", "canary".into());
//! assert_eq!(meta.labels.len(), 1);
//! assert_eq!(copy.labels["app"], "web");
//! ```
//!
//! # Selecting, comparing, changing
//!
//! ```
//! use client_rs_machinery::{Quantity, Time, json, labels::Selector, patch::merge_patch};
//!
//! // Which objects: selectors parse the syntax of `kubectl -l`, and match locally.
//! let selector: Selector = "app=web,tier!=cache".parse()?;
//! assert!(selector.matches(&[("app", "web")]));
//!
//! // How much and when: quantities compare by value, times are RFC 3339.
//! assert_eq!(Quantity::parse("1000m")?, Quantity::parse("1")?);
//! assert!(Time::parse("2026-01-02T03:04:05Z")? > Time::ZERO);
//!
//! // Changes: a patch from two objects, for a request or for local use.
//! let patch = merge_patch::diff(&json!({"replicas": 1}), &json!({"replicas": 3}));
//! assert_eq!(patch.to_string(), r#"{"replicas":3}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A server that refuses a request returns a `Status`, which becomes an [`ApiError`] with predicates such as
//! [`is_not_found`](ApiError::is_not_found).
//!
//! # Where to go next
//!
//! | for | see |
//! |---|---|
//! | text, lists and maps that are one word wide and share when cloned | [`Str`], [`List`], [`Map`], [`Shared`], [`Blob`] |
//! | objects of any type | [`Object`], [`Metadata`], [`ObjectKey`] |
//! | resources that a server serves, with scope and verbs as types | [`Resource`], [`mod@verbs`], [`GroupVersionKind`], [`GroupVersionResource`] |
//! | parts of an object with their own path | [`subresource`] |
//! | metadata and the other types of `meta/v1` | [`meta::v1`] |
//! | objects whose kind is known only at run time | [`Unstructured`], [`Json`], [`Scheme`] |
//! | amounts and times | [`Quantity`], [`IntOrString`], [`Time`], [`MicroTime`], [`Duration`] |
//! | selecting objects | [`labels::Selector`], [`fields::Selector`] |
//! | failure responses of a server | [`ApiError`], [`StatusReason`], [`ApplyConflict`] |
//! | changing an object on the server | [`patch`], [`apply`] |
//! | picking values out of objects, as kubectl does | [`jsonpath`] |
//! | owners, and references to objects | [`references`] |
//! | ownership of fields | [`managed_fields`] |
//! | JSON and protobuf, whole or in chunks as they arrive | [`wire`] |
//! | less memory for many similar objects | [`pool`] |
//! | names and labels that a server accepts | [`validation`] |
//! | the schema of a Rust type for a custom resource definition | [`schema`] |
//! | client-go's feature gates | [`features`] |
//! | structs of options with setters | [`options!`] |
//!
//! Nothing here opens a socket, starts a task or reads a file. Nothing panics on data from outside, and no error or
//! `Debug` shows the content of a secret.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod apply;
mod apply_conflict;
#[doc(hidden)]
pub mod canary;
pub mod collections;
mod error;
mod error_to_status;
pub mod features;
mod field_error;
pub mod fields;
#[allow(clippy::pedantic)]
mod generated;
mod go_float;
mod go_value;
mod gvk;
#[doc(hidden)]
pub mod hash;
mod int_or_string;
mod json_schema_or;
pub mod jsonpath;
mod key;
pub mod labels;
mod macros;
pub mod managed_fields;
mod merge_from;
mod object;
#[cfg(feature = "k8s-openapi")]
pub mod openapi_bridge;
mod options;
pub mod patch;
pub mod pool;
pub mod quantity;
mod quote;
mod raw;
pub mod references;
mod resource;
mod resource_version;
pub mod schema;
mod scheme;
mod shard_selector;
mod status;
mod string_list;
pub mod subresource;
mod task_scope;
pub mod time;
mod unstructured;
mod upkeep;
mod utf8;
pub mod validation;
mod value;
pub mod wire;
mod write_log;

pub use apply_conflict::ApplyConflict;
pub use collections::{Blob, List, Map, Shared, StaticDefault, Str};
pub use error::{ApiError, ErrorCause, ErrorChain, ErrorDetails, ErrorStatus, ServerAnswer, ServerResponse};
pub use field_error::{FieldError, FieldErrorKind, FieldErrors};
pub use generated::*;
pub use go_float::go_float;
pub use go_value::{go_type, go_value};
pub use gvk::{
    GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource, GvkError,
    compare_versions, parse_kind_arg, parse_resource_arg,
};
pub use int_or_string::{IntOrString, NotPercentage, Rounding};
pub use json_schema_or::{OrArray, OrBool, OrStringArray};
pub use key::{KeyError, ObjectKey};
pub use object::{Metadata, Object, ObjectList, OwnerRef, Pairs};
pub use quantity::Quantity;
pub use quote::go_quoted;
pub use raw::{FieldsV1, RawExtension, RawJson};
pub use resource::{Cluster, Namespaced, Resource, ResourceInfo, Scope, SubresourceInfo, verbs};
pub use resource_version::compare_resource_versions;
pub use scheme::{AnyKind, Kind, Scheme};
pub use shard_selector::{ShardField, ShardSelector, ShardSelectorError};
pub use status::{CauseType, StatusReason};
pub use string_list::StringList;
pub use subresource::{HasSubresource, Subresource};
pub use task_scope::in_scope;
pub use time::{Duration, MicroTime, Time};
pub use unstructured::{
    DynamicObject, NestedError, NestedErrorKind, NotAnObject, Unstructured, UnstructuredList,
};
pub use upkeep::{Cordonable, Restartable};
pub use value::{Json, JsonIndex, JsonType, ReadError};
pub use write_log::{Write, WriteLog, WriteObserver, WriteOutcome, WrittenObject};
