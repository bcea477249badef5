//! The rights that a policy or a binding needs on its parameters: a user must not read objects through a policy that
//! the user can't read.

use client_rs_machinery::{ApiError, FieldError, FieldErrors, Json, Unstructured};

use super::{Api, Call};
use crate::access::{Attributes, ResourceAttributes};
use crate::kinds::ParamRights;
use crate::registry::Served;
use crate::request::{MASTERS, User};

/// Any group, or any resource.
const ANY: &str = "*";

impl Api {
    /// Refuses a policy or a binding whose parameters the user can't read.
    pub(super) fn check_params(
        &self,
        served: &Served,
        old: Option<&Unstructured>,
        object: &Unstructured,
        call: &Call<'_>,
    ) -> Result<(), ApiError> {
        let Some(rights) = served.rules.rights.params else { return Ok(()) };
        let field = rights.field();
        let of = |object: &Unstructured| object.nested(&["spec", field]).ok().flatten().cloned();
        let Some(asked) = of(object) else { return Ok(()) };
        if call.user.is_in(MASTERS) || old.and_then(of).as_ref() == Some(&asked) {
            return Ok(());
        }
        // The errors of a malformed object come first.
        let mut errors = Vec::new();
        served.rules.check_create(object, &mut errors);
        if !errors.is_empty() {
            return Ok(());
        }
        let why = match rights {
            ParamRights::Kind => self.kind_refused(&asked, call),
            ParamRights::Reference { policies } => self.reference_refused(&asked, object, policies, call),
        };
        why.map_or(Ok(()), |why| {
            let errors = FieldErrors(vec![FieldError::forbidden(format!("spec.{field}"), why)]);
            Err(ApiError::invalid(&served.group_kind(), object.name(), &errors))
        })
    }

    /// Why a policy can't have parameters of this kind.
    fn kind_refused(&self, kind: &Json, call: &Call<'_>) -> Option<String> {
        let (group, resource) = self.resource_of(kind);
        let resource = ResourceAttributes {
            name: ANY.to_owned(),
            namespace: ANY.to_owned(),
            group,
            resource,
            ..Default::default()
        };
        let text = |key: &str| kind[key].as_str().unwrap_or_default();
        (!self.may("get", resource, call)).then(|| {
            format!(
                "user {} must have \"get\" permission on all objects of the referenced paramKind (kind={}, apiVersion={})",
                shown(&call.user),
                text("kind"),
                text("apiVersion")
            )
        })
    }

    /// Why a binding can't refer to these parameters.
    fn reference_refused(
        &self,
        reference: &Json,
        binding: &Unstructured,
        policies: &str,
        call: &Call<'_>,
    ) -> Option<String> {
        let text = |key: &str| reference[key].as_str().unwrap_or_default().to_owned();
        let verb = if text("name").is_empty() { "list" } else { "get" };
        let policy = binding.nested_str(&["spec", "policyName"]).ok().flatten().unwrap_or_default();
        let catalog = self.registry.catalog();
        let found = catalog
            .find("admissionregistration.k8s.io", "v1", policies)
            .and_then(|served| self.registry.find(&served, "", policy));
        let kind = found
            .as_ref()
            .and_then(|found| found.stored.object.nested(&["spec", "paramKind"]).ok().flatten().cloned());
        let (group, resource) =
            kind.map_or_else(|| (ANY.to_owned(), ANY.to_owned()), |kind| self.resource_of(&kind));
        let resource = ResourceAttributes {
            name: text("name"),
            namespace: text("namespace"),
            group,
            resource,
            ..Default::default()
        };
        if self.may(verb, resource, call) {
            return None;
        }
        let user = shown(&call.user);
        Some(if found.is_none() {
            format!(
                "unable to get policy {policy} to determine minimum required permissions and user {user} does not have \
                 \"{verb}\" permission for all groups, versions and resources"
            )
        } else {
            format!("user {user} does not have \"{verb}\" permission on the object referenced by paramRef")
        })
    }

    /// The group and resource of a kind of parameters.
    fn resource_of(&self, kind: &Json) -> (String, String) {
        let text = |key: &str| kind[key].as_str().unwrap_or_default();
        let group = text("apiVersion").split_once('/').map_or("", |(group, _)| group);
        let served = self.registry.catalog().of_kind(text("apiVersion"), text("kind"));
        (group.to_owned(), served.map_or_else(|| ANY.to_owned(), |served| served.info.plural.to_string()))
    }

    fn may(&self, verb: &str, resource: ResourceAttributes, call: &Call<'_>) -> bool {
        let asked = Attributes { verb: verb.to_owned(), resource: Some(resource), path: String::new() };
        self.gate.decide(&self.registry, &call.user, &asked).allowed
    }
}

/// A user as Go prints it.
fn shown(user: &User) -> String {
    let extra: Vec<String> =
        user.extra.iter().map(|(key, values)| format!("{key}:[{}]", values.join(" "))).collect();
    format!("&{{{} {} [{}] map[{}]}}", user.name, user.uid, user.groups.join(" "), extra.join(" "))
}
