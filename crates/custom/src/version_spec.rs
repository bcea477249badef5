//! The facts of a definition that are not in its schema.

use client_rs_machinery::schema::Schema;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Json, Resource};
use serde::{Deserialize, Serialize};

/// A kind that is defined by a Rust type. `#[derive(CustomResource)]` implements it; use it as a bound in generic code.
///
/// ```
/// use client_rs_custom::{CustomResource, Schema};
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
/// #[resource(group = "example.com", version = "v1", kind = "Site", namespaced)]
/// #[resource(column(name = "Host", json_path = ".spec.host"))]
/// # #[resource(crate = client_rs_custom)]
/// # #[schema(crate = client_rs_custom)]
/// struct SiteSpec {
///     host: String,
/// }
///
/// fn columns<K: CustomResource>() -> Vec<&'static str> {
///     K::VERSION_SPEC.columns.iter().map(|column| column.name).collect()
/// }
/// assert_eq!(columns::<Site>(), ["Host"]);
/// ```
pub trait CustomResource: Resource + Payload {
    /// The desired state.
    type Spec: Schema;
    /// The observed state; [`NoStatus`] for a kind without one.
    type Status: Schema;
    /// The facts of the definition.
    const VERSION_SPEC: &'static VersionSpec;

    /// The schema of the fields next to the spec and the status, if there are any.
    fn extra() -> Option<Json> {
        None
    }

    /// Validation rules for the whole object, in the form of `x-kubernetes-validations`.
    fn rules() -> Vec<Json> {
        Vec::new()
    }
}

/// The facts of one version of a kind, apart from names and schema.
// Each flag is a flag of the definition.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionSpec {
    /// The description of the kind that `kubectl explain` prints: that of `#[resource(description = "…")]`, or a sentence with its name.
    pub description: &'static str,
    /// Whether the kind has a status.
    pub status: bool,
    /// Whether the status is a subresource; otherwise it is written with the whole object.
    pub status_subresource: bool,
    /// Whether an object may have no spec.
    pub optional_spec: bool,
    /// The columns of `kubectl get` after the name; if empty, the age.
    pub columns: &'static [Column],
    /// The paths of the subresource `scale`.
    pub scale: Option<ScalePaths>,
    /// The fields that field selectors may use.
    pub selectable: &'static [&'static str],
    /// Whether the version is served.
    pub served: bool,
    /// Whether objects are stored in this version.
    pub storage: bool,
    /// Whether the server warns clients of this version.
    pub deprecated: bool,
    /// The text of the warning; `None` for the server's default text.
    pub deprecation_warning: Option<&'static str>,
    /// Labels of the definition.
    pub labels: &'static [(&'static str, &'static str)],
    /// Annotations of the definition.
    pub annotations: &'static [(&'static str, &'static str)],
}

/// A column of `kubectl get`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub name: &'static str,
    /// `integer`, `number`, `string`, `boolean` or `date`.
    pub kind: &'static str,
    /// The path of the value.
    pub json_path: &'static str,
    /// The meaning of the column; may be empty.
    pub description: &'static str,
    /// The format of the value; may be empty.
    pub format: &'static str,
    /// 0 is always printed; higher numbers only with `-o wide`.
    pub priority: i32,
}

/// The paths of the replicas of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalePaths {
    /// The desired number.
    pub spec_replicas: &'static str,
    /// The observed number.
    pub status_replicas: &'static str,
    /// A label selector of the pods, as text.
    pub label_selector: Option<&'static str>,
}

/// The status of a kind without one. A status that a server sends is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoStatus {}

impl Schema for NoStatus {
    fn schema() -> Json {
        client_rs_machinery::schema::ObjectSchema::new().open().build()
    }
}
