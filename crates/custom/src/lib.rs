//! Custom resources: from a Rust struct to a kind that a server serves.
//!
//! `#[derive(CustomResource)]` on the struct of a spec makes the struct of the kind, with everything that clients,
//! informers, listers, controllers, fakes and the embedded server ask of a built-in one; `#[derive(Schema)]` makes the
//! structural schema that the definition carries. [`crds::apply`] installs definitions.
//!
//! ```
//! # mod client_rs { pub use client_rs_custom as custom; }
//! use client_rs_custom::machinery::{Object, Resource, meta::v1::Condition};
//! use client_rs_custom::{CustomResource, Schema};
//! use serde::{Deserialize, Serialize};
//!
//! /// A site that is served.
//! #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
//! #[serde(rename_all = "camelCase")]
//! #[resource(group = "example.com", version = "v1", kind = "Site", namespaced, status = SiteStatus)]
//! #[resource(short_name = "st", category = "all", column(name = "Host", json_path = ".spec.host"))]
//! #[resource(crate = client_rs_custom)]
//! #[schema(crate = client_rs_custom)]
//! struct SiteSpec {
//!     /// The name that it is reached by.
//!     #[schema(max_length = 253, pattern = "^[a-z0-9.-]+$")]
//!     host: String,
//!     /// How many copies run.
//!     #[serde(default = "one")]
//!     #[schema(minimum = 0, rule(expression = "self <= 10 || self % 2 == 0", message = "odd above ten"))]
//!     replicas: i32,
//! }
//!
//! #[derive(Schema, Clone, Debug, Default, Deserialize, Serialize)]
//! #[serde(rename_all = "camelCase")]
//! #[schema(crate = client_rs_custom)]
//! struct SiteStatus {
//!     #[serde(default)]
//!     #[schema(list_type = "map", list_map_keys = ["type"])]
//!     conditions: Vec<Condition>,
//! }
//!
//! fn one() -> i32 {
//!     1
//! }
//!
//! let site = Site::new("web", SiteSpec { host: "example.com".to_owned(), replicas: 2 });
//! assert_eq!((site.name(), Site::INFO.plural), ("web", "sites"));
//! let crd = Site::crd();
//! assert_eq!(crd.metadata.name, "sites.example.com");
//! ```
//!
//! # `#[resource(…)]`
//!
//! | word | says |
//! |---|---|
//! | `group`, `version`, `kind` | what it is; required |
//! | `namespaced` | its objects are in namespaces; otherwise they are the cluster's |
//! | `plural`, `singular`, `short_name`, `category` | its other names; the last two any number of times |
//! | `status = Type` | it has a status, with a subresource of its own |
//! | `status_subresource = false` | the status is a field like the spec, written with the rest |
//! | `extra = Type` | fields next to the spec and the status: those of a struct that has a `Default` |
//! | `optional_spec` | an object may have no spec: in the struct it is an `Option` |
//! | `scale(spec_replicas_path, status_replicas_path, label_selector_path)` | it can be scaled |
//! | `column(name, type, json_path, description, format, priority)` | a column of what `kubectl get` prints |
//! | `selectable = ".spec.host"` | a field that selectors may ask for |
//! | `rule = "…"`, `rule(…)` | a rule over the whole object, as below |
//! | `served`, `storage` | `= false` in a version that is not served or stored |
//! | `deprecated`, `deprecated = "…"` | clients of this version are warned |
//! | `label("k" = "v")`, `annotation("k" = "v")` | metadata of the definition |
//! | `derive(PartialEq)`, `root = Name`, `description = "…"` | of the struct of the kind |
//! | `crate = path` | where this crate is; `::client_rs::custom` unless said |
//!
//! # `#[schema(…)]`
//!
//! On types and fields: `minimum`, `maximum`, `exclusive_minimum`, `exclusive_maximum`, `multiple_of`, `min_length`,
//! `max_length`, `pattern`, `format`, `min_items`, `max_items`, `min_properties`, `max_properties`, `one_of = [..]`, `title`,
//! `description`, `nullable`, `required`, `optional`, `preserve_unknown_fields`, `embedded_resource`, `int_or_string`,
//! `list_type`, `list_map_keys`, `map_type`, `as = Type`, `with = function`, `items(…)` and `values(…)` for what is inside,
//! and:
//! - `default = value`, or `default` for what `#[serde(default)]` fills in. The function of `#[serde(default = "…")]` is a
//!   default too, since it was written to be one; a plain `#[serde(default)]` only says that the field may be absent.
//! - `rule = "self.a <= self.b"`, or `rule(expression, message, message_expression, reason, field_path, optional_old_self)`:
//!   a rule of `x-kubernetes-validations`, whose syntax is checked when compiling.
//!
//! Serde's attributes decide what stands on the wire, and the schema follows them: `rename`, `rename_all`, `default`, `skip`,
//! `flatten`, `tag`, `content`, `transparent`, `from`, `try_from`. An `Option` may be `null` unless `skip_serializing_if`
//! keeps it from being written so. Doc comments become descriptions.
//!
//! # `#[derive(Apply)]`
//!
//! Makes the apply configuration of a struct, `SiteSpecApply` of `SiteSpec`: a setter a field, of which only those that are
//! called are owned. Extra `#[derive(CustomResource)]` it also makes that of the kind, `SiteApply`, with `extract`. Every
//! struct inside has it too; what is owned as one, such as an enum, stands for itself, and a built-in type is its document.
//!
//! ```
//! # mod client_rs { pub use client_rs_custom as custom; }
//! use client_rs_custom::machinery::{Json, json};
//! use client_rs_custom::{Apply, CustomResource, Schema};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(CustomResource, Schema, Apply, Clone, Debug, Deserialize, Serialize)]
//! #[resource(group = "example.com", version = "v1", kind = "Site", namespaced, crate = client_rs_custom)]
//! #[schema(crate = client_rs_custom)]
//! struct SiteSpec {
//!     host: String,
//!     #[serde(default)]
//!     replicas: i32,
//! }
//!
//! let wanted = SiteApply::new("web", "shop").labels([("tier", "front")]).spec(SiteSpecApply::new().replicas(3));
//! assert_eq!(Json::from(wanted)["spec"], json!({"replicas": 3}));
//! // Api::<Site>::namespaced(&rest, "shop").apply(wanted, "my-controller").force().await?;
//! ```
//!
//! # Several versions
//!
//! Each is a struct of its own, in a module of its own, with the same group and kind; [`crds::merge`] makes one definition
//! of theirs.
//!
//! # An object that does not fit
//!
//! A stored object may be older than the type. Its decode fails with the path and the reason, never with its content; a
//! list or a watch reports it, and an informer keeps what it had and goes on.
//!
//! # Features
//!
//! | feature | holds |
//! |---|---|
//! | `resource`, on by default | all of the above |
//! | `generate` | `generate`: Rust types from someone's definitions |
//! | `webhook` | `webhook`: admission and conversion webhooks, and a server for them |

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "resource")]
pub mod crds;
#[cfg(feature = "resource")]
mod definition;
#[cfg(feature = "resource")]
mod extract;
#[cfg(feature = "generate")]
pub mod generate;
#[cfg(feature = "resource")]
mod numbers;
#[cfg(feature = "resource")]
mod reader;
#[cfg(feature = "resource")]
mod version_spec;
#[cfg(feature = "webhook")]
pub mod webhook;
#[cfg(feature = "resource")]
mod wire;

#[cfg(feature = "resource")]
pub use client_rs_derive::{Apply, CustomResource, Schema};
pub use client_rs_machinery as machinery;
pub use client_rs_machinery::apply::Apply;
pub use client_rs_machinery::schema::Schema;
#[cfg(feature = "resource")]
pub use definition::definition;
#[cfg(feature = "resource")]
pub use version_spec::{Column, CustomResource, NoStatus, ScalePaths, VersionSpec};

/// For derived code alone.
#[cfg(feature = "resource")]
#[doc(hidden)]
pub mod __private {
    pub use client_rs_api::apiextensions::v1::CustomResourceDefinition;
    pub use client_rs_api::autoscaling::v1::Scale;
    pub use client_rs_client::api::ApplyConfiguration;
    pub use client_rs_machinery as machinery;
    pub use client_rs_machinery::Str;
    pub use client_rs_machinery::meta::v1::{ObjectMeta, OwnerReference};
    pub use serde;

    pub use crate::definition::definition;
    pub use crate::extract::extract;
    pub use crate::version_spec::NoStatus;
    pub use crate::wire::{
        decode, deserialize, deserialize_whole, encode, read_extra, serialize, serialize_whole,
    };

    pub mod schema {
        pub use client_rs_machinery::schema::{
            ObjectSchema, Schema, describe, nullable, set, set_within, union,
        };
        pub use client_rs_machinery::{IntOrString, Json, Unstructured};

        /// An object without content.
        pub fn empty() -> Json {
            Json::EMPTY_MAP
        }

        /// A default, as it stands in a schema.
        pub fn json_of<T: serde::Serialize>(value: &T) -> Json {
            Json::from_serde(value).unwrap_or_default()
        }
    }
}
