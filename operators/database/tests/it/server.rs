//! The operator on the embedded server.

use client_rs::api::apps::v1::StatefulSet;
use client_rs::api::batch::v1::Job;
use client_rs::api::core::v1::Service;
use client_rs::client::api::Propagation;
use client_rs::client::wait::conditions;
use client_rs::machinery::patch::Patch;
use client_rs::prelude::{Api, Json, json};
use database_operator::api::v1beta1;

use crate::cluster::{Cluster, LIMIT, database};

/// Plays the controller of stateful sets: all pods are ready.
async fn make_ready(cluster: &Cluster, name: &str) {
    let sets = Api::<StatefulSet>::namespaced(&cluster.rest, "default");
    sets.wait_for(name, conditions::created(), LIMIT).await.unwrap();
    let replicas = sets.get(name).await.unwrap().spec.replicas;
    let status = Patch::Merge(json!({"status": {"replicas": replicas, "readyReplicas": replicas}}));
    sets.patch_status(name, &status).await.unwrap();
    let ready = conditions::condition("Ready", "True");
    cluster.databases.wait_for(name, ready, LIMIT).await.unwrap();
}

/// The status of a job that is `Complete` or `Failed`.
pub(crate) fn ended(outcome: &str) -> Json {
    let now = "2026-01-01T00:00:00Z";
    let condition = |name: &str| json!({"type": name, "status": "True", "reason": "Test", "message": "", "lastTransitionTime": now});
    let (before, completed) = match outcome {
        "Complete" => ("SuccessCriteriaMet", json!(now)),
        _ => ("FailureTarget", json!(null)),
    };
    json!({"startTime": now, "completionTime": completed, "conditions": [condition(before), condition(outcome)]})
}

/// Plays the controller of jobs.
async fn end_job(cluster: &Cluster, name: &str, outcome: &str) {
    let jobs = Api::<Job>::namespaced(&cluster.rest, "default");
    jobs.wait_for(name, conditions::created(), LIMIT).await.unwrap();
    jobs.patch_status(name, &Patch::Merge(json!({"status": ended(outcome)}))).await.unwrap();
}

#[tokio::test]
async fn a_database_has_its_children_becomes_ready_and_is_backed_up_before_it_goes() {
    let cluster = Cluster::start().await;
    cluster.databases.create(database("shop", 3)).await.unwrap();
    make_ready(&cluster, "shop").await;
    let ready = cluster.databases.get("shop").await.unwrap();
    assert_eq!(ready.status.unwrap().ready_replicas, 3);
    let set = Api::<StatefulSet>::namespaced(&cluster.rest, "default").get("shop").await.unwrap();
    assert_eq!(set.metadata.owner_references[0].kind, "Database");

    // Somebody deletes a child: it comes back.
    let services = Api::<Service>::namespaced(&cluster.rest, "default");
    services.delete("shop").await.unwrap();
    services.wait_for("shop", conditions::created(), LIMIT).await.unwrap();

    // A backup that fails keeps the database. Without the job, the operator tries again.
    cluster.databases.delete("shop").await.unwrap();
    end_job(&cluster, "shop-last-backup", "Failed").await;
    let failed =
        conditions::jsonpath(r#"{.status.conditions[?(@.type=="BackedUp")].reason}"#, Some("BackupFailed"));
    cluster.databases.wait_for("shop", failed.unwrap(), LIMIT).await.unwrap();
    let jobs = Api::<Job>::namespaced(&cluster.rest, "default");
    let uid = jobs.get("shop-last-backup").await.unwrap().metadata.uid;
    jobs.delete("shop-last-backup").await.unwrap();
    let same = conditions::jsonpath("{.metadata.uid}", Some(&uid)).unwrap();
    let again = conditions::and(conditions::created(), conditions::not(same));
    jobs.wait_for("shop-last-backup", again, LIMIT).await.unwrap();
    end_job(&cluster, "shop-last-backup", "Complete").await;
    cluster.databases.wait_for("shop", conditions::deleted(), LIMIT).await.unwrap();

    let metrics = cluster.end().await;
    crate::manifests::check_metrics(&metrics);
}

#[tokio::test]
async fn the_webhooks_fill_in_the_destination_and_keep_it_unique() {
    let cluster = Cluster::start().await;
    let shop = cluster.databases.create(database("shop", 1)).await.unwrap();
    let destination = shop.spec.backup.unwrap().destination.unwrap();
    assert_eq!(destination, "s3://backups/default/shop");

    // The webhook sees other databases in its cache.
    make_ready(&cluster, "shop").await;
    let mut thief = database("thief", 1);
    thief.spec.backup.as_mut().unwrap().destination = Some(destination);
    let refused = cluster.databases.create(thief).await.unwrap_err().to_string();
    assert!(refused.contains("has the backup of default/shop"), "{refused}");

    // Pods that end before the backup can't be backed up.
    let refused =
        cluster.databases.delete("shop").propagation(Propagation::Foreground).await.unwrap_err().to_string();
    assert!(refused.contains("--cascade=background"), "{refused}");

    // A rule of the schema needs no webhook.
    let larger = Patch::Merge(json!({"spec": {"storage": "2Gi"}}));
    let refused = cluster.databases.patch("shop", &larger).await.unwrap_err().to_string();
    assert!(refused.contains("storage is immutable"), "{refused}");
}

#[tokio::test]
async fn a_client_of_the_old_version_loses_nothing() {
    let cluster = Cluster::start().await;
    cluster.databases.create(database("shop", 1)).await.unwrap();
    let old = Api::<v1beta1::Database>::namespaced(&cluster.rest, "default");
    make_ready(&cluster, "shop").await;
    let mut read = old.get("shop").await.unwrap();
    assert_eq!(
        (read.spec.storage_gi, read.spec.backup_to.as_deref()),
        (2, Some("s3://backups/default/shop"))
    );
    read.spec.replicas = 2;
    old.update(read).await.unwrap();
    let new = cluster.databases.get("shop").await.unwrap();
    assert_eq!((new.spec.replicas, new.spec.storage.as_str()), (2, "1536Mi"));

    // The defaults of the new version hold for the old one, too.
    let spec = v1beta1::DatabaseSpec {
        image: "db:17".to_owned(),
        replicas: 1,
        storage_gi: 4,
        backup_to: Some(String::new()),
    };
    let blog = old.create(v1beta1::Database::new("blog", spec)).await.unwrap();
    assert_eq!(blog.spec.backup_to.as_deref(), Some("s3://backups/default/blog"));
}
