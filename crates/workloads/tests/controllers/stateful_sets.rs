//! Stateful sets.

use client_rs_machinery::json;

use crate::World;

#[tokio::test(start_paused = true)]
async fn a_stateful_set_is_scaled_and_updated() {
    let world = World::new().await;
    world
        .create(json!({
            "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db"},
            "spec": {
                "replicas": 3, "serviceName": "db", "selector": {"matchLabels": {"app": "db"}},
                "template": {
                    "metadata": {"labels": {"app": "db"}},
                    "spec": {"containers": [{"name": "c", "image": "db:1"}]},
                },
                "volumeClaimTemplates": [{
                    "metadata": {"name": "data"},
                    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
                }],
            },
        }))
        .await;
    let sets = world.clientset.apps_v1().stateful_sets("default");
    let settled = async |image: &str, count: i32| {
        world
            .until(&format!("{count} of {image}"), async || {
                let status = sets.get("db").await.unwrap().status;
                let pods = world.pods().await;
                let all = pods.iter().all(|pod| &*pod.spec.containers[0].image == image);
                let ready = status.ready_replicas == count
                    && status.updated_replicas == count
                    && status.current_revision == status.update_revision;
                (all && ready && i32::try_from(pods.len()) == Ok(count)).then_some(pods)
            })
            .await
    };
    let pods = settled("db:1", 3).await;
    let mut names: Vec<&str> = pods.iter().map(|pod| &*pod.metadata.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["db-0", "db-1", "db-2"]);
    let mut new = sets.get("db").await.unwrap();
    new.spec.template.spec.containers[0].image = "db:2".into();
    sets.update(new).await.unwrap();
    settled("db:2", 3).await;
    let revisions = world.clientset.apps_v1().controller_revisions("default").list().await.unwrap().items;
    assert_eq!(revisions.iter().map(|one| one.revision).max(), Some(2));
    let mut scale = sets.scale("db").get().await.unwrap();
    scale.spec.replicas = 1;
    sets.scale("db").update(scale).await.unwrap();
    settled("db:2", 1).await;
    let claims = world.clientset.core_v1().persistent_volume_claims("default").list().await.unwrap().items;
    assert_eq!(claims.len(), 3);
    world
        .until("its events", async || {
            (world.reasons("db").await == ["SuccessfulCreate", "SuccessfulDelete"]).then_some(())
        })
        .await;
    world.end().await;
}
