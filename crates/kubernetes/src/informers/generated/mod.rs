// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of every built-in resource.

use client_rs_informers::{GenericInformer, SharedInformerFactory};
use client_rs_machinery::GroupVersionResource;

#[cfg(feature = "admissionregistration")]
pub mod admissionregistration;
#[cfg(feature = "apiextensions")]
pub mod apiextensions;
#[cfg(feature = "apiregistration")]
pub mod apiregistration;
#[cfg(feature = "apiserverinternal")]
pub mod apiserverinternal;
#[cfg(feature = "apps")]
pub mod apps;
#[cfg(feature = "autoscaling")]
pub mod autoscaling;
#[cfg(feature = "batch")]
pub mod batch;
#[cfg(feature = "certificates")]
pub mod certificates;
#[cfg(feature = "coordination")]
pub mod coordination;
#[cfg(feature = "core")]
pub mod core;
#[cfg(feature = "discovery")]
pub mod discovery;
#[cfg(feature = "events")]
pub mod events;
#[cfg(feature = "extensions")]
pub mod extensions;
#[cfg(feature = "flowcontrol")]
pub mod flowcontrol;
#[cfg(feature = "lifecycle")]
pub mod lifecycle;
#[cfg(feature = "networking")]
pub mod networking;
#[cfg(feature = "node")]
pub mod node;
#[cfg(feature = "policy")]
pub mod policy;
#[cfg(feature = "rbac")]
pub mod rbac;
#[cfg(feature = "resource")]
pub mod resource;
#[cfg(feature = "scheduling")]
pub mod scheduling;
#[cfg(feature = "storage")]
pub mod storage;
#[cfg(feature = "storagemigration")]
pub mod storagemigration;

/// The informers of built-in resources, as methods of [`SharedInformerFactory`]:
/// `factory.apps().v1().deployments()`. Bring it into scope to call them.
pub trait BuiltInInformers: super::Sealed {
    /// The informers of the group `admissionregistration`.
    #[cfg(feature = "admissionregistration")]
    fn admissionregistration(&self) -> admissionregistration::Informers;

    /// The informers of the group `apiextensions`.
    #[cfg(feature = "apiextensions")]
    fn apiextensions(&self) -> apiextensions::Informers;

    /// The informers of the group `apiregistration`.
    #[cfg(feature = "apiregistration")]
    fn apiregistration(&self) -> apiregistration::Informers;

    /// The informers of the group `apiserverinternal`.
    #[cfg(feature = "apiserverinternal")]
    fn apiserverinternal(&self) -> apiserverinternal::Informers;

    /// The informers of the group `apps`.
    #[cfg(feature = "apps")]
    fn apps(&self) -> apps::Informers;

    /// The informers of the group `autoscaling`.
    #[cfg(feature = "autoscaling")]
    fn autoscaling(&self) -> autoscaling::Informers;

    /// The informers of the group `batch`.
    #[cfg(feature = "batch")]
    fn batch(&self) -> batch::Informers;

    /// The informers of the group `certificates`.
    #[cfg(feature = "certificates")]
    fn certificates(&self) -> certificates::Informers;

    /// The informers of the group `coordination`.
    #[cfg(feature = "coordination")]
    fn coordination(&self) -> coordination::Informers;

    /// The informers of the group `core`.
    #[cfg(feature = "core")]
    fn core(&self) -> core::Informers;

    /// The informers of the group `discovery`.
    #[cfg(feature = "discovery")]
    fn discovery(&self) -> discovery::Informers;

    /// The informers of the group `events`.
    #[cfg(feature = "events")]
    fn events(&self) -> events::Informers;

    /// The informers of the group `extensions`.
    #[cfg(feature = "extensions")]
    fn extensions(&self) -> extensions::Informers;

    /// The informers of the group `flowcontrol`.
    #[cfg(feature = "flowcontrol")]
    fn flowcontrol(&self) -> flowcontrol::Informers;

    /// The informers of the group `lifecycle`.
    #[cfg(feature = "lifecycle")]
    fn lifecycle(&self) -> lifecycle::Informers;

    /// The informers of the group `networking`.
    #[cfg(feature = "networking")]
    fn networking(&self) -> networking::Informers;

    /// The informers of the group `node`.
    #[cfg(feature = "node")]
    fn node(&self) -> node::Informers;

    /// The informers of the group `policy`.
    #[cfg(feature = "policy")]
    fn policy(&self) -> policy::Informers;

    /// The informers of the group `rbac`.
    #[cfg(feature = "rbac")]
    fn rbac(&self) -> rbac::Informers;

    /// The informers of the group `resource`.
    #[cfg(feature = "resource")]
    fn resource(&self) -> resource::Informers;

    /// The informers of the group `scheduling`.
    #[cfg(feature = "scheduling")]
    fn scheduling(&self) -> scheduling::Informers;

    /// The informers of the group `storage`.
    #[cfg(feature = "storage")]
    fn storage(&self) -> storage::Informers;

    /// The informers of the group `storagemigration`.
    #[cfg(feature = "storagemigration")]
    fn storagemigration(&self) -> storagemigration::Informers;

    /// The informer of a resource by its name: the same one that its type has, its objects seen as what all objects are.
    /// It is made if nobody has asked for it before. `None` if it is not a built-in resource that can be listed and
    /// watched, of a group that is compiled in, and was not asked for by its type either.
    ///
    /// A program that calls this compiles the informers of all kinds. For resources that are known only at run time
    /// [`DynamicSharedInformerFactory`](client_rs_informers::DynamicSharedInformerFactory) needs none of their types.
    fn for_resource(&self, resource: &GroupVersionResource) -> Option<GenericInformer>;
}

impl BuiltInInformers for SharedInformerFactory {
    #[cfg(feature = "admissionregistration")]
    fn admissionregistration(&self) -> admissionregistration::Informers {
        admissionregistration::Informers::new(self)
    }

    #[cfg(feature = "apiextensions")]
    fn apiextensions(&self) -> apiextensions::Informers {
        apiextensions::Informers::new(self)
    }

    #[cfg(feature = "apiregistration")]
    fn apiregistration(&self) -> apiregistration::Informers {
        apiregistration::Informers::new(self)
    }

    #[cfg(feature = "apiserverinternal")]
    fn apiserverinternal(&self) -> apiserverinternal::Informers {
        apiserverinternal::Informers::new(self)
    }

    #[cfg(feature = "apps")]
    fn apps(&self) -> apps::Informers {
        apps::Informers::new(self)
    }

    #[cfg(feature = "autoscaling")]
    fn autoscaling(&self) -> autoscaling::Informers {
        autoscaling::Informers::new(self)
    }

    #[cfg(feature = "batch")]
    fn batch(&self) -> batch::Informers {
        batch::Informers::new(self)
    }

    #[cfg(feature = "certificates")]
    fn certificates(&self) -> certificates::Informers {
        certificates::Informers::new(self)
    }

    #[cfg(feature = "coordination")]
    fn coordination(&self) -> coordination::Informers {
        coordination::Informers::new(self)
    }

    #[cfg(feature = "core")]
    fn core(&self) -> core::Informers {
        core::Informers::new(self)
    }

    #[cfg(feature = "discovery")]
    fn discovery(&self) -> discovery::Informers {
        discovery::Informers::new(self)
    }

    #[cfg(feature = "events")]
    fn events(&self) -> events::Informers {
        events::Informers::new(self)
    }

    #[cfg(feature = "extensions")]
    fn extensions(&self) -> extensions::Informers {
        extensions::Informers::new(self)
    }

    #[cfg(feature = "flowcontrol")]
    fn flowcontrol(&self) -> flowcontrol::Informers {
        flowcontrol::Informers::new(self)
    }

    #[cfg(feature = "lifecycle")]
    fn lifecycle(&self) -> lifecycle::Informers {
        lifecycle::Informers::new(self)
    }

    #[cfg(feature = "networking")]
    fn networking(&self) -> networking::Informers {
        networking::Informers::new(self)
    }

    #[cfg(feature = "node")]
    fn node(&self) -> node::Informers {
        node::Informers::new(self)
    }

    #[cfg(feature = "policy")]
    fn policy(&self) -> policy::Informers {
        policy::Informers::new(self)
    }

    #[cfg(feature = "rbac")]
    fn rbac(&self) -> rbac::Informers {
        rbac::Informers::new(self)
    }

    #[cfg(feature = "resource")]
    fn resource(&self) -> resource::Informers {
        resource::Informers::new(self)
    }

    #[cfg(feature = "scheduling")]
    fn scheduling(&self) -> scheduling::Informers {
        scheduling::Informers::new(self)
    }

    #[cfg(feature = "storage")]
    fn storage(&self) -> storage::Informers {
        storage::Informers::new(self)
    }

    #[cfg(feature = "storagemigration")]
    fn storagemigration(&self) -> storagemigration::Informers {
        storagemigration::Informers::new(self)
    }

    #[inline]
    fn for_resource(&self, resource: &GroupVersionResource) -> Option<GenericInformer> {
        self.find(resource).or_else(|| if ask(self, resource) { self.find(resource) } else { None })
    }
}

/// Makes the informer of a built-in resource; false if there is no such resource.
#[inline]
fn ask(factory: &SharedInformerFactory, resource: &GroupVersionResource) -> bool {
    #[cfg(feature = "admissionregistration")]
    if factory.admissionregistration().ask(resource) {
        return true;
    }
    #[cfg(feature = "apiextensions")]
    if factory.apiextensions().ask(resource) {
        return true;
    }
    #[cfg(feature = "apiregistration")]
    if factory.apiregistration().ask(resource) {
        return true;
    }
    #[cfg(feature = "apiserverinternal")]
    if factory.apiserverinternal().ask(resource) {
        return true;
    }
    #[cfg(feature = "apps")]
    if factory.apps().ask(resource) {
        return true;
    }
    #[cfg(feature = "autoscaling")]
    if factory.autoscaling().ask(resource) {
        return true;
    }
    #[cfg(feature = "batch")]
    if factory.batch().ask(resource) {
        return true;
    }
    #[cfg(feature = "certificates")]
    if factory.certificates().ask(resource) {
        return true;
    }
    #[cfg(feature = "coordination")]
    if factory.coordination().ask(resource) {
        return true;
    }
    #[cfg(feature = "core")]
    if factory.core().ask(resource) {
        return true;
    }
    #[cfg(feature = "discovery")]
    if factory.discovery().ask(resource) {
        return true;
    }
    #[cfg(feature = "events")]
    if factory.events().ask(resource) {
        return true;
    }
    #[cfg(feature = "extensions")]
    if factory.extensions().ask(resource) {
        return true;
    }
    #[cfg(feature = "flowcontrol")]
    if factory.flowcontrol().ask(resource) {
        return true;
    }
    #[cfg(feature = "lifecycle")]
    if factory.lifecycle().ask(resource) {
        return true;
    }
    #[cfg(feature = "networking")]
    if factory.networking().ask(resource) {
        return true;
    }
    #[cfg(feature = "node")]
    if factory.node().ask(resource) {
        return true;
    }
    #[cfg(feature = "policy")]
    if factory.policy().ask(resource) {
        return true;
    }
    #[cfg(feature = "rbac")]
    if factory.rbac().ask(resource) {
        return true;
    }
    #[cfg(feature = "resource")]
    if factory.resource().ask(resource) {
        return true;
    }
    #[cfg(feature = "scheduling")]
    if factory.scheduling().ask(resource) {
        return true;
    }
    #[cfg(feature = "storage")]
    if factory.storage().ask(resource) {
        return true;
    }
    #[cfg(feature = "storagemigration")]
    if factory.storagemigration().ask(resource) {
        return true;
    }
    let _ = (factory, resource);
    false
}
