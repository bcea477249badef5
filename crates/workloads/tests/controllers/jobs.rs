//! Jobs.

use client_rs_api::batch::v1::Job;
use client_rs_machinery::{Json, Object, json};

use crate::World;

fn job(name: &str, spec: &Json) -> Json {
    let mut job = json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name},
        "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "work:1"}]}}},
    });
    for (key, value) in spec.as_map().unwrap() {
        job.set(&["spec", key.as_str()], value.clone()).unwrap();
    }
    job
}

async fn wait_for(world: &World, name: &str, kind: &str) -> Job {
    world
        .until(&format!("{name} is {kind}"), async || {
            let job = world.clientset.batch_v1().jobs("default").get(name).await.unwrap();
            let holds = job.status.conditions.iter().any(|one| &*one.type_ == kind && &*one.status == "True");
            holds.then_some(job)
        })
        .await
}

#[tokio::test(start_paused = true)]
async fn a_job_runs_to_its_end() {
    let world = World::new().await;
    world.create(job("work", &json!({"completions": 5, "parallelism": 2}))).await;
    let done = wait_for(&world, "work", "Complete").await;
    assert_eq!((done.status.succeeded, done.status.active, done.status.failed), (5, 0, 0));
    assert!(done.status.completion_time.is_some());
    let pods = world.pods().await;
    assert_eq!(pods.len(), 5);
    assert!(pods.iter().all(|pod| &*pod.status.phase == "Succeeded" && pod.metadata.finalizers.is_empty()));
    world
        .until("its events", async || {
            (world.reasons("work").await == ["Completed", "SuccessfulCreate"]).then_some(())
        })
        .await;
    // Deleted with its dependents, it leaves nothing behind.
    let jobs = world.clientset.batch_v1().jobs("default");
    jobs.delete("work").propagation(client_rs_client::api::Propagation::Background).await.unwrap();
    world.until("no pods", async || world.pods().await.is_empty().then_some(())).await;
    world.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_job_fails_at_its_limit_and_is_deleted_after_its_time() {
    let world = World::new().await;
    let mut failing = job("bad", &json!({"backoffLimit": 1, "ttlSecondsAfterFinished": 30}));
    let annotations = json!({"client-rs.dev/exit-code": "3"});
    failing.set(&["spec", "template", "metadata", "annotations"], annotations).unwrap();
    world.create(failing).await;
    let failed = wait_for(&world, "bad", "Failed").await;
    let reason = failed.status.conditions.iter().find(|one| &*one.type_ == "Failed").unwrap().reason.clone();
    assert_eq!((&*reason, failed.status.failed), ("BackoffLimitExceeded", 2));
    let jobs = world.clientset.batch_v1().jobs("default");
    world.until("the job is gone", async || jobs.list().await.unwrap().items.is_empty().then_some(())).await;
    world.until("its pods are gone", async || world.pods().await.is_empty().then_some(())).await;
    world.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_active_deadline_ends_a_job_and_its_pods() {
    let world = World::new().await;
    let mut slow = job("slow", &json!({"activeDeadlineSeconds": 5}));
    slow.set(&["spec", "template", "metadata", "annotations"], json!({"client-rs.dev/run-seconds": "1000"}))
        .unwrap();
    world.create(slow).await;
    let failed = wait_for(&world, "slow", "Failed").await;
    assert!(failed.status.conditions.iter().any(|one| &*one.reason == "DeadlineExceeded"));
    world.until("no pods", async || world.pods().await.is_empty().then_some(())).await;
    world.end().await;
}

#[tokio::test(start_paused = true)]
async fn each_index_of_an_indexed_job_is_done() {
    let world = World::new().await;
    world
        .create(job("many", &json!({"completions": 4, "parallelism": 4, "completionMode": "Indexed"})))
        .await;
    let done = wait_for(&world, "many", "Complete").await;
    assert_eq!((&*done.status.completed_indexes, done.status.succeeded), ("0-3", 4));
    let pods = world.pods().await;
    let mut indexes: Vec<&str> =
        pods.iter().filter_map(|pod| pod.label("batch.kubernetes.io/job-completion-index")).collect();
    indexes.sort_unstable();
    assert_eq!(indexes, ["0", "1", "2", "3"]);
    world.end().await;
}

#[tokio::test(start_paused = true)]
async fn the_pods_of_a_job_go_with_it_whether_they_run_or_wait() {
    let world = World::new().await;
    for (name, selector) in [("runs", json!({})), ("waits", json!({"no": "node"}))] {
        world
            .create(json!({
                "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name},
                "spec": {"template": {"spec": {
                    "restartPolicy": "Never", "nodeSelector": selector,
                    "containers": [{"name": "c", "image": "x:1", "command": ["sleep", "300"]}],
                }}},
            }))
            .await;
    }
    let pods = async |count: usize| {
        world
            .until(&format!("{count} pods"), async || {
                let pods = world.pods().await;
                let settled =
                    pods.iter().all(|pod| &*pod.status.phase == "Running" || pod.spec.node_name.is_empty());
                (pods.len() == count && settled).then_some(())
            })
            .await;
    };
    pods(2).await;
    let jobs = world.clientset.batch_v1().jobs("default");
    // A pod that waits is deleted first, and its job counts it and makes another one.
    let waiting = world.pods().await.into_iter().find(|pod| pod.spec.node_name.is_empty()).unwrap();
    world.clientset.core_v1().pods("default").delete(&waiting.metadata.name).await.unwrap();
    world
        .until("it is counted", async || (jobs.get("waits").await.unwrap().status.failed == 1).then_some(()))
        .await;
    for name in ["runs", "waits"] {
        jobs.delete(name).propagation(client_rs_client::api::Propagation::Orphan).await.unwrap();
    }
    // Orphans lose the finalizer of the job, and stay.
    world
        .until("no pod is tracked", async || {
            let pods = world.pods().await;
            pods.iter().all(|pod| pod.metadata.finalizers.is_empty()).then_some(())
        })
        .await;
    assert!(!world.pods().await.is_empty());
    world.end().await;
}
