// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of every built-in resource.

use client_rs_machinery::GroupVersionResource;

use super::SharedInformerFactory;

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

impl SharedInformerFactory {
    /// The informers of the group `admissionregistration`.
    #[cfg(feature = "admissionregistration")]
    pub fn admissionregistration(&self) -> admissionregistration::Informers {
        admissionregistration::Informers::new(self)
    }

    /// The informers of the group `apiextensions`.
    #[cfg(feature = "apiextensions")]
    pub fn apiextensions(&self) -> apiextensions::Informers {
        apiextensions::Informers::new(self)
    }

    /// The informers of the group `apiregistration`.
    #[cfg(feature = "apiregistration")]
    pub fn apiregistration(&self) -> apiregistration::Informers {
        apiregistration::Informers::new(self)
    }

    /// The informers of the group `apiserverinternal`.
    #[cfg(feature = "apiserverinternal")]
    pub fn apiserverinternal(&self) -> apiserverinternal::Informers {
        apiserverinternal::Informers::new(self)
    }

    /// The informers of the group `apps`.
    #[cfg(feature = "apps")]
    pub fn apps(&self) -> apps::Informers {
        apps::Informers::new(self)
    }

    /// The informers of the group `autoscaling`.
    #[cfg(feature = "autoscaling")]
    pub fn autoscaling(&self) -> autoscaling::Informers {
        autoscaling::Informers::new(self)
    }

    /// The informers of the group `batch`.
    #[cfg(feature = "batch")]
    pub fn batch(&self) -> batch::Informers {
        batch::Informers::new(self)
    }

    /// The informers of the group `certificates`.
    #[cfg(feature = "certificates")]
    pub fn certificates(&self) -> certificates::Informers {
        certificates::Informers::new(self)
    }

    /// The informers of the group `coordination`.
    #[cfg(feature = "coordination")]
    pub fn coordination(&self) -> coordination::Informers {
        coordination::Informers::new(self)
    }

    /// The informers of the group `core`.
    #[cfg(feature = "core")]
    pub fn core(&self) -> core::Informers {
        core::Informers::new(self)
    }

    /// The informers of the group `discovery`.
    #[cfg(feature = "discovery")]
    pub fn discovery(&self) -> discovery::Informers {
        discovery::Informers::new(self)
    }

    /// The informers of the group `events`.
    #[cfg(feature = "events")]
    pub fn events(&self) -> events::Informers {
        events::Informers::new(self)
    }

    /// The informers of the group `extensions`.
    #[cfg(feature = "extensions")]
    pub fn extensions(&self) -> extensions::Informers {
        extensions::Informers::new(self)
    }

    /// The informers of the group `flowcontrol`.
    #[cfg(feature = "flowcontrol")]
    pub fn flowcontrol(&self) -> flowcontrol::Informers {
        flowcontrol::Informers::new(self)
    }

    /// The informers of the group `lifecycle`.
    #[cfg(feature = "lifecycle")]
    pub fn lifecycle(&self) -> lifecycle::Informers {
        lifecycle::Informers::new(self)
    }

    /// The informers of the group `networking`.
    #[cfg(feature = "networking")]
    pub fn networking(&self) -> networking::Informers {
        networking::Informers::new(self)
    }

    /// The informers of the group `node`.
    #[cfg(feature = "node")]
    pub fn node(&self) -> node::Informers {
        node::Informers::new(self)
    }

    /// The informers of the group `policy`.
    #[cfg(feature = "policy")]
    pub fn policy(&self) -> policy::Informers {
        policy::Informers::new(self)
    }

    /// The informers of the group `rbac`.
    #[cfg(feature = "rbac")]
    pub fn rbac(&self) -> rbac::Informers {
        rbac::Informers::new(self)
    }

    /// The informers of the group `resource`.
    #[cfg(feature = "resource")]
    pub fn resource(&self) -> resource::Informers {
        resource::Informers::new(self)
    }

    /// The informers of the group `scheduling`.
    #[cfg(feature = "scheduling")]
    pub fn scheduling(&self) -> scheduling::Informers {
        scheduling::Informers::new(self)
    }

    /// The informers of the group `storage`.
    #[cfg(feature = "storage")]
    pub fn storage(&self) -> storage::Informers {
        storage::Informers::new(self)
    }

    /// The informers of the group `storagemigration`.
    #[cfg(feature = "storagemigration")]
    pub fn storagemigration(&self) -> storagemigration::Informers {
        storagemigration::Informers::new(self)
    }

    /// Makes the informer of a built-in resource; false if there is no such resource.
    #[inline]
    pub(super) fn ask(&self, resource: &GroupVersionResource) -> bool {
        #[cfg(feature = "admissionregistration")]
        if self.admissionregistration().ask(resource) {
            return true;
        }
        #[cfg(feature = "apiextensions")]
        if self.apiextensions().ask(resource) {
            return true;
        }
        #[cfg(feature = "apiregistration")]
        if self.apiregistration().ask(resource) {
            return true;
        }
        #[cfg(feature = "apiserverinternal")]
        if self.apiserverinternal().ask(resource) {
            return true;
        }
        #[cfg(feature = "apps")]
        if self.apps().ask(resource) {
            return true;
        }
        #[cfg(feature = "autoscaling")]
        if self.autoscaling().ask(resource) {
            return true;
        }
        #[cfg(feature = "batch")]
        if self.batch().ask(resource) {
            return true;
        }
        #[cfg(feature = "certificates")]
        if self.certificates().ask(resource) {
            return true;
        }
        #[cfg(feature = "coordination")]
        if self.coordination().ask(resource) {
            return true;
        }
        #[cfg(feature = "core")]
        if self.core().ask(resource) {
            return true;
        }
        #[cfg(feature = "discovery")]
        if self.discovery().ask(resource) {
            return true;
        }
        #[cfg(feature = "events")]
        if self.events().ask(resource) {
            return true;
        }
        #[cfg(feature = "extensions")]
        if self.extensions().ask(resource) {
            return true;
        }
        #[cfg(feature = "flowcontrol")]
        if self.flowcontrol().ask(resource) {
            return true;
        }
        #[cfg(feature = "lifecycle")]
        if self.lifecycle().ask(resource) {
            return true;
        }
        #[cfg(feature = "networking")]
        if self.networking().ask(resource) {
            return true;
        }
        #[cfg(feature = "node")]
        if self.node().ask(resource) {
            return true;
        }
        #[cfg(feature = "policy")]
        if self.policy().ask(resource) {
            return true;
        }
        #[cfg(feature = "rbac")]
        if self.rbac().ask(resource) {
            return true;
        }
        #[cfg(feature = "resource")]
        if self.resource().ask(resource) {
            return true;
        }
        #[cfg(feature = "scheduling")]
        if self.scheduling().ask(resource) {
            return true;
        }
        #[cfg(feature = "storage")]
        if self.storage().ask(resource) {
            return true;
        }
        #[cfg(feature = "storagemigration")]
        if self.storagemigration().ask(resource) {
            return true;
        }
        let _ = resource;
        false
    }
}
