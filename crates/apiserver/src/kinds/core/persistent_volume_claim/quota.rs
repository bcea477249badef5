//! The resources that quotas count for claims.

use client_rs_machinery::quantity::Scale;
use client_rs_machinery::{Quantity, Time, Unstructured, collections::VecSet};

use super::class_of;
use crate::kinds::rules::{Charges, Touched};
use crate::kinds::shared::amounts::Amounts;
use crate::kinds::shared::checks::{at, quantity, text};

pub(super) const CHARGES: Charges = Charges {
    has,
    usage,
    on_update: |write, old| match write.part {
        Touched::Whole => true,
        Touched::Status => allocated(write.new) != allocated(old) || classes(write.new) != classes(old),
        Touched::Other => false,
    },
    in_scope: |scope, claim| {
        let values: Vec<&str> = classes(claim).into_iter().collect();
        scope.name == "VolumeAttributesClass" && scope.selects(&values)
    },
    constraints: |_, _| Ok(()),
};

const CLAIMS: &str = "persistentvolumeclaims";
const STORAGE: &str = "requests.storage";
/// The suffix of a storage class in the name of a resource.
const OF_CLASS: &str = ".storageclass.storage.k8s.io/";

fn has(name: &str) -> bool {
    [CLAIMS, STORAGE]
        .iter()
        .any(|own| name == *own || name.strip_suffix(own).is_some_and(|prefix| prefix.ends_with(OF_CLASS)))
}

fn usage(claim: &Unstructured, _: Time) -> Amounts {
    let class = class_of(claim);
    let mut used = Amounts::default();
    let mut set = |name: &str, amount: &Quantity| {
        used.set(name, amount.clone());
        if !class.is_empty() {
            used.set(format!("{class}{OF_CLASS}{name}"), amount.clone());
        }
    };
    set(CLAIMS, &Quantity::from(1));
    if let Some(requested) = quantity(&at(claim, "spec")["resources"]["requests"]["storage"]) {
        let most = allocated(claim).filter(|allocated| *allocated > requested).unwrap_or(requested);
        set(STORAGE, &most.round_up(Scale::ONE));
    }
    used
}

/// The storage that is allocated to the claim, which can be more than it requests.
fn allocated(claim: &Unstructured) -> Option<Quantity> {
    quantity(at(claim, "status")["allocatedResources"].get("storage")?)
}

/// The volume attributes classes of a claim: desired, current, and the target of a change.
fn classes(claim: &Unstructured) -> VecSet<&str> {
    let status = at(claim, "status");
    let all = [
        &at(claim, "spec")["volumeAttributesClassName"],
        &status["currentVolumeAttributesClassName"],
        &status["modifyVolumeStatus"]["targetVolumeAttributesClassName"],
    ];
    all.into_iter().map(text).filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn storage_is_charged_to_the_claim_and_to_its_class() {
        let claim = |allocated: &str| {
            Unstructured::try_from(json!({
                "spec": {"storageClassName": "gold", "resources": {"requests": {"storage": "1Gi"}}},
                "status": {"allocatedResources": {"storage": allocated}},
            }))
            .unwrap()
        };
        let used = usage(&claim("1Mi"), Time::now());
        assert_eq!(
            used.shown(),
            "gold.storageclass.storage.k8s.io/persistentvolumeclaims=1,\
             gold.storageclass.storage.k8s.io/requests.storage=1Gi,persistentvolumeclaims=1,requests.storage=1Gi"
        );
        assert!(used.names().all(has));
        assert!(!has("gold.storageclass.storage.k8s.io/pods") && !has("pods"));
        assert_eq!(usage(&claim("2Gi"), Time::now()).get(STORAGE).unwrap().to_string(), "2Gi");
    }
}
