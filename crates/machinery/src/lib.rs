//! The Kubernetes object model, with no I/O: what Go has in `apimachinery`.
//!
//! | for | see |
//! |---|---|
//! | text, lists and maps that cost one word and share when cloned | [`Str`], [`List`], [`Map`], [`Shared`], [`Blob`] |
//! | any object, whatever its type | [`Object`], [`Metadata`], [`ObjectKey`] |
//! | what a server serves, with scope and verbs as types | [`Resource`], [`mod@verbs`], [`GroupVersionKind`], [`GroupVersionResource`] |
//! | parts of an object with a path of their own | [`subresource`] |
//! | metadata and the other types of `meta/v1` | [`meta::v1`] |
//! | objects of a kind that is known only at run time | [`Unstructured`], [`Json`], [`Scheme`] |
//! | amounts and times | [`Quantity`], [`IntOrString`], [`Time`], [`MicroTime`], [`Duration`] |
//! | selecting objects | [`labels::Selector`], [`fields::Selector`] |
//! | what a server says when it refuses | [`ApiError`], [`StatusReason`], [`ApplyConflict`] |
//! | changing an object on the server | [`patch`] |
//! | picking values out of objects, as kubectl does | [`jsonpath`] |
//! | owners, and references to objects | [`references`] |
//! | who owns which field | [`managed_fields`] |
//! | JSON and protobuf, whole or as bytes arrive | [`wire`] |
//! | sharing what objects have in common | [`pool`] |
//! | names and labels that a server accepts | [`validation`] |
//! | what a custom resource definition says of a Rust type | [`schema`] |
//! | client-go's feature gates | [`features`] |
//!
//! Nothing here opens a socket, starts a task or reads a file. Nothing panics on data from outside, and no error or
//! `Debug` shows the content of a secret.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod apply;
mod apply_conflict;
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
mod int_or_string;
mod json_schema_or;
pub mod jsonpath;
mod key;
pub mod labels;
mod macros;
pub mod managed_fields;
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
pub mod schema;
mod scheme;
mod status;
mod string_list;
pub mod subresource;
pub mod time;
mod unstructured;
mod utf8;
pub mod validation;
mod value;
pub mod wire;

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
pub use scheme::{AnyKind, Kind, Scheme};
pub use status::{CauseType, StatusReason};
pub use string_list::StringList;
pub use subresource::{HasSubresource, Subresource};
pub use time::{Duration, MicroTime, Time};
pub use unstructured::{
    DynamicObject, NestedError, NestedErrorKind, NotAnObject, Unstructured, UnstructuredList,
};
pub use value::{Json, JsonIndex, JsonType, ReadError};
