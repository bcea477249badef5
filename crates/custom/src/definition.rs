//! The `CustomResourceDefinition` of a kind.

use client_rs_api::apiextensions::v1::{
    CustomResourceColumnDefinition, CustomResourceDefinition, CustomResourceDefinitionNames,
    CustomResourceDefinitionSpec, CustomResourceDefinitionVersion, CustomResourceSubresourceScale,
    CustomResourceSubresourceStatus, CustomResourceSubresources, CustomResourceValidation, JSONSchemaProps,
    SelectableField,
};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::schema::{ObjectSchema, Schema, set};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Json, List, Map, Str};

use crate::{CustomResource, VersionSpec};

/// The `CustomResourceDefinition` of a kind with this one version. For several versions see
/// [`crds::merge`](crate::crds::merge).
///
/// `Kind::crd()`, which `#[derive(CustomResource)]` generates, returns the same. Use this function in generic code.
///
/// ```
/// use client_rs_custom::{CustomResource, Schema, definition};
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
/// #[resource(group = "example.com", version = "v1", kind = "Site", namespaced)]
/// # #[resource(crate = client_rs_custom)]
/// # #[schema(crate = client_rs_custom)]
/// struct SiteSpec {
///     host: String,
/// }
///
/// fn name_of<K: CustomResource>() -> String {
///     definition::<K>().metadata.name.to_string()
/// }
/// assert_eq!(name_of::<Site>(), "sites.example.com");
/// ```
pub fn definition<K: CustomResource>() -> CustomResourceDefinition {
    let (info, facts) = (K::INFO, K::VERSION_SPEC);
    let names = CustomResourceDefinitionNames {
        plural: info.plural.into(),
        singular: info.singular.into(),
        kind: info.kind.into(),
        list_kind: format!("{}List", info.kind).into(),
        short_names: texts(info.short_names),
        categories: texts(info.categories),
    };
    let spec = CustomResourceDefinitionSpec {
        group: info.group.into(),
        scope: if info.namespaced { "Namespaced" } else { "Cluster" }.into(),
        names: names.into(),
        versions: [version::<K>()].into(),
        ..CustomResourceDefinitionSpec::EMPTY
    };
    let metadata = ObjectMeta {
        name: format!("{}.{}", info.plural, info.group).into(),
        labels: pairs(facts.labels),
        annotations: pairs(facts.annotations),
        ..ObjectMeta::EMPTY
    };
    CustomResourceDefinition { metadata, spec: spec.into(), ..CustomResourceDefinition::EMPTY }
}

fn version<K: CustomResource>() -> CustomResourceDefinitionVersion {
    let facts = K::VERSION_SPEC;
    let columns = facts.columns.iter().map(|column| CustomResourceColumnDefinition {
        name: column.name.into(),
        type_: column.kind.into(),
        format: column.format.into(),
        description: column.description.into(),
        priority: column.priority,
        json_path: column.json_path.into(),
    });
    let selectable = facts.selectable.iter().map(|path| SelectableField { json_path: (*path).into() });
    CustomResourceDefinitionVersion {
        name: K::INFO.version.into(),
        served: facts.served,
        storage: facts.storage,
        deprecated: facts.deprecated,
        deprecation_warning: facts.deprecation_warning.map(Str::from),
        schema: Some(CustomResourceValidation { open_apiv3_schema: Some(schema::<K>().into()) }.into()),
        subresources: subresources(facts),
        additional_printer_columns: columns.collect(),
        selectable_fields: selectable.collect(),
    }
}

fn schema<K: CustomResource>() -> JSONSchemaProps {
    typed(&schema_of::<K>())
}

/// The structural schema of a kind.
pub(crate) fn schema_of<K: CustomResource>() -> Json {
    let mut object = ObjectSchema::new().description(K::VERSION_SPEC.description).property(
        "spec",
        <K::Spec as Schema>::schema(),
        !K::VERSION_SPEC.optional_spec,
    );
    if K::VERSION_SPEC.status {
        object = object.property("status", <K::Status as Schema>::schema(), false);
    }
    let mut schema = object.build();
    if let Some(extra) = K::extra() {
        merge(&mut schema, &extra);
    }
    let rules = K::rules();
    if !rules.is_empty() {
        set(&mut schema, "x-kubernetes-validations", rules);
    }
    schema
}

/// Adds the fields next to the spec and the status. The standard fields are not changed.
fn merge(schema: &mut Json, extra: &Json) {
    let known = ["apiVersion", "kind", "metadata", "spec", "status"];
    for (name, property) in extra["properties"].as_map().into_iter().flatten() {
        if !known.contains(&name.as_str()) {
            let _ = schema.set(&["properties", name.as_str()], property.clone());
        }
    }
    let required = [&schema["required"], &extra["required"]].into_iter().filter_map(Json::as_list).flatten();
    let required: List<Json> = required.cloned().collect();
    if !required.is_empty() {
        set(schema, "required", Json::List(required));
    }
    for word in ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations"] {
        if let Some(value) = extra.get(word) {
            set(schema, word, value.clone());
        }
    }
}

/// A schema as the API's type. Keywords that the API does not have are dropped; the schemas of this crate have none.
fn typed(schema: &Json) -> JSONSchemaProps {
    JSONSchemaProps::from_json(&schema.to_vec()).unwrap_or_else(|error| {
        tracing::error!(%error, "schema does not fit the API's type");
        JSONSchemaProps::EMPTY
    })
}

fn subresources(facts: &VersionSpec) -> Option<client_rs_machinery::Shared<CustomResourceSubresources>> {
    if !facts.status_subresource && facts.scale.is_none() {
        return None;
    }
    let scale = facts.scale.map(|scale| CustomResourceSubresourceScale {
        spec_replicas_path: scale.spec_replicas.into(),
        status_replicas_path: scale.status_replicas.into(),
        label_selector_path: scale.label_selector.map(Str::from),
    });
    let subresources = CustomResourceSubresources {
        status: facts.status_subresource.then_some(CustomResourceSubresourceStatus::EMPTY.into()),
        scale: scale.map(Into::into),
    };
    Some(subresources.into())
}

fn texts(texts: &[&str]) -> List<Str> {
    texts.iter().map(|text| Str::from(*text)).collect()
}

fn pairs(pairs: &[(&'static str, &'static str)]) -> Map<Str> {
    pairs.iter().map(|(key, value)| (*key, Str::from(*value))).collect()
}
