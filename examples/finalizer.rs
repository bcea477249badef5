//! A finalizer: what was made outside the cluster for an object is removed before the object goes.
//! `cargo run --example finalizer -- [NAMESPACE]`, then create a config map with the label `bucket`, and delete it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs::api::core::v1::ConfigMap;
use client_rs::controller::{Finalizing, Reconciler, finalizer};
use client_rs::prelude::*;

/// What a cloud provider would have: buckets, which nobody but us removes.
#[derive(Clone, Default)]
struct Cloud(Arc<Mutex<BTreeSet<String>>>);

impl Cloud {
    /// True if it was not there. Doing it twice does no harm: a reconcile may be cut off anywhere, and comes again.
    fn create(&self, bucket: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(bucket.to_owned())
    }

    /// True once it is gone: a real one takes its time.
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
                // The finalizer is on the object by now: from here on it can't go without us.
                Finalizing::Apply(_) => {
                    if self.cloud.create(&key.to_string()) {
                        println!("{key}: bucket created");
                    }
                    Ok(Action::done())
                }
                // "Done" takes the finalizer off, and the object goes. Anything else keeps it.
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
    let options = FactoryOptions {
        namespaces: std::env::args().skip(1).map(Into::into).collect(),
        tweak: Some(Arc::new(|options| options.label_selector = "bucket".into())),
        ..FactoryOptions::default()
    };
    let factory = SharedInformerFactory::new(rest.clone(), options);
    let maps = factory.core().v1().config_maps();
    let buckets = Buckets { rest, maps: maps.lister(), cloud: Cloud::default() };
    let controller =
        Controller::new("buckets", maps.informer(), ControllerOptions::default()).reconcile(buckets);
    let manager = Manager::new(factory.informers().clone(), ManagerOptions::default());
    manager.controller(controller).run_until_signal().await?;
    Ok(())
}
