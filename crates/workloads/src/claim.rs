//! The objects of a controller: it adopts those that its selector matches and nobody controls, and releases those that
//! it controls and whose labels no longer match.

use std::sync::Arc;

use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::meta::v1::OwnerReference;
use client_rs_machinery::references::{controller_reference, controls};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Object, Unstructured};

use client_rs_controller::Result;

use crate::kind::Kind;
use crate::plan::{Plan, Step};

/// The objects that belong to the owner, those included that it adopts; the writes are added to the plan.
///
/// An owner that is being deleted changes nothing. Objects that are being deleted are not adopted, nor are those for which
/// `adoptable` is false.
pub(crate) fn claim<K: Object + Message>(
    owner: &dyn Object,
    selector: &Selector,
    of: &'static Kind,
    objects: Vec<Arc<K>>,
    adoptable: fn(&K) -> bool,
    plan: &mut Plan,
) -> Result<Vec<Arc<K>>> {
    let mut own = Vec::new();
    for object in objects {
        let matches = selector.matches(&labels::from_fn(|key| object.label(key)));
        if controls(owner, &*object) {
            if matches {
                own.push(object);
            } else if !owner.is_being_deleted() && !object.is_being_deleted() {
                plan.steps.push(release(owner, of, &*object)?);
            }
        } else if matches
            && object.controller().is_none()
            && !owner.is_being_deleted()
            && !object.is_being_deleted()
            && adoptable(&object)
        {
            let mut new = Unstructured::from_message(&*object)?;
            let reference = controller_reference(owner)?;
            set_owners(&mut new, Some(&reference), None);
            plan.steps.push(Step::Adopt { of, object: new });
            own.push(object);
        }
    }
    Ok(own)
}

fn release<K: Object + Message>(owner: &dyn Object, of: &'static Kind, object: &K) -> Result<Step> {
    let mut new = Unstructured::from_message(object)?;
    set_owners(&mut new, None, Some(owner.uid()));
    Ok(Step::Update { of, object: new, status: false })
}

/// Adds one owner and removes another.
fn set_owners(object: &mut Unstructured, add: Option<&OwnerReference>, remove: Option<&str>) {
    let before = object.clone();
    let kept = before.owner_references().filter(|owner| Some(owner.uid) != remove);
    object.set_owner_references(kept.chain(add.map(Into::into)));
}

#[cfg(test)]
mod tests {
    use client_rs_api::apps::v1::ReplicaSet;
    use client_rs_api::core::v1::Pod;

    use super::*;
    use crate::kind::POD;
    use crate::pods::tests::{at, named};

    fn owner() -> ReplicaSet {
        let mut set = ReplicaSet::EMPTY;
        set.metadata.name = "web".into();
        set.metadata.namespace = "shop".into();
        set.metadata.uid = "uid-web".into();
        set
    }

    fn owned(name: &str, by: &ReplicaSet) -> Pod {
        let mut pod = named(name);
        pod.metadata.owner_references = [controller_reference(by).unwrap()].into();
        pod
    }

    fn claimed(owner: &ReplicaSet, pods: Vec<Pod>) -> (Vec<String>, Vec<(String, usize)>) {
        let (selector, mut plan) = (Selector::parse("app=web").unwrap(), Plan::default());
        let pods = pods.into_iter().map(Arc::new).collect();
        let own = claim(owner, &selector, &POD, pods, |_| true, &mut plan).unwrap();
        let written = plan.updated(&POD).into_iter();
        let written = written.map(|pod| (pod.name().to_owned(), pod.owner_references().count()));
        (own.iter().map(|pod| pod.metadata.name.to_string()).collect(), written.collect())
    }

    #[test]
    fn what_matches_is_adopted_and_what_no_longer_matches_is_released() {
        let set = owner();
        let mut left = owned("left", &set);
        left.metadata.labels = [("app", "other")].into();
        let mut other = named("other");
        other.metadata.labels = [("app", "other")].into();
        let mut others = owner();
        others.metadata.uid = "uid-of-another".into();
        let pods = vec![owned("own", &set), left, named("orphan"), owned("foreign", &others), other];
        let (own, written) = claimed(&set, pods);
        assert_eq!(own, ["own", "orphan"]);
        assert_eq!(written, [("left".to_owned(), 0), ("orphan".to_owned(), 1)]);
    }

    #[test]
    fn what_is_being_deleted_is_not_adopted_and_its_owner_changes_nothing() {
        let mut set = owner();
        let mut ends = named("ends");
        ends.metadata.deletion_timestamp = Some(at(1));
        assert_eq!(claimed(&set, vec![ends]), (vec![], vec![]));
        set.metadata.deletion_timestamp = Some(at(1));
        let mut left = owned("left", &set);
        left.metadata.labels = [("app", "other")].into();
        assert_eq!(claimed(&set, vec![named("orphan"), left]), (vec![], vec![]));
    }
}
