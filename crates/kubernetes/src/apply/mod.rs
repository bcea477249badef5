//! Apply configurations: the fields of an object that a program wants to own, for server-side apply.
//!
//! Use them if several writers share an object: a controller owns `replicas`, an autoscaler or a user owns the rest. The
//! server keeps the fields of others, and reports a conflict if two managers set one field to different values. To replace
//! whole objects use `update`.
//!
//! A configuration is a JSON document with typed setters: a field that was not set is not sent, and is not owned. There is one
//! module per group and version, with the type names of `client-rs-api`:
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
//! Setters of a list add to it, setters of a map merge into it, and all others replace the value:
//!
//! ```
//! # #[cfg(feature = "apply-core")] {
//! use client_rs_kubernetes::apply::core::v1::ConfigMap;
//! use client_rs_machinery::{Json, json};
//!
//! let map = ConfigMap::new("settings", "shop").data([("a", "1")]).data([("b", "2")]);
//! let document = Json::from(map);
//! assert_eq!(document["data"], json!({"a": "1", "b": "2"}));
//! assert!(document.get("immutable").is_none()); // It was not set, so it is not owned.
//! # }
//! ```
//!
//! # Releasing fields
//!
//! Each apply is the whole configuration of its manager: a field that an earlier apply had and this one lacks is removed, or
//! left to its other owners. So build the same configuration in each reconcile. To change a configuration that you do not
//! have any more, `extract` reads it from the object's managed fields:
//!
//! ```
//! # #[cfg(feature = "apply-core")] {
//! use client_rs_api::core::v1::ConfigMap;
//! use client_rs_kubernetes::apply::core::v1 as apply;
//! use client_rs_machinery::Json;
//!
//! # let map = ConfigMap { metadata: client_rs_machinery::meta::v1::ObjectMeta { name: "settings".into(), namespace: "shop".into(), ..client_rs_machinery::meta::v1::ObjectMeta::EMPTY }, ..ConfigMap::EMPTY };
//! // This object has no fields of the manager, so only its identity is left.
//! let own = apply::ConfigMap::extract(&map, "my-controller")?;
//! assert_eq!(Json::from(own)["metadata"]["name"].as_str(), Some("settings"));
//! # }
//! # Ok::<(), client_rs_kubernetes::apply::ExtractError>(())
//! ```
//!
//! A module is compiled if its feature is on, such as `apply-apps`; `apply` turns on those of the stable groups.

// Fields have the API's names: `add` of capabilities is not an operator.
#[allow(missing_docs, clippy::pedantic, clippy::should_implement_trait)]
mod generated;

use client_rs_machinery::Json;
use client_rs_machinery::apply::Document;
use client_rs_machinery::managed_fields;
use client_rs_machinery::wire::Message;

pub use client_rs_machinery::apply::{ApplyValue, ExtractError};
pub use generated::*;

/// The fields that a manager has applied to an object, according to its managed fields.
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

        /// Adds owners after those that were set before.
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
            /// A configuration without fields.
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
            /// A configuration with only the name and the namespace of the object.
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
            /// A configuration with only the name of the object.
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
            /// The fields that a manager has applied to the status of an object.
            #[inline]
            pub fn extract_status(object: &$kind, manager: &str) -> Result<Self, crate::apply::ExtractError> {
                crate::apply::extract(object, manager, "status").map(|document| Self(document))
            }
        }
    };
    (@stateless $name:ident $kind:ty) => {
        impl $name {
            /// The fields that a manager has applied to an object, according to its managed fields: to change them, and
            /// apply them again. If the manager has applied nothing, only the object's identity is set.
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
