//! Who manages which field of an object: `metadata.managedFields`, and what server-side apply makes of it.
//!
//! A [`FieldSet`] is a set of [paths](PathElement) into an object, as an entry of `managedFields` holds one in its
//! `fieldsV1`. [`extract`] gives the part of an object that a manager owns, which is what it would apply again; [`upgrade`]
//! hands over what was owned by updates to one that applies.
//!
//! Nothing here talks to a server, and nothing panics on what one says.

mod error;
mod extract;
mod path;
mod set;
mod text;
mod upgrade;

pub use error::FieldsError;
pub use extract::extract;
pub use path::{FieldPath, PathElement};
pub use set::{FieldSet, Paths};
pub use upgrade::{owners, upgrade, upgrade_patch};
