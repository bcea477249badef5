//! Ownership of fields: `metadata.managedFields`, and the rules of server-side apply.
//!
//! A [`FieldSet`] is a set of [paths](PathElement) into an object; an entry of `managedFields` holds one in its
//! `fieldsV1`. [`extract`] returns the part of an object that a manager owns, which is the configuration to apply
//! again. [`upgrade`] hands fields that were owned by updates over to a manager that applies.
//!
//! A [`FieldManager`] implements server-side apply itself: the object that results from a write, and the owners of
//! its fields, by the [`MergeSchema`] of its type. An API server keeps one per kind. A client does not need it.
//!
//! Nothing here does I/O, and nothing panics on data from a server.

pub(crate) mod error;
mod extract;
mod field_manager;
mod managers;
mod path;
pub mod schema;
mod set;
mod structural;
mod text;
mod typed;
mod upgrade;

pub use error::FieldsError;
pub use extract::extract;
pub use field_manager::{ApplyError, Conflicts, FieldManager, MAX_UPDATE_MANAGERS, Versions};
pub use managers::{ManagerId, Managers, ManagersError, Operation, OwnedFields};
pub use path::{FieldPath, PathElement};
pub use schema::{MergeSchema, TypeRef};
pub use set::{FieldSet, Paths};
pub use typed::{Comparison, TypeErrors};
pub use upgrade::{owners, upgrade, upgrade_patch};
