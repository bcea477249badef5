use client_rs_machinery::wire::Message;

use super::*;
use crate::model::Model;

fn model(spec: &str) -> Model {
    let text = format!(
        r#"{{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{{"name":"db","namespace":"shop","uid":"uid-db","generation":1}},
        "spec":{{"serviceName":"dbs","selector":{{"matchLabels":{{"app":"db"}}}},
        "template":{{"metadata":{{"labels":{{"app":"db"}}}},"spec":{{"containers":[{{"name":"c","image":"db:1"}}]}}}},
        "updateStrategy":{{"type":"RollingUpdate"}},{spec}}}}}"#
    );
    let mut model = Model::default();
    model.put(&STATEFUL_SET, &StatefulSet::from_json(text.as_bytes()).unwrap());
    model
}

fn set(model: &Model) -> StatefulSet {
    StatefulSet::clone(&model.all::<StatefulSet>(&STATEFUL_SET)[0])
}

fn run(model: &mut Model) -> bool {
    let claims: Vec<Arc<Unstructured>> = model
        .objects
        .iter()
        .filter(|((kind, _), _)| *kind == PERSISTENT_VOLUME_CLAIM.name)
        .map(|(_, claim)| Arc::new(claim.clone()))
        .collect();
    let plan =
        plan(&set(model), model.pods(), model.all(&CONTROLLER_REVISION), &claims, model.now()).unwrap();
    model.apply(plan)
}

/// Runs until nothing is to be done, with pods as they are.
fn settle(model: &mut Model) {
    for _ in 0..30 {
        if !run(model) {
            return;
        }
    }
    panic!("the controller does not come to rest: {:#?}", set(model).status);
}

/// Runs until nothing is to be done, while pods become ready. Returns the names of the pods after each step that changed them.
fn steps(model: &mut Model) -> Vec<String> {
    let mut seen = vec![model.names(&POD).join(" ")];
    for _ in 0..30 {
        settle(model);
        let names = model.names(&POD).join(" ");
        let same = seen.last() == Some(&names);
        if !same {
            seen.push(names);
        }
        let unready = model.pods().iter().any(|pod| !is_ready(pod));
        model.ready();
        if same && !unready {
            return seen;
        }
    }
    panic!("no rest: {seen:?}");
}

fn change(model: &mut Model, change: impl FnOnce(&mut client_rs_api::apps::v1::StatefulSetSpec)) {
    let mut new = set(model);
    change(&mut new.spec);
    new.metadata.generation += 1;
    model.put(&STATEFUL_SET, &new);
}

fn set_image(model: &mut Model, image: &'static str) {
    change(model, |spec| {
        let template = &mut spec.template;
        template.spec.containers.make_mut()[0].image = image.into();
    });
}

fn images(model: &Model) -> Vec<String> {
    model.pods().iter().map(|pod| pod.spec.containers[0].image.to_string()).collect()
}

#[test]
fn pods_come_one_after_the_other_and_go_in_the_reverse_order() {
    let mut model = model(r#""replicas":3"#);
    assert_eq!(steps(&mut model), ["", "db-0", "db-0 db-1", "db-0 db-1 db-2"]);
    let pod = &model.pods()[1];
    assert_eq!((&*pod.spec.hostname, &*pod.spec.subdomain), ("db-1", "dbs"));
    assert_eq!((pod.label(POD_NAME), pod.label(POD_INDEX)), (Some("db-1"), Some("1")));
    let status = set(&model).status;
    assert_eq!(
        (status.replicas, status.ready_replicas, status.current_replicas, status.updated_replicas),
        (3, 3, 3, 3)
    );
    assert_eq!(status.current_revision, status.update_revision);
    change(&mut model, |spec| spec.replicas = Some(1));
    assert_eq!(steps(&mut model), ["db-0 db-1 db-2", "db-0"]);
}

#[test]
fn a_pod_that_is_not_ready_holds_up_the_others() {
    let mut model = model(r#""replicas":3"#);
    settle(&mut model);
    assert_eq!(model.names(&POD), ["db-0"]);
    // Scaled down, the sick pod itself may go.
    change(&mut model, |spec| spec.replicas = Some(0));
    settle(&mut model);
    assert!(model.names(&POD).is_empty());
}

#[test]
fn parallel_pods_come_and_go_at_once() {
    let mut model = model(r#""replicas":3,"podManagementPolicy":"Parallel""#);
    assert_eq!(steps(&mut model), ["", "db-0 db-1 db-2"]);
    change(&mut model, |spec| spec.replicas = Some(0));
    assert_eq!(steps(&mut model), ["db-0 db-1 db-2", ""]);
}

#[test]
fn an_update_begins_with_the_highest_number_and_waits_for_each() {
    let mut model = model(r#""replicas":3"#);
    steps(&mut model);
    let first = set(&model).status.current_revision.clone();
    set_image(&mut model, "db:2");
    settle(&mut model);
    // The pod is replaced, and the next one waits until it is ready.
    assert_eq!(images(&model), ["db:1", "db:1", "db:2"]);
    let status = set(&model).status;
    assert_eq!((status.current_revision.clone(), status.updated_replicas), (first.clone(), 1));
    assert_ne!(status.update_revision, first);
    steps(&mut model);
    assert_eq!(images(&model), ["db:2", "db:2", "db:2"]);
    let status = set(&model).status;
    assert_eq!(
        (status.current_revision.clone(), status.current_replicas),
        (status.update_revision.clone(), 3)
    );
    assert_eq!(model.names(&CONTROLLER_REVISION).len(), 2);
}

#[test]
fn pods_below_the_partition_keep_their_revision() {
    let mut model = model(r#""replicas":3"#);
    change(&mut model, |spec| {
        let text = br#"{"type":"RollingUpdate","rollingUpdate":{"partition":2}}"#;
        spec.update_strategy = client_rs_api::apps::v1::StatefulSetUpdateStrategy::from_json(text).unwrap();
    });
    steps(&mut model);
    set_image(&mut model, "db:2");
    steps(&mut model);
    assert_eq!(images(&model), ["db:1", "db:1", "db:2"]);
    // A pod that is deleted comes back with its revision.
    let key = model.pods()[0].key();
    model.remove(&POD, &key);
    steps(&mut model);
    assert_eq!(images(&model), ["db:1", "db:1", "db:2"]);
    let status = set(&model).status;
    assert_eq!((status.current_replicas, status.updated_replicas), (2, 1));
}

#[test]
fn on_delete_leaves_pods_until_somebody_deletes_them() {
    let mut model = model(r#""replicas":2"#);
    change(&mut model, |spec| spec.update_strategy.type_ = "OnDelete".into());
    steps(&mut model);
    set_image(&mut model, "db:2");
    steps(&mut model);
    assert_eq!(images(&model), ["db:1", "db:1"]);
    let key = model.pods()[1].key();
    model.remove(&POD, &key);
    steps(&mut model);
    assert_eq!(images(&model), ["db:1", "db:2"]);
}

#[test]
fn failed_pods_are_made_again() {
    let mut model = model(r#""replicas":1"#);
    steps(&mut model);
    let uid = model.pods()[0].metadata.uid.clone();
    model.end(1, |_| true);
    settle(&mut model);
    assert_ne!(model.pods()[0].metadata.uid, uid);
    assert!(model.reasons.contains(&"RecreatingFailedPod"));
}

#[test]
fn each_pod_has_its_claims_which_stay_or_go_by_the_policy() {
    let claims = r#""replicas":2,"volumeClaimTemplates":[{"metadata":{"name":"data"}}],
        "persistentVolumeClaimRetentionPolicy":{"whenScaled":"Delete","whenDeleted":"Delete"}"#;
    let mut model = model(claims);
    steps(&mut model);
    assert_eq!(model.names(&PERSISTENT_VOLUME_CLAIM), ["data-db-0", "data-db-1"]);
    let volumes = model.pods()[1].spec.volumes.clone();
    let source = volumes[0].volume_source.persistent_volume_claim.clone().unwrap();
    assert_eq!((&*volumes[0].name, &*source.claim_name), ("data", "data-db-1"));
    let owners = |model: &Model, name: &str| -> Vec<String> {
        let claim = &model.objects[&(PERSISTENT_VOLUME_CLAIM.name, ObjectKey::new("shop", name))];
        claim.owner_references().map(|owner| owner.kind.to_owned()).collect()
    };
    assert_eq!(
        (claim_label(&model), owners(&model, "data-db-1")),
        (Some("db".into()), vec!["StatefulSet".into()])
    );
    // The claim of a pod that goes belongs to the pod, before the pod goes.
    change(&mut model, |spec| spec.replicas = Some(1));
    run(&mut model);
    assert_eq!(owners(&model, "data-db-1"), ["Pod"]);
    assert_eq!(owners(&model, "data-db-0"), ["StatefulSet"]);
}

fn claim_label(model: &Model) -> Option<String> {
    let claim = &model.objects[&(PERSISTENT_VOLUME_CLAIM.name, ObjectKey::new("shop", "data-db-0"))];
    claim.label("app").map(str::to_owned)
}

#[test]
fn numbers_may_begin_elsewhere() {
    let mut model = model(r#""replicas":2,"ordinals":{"start":5}"#);
    steps(&mut model);
    assert_eq!(model.names(&POD), ["db-5", "db-6"]);
}
