//! A finalizer: things outside of the cluster are removed before their object is.
//! `cargo run --example finalizer -- [NAMESPACE]`, then create a config map with the label `bucket`, and delete it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs::api::core::v1::ConfigMap;
use client_rs::controller::{Finalizing, Reconciler, finalizer};
use client_rs::prelude::*;

/// A cloud provider: buckets that only this program removes.
#[derive(Clone, Default)]
struct Cloud(Arc<Mutex<BTreeSet<String>>>);

impl Cloud {
    /// Returns whether the bucket is new. Idempotent: a reconcile may be cancelled at any point, and runs again.
    fn create(&self, bucket: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(bucket.to_owned())
    }

    /// Returns whether the bucket is gone: a real one takes a while.
    fn remove(&self, bucket: &str) -> bool {
        !self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(bucket)
    }
}

struct Buckets {
    rest: RestClient,
    maps: Lister<ConfigMap>,
    cloud: Cloud,
}

impl Reconciler for Buckets {
    async fn reconcile(&self, key: ObjectKey, _: Context) -> Result<Action, ReconcileError> {
        let Ok(map) = self.maps.get(&key) else {
            return Ok(Action::done());
        };
        let api = Api::<ConfigMap>::namespaced(&self.rest, key.namespace.clone());
        let key = &key;
        finalizer(&api, "example.com/bucket", &map, |step| async move {
            match step {
                // The object has the finalizer now: it can't be removed before the clean-up.
                Finalizing::Apply(_) => {
                    if self.cloud.create(&key.to_string()) {
                        println!("{key}: bucket created");
                    }
                    Ok(Action::done())
                }
                // `done` removes the finalizer, and then the server removes the object. Anything else keeps it.
                Finalizing::CleanUp(_) if self.cloud.remove(&key.to_string()) => {
                    println!("{key}: bucket removed");
                    Ok(Action::done())
                }
                Finalizing::CleanUp(_) => {
                    println!("{key}: the bucket is being emptied");
                    Ok(Action::requeue_after(Duration::from_millis(200)))
                }
            }
        })
        .await
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rest = RestClient::from_config(&Config::infer()?)?;
    let options = FactoryOptions::default()
        .with_namespaces(std::env::args().skip(1))
        .with_tweak(Arc::new(|options| options.label_selector = "bucket".into()));
    let factory = SharedInformerFactory::with_options(rest.clone(), options);
    let maps = factory.core().v1().config_maps();
    let buckets = Buckets { rest, maps: maps.lister(), cloud: Cloud::default() };
    let controller = Controller::new("buckets", maps.informer()).reconcile(buckets);
    let manager = Manager::new(&factory);
    manager.controller(controller).run_until_signal().await?;
    Ok(())
}
