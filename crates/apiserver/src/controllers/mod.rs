//! Controllers of a real cluster, and background work of the server. Each follows the changes of the registry and
//! writes to it like a client. The registry does not depend on them.
//!
//! | controller | work |
//! |---|---|
//! | [`definitions`] | serves the resources of custom resource definitions, before the response to a write |
//! | [`namespaces`] | creates the system namespaces; empties and removes deleted namespaces |
//! | [`populate`] | keeps the default content of namespaces; creates the system priority classes |
//! | [`garbage`] | deletes objects whose owners are gone |
//! | [`roles`] | aggregates cluster roles |
//! | [`flow_status`] | writes the status of flow schemas |
//! | [`policy_status`] | checks the types of the expressions of validating admission policies |
//! | [`quota`] | computes the status of resource quotas |
//! | [`storage_protection`] | removes the finalizer of claims and volumes that are no longer in use |
//! | [`service_addresses`] | creates and removes the `IPAddress` objects of services, before the response to a write |
//! | [`kubernetes_service`] | keeps the service `default/kubernetes` |
//! | [`event_ttl`] | deletes old events |
//! | [`availability`] | writes the status of `APIService` objects, before the response to a write |
//! | [`signing`] | signs approved certificate signing requests, before the response to a write |

mod availability;
mod bootstrap;
mod definitions;
mod event_ttl;
mod flow_status;
mod garbage;
mod kubernetes_service;
mod namespaces;
mod owners;
mod policy_status;
mod populate;
mod quota;
mod roles;
mod service_addresses;
mod signing;
mod storage_protection;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client_rs_machinery::{Json, Unstructured};
use tokio::sync::Notify;

use crate::access::Authority;
use crate::kinds::FollowUp;
use crate::object::Stored;
use crate::registry::{Observer, Part, Precondition, Registry, RegistryOptions, Served, WriteOptions, Wrote};
use crate::store::{Change, TableId};
use definitions::Definitions;
use event_ttl::EventTtl;
use flow_status::FlowStatus;
use kubernetes_service::KubernetesService;
use owners::{Owners, Task};
use policy_status::PolicyStatus;
use populate::NamespaceContent;
use quota::Quotas;
use roles::Roles;
use storage_protection::StorageProtection;

/// The controllers of a registry.
#[derive(Debug)]
pub(crate) struct Controllers {
    /// Copies of the controllers share the graph until one of them changes it.
    owners: Mutex<Arc<Owners>>,
    definitions: Definitions,
    roles: Roles,
    storage: StorageProtection,
    quotas: Quotas,
    policies: PolicyStatus,
    flows: FlowStatus,
    events: EventTtl,
    service: KubernetesService,
    content: NamespaceContent,
    authority: Arc<Authority>,
    /// Notified when [`step`](Self::step) may have work.
    work: Notify,
    options: RegistryOptions,
}

impl Controllers {
    /// Follows a new registry and creates the default objects of a cluster. The authority signs certificates.
    pub(crate) fn attach(registry: &Registry, authority: Arc<Authority>) -> Arc<Self> {
        let controllers = Self::follow(registry, authority);
        namespaces::create_system_namespaces(registry);
        populate::create_priority_classes(registry);
        controllers
    }

    /// Follows a new registry that gets the objects of another one.
    pub(crate) fn follow(registry: &Registry, authority: Arc<Authority>) -> Arc<Self> {
        let (catalog, options) = (registry.catalog(), registry.options());
        let controllers = Arc::new(Self {
            owners: Mutex::new(Arc::new(Owners::new(options.collects))),
            definitions: Definitions::default(),
            roles: Roles::new(&catalog),
            storage: StorageProtection::new(&catalog),
            quotas: Quotas::new(&catalog),
            policies: PolicyStatus::new(&catalog),
            flows: FlowStatus::new(&catalog),
            events: EventTtl::new(&catalog),
            service: KubernetesService::default(),
            content: NamespaceContent::new(&catalog, options.populates),
            authority,
            work: Notify::new(),
            options,
        });
        let observer: Arc<dyn Observer> = controllers.clone();
        registry.set_observer(observer);
        controllers
    }

    /// A copy of a registry with copies of its controllers.
    pub(crate) fn fork(&self, registry: &Registry) -> (Arc<Registry>, Arc<Self>) {
        // Definitions change in several writes: wait until none is half done.
        let paused = self.definitions.pause();
        let (registry, controllers) = registry.fork(|| Self {
            owners: Mutex::new(Arc::clone(&self.owners())),
            definitions: self.definitions.fork(),
            roles: self.roles.fork(),
            storage: self.storage.fork(),
            quotas: self.quotas.fork(),
            policies: self.policies.fork(),
            flows: self.flows.fork(),
            events: self.events.fork(),
            service: KubernetesService::default(),
            content: self.content.fork(),
            authority: Arc::clone(&self.authority),
            work: Notify::new(),
            options: self.options,
        });
        drop(paused);
        let (registry, controllers) = (Arc::new(registry), Arc::new(controllers));
        let observer: Arc<dyn Observer> = controllers.clone();
        registry.set_observer(observer);
        // The original may have had work to do.
        controllers.work.notify_one();
        (registry, controllers)
    }

    /// Serves the custom resources of the definitions that were loaded.
    pub(crate) fn serve_definitions(&self, registry: &Registry) {
        self.definitions.after_write(registry);
    }

    /// Creates the objects that a real API server creates for itself, if the options ask for them.
    pub(crate) fn bootstrap(&self, registry: &Registry) {
        if self.options.bootstraps {
            bootstrap::create(registry, &self.authority);
        }
    }

    /// Writes the status of flow schemas that were just created.
    pub(crate) fn write_flow_status(&self, registry: &Registry) {
        self.flows.sync(registry);
    }

    /// Publishes the address of a server as a service, if the options ask for it.
    pub(crate) fn publish(&self, registry: &Registry, address: Option<SocketAddr>) {
        if self.options.bootstraps {
            self.service.publish(registry, address);
        }
    }

    /// Runs forever. Requests are served between two steps. Dropping the future stops it between two steps.
    pub(crate) async fn run(self: Arc<Self>, registry: Arc<Registry>) {
        loop {
            self.work.notified().await;
            while self.step(&registry) {
                tokio::task::yield_now().await;
            }
        }
    }

    /// Does one piece of work; false when there is none.
    pub(crate) fn step(&self, registry: &Registry) -> bool {
        if self.service.sync(registry)
            || self.content.sync(registry, &self.authority)
            || self.flows.sync(registry)
        {
            return true;
        }
        if !self.options.collects {
            return false;
        }
        // The lock is not held during the work.
        let task = Arc::make_mut(&mut self.owners()).next();
        match task {
            Some(Task::Object(place)) => self.collect_object(registry, &place),
            Some(Task::Namespace(name)) => namespaces::finalize(registry, &name),
            None => {
                let (roles, storage) = (self.roles.sync(registry), self.storage.sync(registry));
                let policies = self.policies.sync(registry);
                return self.quotas.sync(registry) || roles || storage || policies;
            }
        }
        true
    }

    /// Deletes expired events. The real server's storage does that by itself; here it is done before events are
    /// read.
    pub(crate) fn expire_events(&self, registry: &Registry) {
        self.events.expire(registry);
    }

    fn owners(&self) -> MutexGuard<'_, Arc<Owners>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Controllers {
    fn changed(&self, table: TableId, change: &Change<Arc<Stored>>, now: i64) {
        self.events.changed(table, change, now);
        let owners = Arc::make_mut(&mut self.owners()).changed(table, change);
        let roles = self.roles.changed(table);
        let storage = self.storage.changed(table, change);
        let quotas = self.quotas.changed(table, change, now);
        let policies = self.policies.changed(table);
        let service = self.service.changed(table, change);
        let (content, flows) = (self.content.changed(table, change), self.flows.changed(table));
        if owners || roles || storage || quotas || policies || service || content || flows {
            self.work.notify_one();
        }
    }

    fn after_change(&self, registry: &Registry, table: TableId, change: &Change<Arc<Stored>>) {
        if change.deleted {
            self.definitions.after_removal(registry, table);
        }
    }

    fn after_write(&self, registry: &Registry, served: &Served, stored: &Stored, wrote: Wrote) {
        let object = &stored.object;
        match (served.rules.follow_up, wrote) {
            (Some(FollowUp::ServeDefinition), _) => {
                self.definitions.after_write(registry);
                if self.options.bootstraps {
                    bootstrap::follow_custom_groups(registry);
                }
            }
            (Some(FollowUp::PopulateNamespace), Wrote::Created) if self.options.populates => {
                populate::populate(registry, object.name(), &self.authority);
            }
            (Some(FollowUp::ServiceAddresses), wrote) => service_addresses::follow(registry, object, wrote),
            (Some(FollowUp::CheckAvailability), Wrote::Created) => {
                availability::update(registry, served, object.name());
            }
            // kube-controller-manager signs.
            (Some(FollowUp::SignCertificate), Wrote::Created | Wrote::Updated) if !self.options.alone => {
                signing::sign_approved(registry, &self.authority, served, object);
            }
            _ => {}
        }
    }
}

/// Creates an object, unless it exists.
fn put(registry: &Registry, group: &str, plural: &str, namespace: &str, object: Json) {
    let served = registry.catalog().find(group, "v1", plural);
    if let (Some(served), Ok(object)) = (served, Unstructured::try_from(object)) {
        // It can only fail because another writer created it.
        let _ = registry.create(&served, namespace, object, WriteOptions::default());
    }
}

/// Changes an object, unless it was replaced by another one.
fn edit(registry: &Registry, served: &Served, object: &Unstructured, edit: &dyn Fn(&mut Unstructured)) {
    // Some kinds require a resource version in updates: they get the one that was read.
    let versioned = !served.rules.unconditional_update;
    let mut make = |stored: Option<&Stored>| {
        let mut new = stored.map(|stored| stored.object.clone()).unwrap_or_default();
        if new.uid() == object.uid() {
            edit(&mut new);
        }
        let version = stored.filter(|_| versioned).map(|stored| stored.object.resource_version());
        new.set_resource_version(version.unwrap_or_default());
        Ok(new)
    };
    let (namespace, name) = (object.namespace(), object.name());
    let (part, options) = (Part::Whole, WriteOptions::default());
    let _ = registry.update(served, namespace, name, part, Precondition::None, options, &mut make);
}

fn remove_finalizer(registry: &Registry, served: &Served, object: &Unstructured, finalizer: &str) {
    edit(registry, served, object, &|object| {
        let left: Vec<String> =
            object.finalizers().filter(|name| *name != finalizer).map(str::to_owned).collect();
        object.set_finalizers(left);
    });
}
