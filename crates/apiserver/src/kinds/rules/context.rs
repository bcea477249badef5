//! What rules may ask of the server during a write.

use client_rs_machinery::{Json, Unstructured};

/// What the rules of a kind may ask for while one of its objects is written.
pub(crate) trait WriteContext {
    /// Another object, by group and plural name of its resource.
    fn find(&self, group: &str, plural: &str, namespace: &str, name: &str) -> Option<Unstructured>;
    /// Shows all objects of a resource.
    fn each(&self, group: &str, plural: &str, see: &mut dyn FnMut(&Unstructured));
    /// Whether the server puts into namespaces what a cluster's controllers would.
    fn populates(&self) -> bool;
    /// Five random characters for a purpose: the same ones when the request is run again.
    fn suffix(&self, purpose: &str) -> String;
    /// The user who asks, as reviews show users; `None` for what the server itself writes.
    fn author(&self) -> Option<Json>;
}
