//! Structural schemas of custom resources: what a `CustomResourceDefinition` says about objects, without a server.
//!
//! - [`Schema::compile`] reads an `openAPIV3Schema`. [`ObjectRules`] applies it to objects: pruning of unknown fields,
//!   defaults, validation of types, formats, list types, embedded objects, and the CEL rules of
//!   `x-kubernetes-validations`.
//! - [`definition`] checks such definitions themselves, and decides about their names and conditions.
//! - [`PrinterColumn`] computes the cells of `additionalPrinterColumns`.
//! - [`strict`] finds unknown and duplicate fields in JSON, by the descriptor of a type.
//!
//! ```
//! use client_rs_machinery::{Unstructured, json};
//! use client_rs_schema::{ObjectRules, Schema};
//!
//! let schema = Schema::compile(&json!({
//!     "type": "object",
//!     "properties": {"spec": {"type": "object", "properties": {
//!         "replicas": {"type": "integer", "minimum": 1, "default": 1},
//!     }}},
//! }));
//! let rules = ObjectRules { schema: Some(&schema), ..ObjectRules::default() };
//!
//! let object: Unstructured = json!({"kind": "Web", "spec": {"colour": "red"}}).try_into().unwrap();
//! let read = rules.read(object).unwrap();
//! assert_eq!(read.unknown, ["spec.colour"]);
//! assert_eq!(read.object.nested_i64(&["spec", "replicas"]), Ok(Some(1)));
//!
//! let mut wrong = read.object.clone();
//! wrong.set_nested(&["spec", "replicas"], 0).unwrap();
//! assert!(rules.validate(&wrong, None)[0].to_string().starts_with("spec.replicas: Invalid value: 0"));
//! ```
//!
//! # Contract
//!
//! - Everything is a pure function of its arguments: no I/O, no clock, no global state but compiled patterns.
//! - Errors come in the order and in the words of kube-apiserver 1.37, so that they can be compared with it.
//! - Schemas and objects may come from clients that nobody trusts. Neither panics; what CEL rules may cost together is
//!   bounded as in the real server, and what they may compute besides by the limits of [`client_rs_cel`].
//! - [`Schema::compile`] expects a schema that [`definition::check`] has accepted. It ignores what that refuses.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod columns;
mod defaults;
pub mod definition;
mod embedded;
mod expressions;
mod formats;
mod go;
mod json_path;
mod lists;
mod metadata;
mod object;
mod prune;
mod schema;
pub mod strict;
mod value;

pub use columns::PrinterColumn;
pub use expressions::plain_value as cel_value;
pub use json_path::{first_match, parse_path};
pub use metadata::check as check_labels_and_annotations;
pub use object::{ObjectRules, Read, Scale};
pub use schema::Schema;
