// Made by `krs generate`: change the definition, not this.

use client_rs::client::api::Within;
use client_rs::client::{Api, RestClient};

/// `Ferry` of `harbour.example.com/v1`.
#[allow(unused_imports, missing_docs, clippy::all, clippy::pedantic, rustdoc::all)]
pub mod ferries_v1 {
    use std::collections::BTreeMap;

    use client_rs::machinery::meta::v1::Condition;
    use client_rs::machinery::{IntOrString, Json, Quantity, Time};
    use client_rs::{Apply, CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase")]
    #[resource(group = "harbour.example.com")]
    #[resource(version = "v1")]
    #[resource(kind = "Ferry")]
    #[resource(plural = "ferries")]
    #[resource(singular = "ferry")]
    #[resource(derive(PartialEq, Default))]
    #[resource(description = "Ferry goes to and fro.")]
    #[resource(namespaced)]
    #[resource(status = FerryStatus)]
    #[resource(short_name = "fy")]
    #[resource(category = "ships")]
    #[resource(scale(spec_replicas_path = ".spec.boats", status_replicas_path = ".status.boats"))]
    pub struct FerrySpec {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub boats: Option<i32>,
        #[serde(rename = "clusterIPs", default, skip_serializing_if = "Option::is_none")]
        pub cluster_ips: Option<Vec<String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fares: Option<BTreeMap<String, f64>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub free: Option<Json>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub load: Option<Quantity>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub other: Option<bool>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub port: Option<IntOrString>,
        /// From here to there.
        pub route: FerrySpecRoute,
        /// The kind of load.
        ///
        /// One of `Car`, `Foot`.
        pub r#type: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub until: Option<Time>,
        /// Fields that this type does not have; they are kept.
        #[serde(flatten)]
        pub other_: BTreeMap<String, Json>,
    }

    /// From here to there.
    #[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct FerrySpecRoute {
        pub stops: Vec<FerrySpecRouteStops>,
        /// Fields that this type does not have; they are kept.
        #[serde(flatten)]
        pub other: BTreeMap<String, Json>,
    }

    #[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct FerrySpecRouteStops {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub minutes: Option<i64>,
        pub name: String,
        /// Fields that this type does not have; they are kept.
        #[serde(flatten)]
        pub other: BTreeMap<String, Json>,
    }

    #[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct FerryStatus {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub boats: Option<i32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub conditions: Option<Vec<Condition>>,
        /// Fields that this type does not have; they are kept.
        #[serde(flatten)]
        pub other: BTreeMap<String, Json>,
    }
}

/// `Condition` of `harbour.example.com/v1alpha1`.
#[allow(unused_imports, missing_docs, clippy::all, clippy::pedantic, rustdoc::all)]
pub mod conditions_v1alpha1 {
    use std::collections::BTreeMap;

    use client_rs::machinery::meta::v1::Condition;
    use client_rs::machinery::{IntOrString, Json, Quantity, Time};
    use client_rs::{Apply, CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase")]
    #[resource(group = "harbour.example.com")]
    #[resource(version = "v1alpha1")]
    #[resource(kind = "Condition")]
    #[resource(plural = "conditions")]
    #[resource(singular = "condition")]
    #[resource(derive(PartialEq, Default))]
    #[resource(description = "A line\nthat goes back.")]
    #[resource(root = ConditionObject)]
    #[resource(extra = ConditionObjectExtra)]
    #[resource(optional_spec)]
    pub struct ConditionObjectSpec {
        /// Fields that this type does not have; they are kept.
        #[serde(flatten)]
        pub other: BTreeMap<String, Json>,
    }

    #[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ConditionObjectExtra {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub results: Option<Vec<ConditionObjectExtraResults>>,
        #[serde(rename = "security-labels", default, skip_serializing_if = "Option::is_none")]
        pub security_labels: Option<BTreeMap<String, String>>,
        pub self_: String,
        /// Fields that this type does not have; they are kept.
        #[serde(flatten)]
        pub other: BTreeMap<String, Json>,
    }

    #[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ConditionObjectExtraResults {
        /// One of &#34;&#34;, &#34;a&#96;b&#34;.
        #[serde(rename = "$ref", default, skip_serializing_if = "Option::is_none")]
        pub r#ref: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub _2nd: Option<i64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub crate_: Option<String>,
        /// Fields that this type does not have; they are kept.
        #[serde(flatten)]
        pub other: BTreeMap<String, Json>,
    }
}

/// The clients of all kinds here, by group and version.
#[derive(Clone, Debug)]
pub struct Clientset {
    rest: RestClient,
}

impl Clientset {
    /// The resources as this client sees them.
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// The kinds of `harbour.example.com/v1`.
    pub fn harbour_v1(&self) -> HarbourV1 {
        HarbourV1::new(&self.rest)
    }

    /// The kinds of `harbour.example.com/v1alpha1`.
    pub fn harbour_v1alpha1(&self) -> HarbourV1alpha1 {
        HarbourV1alpha1::new(&self.rest)
    }
}

/// The kinds of `harbour.example.com/v1`.
#[derive(Clone, Debug)]
pub struct HarbourV1 {
    rest: RestClient,
}

impl HarbourV1 {
    /// The resources as this client sees them.
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `ferries` of a namespace, or of all.
    pub fn ferries<W: Within>(&self, namespace: W) -> Api<ferries_v1::Ferry, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}

/// The kinds of `harbour.example.com/v1alpha1`.
#[derive(Clone, Debug)]
pub struct HarbourV1alpha1 {
    rest: RestClient,
}

impl HarbourV1alpha1 {
    /// The resources as this client sees them.
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `conditions`.
    pub fn conditions(&self) -> Api<conditions_v1alpha1::ConditionObject> {
        Api::cluster(&self.rest)
    }
}
