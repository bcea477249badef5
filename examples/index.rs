//! An index: which pods use a config map? Says so for each config map, and again when one of the two changes.
//! `cargo run --example index -- [NAMESPACE]`
//!
//! Without an index, each change of a config map would search all pods.

use std::sync::Arc;

use client_rs::api::core::v1::{ConfigMap, Pod};
use client_rs::cache::Index;
use client_rs::prelude::*;

/// The config maps that a pod mounts, or takes its environment from.
fn config_maps_of(pod: &Pod) -> Vec<ObjectKey> {
    let volumes = pod.spec.volumes.iter().filter_map(|volume| volume.config_map.as_ref());
    let mounted = volumes.map(|source| source.name.clone());
    let environments = pod.spec.containers.iter().flat_map(|container| container.env_from.iter());
    let read = environments.filter_map(|from| from.config_map_ref.as_ref()).map(|source| source.name.clone());
    mounted.chain(read).map(|name| ObjectKey::new(pod.namespace(), name)).collect()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rest = RestClient::from_config(&Config::infer()?)?;
    let namespaces = std::env::args().skip(1).map(Into::into).collect();
    let factory =
        SharedInformerFactory::new(rest, FactoryOptions { namespaces, ..FactoryOptions::default() });
    let (maps, pods) = (factory.core().v1().config_maps(), factory.core().v1().pods());

    // The cache keeps the index up to date; the type of its values is checked where it is read.
    let by_config_map = Index::new("config maps", config_maps_of);
    pods.informer().add_indexes([by_config_map.clone()])?;

    let (known, users) = (maps.lister(), pods.lister());
    let controller = Controller::new("config-maps", maps.informer(), ControllerOptions::default())
        // A change of a pod is a reason to look at the config maps that it uses.
        .watches(&pods.informer(), |pod: &Arc<Pod>| config_maps_of(pod))
        .reconcile(move |key: ObjectKey, _: Context| {
            let map: Option<Arc<ConfigMap>> = known.get(&key).ok();
            let users = users.by(&by_config_map, &key);
            async move {
                let mut names: Vec<String> = users?.iter().map(|pod| pod.name().to_owned()).collect();
                names.sort();
                match map {
                    Some(_) => println!("{key} is used by {names:?}"),
                    None if names.is_empty() => {}
                    None => println!("{key} does not exist, and {names:?} wait for it"),
                }
                Ok(Action::done())
            }
        });
    let manager = Manager::new(factory.informers().clone(), ManagerOptions::default());
    manager.controller(controller).run_until_signal().await?;
    Ok(())
}
