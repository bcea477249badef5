//! Claims and volumes: which volume a claim gets, and the phases of both.
//!
//! Two controllers that see each other's writes, each with at most one write per object and run. The one of claims chooses a volume,
//! writes the claim's name into the volume and then the volume's name into the claim, so that two claims never share a volume: the
//! second write to a volume is a conflict. The one of volumes writes their phase. Nothing provisions or deletes storage.

use std::sync::Arc;

use client_rs_cache::Lister;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::{Json, Object, ObjectKey, Quantity, Time, Unstructured, json};

use crate::kind::{PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM, STORAGE_CLASS};
use crate::plan::{Note, Plan, Step};
use crate::pods::is_finished;
use crate::shell::{Building, Cluster, Core, spec_selector};

const BOUND: &str = "pv.kubernetes.io/bind-completed";
const BY_CONTROLLER: &str = "pv.kubernetes.io/bound-by-controller";

static NULL: Json = Json::Null;

/// The controller of claims.
pub(crate) fn build_claims(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    let claims = cluster.lister(&PERSISTENT_VOLUME_CLAIM);
    let core = Claims {
        volumes: cluster.lister(&PERSISTENT_VOLUME),
        classes: cluster.lister(&STORAGE_CLASS),
        pods: cluster.pods(),
    };
    Building::new(cluster, "persistentvolume-binder", &PERSISTENT_VOLUME_CLAIM, options)
        .reads(&STORAGE_CLASS)
        .watches_pods(|pod| {
            let names =
                pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_deref());
            names
                .map(|claim| ObjectKey::new(pod.metadata.namespace.clone(), claim.claim_name.clone()))
                .collect()
        })
        .watches(&PERSISTENT_VOLUME, move |volume| {
            let own = claim_of(volume);
            let waits = |claim: &&Arc<Unstructured>| {
                claim.annotation(BOUND).is_none() || own.as_ref() == Some(&claim.key())
            };
            claims.list(&Selector::everything()).iter().filter(waits).map(|claim| claim.key()).collect()
        })
        .core(core, recorder)
}

/// The controller of the phases of volumes.
pub(crate) fn build_volumes(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    let volumes = cluster.lister(&PERSISTENT_VOLUME);
    let core = Volumes { claims: cluster.lister(&PERSISTENT_VOLUME_CLAIM) };
    Building::new(cluster, "persistentvolume", &PERSISTENT_VOLUME, options)
        .watches(&PERSISTENT_VOLUME_CLAIM, move |claim| {
            let key = claim.key();
            let all = volumes.list(&Selector::everything());
            all.iter().filter(|one| claim_of(one).as_ref() == Some(&key)).map(|one| one.key()).collect()
        })
        .core(core, recorder)
}

struct Claims {
    volumes: Lister<Unstructured>,
    classes: Lister<Unstructured>,
    pods: Lister<client_rs_api::core::v1::Pod>,
}

impl Core for Claims {
    fn plan(&self, _: &ObjectKey, object: Option<&Unstructured>, _: Time) -> Result<Plan> {
        let Some(claim) = object.filter(|claim| !claim.is_being_deleted()) else {
            return Ok(Plan::default());
        };
        let name = text(claim, &["spec", "storageClassName"]);
        let class = self.classes.get(&ObjectKey::cluster(name)).ok();
        let mode = class.as_deref().map_or("", |class| text(class, &["volumeBindingMode"]));
        let late = mode == "WaitForFirstConsumer" && {
            let pods = self.pods.namespace(claim.namespace()).list(&Selector::everything())?;
            !pods.iter().any(|pod| {
                !is_finished(pod)
                    && pod.spec.volumes.iter().any(|volume| {
                        volume
                            .persistent_volume_claim
                            .as_deref()
                            .is_some_and(|used| &*used.claim_name == claim.name())
                    })
            })
        };
        let class = if name.is_empty() {
            Class::None
        } else if class.is_some() {
            Class::Known
        } else {
            Class::Missing
        };
        Ok(plan_claim(claim, &self.volumes.list(&Selector::everything()), class, late))
    }
}

/// The storage class of a claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    None,
    Known,
    Missing,
}

struct Volumes {
    claims: Lister<Unstructured>,
}

impl Core for Volumes {
    fn plan(&self, _: &ObjectKey, object: Option<&Unstructured>, now: Time) -> Result<Plan> {
        let Some(volume) = object else { return Ok(Plan::default()) };
        let claim = claim_of(volume).and_then(|key| self.claims.get(&key).ok());
        Ok(plan_volume(volume, claim.as_deref(), now))
    }
}

/// The next writes for a claim. `late` says that its class waits for a pod that uses it.
fn plan_claim(claim: &Unstructured, volumes: &[Arc<Unstructured>], class: Class, late: bool) -> Plan {
    let mut plan = Plan::default();
    let chosen = text(claim, &["spec", "volumeName"]);
    let named = volumes.iter().find(|volume| volume.name() == chosen && !chosen.is_empty());
    if claim.annotation(BOUND).is_some() {
        match named {
            Some(volume) if belongs(volume, claim) => status_bound(&mut plan, claim, volume),
            // Somebody has removed the claim from the volume.
            Some(volume) if at(volume, &["spec", "claimRef"]).is_null() => take(&mut plan, volume, claim),
            _ => lost(&mut plan, claim),
        }
        return plan;
    }
    let found = if chosen.is_empty() {
        volumes.iter().filter(|volume| suits(volume, claim, late)).min_by_key(|volume| {
            // A volume that is reserved for the claim comes first, then the smallest.
            (
                at(volume, &["spec", "claimRef"]).is_null(),
                size(volume, &["spec", "capacity"]),
                volume.name().to_owned(),
            )
        })
    } else {
        named.filter(|volume| at(volume, &["spec", "claimRef"]).is_null() || reserved(volume, claim))
    };
    match found {
        Some(volume) => {
            take(&mut plan, volume, claim);
            let mut new = claim.clone();
            if chosen.is_empty() {
                drop(new.set_nested(&["spec", "volumeName"], volume.name()));
                new.set_annotation(BY_CONTROLLER, "yes");
            }
            new.set_annotation(BOUND, "yes");
            plan.steps.push(Step::Update { of: &PERSISTENT_VOLUME_CLAIM, object: new, status: false });
        }
        None if !chosen.is_empty() => {}
        None if late => plan.tell(Note::normal(
            "WaitForFirstConsumer",
            "waiting for first consumer to be created before binding",
        )),
        None => match class {
            Class::None => plan.tell(Note::normal(
                "FailedBinding",
                "no persistent volumes available for this claim and no storage class is set",
            )),
            Class::Missing => {
                let name = text(claim, &["spec", "storageClassName"]);
                let message = format!("storageclass.storage.k8s.io {name:?} not found");
                plan.tell(Note::warning("ProvisioningFailed", message));
            }
            // A provisioner that somebody else runs may make one.
            Class::Known => {}
        },
    }
    plan
}

/// Writes the claim into the volume.
fn take(plan: &mut Plan, volume: &Unstructured, claim: &Unstructured) {
    if belongs(volume, claim) {
        return;
    }
    let mut new = volume.clone();
    if at(volume, &["spec", "claimRef"]).is_null() {
        new.set_annotation(BY_CONTROLLER, "yes");
    }
    let reference = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": claim.namespace(), "name": claim.name(),
        "uid": claim.uid(), "resourceVersion": claim.resource_version(),
    });
    drop(new.set_nested(&["spec", "claimRef"], reference));
    plan.steps.push(Step::Update { of: &PERSISTENT_VOLUME, object: new, status: false });
}

/// Writes the status of a bound claim, which has what the volume has.
fn status_bound(plan: &mut Plan, claim: &Unstructured, volume: &Unstructured) {
    if text(claim, &["status", "phase"]) == "Bound" {
        return;
    }
    let mut new = claim.clone();
    let mut status = json!({
        "phase": "Bound", "accessModes": at(volume, &["spec", "accessModes"]).clone(),
        "capacity": at(volume, &["spec", "capacity"]).clone(),
    });
    if let Some(class) = at(volume, &["spec", "volumeAttributesClassName"]).as_str() {
        drop(status.set(&["currentVolumeAttributesClassName"], class));
    }
    drop(new.set_nested(&["status"], status));
    plan.steps.push(Step::Update { of: &PERSISTENT_VOLUME_CLAIM, object: new, status: true });
}

fn lost(plan: &mut Plan, claim: &Unstructured) {
    if text(claim, &["status", "phase"]) == "Lost" {
        return;
    }
    let mut new = claim.clone();
    drop(new.set_nested(&["status"], json!({"phase": "Lost"})));
    plan.steps.push(Step::Update { of: &PERSISTENT_VOLUME_CLAIM, object: new, status: true });
    let message = "Bound claim has lost its PersistentVolume. Data on the volume is lost!";
    plan.tell(Note::warning("ClaimLost", message));
}

/// The phase of a volume. `claim` is the one that it names, if that exists.
fn plan_volume(volume: &Unstructured, claim: Option<&Unstructured>, now: Time) -> Plan {
    let uid = text(volume, &["spec", "claimRef", "uid"]);
    let phase = if uid.is_empty() {
        "Available"
    } else {
        match claim.filter(|claim| claim.uid() == uid) {
            Some(claim) if text(claim, &["spec", "volumeName"]) == volume.name() => "Bound",
            // The claim is written next.
            Some(_) => return Plan::default(),
            None => "Released",
        }
    };
    let mut plan = Plan::default();
    if text(volume, &["status", "phase"]) != phase {
        let mut new = volume.clone();
        drop(new.set_nested(&["status", "phase"], phase));
        drop(new.set_nested(&["status", "lastPhaseTransitionTime"], now.to_string()));
        plan.steps.push(Step::Update { of: &PERSISTENT_VOLUME, object: new, status: true });
    }
    plan
}

/// Whether a claim may get a volume that it does not name.
fn suits(volume: &Unstructured, claim: &Unstructured, late: bool) -> bool {
    let free = at(volume, &["spec", "claimRef"]).is_null();
    let same = |field: &str, default: &str| {
        let of = |object: &Unstructured| at(object, &["spec", field]).as_str().unwrap_or(default).to_owned();
        of(volume) == of(claim)
    };
    let modes =
        |object: &Unstructured| at(object, &["spec", "accessModes"]).as_list().cloned().unwrap_or_default();
    let has = modes(volume);
    let wanted = size(claim, &["spec", "resources", "requests"]);
    let selected = at(claim, &["spec", "selector"]).is_null()
        || spec_selector(claim)
            .is_some_and(|selector| selector.matches(&labels::from_fn(|key| volume.label(key))));
    !volume.is_being_deleted()
        && (reserved(volume, claim)
            || (free && !late && text(volume, &["status", "phase"]) == "Available" && selected))
        && same("storageClassName", "")
        && same("volumeMode", "Filesystem")
        && same("volumeAttributesClassName", "")
        && size(volume, &["spec", "capacity"]) >= wanted
        && modes(claim).iter().all(|mode| has.contains(mode))
}

/// Whether a volume is the claim's.
fn belongs(volume: &Unstructured, claim: &Unstructured) -> bool {
    reserved(volume, claim) && text(volume, &["spec", "claimRef", "uid"]) == claim.uid()
}

/// Whether a volume is the claim's or kept for a claim of its name.
fn reserved(volume: &Unstructured, claim: &Unstructured) -> bool {
    let uid = text(volume, &["spec", "claimRef", "uid"]);
    claim_of(volume) == Some(claim.key()) && (uid.is_empty() || uid == claim.uid())
}

/// The claim that a volume names.
fn claim_of(volume: &Unstructured) -> Option<ObjectKey> {
    let claim = at(volume, &["spec", "claimRef"]);
    let (namespace, name) = (claim.get("namespace")?.as_str()?, claim.get("name")?.as_str()?);
    Some(ObjectKey::new(namespace, name))
}

/// The amount of storage.
fn size(object: &Unstructured, path: &[&str]) -> Quantity {
    let amount = at(object, path).get("storage").and_then(Json::as_str);
    amount.and_then(|amount| amount.parse().ok()).unwrap_or_default()
}

fn at<'o>(object: &'o Unstructured, path: &[&str]) -> &'o Json {
    object.nested(path).ok().flatten().unwrap_or(&NULL)
}

fn text<'o>(object: &'o Unstructured, path: &[&str]) -> &'o str {
    at(object, path).as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    fn object(value: Json) -> Unstructured {
        Unstructured::try_from(value).unwrap()
    }

    fn volume(name: &str, storage: &str, more: &Json) -> Unstructured {
        let mut spec =
            json!({"capacity": {"storage": storage}, "accessModes": ["ReadWriteOnce", "ReadOnlyMany"]});
        for (key, value) in more.as_map().unwrap() {
            spec.set(&[key.as_str()], value.clone()).unwrap();
        }
        object(json!({
            "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name, "labels": {"disk": name}}, "spec": spec,
        }))
    }

    fn claim(name: &str, more: &Json) -> Unstructured {
        let mut spec =
            json!({"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "2Gi"}}});
        for (key, value) in more.as_map().unwrap() {
            spec.set(&[key.as_str()], value.clone()).unwrap();
        }
        object(json!({
            "apiVersion": "v1", "kind": "PersistentVolumeClaim", "spec": spec,
            "metadata": {"name": name, "namespace": "shop", "uid": format!("uid-{name}")},
        }))
    }

    #[derive(Default)]
    struct World(Model);

    impl World {
        fn put(&mut self, object: Unstructured) {
            let kind = if object.kind() == "PersistentVolume" {
                &PERSISTENT_VOLUME
            } else {
                &PERSISTENT_VOLUME_CLAIM
            };
            self.0.objects.insert((kind.name, object.key()), object);
        }

        fn of(&self, kind: &str) -> Vec<Arc<Unstructured>> {
            let all = self.0.objects.iter().filter(|((of, _), _)| *of == kind);
            all.map(|(_, object)| Arc::new(object.clone())).collect()
        }

        fn get(&self, kind: &str, name: &str) -> &Unstructured {
            let found = self.0.objects.iter().find(|((of, key), _)| *of == kind && key.name == name);
            found.unwrap_or_else(|| panic!("{kind} {name}")).1
        }

        /// Runs both controllers until nothing changes, and returns the phases.
        fn run(&mut self, class: Class, late: bool) -> Vec<(String, String)> {
            for _ in 0..20 {
                let (mut changed, now) = (false, self.0.now());
                for one in self.of("PersistentVolume") {
                    let claims = self.of("PersistentVolumeClaim");
                    let own = claims.iter().find(|claim| claim_of(&one) == Some(claim.key()));
                    changed |= self.0.apply(plan_volume(&one, own.map(|claim| &**claim), now));
                }
                for one in self.of("PersistentVolumeClaim") {
                    // The second write to a volume of the same version would be a conflict, so each claim sees the last write.
                    let volumes = self.of("PersistentVolume");
                    changed |= self.0.apply(plan_claim(&one, &volumes, class, late));
                }
                if !changed {
                    let all = self.0.objects.iter();
                    return all
                        .map(|((_, key), object)| {
                            (key.name.to_string(), text(object, &["status", "phase"]).to_owned())
                        })
                        .collect();
                }
            }
            panic!("it does not rest: {:#?}", self.0.objects);
        }
    }

    fn phases(world: &mut World, class: Class, late: bool) -> String {
        let all = world.run(class, late);
        all.iter().map(|(name, phase)| format!("{name} {phase}")).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_claim_gets_the_smallest_volume_that_suits() {
        let mut world = World::default();
        for (name, storage, more) in [
            ("large", "5Gi", json!({})),
            ("fits", "3Gi", json!({})),
            ("small", "1Gi", json!({})),
            ("other-class", "2Gi", json!({"storageClassName": "fast"})),
            ("block", "2Gi", json!({"volumeMode": "Block"})),
            ("many", "2Gi", json!({"accessModes": ["ReadWriteMany"]})),
            ("kept", "2Gi", json!({"claimRef": {"namespace": "shop", "name": "somebody"}})),
        ] {
            world.put(volume(name, storage, &more));
        }
        world.put(claim("c", &json!({})));
        let seen = phases(&mut world, Class::None, false);
        assert_eq!(
            seen,
            "block Available, fits Bound, kept Available, large Available, many Available, other-class Available, \
             small Available, c Bound"
        );
        let bound = world.get("PersistentVolumeClaim", "c");
        assert_eq!(text(bound, &["spec", "volumeName"]), "fits");
        assert_eq!((bound.annotation(BOUND), bound.annotation(BY_CONTROLLER)), (Some("yes"), Some("yes")));
        assert_eq!(text(bound, &["status", "capacity", "storage"]), "3Gi");
        assert_eq!(text(world.get("PersistentVolume", "fits"), &["spec", "claimRef", "uid"]), "uid-c");
    }

    #[test]
    fn labels_names_and_reservations_decide() {
        for (spec, expected) in [
            (json!({"selector": {"matchLabels": {"disk": "b"}}}), "b"),
            (json!({"volumeName": "b"}), "b"),
            (json!({}), "a"),
        ] {
            let mut world = World::default();
            for name in ["a", "b"] {
                world.put(volume(name, "2Gi", &json!({})));
            }
            world.put(claim("c", &spec));
            world.run(Class::None, false);
            let bound = world.get("PersistentVolumeClaim", "c");
            assert_eq!(text(bound, &["spec", "volumeName"]), expected, "{spec:?}");
        }
        let mut world = World::default();
        world.put(volume("a", "2Gi", &json!({})));
        world.put(volume("b", "9Gi", &json!({"claimRef": {"namespace": "shop", "name": "c"}})));
        world.put(claim("c", &json!({})));
        assert_eq!(phases(&mut world, Class::None, false), "a Available, b Bound, c Bound");
    }

    #[test]
    fn two_claims_never_share_a_volume_and_a_late_class_waits() {
        let mut world = World::default();
        world.put(volume("a", "2Gi", &json!({})));
        world.put(claim("one", &json!({})));
        world.put(claim("two", &json!({})));
        assert_eq!(phases(&mut world, Class::None, true), "a Available, one , two ");
        assert!(world.0.reasons.contains(&"WaitForFirstConsumer"));
        assert_eq!(phases(&mut world, Class::None, false), "a Bound, one Bound, two ");
        assert!(world.0.reasons.contains(&"FailedBinding"));
        let plan = plan_claim(&claim("one", &json!({"storageClassName": "x"})), &[], Class::Missing, false);
        assert_eq!(plan.reasons(), ["ProvisioningFailed"]);
    }

    #[test]
    fn a_volume_is_released_with_its_claim_and_a_claim_is_lost_with_its_volume() {
        let mut world = World::default();
        world.put(volume("a", "2Gi", &json!({})));
        world.put(claim("c", &json!({})));
        assert_eq!(phases(&mut world, Class::None, false), "a Bound, c Bound");
        let mut alone = World::default();
        alone.put(world.get("PersistentVolume", "a").clone());
        assert_eq!(phases(&mut alone, Class::None, false), "a Released");
        // A claim of the same name is another claim.
        let mut other = claim("c", &json!({}));
        other.set_uid("other");
        alone.put(other);
        assert_eq!(phases(&mut alone, Class::None, false), "a Released, c ");
        let mut lost = World::default();
        lost.put(world.get("PersistentVolumeClaim", "c").clone());
        assert_eq!(phases(&mut lost, Class::None, false), "c Lost");
        assert_eq!(lost.0.reasons, ["ClaimLost"]);
    }
}
