//! A test of a whole controller against an API server in the same process, over HTTP, with faults:
//! `cargo run --example testing_with_the_embedded_server`.

use std::time::Duration;

use client_rs::api::core::v1::ConfigMap;
use client_rs::apiserver::Server;
use client_rs::client::wait::conditions;
use client_rs::prelude::*;

/// The controller under test: gives every config map a label.
fn controller(rest: RestClient, factory: &SharedInformerFactory) -> RunnableController {
    let maps = factory.core().v1().config_maps();
    let lister = maps.lister();
    Controller::new("labels", maps.informer()).reconcile(move |key: ObjectKey, _: Context| {
        let (rest, lister) = (rest.clone(), lister.clone());
        async move {
            let Ok(map) = lister.get(&key) else {
                return Ok(Action::done());
            };
            if map.metadata.labels.get("seen").is_none() {
                let mut map = ConfigMap::clone(&map);
                map.metadata.labels.insert("seen", "yes".into());
                // A conflict is an error like any other: the key is retried with the newer object.
                Api::<ConfigMap>::namespaced(&rest, key.namespace).update(map).await?;
            }
            Ok(Action::done())
        }
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::start().await?;
    let rest = server.rest_client()?;
    let factory = SharedInformerFactory::new(rest.clone());
    let manager = Manager::new(&factory).controller(controller(rest.clone(), &factory));
    let stop = CancellationToken::new();
    let running = tokio::spawn(manager.run(stop.clone()));

    // The user's actions, and the expected results.
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    for name in ["one", "two"] {
        let metadata = ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY };
        maps.create(ConfigMap { metadata, ..ConfigMap::EMPTY }).await?;
        let labelled = conditions::jsonpath("{.metadata.labels.seen}", Some("yes"))?;
        maps.wait_for(name, labelled, Duration::from_secs(30)).await?;
        println!("{name} is labelled");
        // All watches break and the old versions are compacted: the controller must relist.
        server.controls().drop_watches();
        server.controls().compact();
    }
    stop.cancel();
    running.await??;
    println!("stopped");
    Ok(())
}
