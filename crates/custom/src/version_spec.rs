//! What a definition says of a kind besides its schema.

use client_rs_machinery::schema::Schema;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Json, Resource};
use serde::{Deserialize, Serialize};

/// A kind that is defined by a Rust type. Implemented by `#[derive(CustomResource)]`.
pub trait CustomResource: Resource + Payload {
    /// What is wanted of an object.
    type Spec: Schema;
    /// What is observed of it; [`NoStatus`] for a kind that has none.
    type Status: Schema;
    /// What the definition says.
    const VERSION_SPEC: &'static VersionSpec;

    /// The schema of the fields next to the spec and the status, if there are any.
    fn extra() -> Option<Json> {
        None
    }

    /// Rules over the whole object, as `x-kubernetes-validations` has them.
    fn rules() -> Vec<Json> {
        Vec::new()
    }
}

/// What a definition says of one version of a kind, besides names and schema.
// Each flag is one of the definition's.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionSpec {
    /// What `kubectl explain` says of it.
    pub description: &'static str,
    /// It has a status.
    pub status: bool,
    /// The status has a subresource of its own; otherwise it is written with the rest.
    pub status_subresource: bool,
    /// An object may have no spec.
    pub optional_spec: bool,
    /// What `kubectl get` prints besides the name; with none, the age.
    pub columns: &'static [Column],
    /// How it is scaled.
    pub scale: Option<ScalePaths>,
    /// The fields that selectors may ask for.
    pub selectable: &'static [&'static str],
    /// The version is served.
    pub served: bool,
    /// Objects are stored in this version.
    pub storage: bool,
    /// Clients of this version are warned.
    pub deprecated: bool,
    /// The text of the warning; the server has one of its own.
    pub deprecation_warning: Option<&'static str>,
    /// Labels of the definition.
    pub labels: &'static [(&'static str, &'static str)],
    /// Annotations of the definition.
    pub annotations: &'static [(&'static str, &'static str)],
}

/// A column of what `kubectl get` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub name: &'static str,
    /// `integer`, `number`, `string`, `boolean` or `date`.
    pub kind: &'static str,
    /// Where the value is.
    pub json_path: &'static str,
    /// What it means; may be empty.
    pub description: &'static str,
    /// How it is printed; may be empty.
    pub format: &'static str,
    /// 0 is always printed, more only with `-o wide`.
    pub priority: i32,
}

/// Where the replicas of an object are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalePaths {
    /// How many are wanted.
    pub spec_replicas: &'static str,
    /// How many there are.
    pub status_replicas: &'static str,
    /// A selector of their pods, as text.
    pub label_selector: Option<&'static str>,
}

/// The status of a kind that has none. What a server tells of one is passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoStatus {}

impl Schema for NoStatus {
    fn schema() -> Json {
        client_rs_machinery::schema::ObjectSchema::new().open().build()
    }
}
