//! An operator that keeps a service account for each config map with a label, and its faults.

use client_rs_api::core::v1::{ConfigMap, ServiceAccount};
use client_rs_client::Api;
use client_rs_controller::{Action, Context, Controller, Manager, ReconcileError};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::ObjectKey;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::references::controller_reference;
use client_rs_simulation::Replica;

const VALUE: &str = "example.com/value";

/// A fault of the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// An account that exists already is an error for good.
    CreatesOnce,
}

#[allow(clippy::unnecessary_wraps, reason = "programs return errors here")]
pub(crate) fn build(replica: &Replica, fault: Fault) -> Result<Manager, String> {
    let rest = replica.client.clone();
    let factory = SharedInformerFactory::new(rest.clone());
    let (maps, accounts) = (factory.of::<ConfigMap>(), factory.of::<ServiceAccount>());
    let (map_lister, account_lister) = (maps.lister(), accounts.lister());
    let controller = Controller::new("accounts", maps.informer()).owns(&accounts.informer());
    let controller = controller.reconcile(move |key: ObjectKey, _: Context| {
        let (map, account) = (map_lister.get(&key).ok(), account_lister.get(&key).ok());
        let api = Api::<ServiceAccount>::namespaced(&rest, key.namespace.clone());
        async move {
            let Some(map) = map.filter(|map| map.metadata.labels.get("copied").is_some()) else {
                return Ok(Action::done());
            };
            if map.metadata.deletion_timestamp.is_some() {
                return Ok(Action::done());
            }
            let value = map.data.get("value").cloned().unwrap_or_default();
            let mut metadata = ObjectMeta { name: key.name.clone(), ..ObjectMeta::EMPTY };
            metadata.annotations.insert(VALUE, value.clone());
            metadata.owner_references = [controller_reference(&*map)?].into_iter().collect();
            match account {
                None => {
                    let created = api.create(ServiceAccount { metadata, ..ServiceAccount::EMPTY }).await;
                    match created {
                        Err(_) if fault == Fault::CreatesOnce => return Ok(Action::done()),
                        created => created?,
                    };
                }
                Some(account) if account.metadata.annotations.get(VALUE) != Some(&value) => {
                    let mut account = ServiceAccount::clone(&account);
                    account.metadata.annotations.insert(VALUE, value);
                    api.update(account).await?;
                }
                Some(_) => {}
            }
            Ok::<_, ReconcileError>(Action::done())
        }
    });
    Ok(Manager::new(&factory).controller(controller))
}
