//! The operator on the embedded server.

use client_rs::api::core::v1::{ConfigMap, Service};
use client_rs::api::discovery::v1::EndpointSlice;
use client_rs::client::wait::conditions;
use client_rs::machinery::patch::Patch;
use client_rs::prelude::{Api, json};
use gateway_operator::api::{Gateway, GatewaySpec, Route, RouteSpec};

use crate::cluster::{Cluster, LIMIT};

struct World {
    cluster: Cluster,
    gateways: Api<Gateway>,
    maps: Api<ConfigMap>,
    routes: Api<Route>,
}

impl World {
    /// The cluster with the samples.
    async fn start() -> Self {
        let cluster = Cluster::start().await;
        cluster.apply("samples").await;
        let rest = &cluster.rest;
        Self {
            gateways: Api::namespaced(rest, "default"),
            maps: Api::namespaced(rest, "default"),
            routes: Api::namespaced(rest, "default"),
            cluster,
        }
    }

    /// Waits until the gateway has these routes.
    async fn routes_are(&self, routes: &str) {
        let file = format!(r#"{{"port":8080,"routes":{routes}}}"#);
        let condition = conditions::jsonpath(r"{.data.gateway\.json}", Some(&file)).unwrap();
        if let Err(error) = self.maps.wait_for("edge", condition, LIMIT).await {
            panic!("{error}: {:?} instead of {file}", self.maps.get("edge").await);
        }
    }

    /// Waits until a route has this reason.
    async fn reason_is(&self, route: &str, reason: &str) {
        let condition = conditions::jsonpath("{.status.reason}", Some(reason)).unwrap();
        self.routes.wait_for(route, condition, LIMIT).await.unwrap();
    }
}

const SHOP: &str = r#"[{"backends":["10.0.0.1:8080"],"host":"shop.example","path":"/"}]"#;

#[tokio::test]
async fn the_configuration_follows_routes_services_endpoints_and_gateways() {
    let world = World::start().await;
    world.routes_are(SHOP).await;
    world.reason_is("shop", "Accepted").await;
    let map = world.maps.get("edge").await.unwrap();
    assert_eq!(map.metadata.owner_references[0].kind, "Gateway");

    // An endpoint becomes ready.
    let slices = Api::<EndpointSlice>::namespaced(&world.cluster.rest, "default");
    let ready =
        Patch::Merge(json!({"endpoints": [{"addresses": ["10.0.0.1"]}, {"addresses": ["10.0.0.2"]}]}));
    slices.patch("web-1", &ready).await.unwrap();
    world
        .routes_are(r#"[{"backends":["10.0.0.1:8080","10.0.0.2:8080"],"host":"shop.example","path":"/"}]"#)
        .await;
    let backends = conditions::jsonpath("{.status.backends}", Some("2")).unwrap();
    world.routes.wait_for("shop", backends, LIMIT).await.unwrap();

    // Somebody changes the config map: it is reverted.
    let changed = Patch::Merge(json!({"data": {"gateway.json": "{}"}}));
    world.maps.patch("edge", &changed).await.unwrap();
    world
        .routes_are(r#"[{"backends":["10.0.0.1:8080","10.0.0.2:8080"],"host":"shop.example","path":"/"}]"#)
        .await;

    // The service goes, the gateway goes, and comes back.
    Api::<Service>::namespaced(&world.cluster.rest, "default").delete("web").await.unwrap();
    world.reason_is("shop", "NoService").await;
    world.routes_are("[]").await;
    world.gateways.delete("edge").await.unwrap();
    world.maps.wait_for("edge", conditions::deleted(), LIMIT).await.unwrap();
    world.reason_is("shop", "NoGateway").await;
    world.gateways.create(Gateway::new("edge", GatewaySpec { port: 8080 })).await.unwrap();
    world.routes_are("[]").await;
    // Without routes there is no config map.
    world.routes.delete("shop").await.unwrap();
    world.maps.wait_for("edge", conditions::deleted(), LIMIT).await.unwrap();

    let metrics = world.cluster.end().await;
    crate::manifests::check_metrics(&metrics);
}

#[tokio::test]
async fn a_place_belongs_to_the_older_route() {
    let world = World::start().await;
    world.reason_is("shop", "Accepted").await;
    let spec = world.routes.get("shop").await.unwrap().spec;
    // Created later, or in the same second with a name that comes later.
    world.routes.create(Route::new("thief", spec.clone())).await.unwrap();
    world.reason_is("thief", "Taken").await;
    let cart = RouteSpec { path: "/cart".to_owned(), ..spec };
    world.routes.create(Route::new("cart", cart)).await.unwrap();
    let first = r#"[{"backends":["10.0.0.1:8080"],"host":"shop.example","path":"/cart"},"#;
    world.routes_are(&SHOP.replacen('[', first, 1)).await;
    // The next one in line.
    world.routes.delete("shop").await.unwrap();
    world.reason_is("thief", "Accepted").await;
}
