//! Cron jobs.

use client_rs_machinery::json;

use crate::World;

#[tokio::test(start_paused = true)]
async fn jobs_start_by_the_schedule_and_old_ones_go() {
    let world = World::new().await;
    world
        .create(json!({
            "apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "tick"},
            "spec": {
                "schedule": "*/1 * * * *", "successfulJobsHistoryLimit": 1,
                "jobTemplate": {"spec": {"template": {"spec": {
                    "restartPolicy": "Never", "containers": [{"name": "c", "image": "x:1"}],
                }}}},
            },
        }))
        .await;
    let (jobs, crons) =
        (world.clientset.batch_v1().jobs("default"), world.clientset.batch_v1().cron_jobs("default"));
    let ended = async || {
        let status = crons.get("tick").await.unwrap().status;
        let all = jobs.list().await.unwrap().items;
        let done = status.last_successful_time.is_some() && status.active.is_empty() && all.len() == 1;
        done.then(|| all[0].metadata.name.clone())
    };
    let first = world.until("the first job has ended", ended).await;
    world.until("the second job has replaced it", async || ended().await.filter(|name| *name != first)).await;
    let reasons = ["SawCompletedJob", "SuccessfulCreate", "SuccessfulDelete"];
    world.until("its events", async || (world.reasons("tick").await == reasons).then_some(())).await;
    world.end().await;
}
