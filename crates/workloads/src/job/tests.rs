use client_rs_machinery::wire::Message;

use super::*;
use crate::model::Model;
use crate::pods::tests::at;

fn model(spec: &str) -> Model {
    let text = format!(
        r#"{{"apiVersion":"batch/v1","kind":"Job","metadata":{{"name":"work","namespace":"shop","uid":"uid-work"}},
        "spec":{{"selector":{{"matchLabels":{{"job":"work"}}}},
        "template":{{"metadata":{{"labels":{{"job":"work"}}}},"spec":{{"restartPolicy":"Never","containers":[{{"name":"main"}}]}}}},
        {spec}}}}}"#
    );
    let mut model = Model::default();
    model.put(&JOB, &Job::from_json(text.as_bytes()).unwrap());
    model
}

fn job(model: &Model) -> Job {
    Job::clone(&model.all::<Job>(&JOB)[0])
}

/// Runs the controller until it has nothing to do. Returns when it wants to look again.
fn settle(model: &mut Model) -> Option<Duration> {
    for _ in 0..30 {
        let plan = plan(&job(model), model.pods(), model.now()).unwrap();
        let again = plan.again;
        if !model.apply(plan) || model.all::<Job>(&JOB).is_empty() {
            return again;
        }
    }
    panic!("the controller does not come to rest: {:#?}", job(model).status);
}

fn active(model: &Model) -> usize {
    model.pods().iter().filter(|pod| is_active(pod)).count()
}

/// Type, status and reason of the conditions.
fn conditions(model: &Model) -> Vec<(String, String, String)> {
    let all = job(model).status.conditions.clone();
    all.iter().map(|one| (one.type_.to_string(), one.status.to_string(), one.reason.to_string())).collect()
}

fn has(model: &Model, kind: &str, reason: &str) -> bool {
    conditions(model).iter().any(|(one, status, why)| one == kind && status == "True" && why == reason)
}

#[test]
fn pods_run_in_parallel_until_enough_have_succeeded() {
    let mut model = model(r#""completions":3,"parallelism":2"#);
    settle(&mut model);
    assert_eq!((active(&model), job(&model).status.active), (2, 2));
    assert!(model.pods().iter().all(|pod| is_tracked(pod)));
    model.end(0, |_| true);
    settle(&mut model);
    // One is left to do.
    assert_eq!((job(&model).status.succeeded, active(&model)), (2, 1));
    model.end(0, |_| true);
    settle(&mut model);
    let status = job(&model).status;
    assert_eq!((status.succeeded, status.active, status.failed), (3, 0, 0));
    assert!(
        has(&model, "SuccessCriteriaMet", "CompletionsReached")
            && has(&model, "Complete", "CompletionsReached")
    );
    assert_eq!(status.completion_time, Some(at(0)));
    assert!(model.pods().iter().all(|pod| !is_tracked(pod)));
    assert_eq!(model.reasons.last(), Some(&"Completed"));
}

#[test]
fn a_job_without_completions_is_done_when_one_has_succeeded_and_all_have_ended() {
    let mut model = model(r#""parallelism":2"#);
    settle(&mut model);
    let first = model.pods()[0].metadata.name.clone();
    model.end(0, |pod| pod.metadata.name == first);
    settle(&mut model);
    assert!(active(&model) == 1 && finished(&job(&model).status).is_none());
    model.end(0, |_| true);
    settle(&mut model);
    assert!(has(&model, "Complete", "CompletionsReached"));
    assert_eq!(job(&model).status.succeeded, 2);
}

#[test]
fn a_pod_is_in_the_status_before_its_finalizer_is_removed_and_counted_after_that() {
    let mut model = model(r#""completions":2,"parallelism":1"#);
    settle(&mut model);
    model.end(0, |_| true);
    let step = |model: &mut Model| {
        let plan = plan(&job(model), model.pods(), model.now()).unwrap();
        model.apply(plan);
        let status = job(model).status;
        let uncounted = status.uncounted_terminated_pods.as_deref().map_or(0, |all| all.succeeded.len());
        (uncounted, model.pods().iter().filter(|pod| is_tracked(pod)).count(), status.succeeded)
    };
    // The second pod is made in the first run: there is room for it.
    assert_eq!(step(&mut model), (1, 2, 0));
    assert_eq!(step(&mut model), (1, 1, 0));
    assert_eq!(step(&mut model), (0, 1, 1));
    // A pod that is deleted while it is counted is counted once.
    model.end(0, |_| true);
    assert_eq!(step(&mut model), (1, 1, 1));
    for pod in model.pods() {
        model.remove(&POD, &pod.key());
    }
    settle(&mut model);
    assert_eq!((job(&model).status.succeeded, has(&model, "Complete", "CompletionsReached")), (2, true));
}

#[test]
fn failures_are_retried_with_growing_delays_up_to_the_limit() {
    let mut model = model(r#""completions":1,"parallelism":1,"backoffLimit":2"#);
    let mut delays = Vec::new();
    settle(&mut model);
    for _ in 0..2 {
        model.end(1, |_| true);
        let wait = settle(&mut model).expect("a delay before the next pod");
        assert_eq!(active(&model), 0);
        delays.push(wait.as_secs());
        model.second += i64::try_from(wait.as_secs()).unwrap();
        settle(&mut model);
        assert_eq!(active(&model), 1);
    }
    assert_eq!(delays, [10, 20]);
    model.end(1, |_| true);
    settle(&mut model);
    assert!(
        has(&model, "FailureTarget", "BackoffLimitExceeded") && has(&model, "Failed", "BackoffLimitExceeded")
    );
    assert_eq!((job(&model).status.failed, model.reasons.last()), (3, Some(&"BackoffLimitExceeded")));
}

#[test]
fn restarts_of_containers_count_towards_the_limit() {
    let mut model = model(r#""completions":1,"parallelism":1,"backoffLimit":3"#);
    let mut restarting = job(&model);
    let spec = &mut restarting.spec;
    spec.template.spec.restart_policy = "OnFailure".into();
    model.put(&JOB, &restarting);
    settle(&mut model);
    let restarts = |count: i32| {
        move |pod: &mut Pod| {
            let status = &mut pod.status;
            status.phase = "Running".into();
            let one = client_rs_api::core::v1::ContainerStatus {
                restart_count: count,
                ..client_rs_api::core::v1::ContainerStatus::EMPTY
            };
            status.container_statuses = [one].into();
        }
    };
    model.each_pod(restarts(2));
    settle(&mut model);
    assert_eq!(active(&model), 1);
    model.each_pod(restarts(3));
    settle(&mut model);
    assert!(has(&model, "FailureTarget", "BackoffLimitExceeded"));
    // The pod is being deleted; the job has failed when it has ended.
    model.end(1, |_| true);
    settle(&mut model);
    assert!(has(&model, "Failed", "BackoffLimitExceeded"));
}

#[test]
fn a_job_that_is_active_for_too_long_fails() {
    let mut model = model(r#""completions":1,"parallelism":1,"activeDeadlineSeconds":30"#);
    assert_eq!(settle(&mut model), Some(Duration::from_secs(30)));
    model.second = 30;
    settle(&mut model);
    assert!(has(&model, "FailureTarget", "DeadlineExceeded"));
    assert!(!has(&model, "Failed", "DeadlineExceeded"), "a pod still runs");
    model.end(137, |_| true);
    settle(&mut model);
    assert!(has(&model, "Failed", "DeadlineExceeded"));
}

#[test]
fn a_suspended_job_has_no_pods_and_starts_again() {
    let mut model = model(r#""completions":2,"parallelism":2,"suspend":true"#);
    settle(&mut model);
    assert_eq!((model.pods().len(), job(&model).status.start_time), (0, None));
    assert!(has(&model, "Suspended", "JobSuspended"));
    let suspend = |model: &mut Model, value: bool| {
        let mut changed = job(model);
        changed.spec.suspend = Some(value);
        model.put(&JOB, &changed);
        settle(model);
    };
    model.second = 5;
    suspend(&mut model, false);
    assert_eq!((active(&model), job(&model).status.start_time), (2, Some(at(5))));
    assert_eq!(conditions(&model), [("Suspended".into(), "False".into(), "JobResumed".into())]);
    suspend(&mut model, true);
    assert_eq!(active(&model), 0);
    let told: Vec<&str> =
        model.reasons.iter().copied().filter(|reason| !reason.starts_with("Successful")).collect();
    assert_eq!(told, ["Suspended", "Resumed", "Suspended"]);
}

#[test]
fn each_index_is_done_once() {
    let mut model = model(r#""completions":3,"parallelism":3,"completionMode":"Indexed""#);
    settle(&mut model);
    let indexes = |model: &Model| -> BTreeSet<i32> {
        model.pods().iter().filter(|pod| is_active(pod)).filter_map(|pod| index_of(pod)).collect()
    };
    assert_eq!(indexes(&model), [0, 1, 2].into());
    let pods = model.pods();
    let first = pods.iter().find(|pod| index_of(pod) == Some(0)).unwrap();
    assert!(first.metadata.name.starts_with("work-0-") && &*first.spec.hostname == "work-0");
    assert_eq!(&*first.spec.containers[0].env[0].name, "JOB_COMPLETION_INDEX");
    model.end(0, |pod| index_of(pod) == Some(1));
    model.end(1, |pod| index_of(pod) == Some(2));
    settle(&mut model);
    assert_eq!(&*job(&model).status.completed_indexes, "1");
    model.second = 10;
    settle(&mut model);
    assert_eq!(indexes(&model), [0, 2].into());
    model.end(0, |_| true);
    settle(&mut model);
    let status = job(&model).status;
    assert_eq!((&*status.completed_indexes, status.succeeded, status.failed), ("0-2", 3, 1));
    assert!(has(&model, "Complete", "CompletionsReached"));
}

#[test]
fn an_index_that_fails_too_often_does_not_stop_the_others() {
    let spec = r#""completions":2,"parallelism":2,"completionMode":"Indexed","backoffLimit":100,"backoffLimitPerIndex":1"#;
    let mut model = model(spec);
    settle(&mut model);
    for _ in 0..2 {
        model.end(1, |pod| index_of(pod) == Some(0));
        settle(&mut model);
        model.second += 10;
        settle(&mut model);
    }
    let status = job(&model).status;
    assert_eq!((status.failed_indexes.as_deref(), active(&model)), (Some("0"), 1));
    model.end(0, |_| true);
    settle(&mut model);
    assert!(has(&model, "Failed", "FailedIndexes"));
    assert_eq!(&*job(&model).status.completed_indexes, "1");
}

#[test]
fn the_policies_end_a_job_early() {
    let mut failing = model(
        r#""completions":2,"parallelism":2,"podFailurePolicy":{"rules":[
        {"action":"FailJob","onExitCodes":{"operator":"In","values":[42]}},
        {"action":"Ignore","onExitCodes":{"operator":"In","values":[7]}}]}"#,
    );
    settle(&mut failing);
    let first = failing.pods()[0].metadata.name.clone();
    failing.end(7, |pod| pod.metadata.name == first);
    settle(&mut failing);
    assert_eq!((job(&failing).status.failed, active(&failing)), (0, 2));
    failing.end(42, |_| true);
    settle(&mut failing);
    assert!(has(&failing, "Failed", "PodFailurePolicy"));

    let mut succeeding = model(
        r#""completions":3,"parallelism":3,"completionMode":"Indexed","successPolicy":{"rules":[{"succeededIndexes":"0"}]}"#,
    );
    settle(&mut succeeding);
    succeeding.end(0, |pod| index_of(pod) == Some(0));
    settle(&mut succeeding);
    // The others are on their way out.
    assert!(has(&succeeding, "SuccessCriteriaMet", "SuccessPolicy") && active(&succeeding) == 0);
    succeeding.end(137, |_| true);
    settle(&mut succeeding);
    assert!(has(&succeeding, "Complete", "SuccessPolicy"));
}

#[test]
fn a_lower_parallelism_deletes_pods() {
    let mut model = model(r#""completions":5,"parallelism":4"#);
    settle(&mut model);
    let mut smaller = job(&model);
    smaller.spec.parallelism = Some(1);
    model.put(&JOB, &smaller);
    settle(&mut model);
    assert_eq!(active(&model), 1);
}

#[test]
fn a_finished_job_is_deleted_after_its_time() {
    let mut model = model(r#""completions":1,"parallelism":1,"ttlSecondsAfterFinished":20"#);
    settle(&mut model);
    model.end(0, |_| true);
    settle(&mut model);
    assert_eq!(settle(&mut model), Some(Duration::from_secs(20)));
    model.second = 20;
    settle(&mut model);
    assert!(model.all::<Job>(&JOB).is_empty());
}

#[test]
fn pods_of_a_job_that_is_gone_lose_their_finalizer() {
    let mut model = model(r#""completions":1,"parallelism":1"#);
    settle(&mut model);
    let plan = abandon("work", &model.pods(), None).unwrap();
    assert_eq!(plan.updated(&POD)[0].finalizers().count(), 0);
    assert!(abandon("other", &model.pods(), None).unwrap().steps.is_empty());
}

#[test]
fn the_job_of_another_controller_is_left_alone() {
    let mut model = model(r#""completions":1,"managedBy":"example.com/queue""#);
    settle(&mut model);
    assert!(model.pods().is_empty());
}

#[test]
fn pods_that_a_job_has_orphaned_lose_the_finalizer() {
    let mut model = model(r#""completions":2,"parallelism":2"#);
    settle(&mut model);
    model.each_pod(|pod| {
        pod.metadata.owner_references = List::default();
        pod.metadata.labels.insert(JOB_NAME, "work".into());
    });
    let released = |plan: &Plan| plan.updated(&POD).len();
    assert_eq!(released(&abandon("work", &model.pods(), None).unwrap()), 2);
    assert_eq!(released(&abandon("other", &model.pods(), None).unwrap()), 0);
    // A new job of the name adopts those that its selector matches.
    let adopts = Selector::parse("job=work").unwrap();
    assert_eq!(released(&abandon("work", &model.pods(), Some(&adopts)).unwrap()), 0);
    let other = Selector::parse("job=other").unwrap();
    assert_eq!(released(&abandon("work", &model.pods(), Some(&other)).unwrap()), 2);
}
