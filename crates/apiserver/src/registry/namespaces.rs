//! The resource of namespaces.

use std::sync::Arc;

use super::Registry;
use super::catalog::Served;

impl Registry {
    /// The resource of namespaces.
    pub(crate) fn namespaces(&self) -> Arc<Served> {
        self.catalog().find("", "v1", "namespaces").expect("the core group is always served")
    }
}
