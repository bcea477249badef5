//! Who manages which field of an object: `metadata.managedFields`, and what server-side apply makes of it.
//!
//! A [`FieldSet`] is a set of [paths](PathElement) into an object, as an entry of `managedFields` holds one in its
//! `fieldsV1`. [`extract`] gives the part of an object that a manager owns, which is what it would apply again; [`upgrade`]
//! hands over what was owned by updates to one that applies.
//!
//! Server-side apply itself is a [`FieldManager`]: what a write makes of an object and of who owns what in it, by the
//! [`MergeSchema`] of its type. An API server keeps one a kind; a client needs none.
//!
//! Nothing here talks to a server, and nothing panics on what one says.

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
