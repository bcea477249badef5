//! [`GenericInformer`]: an informer by the name of its resource.

use std::fmt;
use std::sync::Arc;

use client_rs_cache::{AnyInformer, EventHandler, HandlerOptions, InformerError, Registration};
use client_rs_machinery::labels::Selector;
use client_rs_machinery::{ApiError, GroupVersionResource, Object, ObjectKey};

use crate::SharedInformerFactory;
use crate::resource_informer::informer_name;

/// An informer by the name of its resource: the same informer that has the resource's type, its objects seen as what all
/// objects are.
#[derive(Clone)]
pub struct GenericInformer {
    informer: Arc<dyn AnyInformer>,
    resource: GroupVersionResource,
}

impl SharedInformerFactory {
    /// The informer of a resource by its name, if it was asked for before: the same one that its type has, its objects seen
    /// as what all objects are.
    pub fn find(&self, resource: &GroupVersionResource) -> Option<GenericInformer> {
        let informer = self.informers().find(&informer_name(resource))?;
        Some(GenericInformer { informer, resource: resource.clone() })
    }
}

impl GenericInformer {
    /// The informer.
    pub fn informer(&self) -> &dyn AnyInformer {
        &*self.informer
    }

    /// The resource.
    pub fn resource(&self) -> &GroupVersionResource {
        &self.resource
    }

    /// The cached objects that a selector matches, of all namespaces, in no particular order.
    pub fn list(&self, selector: &Selector) -> Vec<Arc<dyn Object>> {
        let mut objects = self.informer.list_any();
        objects.retain(|object| selector.matches(object.meta()));
        objects
    }

    /// A cached object, or an error for which [`ApiError::is_not_found`] holds; see
    /// [`Lister::get`](client_rs_cache::Lister::get).
    pub fn get(&self, key: &ObjectKey) -> Result<Arc<dyn Object>, ApiError> {
        self.informer.get_any(key, &self.resource.group_resource())
    }

    /// Adds a handler; see [`SharedInformer::add_handler`](client_rs_cache::SharedInformer::add_handler).
    pub fn add_handler(
        &self,
        handler: impl EventHandler<dyn Object>,
        options: HandlerOptions,
    ) -> Result<Registration, InformerError> {
        self.informer.add_any_handler(Arc::new(handler), options)
    }
}

impl fmt::Debug for GenericInformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GenericInformer({})", self.informer.sync_name())
    }
}
