//! Structural schemas of Rust types, for custom resource definitions.
//!
//! `#[derive(Schema)]` implements [`Schema`]. This module implements it for the types that fields are made of. A
//! schema is a [`Json`] document in the dialect of `apiextensions.k8s.io/v1`: `OpenAPI` v3 without references, with a
//! type for every value, and with `x-kubernetes-*` keywords.
//!
//! ```
//! use client_rs_machinery::{json, schema::{ObjectSchema, Schema}};
//!
//! assert_eq!(<Option<u16>>::schema()["type"].as_str(), Some("integer"));
//! assert!(<Option<u16>>::OPTIONAL);
//!
//! let schema = ObjectSchema::new()
//!     .description("The size of a widget.")
//!     .property("size", u32::schema(), true)
//!     .build();
//! assert_eq!(schema["required"], json!(["size"]));
//! ```

mod build;
mod impls;
mod messages;

pub use build::{ObjectSchema, describe, nullable, set, set_within, union};
pub use messages::of_message;

use crate::Json;

/// A type whose structural schema is known.
///
/// The schema must allow what the type's serde implementation writes; what it does not allow, a server refuses or drops.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no structural schema",
    label = "a custom resource can't hold it",
    note = "derive it: `#[derive(Schema)]`; for a type of another crate say what stands on the wire, \
            `#[schema(as = String)]`, or keep whatever comes, `#[schema(preserve_unknown_fields)]`"
)]
pub trait Schema {
    /// A field of this type may be absent, as an `Option` may.
    const OPTIONAL: bool = false;

    /// Evaluates the same constant of all types that this one contains. This makes a recursive type fail to compile:
    /// a structural schema has no references, so its schema would never end. `#[schema(preserve_unknown_fields)]` on
    /// a field of the cycle solves it. The compiler prints the name of this constant in its error.
    const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () = ();

    /// The schema.
    fn schema() -> Json;
}
