//! The rights that a write needs in addition to those on its resource.

use client_rs_machinery::{ApiError, Unstructured};

use super::{Api, Call};
use crate::access::{self, Access, Attributes, Rbac, ResourceAttributes};
use crate::registry::Served;
use crate::request::Target;

/// The group of signers.
const SIGNERS: &str = "certificates.k8s.io";

impl Api {
    /// Refuses an update or an apply that would create an object, if the user may not create it.
    pub(super) fn may_create(
        &self,
        served: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<(), ApiError> {
        let resource = ResourceAttributes {
            group: served.info.group.to_string(),
            resource: served.info.plural.to_string(),
            subresource: String::new(),
            namespace: target.namespace.to_owned(),
            name: target.name.to_owned(),
        };
        let asked = Attributes { verb: "create".to_owned(), resource: Some(resource), path: String::new() };
        self.gate.authorize(&self.registry, &call.user, &asked)
    }

    /// Refuses writes that need more rights than those on the resource: granting rights to others, and acting for a
    /// signer.
    pub(super) fn check_rights(
        &self,
        served: &Served,
        target: &Target<'_>,
        old: Option<&Unstructured>,
        object: &Unstructured,
        call: &Call<'_>,
    ) -> Result<(), ApiError> {
        if self.gate.access != Access::Rbac {
            return Ok(());
        }
        self.check_signer(served, target, old, object, call)?;
        self.check_params(served, old, object, call)?;
        let mut object = object.clone();
        if served.info.namespaced && object.namespace().is_empty() {
            object.set_namespace(target.namespace);
        }
        access::check_escalation(Rbac(&self.registry), &call.user, served, old, &object)
    }

    /// Refuses to approve, sign or attest for a signer, unless the user has that right for the signer or its
    /// domain.
    fn check_signer(
        &self,
        served: &Served,
        target: &Target<'_>,
        old: Option<&Unstructured>,
        object: &Unstructured,
        call: &Call<'_>,
    ) -> Result<(), ApiError> {
        let changes = |path: &[&str]| {
            let of = |object: &Unstructured| object.nested(path).ok().flatten().cloned().unwrap_or_default();
            old.is_none_or(|old| of(old) != of(object))
        };
        let right = served.rules.rights.signers.iter().find(|right| right.subresource == target.subresource);
        let Some(right) =
            right.filter(|right| right.changes.is_empty() || right.changes.iter().any(|path| changes(path)))
        else {
            return Ok(());
        };
        let (verb, what) = (right.verb, right.what);
        let of = if right.of_new { Some(object) } else { old };
        let signer = of.and_then(|of| of.nested_str(&["spec", "signerName"]).ok().flatten());
        let Some(signer) = signer.filter(|signer| !signer.is_empty()) else { return Ok(()) };
        let may = |name: &str| {
            let resource = ResourceAttributes {
                group: SIGNERS.to_owned(),
                resource: "signers".to_owned(),
                name: name.to_owned(),
                ..ResourceAttributes::default()
            };
            let asked = Attributes { verb: verb.to_owned(), resource: Some(resource), path: String::new() };
            self.gate.decide(&self.registry, &call.user, &asked).allowed
        };
        let domain = signer.split_once('/').map_or(signer, |(domain, _)| domain);
        if may(signer) || may(&format!("{domain}/*")) {
            return Ok(());
        }
        let why = format!("user not permitted to {what} signerName {signer:?}");
        Err(ApiError::forbidden(&served.group_resource(), object.name(), why))
    }
}
