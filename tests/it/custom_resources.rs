//! Kinds that were derived, or generated, on fakes: unit tests of what uses them need no server. And the page about them.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test")]

use std::path::Path;

use client_rs::custom::crds;
use client_rs::{Apply, CustomResource, Schema};
use client_rs_apiserver::fake::{FakeClient, Faked};
use client_rs_client::Api;
use client_rs_informers::SharedInformerFactory;
use client_rs_kubernetes::Clientset;
use client_rs_machinery::Object;
use client_rs_test_inputs::ferry;
use client_rs_test_inputs::ferry::ferries_v1::{
    Ferry, FerryApply, FerrySpecApply, FerrySpecRouteApply, FerrySpecRouteStopsApply, FerryStatusApply,
};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Schema, Apply, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[resource(group = "fakes.example.com", version = "v1", kind = "Lamp", namespaced, status = LampStatus)]
#[schema(rule(expression = "self.watts <= 100", message = "too bright"))]
struct LampSpec {
    watts: i32,
}

#[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct LampStatus {
    #[serde(default)]
    on: bool,
}

#[tokio::test]
async fn a_derived_kind_lives_on_a_fake() {
    let Faked { client, fake } = Clientset::fake(&[]).unwrap();
    let rest = client.rest().clone();
    crds::apply(&rest, [Lamp::crd()]).await.unwrap();
    let lamps = Api::<Lamp>::namespaced(&rest, "home");
    let made = lamps.create(Lamp::new("desk", LampSpec { watts: 40 })).await.unwrap();
    assert_eq!((made.namespace(), made.spec.watts, made.metadata.generation), ("home", 40, 1));
    let refused = lamps.create(Lamp::new("sun", LampSpec { watts: 1000 })).await.unwrap_err();
    assert!(refused.to_string().contains("spec: Invalid value: too bright"), "{refused}");
    let wanted = LampApply::new("desk", "home").spec(LampSpecApply::new().watts(60));
    let applied = lamps.apply(wanted, "me").force().await.unwrap();
    assert_eq!(applied.spec.watts, 60);
    let lit = Lamp { status: Some(LampStatus { on: true }), ..applied };
    assert!(lamps.update_status(lit).await.unwrap().status.unwrap().on);
    assert_eq!(lamps.list().await.unwrap().items.len(), 1);
    assert!(
        fake.actions().iter().any(|action| action.verb == "patch" && action.resource.resource == "lamps")
    );
}

#[tokio::test]
async fn a_generated_kind_lives_on_a_fake_with_its_informer() {
    let Faked { client, .. } = Clientset::fake(&[]).unwrap();
    let rest = client.rest().clone();
    crds::apply(&rest, [Ferry::crd()]).await.unwrap();
    let ferries = ferry::Clientset::new(&rest).harbour_v1().ferries("north");
    let factory = SharedInformerFactory::new(rest.clone());
    let lister = factory.of::<Ferry>().lister();
    factory.start();
    factory.wait_for_cache_sync().await;
    let route = FerrySpecRouteApply::new().stops([FerrySpecRouteStopsApply::new().name("pier")]);
    let spec = FerrySpecApply::new().r#type("Car").boats(1).route(route);
    let made = ferries.apply(FerryApply::new("a", "north").spec(spec), "me").await.unwrap();
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(30);
    let seen = lister.at_least(&made.key(), made.resource_version(), deadline).await.unwrap().unwrap();
    assert_eq!((seen.spec.boats, seen.spec.route.stops[0].name.as_str()), (Some(1), "pier"));
    let status = FerryApply::new("a", "north").status(FerryStatusApply::new().boats(1));
    let told = ferries.apply_status(status, "me").await.unwrap();
    assert_eq!(told.status.unwrap().boats, Some(1));
    let mut scale = ferries.scale("a").get().await.unwrap();
    scale.spec.replicas = 3;
    ferries.scale("a").update(scale).await.unwrap();
    assert_eq!(ferries.get("a").await.unwrap().spec.boats, Some(3));
    factory.shutdown().await;
}

/// Every name in the last column of docs/custom-resources.md is that of a test, a scenario or a command that there is.
#[test]
fn every_line_of_the_table_is_proved_by_something_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut sources = String::new();
    for folder in ["crates", "tests", "xtask"] {
        read_sources(&root.join(folder), &mut sources);
    }
    let page = std::fs::read_to_string(root.join("docs/custom-resources.md")).unwrap();
    let commands = std::fs::read_to_string(root.join("xtask/src/main.rs")).unwrap().to_lowercase();
    let mut lines = 0;
    for line in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| feature ")) {
        // A bar inside a cell is escaped.
        let proof = line.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        lines += 1;
        let proofs: Vec<&str> = proof.split("; ").collect();
        for name in proofs {
            let exists =
                if let Some(scenario) = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
                    sources.contains(&format!(": {scenario}\""))
                } else {
                    let name = name.trim_matches('`');
                    match name.strip_prefix("cargo xtask ") {
                        Some(command) => commands.contains(&format!("command::{command}(args) =>")),
                        None => {
                            sources.contains(&format!("#[test]\nfn {name}()"))
                                || sources.contains(&format!("#[test]\n    fn {name}()"))
                                || sources.contains(&format!("#[tokio::test]\nasync fn {name}()"))
                        }
                    }
                };
            assert!(exists, "nothing is called {name}, which is to prove\n{line}");
        }
    }
    assert!(lines > 30, "{lines} lines were read");
}

fn read_sources(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}
