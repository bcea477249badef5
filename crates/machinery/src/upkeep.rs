//! Kinds whose upkeep is a patch of well-known fields.

use crate::resource::Resource;

/// A kind whose pods are replaced when its pod template changes: `kubectl rollout restart` works on it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be restarted",
    label = "no controller replaces the pods of a `{Self}` when its template changes",
    note = "Deployments, StatefulSets and DaemonSets can be restarted"
)]
pub trait Restartable: Resource {}

/// A kind that can be excluded from scheduling: a `Node`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be cordoned",
    label = "pods are not scheduled to a `{Self}`",
    note = "only nodes can be cordoned"
)]
pub trait Cordonable: Resource {}
