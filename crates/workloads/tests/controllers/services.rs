//! Endpoints of services.

use client_rs_machinery::{Object, json};

use crate::World;

/// The addresses of the ready endpoints in the slices of a service.
async fn ready(world: &World, service: &str) -> Vec<String> {
    let slices = world.clientset.discovery_v1().endpoint_slices("default").list().await.unwrap().items;
    let own = slices.iter().filter(|slice| slice.label("kubernetes.io/service-name") == Some(service));
    let endpoints = own.flat_map(|slice| slice.endpoints.iter());
    let ready = endpoints.filter(|endpoint| endpoint.conditions.ready == Some(true));
    let mut all: Vec<String> = ready.map(|endpoint| endpoint.addresses[0].to_string()).collect();
    all.sort();
    all
}

#[tokio::test(start_paused = true)]
async fn a_service_has_the_endpoints_of_its_pods() {
    let world = World::new().await;
    world
        .create(json!({
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"},
            "spec": {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": 8080}]},
        }))
        .await;
    world
        .until("an empty slice", async || {
            let slices =
                world.clientset.discovery_v1().endpoint_slices("default").list().await.unwrap().items;
            (slices.len() == 1 && slices[0].endpoints.is_empty()).then_some(())
        })
        .await;
    world
        .create(json!({
            "apiVersion": "v1", "kind": "ReplicationController", "metadata": {"name": "web"},
            "spec": {
                "replicas": 3, "selector": {"app": "web"},
                "template": {
                    "metadata": {"labels": {"app": "web"}},
                    "spec": {"containers": [{"name": "c", "image": "web:1"}]},
                },
            },
        }))
        .await;
    let addresses = async || {
        let mut all: Vec<String> =
            world.pods().await.iter().map(|pod| pod.status.pod_ip.to_string()).collect();
        all.sort();
        all
    };
    let endpoints = world.clientset.core_v1().endpoints("default");
    let same = async |count: usize| {
        let (pods, slices) = (addresses().await, ready(&world, "web").await);
        let Ok(old) = endpoints.get("web").await else { return None };
        let of_subset = |one: &client_rs_api::core::v1::EndpointSubset| {
            one.addresses.iter().map(|one| one.ip.to_string()).collect::<Vec<_>>()
        };
        let old: Vec<String> = old.subsets.iter().flat_map(of_subset).collect();
        (pods.len() == count && slices == pods && old == pods).then_some(())
    };
    world.until("three endpoints", async || same(3).await).await;
    let mut scale =
        world.clientset.core_v1().replication_controllers("default").scale("web").get().await.unwrap();
    scale.spec.replicas = 1;
    world.clientset.core_v1().replication_controllers("default").scale("web").update(scale).await.unwrap();
    world.until("one endpoint", async || same(1).await).await;
    world.clientset.core_v1().services("default").delete("web").await.unwrap();
    world
        .until("no endpoints", async || {
            let gone = endpoints.get("web").await.is_err_and(|error| error.is_not_found());
            (gone && ready(&world, "web").await.is_empty()).then_some(())
        })
        .await;
    world.end().await;
}

#[tokio::test(start_paused = true)]
async fn endpoints_that_somebody_wrote_are_mirrored() {
    let world = World::new().await;
    world
        .create(json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "db"}, "spec": {"ports": [{"port": 5432}]}}))
        .await;
    world
        .create(json!({
            "apiVersion": "v1", "kind": "Endpoints", "metadata": {"name": "db"},
            "subsets": [{"addresses": [{"ip": "10.1.2.3"}], "ports": [{"port": 5432}]}],
        }))
        .await;
    world.until("a mirror", async || (ready(&world, "db").await == ["10.1.2.3"]).then_some(())).await;
    let all = world.clientset.core_v1().endpoints("default");
    let mut changed = all.get("db").await.unwrap();
    changed.subsets[0].addresses[0].ip = "10.1.2.4".into();
    all.update(changed).await.unwrap();
    world.until("a new mirror", async || (ready(&world, "db").await == ["10.1.2.4"]).then_some(())).await;
    all.delete("db").await.unwrap();
    world.until("no mirror", async || ready(&world, "db").await.is_empty().then_some(())).await;
    world.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_budget_says_how_many_pods_may_be_evicted() {
    let world = World::new().await;
    world
        .create(json!({
            "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web"},
            "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "web"}}},
        }))
        .await;
    world
        .create(json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
            "spec": {
                "replicas": 3, "selector": {"matchLabels": {"app": "web"}},
                "template": {
                    "metadata": {"labels": {"app": "web"}},
                    "spec": {"containers": [{"name": "c", "image": "web:1"}]},
                },
            },
        }))
        .await;
    let budgets = world.clientset.policy_v1().pod_disruption_budgets("default");
    world
        .until("one disruption is allowed", async || {
            let status = budgets.get("web").await.unwrap().status;
            let numbers = (status.expected_pods, status.desired_healthy, status.current_healthy);
            (numbers == (3, 2, 3) && status.disruptions_allowed == 1).then_some(())
        })
        .await;
    world.end().await;
}
