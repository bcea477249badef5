//! The operator under faults: crashes between any two writes, lost responses, stale caches. A failure names a seed that repeats it.

use std::time::Duration;

use client_rs::api::apps::v1::StatefulSet;
use client_rs::api::batch::v1::Job;
use client_rs::controller::Prometheus;
use client_rs::machinery::patch::Patch;
use client_rs::prelude::{AllNamespaces, Api, CancellationToken, Conditions, Manager, RestClient, json};
use client_rs::simulation::{Replica, Simulation};
use database_operator::api::v1::Database;

use crate::cluster::{args, database};

/// The operator, and next to it the part of a cluster that it waits for.
fn manager(replica: &Replica) -> anyhow::Result<Manager> {
    let manager = database_operator::manager(replica.config.clone(), &args(&[]), &Prometheus::new(), None)?;
    let rest = replica.client.clone();
    Ok(manager.runnable("cluster", |stop: CancellationToken| async move {
        while stop.run_until_cancelled(tokio::time::sleep(Duration::from_secs(5))).await.is_some() {
            // A fault may hit these requests, too: the next look repeats them.
            let _ = play(&rest).await;
        }
        Ok::<(), std::convert::Infallible>(())
    }))
}

/// All pods become ready, all jobs complete.
pub(crate) async fn play(rest: &RestClient) -> Result<(), client_rs::client::Error> {
    for set in Api::<StatefulSet, AllNamespaces>::all(rest).list().await?.items {
        let wanted = set.spec.replicas.unwrap_or(1);
        if set.status.ready_replicas != wanted {
            let status = Patch::Merge(json!({"status": {"replicas": wanted, "readyReplicas": wanted}}));
            let sets = Api::<StatefulSet>::namespaced(rest, set.metadata.namespace);
            sets.patch_status(&set.metadata.name, &status).await?;
        }
    }
    for job in Api::<Job, AllNamespaces>::all(rest).list().await?.items {
        if job.status.conditions.is_empty() {
            let status = Patch::Merge(json!({"status": crate::server::ended("Complete")}));
            let jobs = Api::<Job>::namespaced(rest, job.metadata.namespace);
            jobs.patch_status(&job.metadata.name, &status).await?;
        }
    }
    Ok(())
}

#[test]
fn survives_faults() {
    Simulation::new(|replica| async move { manager(&replica) })
        // Webhooks need sockets, and the definition with two versions needs webhooks.
        .install([Database::crd()])
        .workload([database("shop", 1), database("shop", 3), database("blog", 1)])
        .eventually("every database is ready", |objects| {
            let databases = objects.of::<Database>();
            let waiting = databases.iter().find(|database| {
                database.status.as_ref().is_none_or(|status| !status.conditions.is_true("Ready"))
            });
            waiting.map_or(Ok(()), |database| Err(format!("{} is not ready", database.metadata.name)))
        })
        // More of them: CLIENT_RS_SIMULATION_SEEDS=1000.
        .targeted(false)
        .seeds(10)
        .check("survives_faults");
}
