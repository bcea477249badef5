//! Claims and volumes.

use client_rs_client::api::Propagation;
use client_rs_machinery::{Json, Object as _, json};

use crate::World;

fn volume(name: &str) -> Json {
    json!({
        "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
        "spec": {"capacity": {"storage": "2Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/data"}},
    })
}

fn claim(name: &str) -> Json {
    json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name},
        "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "1Gi"}}},
    })
}

#[tokio::test(start_paused = true)]
async fn a_claim_is_bound_and_protects_its_volume() {
    let world = World::new().await;
    world.create(volume("disk")).await;
    let volumes = world.clientset.core_v1().persistent_volumes();
    let claims = world.clientset.core_v1().persistent_volume_claims("default");
    let phase = async |wanted: &str| {
        world
            .until(wanted, async || {
                (&*volumes.get("disk").await.unwrap().status.phase == wanted).then_some(())
            })
            .await;
    };
    phase("Available").await;
    for name in ["one", "two"] {
        world.create(claim(name)).await;
    }
    phase("Bound").await;
    let bound = world
        .until("one claim is bound", async || {
            let all = claims.list().await.unwrap().items;
            let bound: Vec<String> = all
                .iter()
                .filter(|claim| &*claim.status.phase == "Bound" && &*claim.spec.volume_name == "disk")
                .map(|claim| claim.name().to_owned())
                .collect();
            (bound.len() == 1).then(|| bound[0].clone())
        })
        .await;
    let other = if bound == "one" { "two" } else { "one" };
    world
        .until("the other one waits", async || {
            (world.reasons(other).await == ["FailedBinding"]).then_some(())
        })
        .await;
    // A bound volume stays until its claim is gone.
    volumes.delete("disk").await.unwrap();
    assert!(volumes.get("disk").await.unwrap().is_being_deleted());
    claims.delete(&bound).propagation(Propagation::Background).await.unwrap();
    world
        .until("the volume is gone", async || volumes.get_opt("disk").await.unwrap().is_none().then_some(()))
        .await;
    world.end().await;
}
