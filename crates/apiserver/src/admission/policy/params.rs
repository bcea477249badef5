//! The parameters of a binding.

use std::sync::Arc;

use client_rs_machinery::{ApiError, Json, labels};

use super::{Binding, Policy};
use crate::admission::session::Session;
use crate::admission::versioned::versioned;
use crate::custom::pending;
use crate::registry::{ListRequest, Selection, Served, Stored};

/// The reason why there are no parameters.
#[derive(Debug)]
pub(super) enum NoParams {
    /// The policy or the binding is wrong: the failure policy decides.
    Configuration(String),
    /// The request has to wait.
    Now(ApiError),
}

impl Session {
    /// The resource of a policy's parameters; `None` if it has none.
    pub(super) fn param_resource(&self, policy: &Policy) -> Result<Option<Arc<Served>>, String> {
        let Some((version, kind)) = &policy.param_kind else { return Ok(None) };
        let found = self.registry.catalog().of_kind(version, kind);
        found.map(Some).ok_or_else(|| {
            let version = if version.contains('/') { version.clone() } else { format!("/{version}") };
            format!("failed to find resource referenced by paramKind: '{version}, Kind={kind}'")
        })
    }

    /// The parameters with which a policy is evaluated, each in turn: `None` is an evaluation without parameters. An
    /// empty list is no evaluation.
    pub(super) fn params(
        &self,
        served: Option<&Arc<Served>>,
        binding: &Binding,
        namespace: &str,
    ) -> Result<Vec<Option<Json>>, NoParams> {
        let (Some(served), Some(reference)) = (served, &binding.params) else { return Ok(vec![None]) };
        let wrong = |why: &str| Err(NoParams::Configuration(why.to_owned()));
        let place = match (served.info.namespaced, reference.namespace.as_str()) {
            (true, "") if namespace.is_empty() => {
                return wrong(
                    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
                );
            }
            (true, "") => namespace,
            (true, own) => own,
            (false, "") => "",
            (false, _) => {
                return wrong("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
            }
        };
        let found: Vec<Arc<Stored>> = if reference.name.is_empty() {
            let everything = Selection::default();
            let listing = self.registry.list(served, &ListRequest::all(place, &everything));
            let items = listing.map(|listing| listing.items).unwrap_or_default();
            let selected = |item: &Arc<Stored>| {
                reference.selector.matches(&labels::from_fn(|key| item.object.label(key)))
            };
            items.into_iter().filter(selected).collect()
        } else {
            self.registry.find(served, place, &reference.name).map(|found| found.stored).into_iter().collect()
        };
        if found.is_empty() && reference.required {
            return wrong("no params found for policy binding with `Deny` parameterNotFoundAction");
        }
        let shown = found.iter().map(|stored| {
            let shown = served.shown(stored, Some(self));
            if self.is_pending() {
                return Err(NoParams::Now(pending()));
            }
            let shown = shown.map_err(|error| NoParams::Now(error.into()))?;
            Ok(Some(versioned(served, &shown.object)))
        });
        shown.collect()
    }
}
