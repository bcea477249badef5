use super::*;
use crate::kind::POD;
use crate::model::Model;
use crate::plan::Step;
use crate::pods::tests::at;

fn model(spec: &str) -> Model {
    let text = format!(
        r#"{{"apiVersion":"apps/v1","kind":"Deployment","metadata":{{"name":"web","namespace":"shop","uid":"uid-web","generation":1}},
        "spec":{{"selector":{{"matchLabels":{{"app":"web"}}}},"progressDeadlineSeconds":600,
        "template":{{"metadata":{{"labels":{{"app":"web"}}}},"spec":{{"containers":[{{"name":"c","image":"web:1"}}]}}}},{spec}}}}}"#
    );
    let mut model = Model::default();
    model.put(&DEPLOYMENT, &Deployment::from_json(text.as_bytes()).unwrap());
    model
}

fn deployment(model: &Model) -> Deployment {
    Deployment::clone(&model.all::<Deployment>(&DEPLOYMENT)[0])
}

fn decide(model: &Model) -> Plan {
    plan(&deployment(model), model.all(&REPLICA_SET), &model.pods(), model.now()).unwrap()
}

fn run(model: &mut Model) -> bool {
    let plan = decide(model);
    model.apply(plan)
}

fn settle(model: &mut Model) {
    for _ in 0..30 {
        if !run(model) {
            return;
        }
    }
    panic!("the controller does not come to rest: {:#?}", deployment(model).status);
}

/// All pods that are asked for are there, and available up to a number per set.
fn available(model: &mut Model, most: i32) {
    for set in model.all::<ReplicaSet>(&REPLICA_SET) {
        let mut set = ReplicaSet::clone(&set);
        set.status.replicas = asked(&set);
        set.status.ready_replicas = asked(&set).min(most);
        set.status.available_replicas = asked(&set).min(most);
        set.status.observed_generation = set.metadata.generation;
        model.put(&REPLICA_SET, &set);
    }
}

/// Runs until the rollout is done.
fn finish(model: &mut Model) {
    for _ in 0..40 {
        settle(model);
        available(model, i32::MAX);
    }
    settle(model);
}

fn change(model: &mut Model, change: impl FnOnce(&mut Deployment)) {
    let mut new = deployment(model);
    change(&mut new);
    new.metadata.generation += 1;
    model.put(&DEPLOYMENT, &new);
}

fn set_image(model: &mut Model, image: &'static str) {
    model.second += 1;
    change(model, |new| new.spec.template.spec.containers.make_mut()[0].image = image.into());
}

/// Image, size and revision of the sets.
fn sets(model: &Model) -> Vec<(String, i32, i64)> {
    let mut all: Vec<_> = model
        .all::<ReplicaSet>(&REPLICA_SET)
        .iter()
        .map(|set| (set.spec.template.spec.containers[0].image.to_string(), asked(set), revision(&**set)))
        .collect();
    all.sort();
    all
}

fn condition(model: &Model, kind: &str) -> (String, String) {
    let status = deployment(model).status;
    let one = status.conditions.iter().find(|one| &*one.type_ == kind).expect("the condition");
    (one.status.to_string(), one.reason.to_string())
}

fn entry(image: &str, size: i32, revision: i64) -> (String, i32, i64) {
    (image.to_owned(), size, revision)
}

#[test]
fn a_new_deployment_has_one_set_with_its_revision() {
    let mut model = model(r#""replicas":3"#);
    finish(&mut model);
    assert_eq!(sets(&model), [entry("web:1", 3, 1)]);
    let set = &model.all::<ReplicaSet>(&REPLICA_SET)[0];
    let hash = set.label(HASH_LABEL).expect("the hash");
    assert_eq!(&*set.metadata.name, format!("web-{hash}"));
    assert_eq!((set.annotation(DESIRED), set.annotation(LARGEST)), (Some("3"), Some("4")));
    let deployment = deployment(&model);
    assert_eq!(deployment.annotation(REVISION), Some("1"));
    let status = &deployment.status;
    assert_eq!(
        (status.replicas, status.updated_replicas, status.available_replicas, status.unavailable_replicas),
        (3, 3, 3, 0)
    );
    assert_eq!(condition(&model, "Available"), ("True".into(), "MinimumReplicasAvailable".into()));
    assert_eq!(condition(&model, "Progressing"), ("True".into(), DONE.into()));
    assert_eq!(model.reasons, ["ScalingReplicaSet"]);
}

#[test]
fn a_rollout_goes_step_by_step_and_back() {
    let mut model = model(
        r#""replicas":4,"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":1}}"#,
    );
    finish(&mut model);
    set_image(&mut model, "web:2");
    settle(&mut model);
    // One old pod goes at once, so there may be two new ones, and none of them is available.
    assert_eq!(sets(&model), [entry("web:1", 3, 1), entry("web:2", 2, 2)]);
    assert_eq!(condition(&model, "Progressing").0, "True");
    finish(&mut model);
    assert_eq!(sets(&model), [entry("web:1", 0, 1), entry("web:2", 4, 2)]);
    // Undo: the old set gets the next revision, and remembers the first.
    set_image(&mut model, "web:1");
    finish(&mut model);
    assert_eq!(sets(&model), [entry("web:1", 4, 3), entry("web:2", 0, 2)]);
    let all = model.all::<ReplicaSet>(&REPLICA_SET);
    let first = all.iter().find(|set| asked(set) == 4).unwrap();
    assert_eq!(first.annotation(HISTORY), Some("1"));
    assert_eq!(deployment(&model).annotation(REVISION), Some("3"));
}

#[test]
fn recreate_waits_until_the_old_pods_are_gone() {
    let mut model = model(r#""replicas":2,"strategy":{"type":"Recreate"}"#);
    finish(&mut model);
    let set = model.all::<ReplicaSet>(&REPLICA_SET)[0].clone();
    let mut pod = crate::pods::tests::ready("web-a", 0);
    pod.metadata.owner_references = [controller_reference(&*set).unwrap()].into();
    model.put(&POD, &pod);
    set_image(&mut model, "web:2");
    settle(&mut model);
    assert_eq!(sets(&model), [entry("web:1", 0, 1)]);
    model.remove(&POD, &pod.key());
    finish(&mut model);
    assert_eq!(sets(&model), [entry("web:1", 0, 1), entry("web:2", 2, 2)]);
}

#[test]
fn a_paused_deployment_is_scaled_but_not_rolled_out() {
    let mut model = model(r#""replicas":2"#);
    finish(&mut model);
    change(&mut model, |new| new.spec.paused = true);
    set_image(&mut model, "web:2");
    change(&mut model, |new| new.spec.replicas = Some(5));
    finish(&mut model);
    assert_eq!(sets(&model), [entry("web:1", 5, 1)]);
    assert_eq!(condition(&model, "Progressing"), ("Unknown".into(), PAUSED.into()));
    change(&mut model, |new| new.spec.paused = false);
    finish(&mut model);
    assert_eq!(sets(&model), [entry("web:1", 0, 1), entry("web:2", 5, 2)]);
    assert_eq!(condition(&model, "Progressing"), ("True".into(), DONE.into()));
}

#[test]
fn a_deployment_that_is_scaled_in_a_rollout_keeps_the_proportion_of_its_sets() {
    let mut model = model(
        r#""replicas":10,"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":3,"maxUnavailable":2}}"#,
    );
    finish(&mut model);
    set_image(&mut model, "web:2");
    settle(&mut model);
    // The new pods never become available.
    assert_eq!(sets(&model), [entry("web:1", 8, 1), entry("web:2", 5, 2)]);
    change(&mut model, |new| new.spec.replicas = Some(30));
    settle(&mut model);
    assert_eq!(sets(&model), [entry("web:1", 20, 1), entry("web:2", 13, 2)]);
}

#[test]
fn old_sets_are_deleted_except_those_of_the_history() {
    let mut model = model(r#""replicas":1,"revisionHistoryLimit":1"#);
    for image in ["web:1", "web:2", "web:3", "web:4"] {
        set_image(&mut model, image);
        finish(&mut model);
    }
    assert_eq!(sets(&model), [entry("web:3", 0, 3), entry("web:4", 1, 4)]);
}

#[test]
fn a_rollout_that_does_not_move_times_out() {
    let mut model = model(r#""replicas":2"#);
    change(&mut model, |new| new.spec.progress_deadline_seconds = Some(60));
    settle(&mut model);
    assert_eq!(condition(&model, "Available"), ("False".into(), "MinimumReplicasUnavailable".into()));
    let plan = decide(&model);
    let wait = plan.again.expect("a look at the deadline").as_secs();
    assert!(wait <= 60, "{wait}");
    model.second += 61;
    settle(&mut model);
    assert_eq!(condition(&model, "Progressing"), ("False".into(), TIMED_OUT.into()));
    // It comes to its end all the same.
    finish(&mut model);
    assert_eq!(condition(&model, "Progressing"), ("True".into(), DONE.into()));
}

#[test]
fn sets_with_the_labels_are_adopted() {
    let mut model = model(r#""replicas":1"#);
    finish(&mut model);
    let mut orphan = ReplicaSet::clone(&model.all::<ReplicaSet>(&REPLICA_SET)[0]);
    orphan.metadata.owner_references = client_rs_machinery::List::default();
    model.put(&REPLICA_SET, &orphan);
    let plan = decide(&model);
    assert!(plan.created(&REPLICA_SET).is_empty());
    assert_eq!(plan.updated(&REPLICA_SET)[0].controller().map(|owner| owner.name), Some("web"));
}

#[test]
fn a_name_that_is_taken_leads_to_another_hash() {
    let mut model = model(r#""replicas":1"#);
    let first = decide(&model).created(&REPLICA_SET)[0].name().to_owned();
    let mut collided = deployment(&model);
    collided.status.collision_count = Some(1);
    model.put(&DEPLOYMENT, &collided);
    assert_ne!(decide(&model).created(&REPLICA_SET)[0].name(), first);
}

#[test]
fn a_deployment_that_is_being_deleted_changes_no_set() {
    let mut model = model(r#""replicas":1"#);
    finish(&mut model);
    change(&mut model, |new| {
        new.spec.replicas = Some(3);
        new.metadata.deletion_timestamp = Some(at(1));
    });
    let plan = decide(&model);
    let is_status = |step: &Step| matches!(step, Step::Update { status: true, .. });
    assert!(plan.steps.iter().all(is_status), "{plan:?}");
}
