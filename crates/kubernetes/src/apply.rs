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

mod document;
// A field's name is the API's: an `add` of capabilities is no operator.
#[allow(missing_docs, clippy::pedantic, clippy::should_implement_trait)]
mod generated;
mod value;

use client_rs_machinery::Json;
use client_rs_machinery::managed_fields::{self, FieldsError};
use client_rs_machinery::wire::{DecodeError, Message};

use document::Document;
pub use generated::*;
pub use value::Value;

/// Why no configuration could be taken from an object.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// Its managed fields can't be read.
    #[error(transparent)]
    Fields(#[from] FieldsError),
    /// It has no form as a document.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

/// What a manager has applied to an object, by its managed fields.
fn extract<K: Message>(object: &K, manager: &str, subresource: &str) -> Result<Document, ExtractError> {
    Ok(Document::of_object(managed_fields::extract(&Json::from_message(object)?, manager, subresource)?))
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

        crate::apply::configuration!(@traits $name);
    };
    (@set $method:ident $json:literal $ty:ty) => {
        pub fn $method(mut self, value: impl Into<$ty>) -> Self {
            self.0.set($json, $crate::apply::Value::into_json(value.into()));
            self
        }
    };
    (@list $method:ident $json:literal $ty:ty) => {
        pub fn $method(mut self, values: impl IntoIterator<Item = impl Into<$ty>>) -> Self {
            self.0.extend($json, values.into_iter().map(|value| $crate::apply::Value::into_json(value.into())));
            self
        }
    };
    (@map $method:ident $json:literal $ty:ty) => {
        pub fn $method(
            mut self,
            entries: impl IntoIterator<Item = (impl Into<client_rs_machinery::Str>, impl Into<$ty>)>,
        ) -> Self {
            let entries = entries.into_iter();
            let entries = entries.map(|(key, value)| (key.into(), $crate::apply::Value::into_json(value.into())));
            self.0.merge($json, entries);
            self
        }
    };
    (@metadata) => {
        /// Labels, merged into those set before.
        pub fn labels(
            mut self,
            entries: impl IntoIterator<Item = (impl Into<client_rs_machinery::Str>, impl Into<client_rs_machinery::Str>)>,
        ) -> Self {
            let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into().into()));
            self.0.metadata().merge("labels", entries);
            self
        }

        /// Annotations, merged into those set before.
        pub fn annotations(
            mut self,
            entries: impl IntoIterator<Item = (impl Into<client_rs_machinery::Str>, impl Into<client_rs_machinery::Str>)>,
        ) -> Self {
            let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into().into()));
            self.0.metadata().merge("annotations", entries);
            self
        }

        /// Finalizers, behind those set before.
        pub fn finalizers(mut self, values: impl IntoIterator<Item = impl Into<client_rs_machinery::Str>>) -> Self {
            self.0.metadata().extend("finalizers", values.into_iter().map(|value| value.into().into()));
            self
        }

        /// Owners, behind those set before.
        pub fn owner_references(
            mut self,
            values: impl IntoIterator<Item = crate::apply::meta::v1::OwnerReference>,
        ) -> Self {
            self.0.metadata().extend("ownerReferences", values.into_iter().map($crate::apply::Value::into_json));
            self
        }

        /// The name.
        pub fn name(mut self, name: impl Into<client_rs_machinery::Str>) -> Self {
            self.0.metadata().set("name", name.into().into());
            self
        }

        /// The namespace.
        pub fn namespace(mut self, namespace: impl Into<client_rs_machinery::Str>) -> Self {
            self.0.metadata().set("namespace", namespace.into().into());
            self
        }

        /// Only if this is still the object's version.
        pub fn resource_version(mut self, version: impl Into<client_rs_machinery::Str>) -> Self {
            self.0.metadata().set("resourceVersion", version.into().into());
            self
        }

        /// Only if it is this very object.
        pub fn uid(mut self, uid: impl Into<client_rs_machinery::Str>) -> Self {
            self.0.metadata().set("uid", uid.into().into());
            self
        }
    };
    (@traits $name:ident) => {
        impl $crate::apply::Value for $name {
            fn into_json(self) -> client_rs_machinery::Json {
                self.0.into_json()
            }
        }

        impl ::core::convert::From<$name> for client_rs_machinery::Json {
            fn from(configuration: $name) -> Self {
                configuration.0.into_json()
            }
        }

        /// Without the content: it may be a secret's.
        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                self.0.show(stringify!($name), f)
            }
        }
    };
}
use configuration;

/// A part of an object.
macro_rules! part {
    ($name:ident) => {
        impl $name {
            /// Nothing is set.
            pub fn new() -> Self {
                Self(crate::apply::Document::EMPTY)
            }
        }

        impl ::core::default::Default for $name {
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
            pub fn extract_status(object: &$kind, manager: &str) -> Result<Self, crate::apply::ExtractError> {
                crate::apply::extract(object, manager, "status").map(|document| Self(document))
            }
        }
    };
    (@stateless $name:ident $kind:ty) => {
        impl $name {
            /// What a manager has applied to an object, by the object's managed fields: to be changed, and applied again.
            /// Without such an entry, only the object's identity is set.
            pub fn extract(object: &$kind, manager: &str) -> Result<Self, crate::apply::ExtractError> {
                crate::apply::extract(object, manager, "").map(|document| Self(document))
            }
        }

        impl client_rs_client::api::ApplyConfiguration<$kind> for $name {
            fn document(&self) -> &client_rs_machinery::Json {
                self.0.json()
            }
        }
    };
}
use kind;

#[cfg(all(test, feature = "apply-core"))]
mod tests;
