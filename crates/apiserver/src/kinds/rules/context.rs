//! The server's state during a write, for the rules of a kind.

use client_rs_machinery::{Json, Unstructured};

use super::plugin::AdmissionPlugin;
use crate::kinds::shared::addresses::AddressRange;

/// The parts of the server that the rules of a kind can use during a write.
pub(crate) trait WriteContext {
    /// Returns another object, by the group and plural name of its resource.
    fn find(&self, group: &str, plural: &str, namespace: &str, name: &str) -> Option<Unstructured>;
    /// Calls `see` with each object of a resource.
    fn each(&self, group: &str, plural: &str, see: &mut dyn FnMut(&Unstructured));
    /// Calls `see` with each object of a resource in a namespace.
    fn each_in(&self, group: &str, plural: &str, namespace: &str, see: &mut dyn FnMut(&Unstructured));
    /// Sends a warning to the client.
    fn warn(&self, text: &str);
    /// Whether pods get the tokens of their service accounts, which must exist.
    fn mounts_tokens(&self) -> bool;
    /// Whether an admission plugin is on.
    fn runs(&self, plugin: AdmissionPlugin) -> bool;
    /// The range of cluster IPs of the server itself.
    fn service_range(&self) -> AddressRange;
    /// Five random characters for a purpose. They are the same when the request runs again.
    fn suffix(&self, purpose: &str) -> String;
    /// The user of the request, as reviews contain users; `None` for writes of the server itself.
    fn author(&self) -> Option<Json>;
}
