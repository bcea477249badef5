//! What every namespace follows.

use std::sync::Arc;

use client_rs_machinery::ApiError;

use super::Registry;
use super::catalog::Served;

const IMMORTAL: [&str; 3] = ["default", "kube-public", "kube-system"];

impl Registry {
    /// The resource of namespaces.
    pub(crate) fn namespaces(&self) -> Arc<Served> {
        self.catalog().find("", "v1", "namespaces").expect("the core group is always served")
    }

    pub(super) fn check_mortal(&self, name: &str) -> Result<(), ApiError> {
        if IMMORTAL.contains(&name) {
            let why = "this namespace may not be deleted";
            return Err(ApiError::forbidden(&self.namespaces().group_resource(), name, why));
        }
        Ok(())
    }
}
