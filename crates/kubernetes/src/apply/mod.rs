//! Apply configurations: the fields of an object that somebody wants to own.
//!
//! A configuration is a JSON document under typed setters: what was not set is not there, and is not owned. There is a
//! module a group version, with types of the names that `client-rs-api` has:
//!
//! ```
//! # #[cfg(feature = "apply-apps")]
//! # async fn example(deployments: client_rs_client::Api<client_rs_api::apps::v1::Deployment>)
//! #     -> Result<(), client_rs_client::Error> {
//! use client_rs_kubernetes::apply::{apps, core};
//!
//! let web = core::v1::Container::new().name("web").image("nginx:1.29");
//! let template = core::v1::PodTemplateSpec::new()
//!     .labels([("app", "web")])
//!     .spec(core::v1::PodSpec::new().containers([web]));
//! let spec = apps::v1::DeploymentSpec::new().replicas(3).template(template);
//! deployments.apply(apps::v1::Deployment::new("web", "shop").spec(spec), "my-controller").force().await?;
//! # Ok(())
//! # }
//! ```
//!
//! Setters of a list add to it, setters of a map merge into it, all others replace.
//!
//! A module is compiled where its feature is on, such as `apply-apps`; `apply` is those of the stable groups.

// A field's name is the API's: an `add` of capabilities is no operator.
#[allow(missing_docs, clippy::pedantic, clippy::should_implement_trait)]
mod generated;

use client_rs_machinery::Json;
use client_rs_machinery::apply::Document;
use client_rs_machinery::managed_fields;
use client_rs_machinery::wire::Message;

pub use client_rs_machinery::apply::{ApplyValue, ExtractError};
pub use generated::*;

/// What a manager has applied to an object, by its managed fields.
fn extract<K: Message>(object: &K, manager: &str, subresource: &str) -> Result<Document, ExtractError> {
    Ok(Document::of_object(managed_fields::extract(&Json::from_message(object)?, manager, subresource)?))
}

#[cfg(feature = "apply-meta")]
impl From<client_rs_machinery::meta::v1::OwnerReference> for meta::v1::OwnerReference {
    fn from(owner: client_rs_machinery::meta::v1::OwnerReference) -> Self {
        let reference =
            Self::new().api_version(owner.api_version).kind(owner.kind).name(owner.name).uid(owner.uid);
        let reference = match owner.controller {
            Some(controller) => reference.controller(controller),
            None => reference,
        };
        match owner.block_owner_deletion {
            Some(block) => reference.block_owner_deletion(block),
            None => reference,
        }
    }
}

#[cfg(feature = "apply-meta")]
impl From<client_rs_machinery::meta::v1::Condition> for meta::v1::Condition {
    fn from(condition: client_rs_machinery::meta::v1::Condition) -> Self {
        let own = Self::new()
            .type_(condition.type_)
            .status(condition.status)
            .reason(condition.reason)
            .message(condition.message);
        let own = match condition.observed_generation {
            0 => own,
            generation => own.observed_generation(generation),
        };
        match condition.last_transition_time {
            Some(time) => own.last_transition_time(time),
            None => own,
        }
    }
}

macro_rules! configuration {
    ($name:ident $(+ $metadata:ident)? $($how:ident $method:ident $json:literal $ty:ty;)*) => {
        /// The fields that were set.
        #[derive(Clone, PartialEq)]
        pub struct $name($crate::apply::Document);

        impl $name {
            $(crate::apply::configuration!(@$metadata);)?
            $(crate::apply::configuration!(@$how $method $json $ty);)*
        }

        client_rs_machinery::apply_traits!($name);
    };
    (@set $method:ident $json:literal $ty:ty) => {
        pub fn $method(mut self, value: impl Into<$ty>) -> Self {
            self.0.set($json, $crate::apply::ApplyValue::into_json(value.into()));
            self
        }
    };
    (@list $method:ident $json:literal $ty:ty) => {
        pub fn $method(mut self, values: impl IntoIterator<Item = impl Into<$ty>>) -> Self {
            self.0.extend($json, values.into_iter().map(|value| $crate::apply::ApplyValue::into_json(value.into())));
            self
        }
    };
    (@map $method:ident $json:literal $ty:ty) => {
        pub fn $method(
            mut self,
            entries: impl IntoIterator<Item = (impl Into<client_rs_machinery::Str>, impl Into<$ty>)>,
        ) -> Self {
            let entries = entries.into_iter();
            let entries = entries.map(|(key, value)| (key.into(), $crate::apply::ApplyValue::into_json(value.into())));
            self.0.merge($json, entries);
            self
        }
    };
    (@metadata) => {
        client_rs_machinery::apply_metadata!();

        /// Owners, behind those set before.
        pub fn owner_references(
            mut self,
            values: impl IntoIterator<Item = impl Into<crate::apply::meta::v1::OwnerReference>>,
        ) -> Self {
            let owners = values.into_iter().map(|owner| $crate::apply::ApplyValue::into_json(owner.into()));
            self.0.metadata().extend("ownerReferences", owners);
            self
        }
    };
}
use configuration;

/// A part of an object.
macro_rules! part {
    ($name:ident) => {
        impl $name {
            /// Nothing is set.
            #[inline]
            pub fn new() -> Self {
                Self(crate::apply::Document::EMPTY)
            }
        }

        impl ::core::default::Default for $name {
            #[inline]
            fn default() -> Self {
                Self::new()
            }
        }
    };
}
use part;

/// A whole object.
macro_rules! kind {
    ($name:ident $api_version:literal namespaced $status:ident $kind:ty) => {
        impl $name {
            /// The object of this name in this namespace; nothing else is set.
            #[inline]
            pub fn new(
                name: impl Into<client_rs_machinery::Str>,
                namespace: impl Into<client_rs_machinery::Str>,
            ) -> Self {
                Self(crate::apply::Document::of_kind($api_version, stringify!($name))).name(name).namespace(namespace)
            }
        }

        crate::apply::kind!(@$status $name $kind);
    };
    ($name:ident $api_version:literal cluster $status:ident $kind:ty) => {
        impl $name {
            /// The object of this name; nothing else is set.
            #[inline]
            pub fn new(name: impl Into<client_rs_machinery::Str>) -> Self {
                Self(crate::apply::Document::of_kind($api_version, stringify!($name))).name(name)
            }
        }

        crate::apply::kind!(@$status $name $kind);
    };
    (@status $name:ident $kind:ty) => {
        crate::apply::kind!(@stateless $name $kind);

        impl $name {
            /// What a manager has applied to the status of an object; nothing else is set.
            #[inline]
            pub fn extract_status(object: &$kind, manager: &str) -> Result<Self, crate::apply::ExtractError> {
                crate::apply::extract(object, manager, "status").map(|document| Self(document))
            }
        }
    };
    (@stateless $name:ident $kind:ty) => {
        impl $name {
            /// What a manager has applied to an object, by the object's managed fields: to be changed, and applied again.
            /// Without such an entry, only the object's identity is set.
            #[inline]
            pub fn extract(object: &$kind, manager: &str) -> Result<Self, crate::apply::ExtractError> {
                crate::apply::extract(object, manager, "").map(|document| Self(document))
            }
        }

        impl client_rs_client::api::ApplyConfiguration<$kind> for $name {
            #[inline]
            fn document(&self) -> &client_rs_machinery::Json {
                self.0.json()
            }
        }
    };
}
use kind;

#[cfg(all(test, feature = "apply-core"))]
mod tests;
