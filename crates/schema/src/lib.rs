//! Structural schemas of custom resources: pruning, defaults, validation and the checks of a
//! `CustomResourceDefinition`, without a server.
//!
//! Use it to do offline what an API server does with custom objects and their definitions: in tests, in linters, in
//! generators. The embedded server, `client-rs-apiserver`, is built on it. To talk to a server, you do not need it:
//! the server applies the schema.
//!
//! | you want to | use |
//! |---|---|
//! | prune, default and validate custom objects | [`Schema::compile`], then [`ObjectRules`] |
//! | check a definition before you install it | [`definition`] |
//! | compute the cells of `additionalPrinterColumns` | [`PrinterColumn`] |
//! | find unknown and duplicate fields in JSON of built-in types | [`strict`] |
//!
//! [`ObjectRules`] covers types, formats, list types, embedded objects, and the CEL rules of
//! `x-kubernetes-validations`.
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
//! - Every function is pure: no I/O, no clock, no global state except compiled patterns.
//! - Errors have the order and the texts of kube-apiserver 1.37, so that they can be compared with it.
//! - Schemas and objects may come from untrusted clients; neither can cause a panic. The total cost of CEL rules is
//!   bounded as in the real server, and the limits of [`client_rs_cel`] bound the work of each.
//! - [`Schema::compile`] expects a schema that [`definition::check`] has accepted. It ignores everything that the
//!   check refuses.

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
