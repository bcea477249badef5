//! Custom resources: from a Rust struct to a kind that a server serves.
//!
//! Write the struct of a spec. `#[derive(CustomResource)]` generates the struct of the kind, with everything that clients,
//! informers, listers, controllers, fakes and the embedded server need, as for a built-in kind. `#[derive(Schema)]` generates
//! the structural schema of the definition. [`crds::apply`] installs definitions on a server.
//!
//! | you want to | see |
//! |---|---|
//! | define a kind | [`#[derive(CustomResource)]`](derive@CustomResource), [`#[derive(Schema)]`](derive@Schema), below |
//! | install or upgrade it | [`crds::apply`] |
//! | serve several versions | [`crds::merge`], and `webhook::Conversions` (feature `webhook`) |
//! | validate an object without a server | `Validate` (feature `validate`) |
//! | write it with server-side apply | [`#[derive(Apply)]`](derive@Apply) |
//! | validate or change objects when they are written | rules of `#[schema(rule = "…")]`; `webhook::Hook` if they are not enough |
//! | use a kind that somebody else defines | `generate` (feature `generate`) |
//! | use a kind without a Rust type | `Unstructured` of the machinery crate, with the dynamic client |
//!
//! ```
//! # mod client_rs { pub use client_rs_custom as custom; }
//! use client_rs_custom::machinery::{Object, Resource, meta::v1::Condition};
//! use client_rs_custom::{CustomResource, Schema};
//! use serde::{Deserialize, Serialize};
//!
//! /// A web site.
//! #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
//! #[serde(rename_all = "camelCase")]
//! #[resource(group = "example.com", version = "v1", kind = "Site", namespaced, status = SiteStatus)]
//! #[resource(short_name = "st", category = "all", column(name = "Host", json_path = ".spec.host"))]
//! #[resource(crate = client_rs_custom)]
//! #[schema(crate = client_rs_custom)]
//! struct SiteSpec {
//!     /// The host name of the site.
//!     #[schema(max_length = 253, pattern = "^[a-z0-9.-]+$")]
//!     host: String,
//!     /// The number of copies.
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
//! | argument | meaning |
//! |---|---|
//! | `group`, `version`, `kind` | the name of the kind; required |
//! | `namespaced` | objects are in namespaces; without it the kind is cluster-scoped |
//! | `plural`, `singular`, `short_name`, `category` | other names; the last two may be repeated |
//! | `status = Type` | the kind has a status, with the subresource `status` |
//! | `status_subresource = false` | the status is a field like the spec, written with the whole object |
//! | `extra = Type` | fields next to the spec and the status: those of a struct that implements `Default` |
//! | `optional_spec` | an object may have no spec: in the struct it is an `Option` |
//! | `scale(spec_replicas_path, status_replicas_path, label_selector_path)` | the kind has the subresource `scale` |
//! | `column(name, type, json_path, description, format, priority)` | a column of `kubectl get` |
//! | `selectable = ".spec.host"` | a field that field selectors may use |
//! | `rule = "…"`, `rule(…)` | a validation rule for the whole object, as below |
//! | `served`, `storage` | `= false` in a version that is not served or stored |
//! | `deprecated`, `deprecated = "…"` | the server warns clients of this version |
//! | `label("k" = "v")`, `annotation("k" = "v")` | metadata of the definition |
//! | `description = "…"` | the description of the kind; the doc comment of the struct is that of its field `spec` |
//! | `derive(PartialEq)`, `root = Name` | derives and name of the struct of the kind |
//! | `crate = path` | the path of this crate; default `::client_rs::custom` |
//!
//! # `#[schema(…)]`
//!
//! On types and fields: `minimum`, `maximum`, `exclusive_minimum`, `exclusive_maximum`, `multiple_of`, `min_length`,
//! `max_length`, `pattern`, `format`, `min_items`, `max_items`, `min_properties`, `max_properties`, `one_of = [..]`, `title`,
//! `description`, `nullable`, `required`, `optional`, `preserve_unknown_fields`, `embedded_resource`, `int_or_string`,
//! `list_type`, `list_map_keys`, `map_type`, `as = Type`, `with = function`, `items(…)` and `values(…)` for the content of
//! lists and maps, and:
//! - `default = value`, or `default` alone for the value that `#[serde(default)]` fills in. The function of
//!   `#[serde(default = "…")]` becomes the schema's default too. A plain `#[serde(default)]` only makes the field optional.
//! - `rule = "self.a <= self.b"`, or `rule(expression, message, message_expression, reason, field_path, optional_old_self)`:
//!   a CEL rule of `x-kubernetes-validations`. Its syntax is checked at compile time.
//!
//! Serde's attributes define the JSON, and the schema follows them: `rename`, `rename_all`, `default`, `skip`, `flatten`,
//! `tag`, `content`, `transparent`, `from`, `try_from`. An `Option` may be `null`, unless `skip_serializing_if` omits it. Doc
//! comments become descriptions.
//!
//! # `#[derive(Apply)]`
//!
//! Generates the apply configuration of a struct: `SiteSpecApply` for `SiteSpec`. It has one setter per field, and owns only
//! the fields whose setters were called. Together with `#[derive(CustomResource)]` it also generates the configuration of the
//! kind, `SiteApply`, with `extract`. Derive it for every struct inside too. A type that is owned as a whole, such as an enum,
//! is used as it is; a built-in type is used as its document.
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
//! let desired = SiteApply::new("web", "shop").labels([("tier", "front")]).spec(SiteSpecApply::new().replicas(3));
//! assert_eq!(Json::from(desired)["spec"], json!({"replicas": 3}));
//! // Api::<Site>::namespaced(&rest, "shop").apply(desired, "my-controller").force().await?;
//! ```
//!
//! # Several versions
//!
//! Write one struct per version, each in its own module, with the same group and kind. [`crds::merge`] combines their
//! definitions into one.
//!
//! # Objects that do not match the type
//!
//! A stored object may be older than the type. Decoding it fails with the path and the reason, never with its content. A list
//! or a watch reports the error; an informer keeps its previous object and continues.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `resource`, on by default | all of the above |
//! | `generate` | `generate`: Rust types from existing definitions |
//! | `validate` | `Validate`: `validate()` and `validate_update(&old)` of derived kinds, without a server |
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
#[cfg(feature = "validate")]
mod validate;
#[cfg(feature = "resource")]
mod version_spec;
#[cfg(feature = "webhook")]
pub mod webhook;
#[cfg(feature = "resource")]
mod wire;

/// Derive it for a spec, a status, and the structs inside, to write them with server-side apply.
///
/// Use it if a controller owns only some fields of an object, so that other writers keep theirs. To write whole objects you
/// do not need it.
///
/// ```
/// use client_rs_custom::Apply;
/// use client_rs_custom::machinery::{Json, json};
///
/// #[derive(Apply)]
/// # #[schema(crate = client_rs_custom)]
/// struct Limits {
///     cpu: i32,
///     memory: i32,
/// }
///
/// // Only `cpu` is sent, so only `cpu` is owned.
/// assert_eq!(Json::from(LimitsApply::new().cpu(2)), json!({"cpu": 2}));
/// ```
#[cfg(feature = "resource")]
pub use client_rs_derive::Apply;
/// Derive it for the struct of a spec, to define a kind.
///
/// It generates a struct with the name of the kind, with `metadata`, `spec` and, with `status = Type`, `status`. That struct
/// implements `Resource`, so handles, informers and controllers accept it.
///
/// ```
/// use client_rs_custom::machinery::Resource;
/// use client_rs_custom::{CustomResource, Schema};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
/// #[resource(group = "example.com", version = "v1", kind = "Backup", namespaced, short_name = "bk")]
/// # #[resource(crate = client_rs_custom)]
/// # #[schema(crate = client_rs_custom)]
/// pub struct BackupSpec {
///     pub schedule: String,
/// }
///
/// let backup = Backup::new("nightly", BackupSpec { schedule: "0 3 * * *".to_owned() });
/// assert_eq!(backup.spec.schedule, "0 3 * * *");
/// assert_eq!((Backup::INFO.plural, Backup::INFO.namespaced), ("backups", true));
/// assert_eq!(Backup::crd().spec.names.short_names[0], "bk");
/// ```
#[cfg(feature = "resource")]
pub use client_rs_derive::CustomResource;
/// Derive it for every type of a custom resource: the spec, the status, and the structs and enums inside.
///
/// ```
/// use client_rs_custom::Schema;
/// use client_rs_custom::machinery::json;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Schema, Deserialize, Serialize)]
/// #[serde(rename_all = "camelCase")]
/// # #[schema(crate = client_rs_custom)]
/// struct Retention {
///     /// The number of backups to keep.
///     #[schema(minimum = 1, maximum = 365)]
///     keep_last: i32,
/// }
///
/// let schema = Retention::schema();
/// assert_eq!(schema["required"], json!(["keepLast"]));
/// assert_eq!(schema["properties"]["keepLast"]["maximum"].as_i64(), Some(365));
/// ```
#[cfg(feature = "resource")]
pub use client_rs_derive::Schema;
pub use client_rs_machinery as machinery;
pub use client_rs_machinery::apply::Apply;
pub use client_rs_machinery::schema::Schema;
#[cfg(feature = "resource")]
pub use definition::definition;
#[cfg(feature = "validate")]
pub use validate::Validate;
#[cfg(feature = "resource")]
pub use version_spec::{Column, CustomResource, NoStatus, ScalePaths, VersionSpec};

/// Items for derived code only.
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
        decode, deserialize, deserialize_whole, differs, encode, read_extra, serialize, serialize_whole,
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

        /// A default value as JSON.
        pub fn json_of<T: serde::Serialize>(value: &T) -> Json {
            Json::from_serde(value).unwrap_or_default()
        }
    }
}
