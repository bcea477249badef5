//! Types in `OpenAPI` documents, from generated data.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use client_rs_machinery::{
    Json,
    collections::{VecMap, VecSet},
    json,
};

use super::RELEASE;
use crate::generated::facts;
use crate::object::definitions::{Definition, Field, PACKAGES, TYPES, VERSION_SPEC};

pub(super) use crate::object::definitions::of_kind;

pub(super) const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// The version of `OpenAPI`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    V2,
    V3,
}

impl Dialect {
    /// A reference to a definition.
    pub(super) fn reference(self, name: &str) -> Json {
        let at = match self {
            Self::V2 => "#/definitions/",
            Self::V3 => "#/components/schemas/",
        };
        json!({"$ref": format!("{at}{name}")})
    }
}

/// A number that changes with the facts.
pub(super) fn revision() -> u64 {
    static REVISION: LazyLock<u64> = LazyLock::new(|| {
        let mut hasher = DefaultHasher::new();
        VERSION_SPEC.hash(&mut hasher);
        hasher.finish()
    });
    *REVISION
}

/// These definitions and those that they refer to. `everywhere` is the group version of the kinds that every group
/// has.
pub(super) fn all(
    wanted: VecSet<String>,
    dialect: Dialect,
    everywhere: &[(&str, &str)],
) -> VecMap<String, Json> {
    let mut all = VecMap::new();
    let mut next: Vec<String> = wanted.into_iter().collect();
    while let Some(name) = next.pop() {
        if all.contains_key(&name) {
            continue;
        }
        let definition = match (special(&name, dialect), TYPES.get(name.as_str())) {
            (Some(mut special), _) => {
                if let (Some(map), Some(text)) = (special.as_map_mut(), special_description(&name)) {
                    map.insert("description", text.into());
                }
                special
            }
            (None, Some(of)) => written(&name, of, dialect, everywhere, &mut next),
            (None, None) => continue,
        };
        all.insert(name, definition);
    }
    all
}

/// The types whose schema is written by hand.
fn special(name: &str, dialect: Dialect) -> Option<Json> {
    let (package, short) = name.rsplit_once('.')?;
    let v2 = dialect == Dialect::V2;
    Some(match (package, short) {
        ("io.k8s.apimachinery.pkg.api.resource", "Quantity") if v2 => json!({"type": "string"}),
        ("io.k8s.apimachinery.pkg.api.resource", "Quantity") => {
            json!({"oneOf": [{"type": "string"}, {"type": "number"}]})
        }
        ("io.k8s.apimachinery.pkg.util.intstr", "IntOrString") if v2 => {
            json!({"type": "string", "format": "int-or-string"})
        }
        ("io.k8s.apimachinery.pkg.util.intstr", "IntOrString") => {
            json!({"format": "int-or-string", "oneOf": [{"type": "integer"}, {"type": "string"}]})
        }
        ("io.k8s.apimachinery.pkg.apis.meta.v1", "Time" | "MicroTime") => {
            json!({"type": "string", "format": "date-time"})
        }
        ("io.k8s.apimachinery.pkg.apis.meta.v1", "Duration") => json!({"type": "string"}),
        ("io.k8s.apimachinery.pkg.apis.meta.v1", "FieldsV1" | "Patch")
        | ("io.k8s.apimachinery.pkg.runtime", "RawExtension") => json!({"type": "object"}),
        (
            "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
            "JSON" | "JSONSchemaPropsOrBool" | "JSONSchemaPropsOrArray" | "JSONSchemaPropsOrStringArray",
        ) => json!({}),
        ("io.k8s.apimachinery.pkg.version", "Info") => version_info(),
        _ => return None,
    })
}

/// The response of `/version`.
fn version_info() -> Json {
    let fields = [
        ("major", "The first number of the version."),
        ("minor", "The second number of the version."),
        ("gitVersion", "The version."),
        ("gitCommit", "The commit that it was built from."),
        ("gitTreeState", "Whether that had changes."),
        ("buildDate", "When it was built."),
        ("goVersion", "The version of Go that built it."),
        ("compiler", "The compiler that built it."),
        ("platform", "The system and architecture that it was built for."),
    ];
    let properties =
        fields.map(|(name, text)| (name.to_owned(), json!({"type": "string", "description": text})));
    json!({
        "type": "object", "required": fields.map(|(name, _)| name).to_vec(),
        "properties": properties.into_iter().collect::<Json>(),
    })
}

fn special_description(name: &str) -> Option<&'static str> {
    Some(match name.rsplit('.').next()? {
        "Quantity" => "A number with an optional unit, such as 2, 500m or 1.5Gi.",
        "IntOrString" => "An integer or a string, such as 80, http or 25%.",
        "Time" => "A time in RFC 3339 format, in seconds.",
        "MicroTime" => "A time in RFC 3339 format, in microseconds.",
        "Duration" => "A duration such as 1h30m or 10s.",
        "FieldsV1" => "A set of fields as a tree of f:NAME, k:KEYS and v:VALUE.",
        "RawExtension" => "An object of any kind.",
        "Patch" => "A patch in the format of the Content-Type header.",
        "Info" => "The version of the server, and how it was built.",
        "JSON" => "Any JSON value.",
        "JSONSchemaPropsOrBool" => "A schema or a boolean.",
        "JSONSchemaPropsOrArray" => "A schema or a list of schemas.",
        "JSONSchemaPropsOrStringArray" => "A schema or a list of strings.",
        _ => return None,
    })
}

fn written(
    name: &str,
    of: &Definition,
    dialect: Dialect,
    everywhere: &[(&str, &str)],
    next: &mut Vec<String>,
) -> Json {
    let mut definition = json!({"description": description(name, of), "type": "object"});
    let Some(map) = definition.as_map_mut() else { return definition };
    if !of.fields.is_empty() {
        let properties =
            of.fields.iter().map(|field| (field.name.to_owned(), property(name, field, of, dialect, next)));
        map.insert("properties", properties.collect());
    }
    let required: Vec<Json> =
        of.fields.iter().filter(|field| field.required).map(|field| Json::from(field.name)).collect();
    if !required.is_empty() {
        map.insert("required", required.into());
    }
    if !of.unions.is_empty() {
        map.insert("x-kubernetes-unions", Json::parse(of.unions.as_bytes()).unwrap_or_default());
    }
    if of.atomic {
        map.insert("x-kubernetes-map-type", "atomic".into());
    }
    let gvk =
        |group: &str, version: &str, kind: &str| json!({"group": group, "kind": kind, "version": version});
    let mut kinds: Vec<Json> =
        of.kinds.iter().map(|(group, version, kind)| gvk(group, version, kind)).collect();
    if of.everywhere {
        let short = name.rsplit('.').next().unwrap_or_default();
        let mut places: Vec<_> = everywhere.to_vec();
        places.dedup();
        kinds = places.into_iter().map(|(group, version)| gvk(group, version, short)).collect();
    }
    if !kinds.is_empty() {
        map.insert("x-kubernetes-group-version-kind", kinds.into());
    }
    definition
}

/// The name of a type, its version, its facts and where the API reference has it.
fn description(name: &str, of: &Definition) -> String {
    let short = name.rsplit('.').next().unwrap_or_default();
    let Some((version, documented)) = PACKAGES.get(of.package) else { return String::new() };
    let mut text = format!("{short} of {version}.");
    let sentences = facts::of_type(&of.facts, "");
    if !sentences.is_empty() {
        text.push(' ');
        text.push_str(&sentences);
    }
    let removed = of.facts.iter().any(|(key, _)| *key == "r");
    if let (Some((group, version)), true) = (version.split_once('/'), *documented && !removed) {
        // The reference names this group alone by its package.
        let group = if group == "meta.k8s.io" { "meta" } else { group };
        text.push_str(" See ");
        text.push_str(&facts::reference(RELEASE, short, group, version));
    }
    text
}

/// The meaning of a field of every object's metadata. Tools look for the words at the start of one.
fn of_metadata(field: &str) -> Option<&'static str> {
    Some(match field {
        "annotations" => "Texts of any content for tools and people.",
        "creationTimestamp" => {
            "CreationTimestamp is a timestamp that the server sets when it creates the object."
        }
        "deletionGracePeriodSeconds" => "The time that the object has to end, once it is deleted.",
        "deletionTimestamp" => "When the object is removed, once it is deleted and has no finalizers.",
        "finalizers" => "Names of those who have to do something before the object is removed.",
        "generateName" => "The start of a name that the server completes, if there is no name.",
        "generation" => "A number that grows with the changes of the desired state.",
        "labels" => "Names and values by which selectors find the object.",
        "managedFields" => "Who manages which fields.",
        "name" => "The name, which no other object of the resource and namespace has.",
        "namespace" => "The namespace of the name.",
        "ownerReferences" => "Objects that own this one: it is removed after the last of them.",
        "resourceVersion" => "The version of the object, which each change replaces.",
        "uid" => "An identifier that no other object ever has.",
        _ => return None,
    })
}

fn property(name: &str, field: &Field, of: &Definition, dialect: Dialect, next: &mut Vec<String>) -> Json {
    let by_value = field.shape.starts_with("&=");
    let mut schema = shape(field.shape, of.package, dialect, next);
    if dialect == Dialect::V3 && field.shape.starts_with('&') {
        // `$ref` can't have siblings, and the real server's schemas have a description next to it.
        schema = json!({"allOf": [schema]});
    }
    let Some(map) = schema.as_map_mut() else { return schema };
    let mut description = facts::of_field(field.required, &field.special, "");
    let meaning = match name {
        OBJECT_META => of_metadata(field.name),
        _ if of.kinds.is_empty() => None,
        _ => facts::of_convention(field.name),
    };
    if let Some(meaning) = meaning {
        description = format!("{description} {meaning}");
    }
    map.insert("description", description.into());
    if dialect == Dialect::V3 {
        let zero = field.special.iter().any(|(key, _)| *key == "Z");
        let zero = match field.shape {
            _ if by_value => Some(json!({})),
            "s" if zero => Some(json!("")),
            "i" | "l" if zero => Some(json!(0)),
            "b" if zero => Some(json!(false)),
            _ => None,
        };
        if let Some(zero) = zero {
            map.insert("default", zero);
        }
    }
    for (key, value) in &field.special {
        let texts = || Json::from(value.split(',').map(Json::from).collect::<Vec<_>>());
        match *key {
            "L" => drop(map.insert("x-kubernetes-list-type", Json::from(*value))),
            "K" => drop(map.insert("x-kubernetes-list-map-keys", texts())),
            "M" => drop(map.insert("x-kubernetes-map-type", Json::from(*value))),
            "P" => drop(map.insert("x-kubernetes-patch-strategy", Json::from(*value))),
            "Y" => drop(map.insert("x-kubernetes-patch-merge-key", Json::from(*value))),
            "E" => {
                let values = Json::parse(value.as_bytes()).unwrap_or_default();
                // For a list or a map, the enum applies to its items or values.
                let within = ["items", "additionalProperties"].into_iter().find(|key| map.get(key).is_some());
                let entries = within.and_then(|key| map.get_mut(key)).and_then(Json::as_map_mut);
                match entries {
                    Some(entries) => drop(entries.insert("enum", values)),
                    None => drop(map.insert("enum", values)),
                }
            }
            "D" if dialect == Dialect::V3 => {
                drop(map.insert("default", Json::parse(value.as_bytes()).unwrap_or_default()));
            }
            _ => {}
        }
    }
    schema
}

fn shape(shape: &str, package: &str, dialect: Dialect, next: &mut Vec<String>) -> Json {
    if let Some(item) = shape.strip_prefix("[]") {
        return json!({"type": "array", "items": self::shape(item, package, dialect, next)});
    }
    if let Some(value) = shape.strip_prefix("{}") {
        return json!({"type": "object", "additionalProperties": self::shape(value, package, dialect, next)});
    }
    if let Some(name) = shape.strip_prefix('&') {
        let name = name.strip_prefix('=').unwrap_or(name);
        let full = if name.contains('.') { name.to_owned() } else { format!("{package}.{name}") };
        let reference = dialect.reference(&full);
        next.push(full);
        return reference;
    }
    match shape {
        "s" => json!({"type": "string"}),
        "b" => json!({"type": "boolean"}),
        "i" => json!({"type": "integer", "format": "int32"}),
        "l" => json!({"type": "integer", "format": "int64"}),
        "d" => json!({"type": "number", "format": "double"}),
        "y" => json!({"type": "string", "format": "byte"}),
        _ => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_includes_all_referenced_definitions() {
        let name = of_kind("apps", "v1", "Deployment").unwrap();
        assert_eq!(name, "io.k8s.api.apps.v1.Deployment");
        let all = all([name.to_owned()].into(), Dialect::V3, &[]);
        let spec = &all["io.k8s.api.apps.v1.DeploymentSpec"];
        assert_eq!(spec["required"], json!(["selector", "template"]));
        let replicas =
            json!({"type": "integer", "format": "int32", "description": "Optional. Defaults to 1."});
        assert_eq!(spec["properties"]["replicas"], replicas);
        let containers = &all["io.k8s.api.core.v1.PodSpec"]["properties"]["containers"];
        assert_eq!(containers["x-kubernetes-list-map-keys"], json!(["name"]));
        assert_eq!(containers["items"], json!({"$ref": "#/components/schemas/io.k8s.api.core.v1.Container"}));
        assert_eq!(
            all[name]["x-kubernetes-group-version-kind"],
            json!([{"group": "apps", "kind": "Deployment", "version": "v1"}])
        );
        assert!(all.contains_key("io.k8s.apimachinery.pkg.api.resource.Quantity"));
    }

    #[test]
    fn types_and_fields_are_described_by_their_facts() {
        for dialect in [Dialect::V2, Dialect::V3] {
            let all = all(
                ["io.k8s.api.core.v1.Pod", "io.k8s.api.core.v1.Service"].map(str::to_owned).into(),
                dialect,
                &[],
            );
            let of = |name: &str, field: &str| {
                let definition = &all[&format!("io.k8s.api.core.v1.{name}")];
                let text = if field.is_empty() { definition } else { &definition["properties"][field] };
                text["description"].as_str().unwrap_or_default().to_owned()
            };
            let pod = "Pod of core/v1. Served as pods, namespaced. Since 1.0. See \
                       https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#pod-v1-core";
            assert_eq!(of("Pod", ""), pod);
            assert_eq!(of("Pod", "spec"), "Optional. The desired state.");
            let policy = "Optional. One of Always, Never, OnFailure. Defaults to Always.";
            assert_eq!(of("PodSpec", "restartPolicy"), policy);
            let ports = "Optional, immutable in a pod. Apply merges entries by containerPort, protocol. \
                         Strategic merge patch merges entries by containerPort.";
            assert_eq!(of("Container", "ports"), ports);
            assert_eq!(of("ServiceSpec", "clusterIP"), "Optional, immutable with exceptions.");
            let created = &all[OBJECT_META]["properties"]["creationTimestamp"]["description"];
            assert!(created.as_str().is_some_and(|text| text.contains("CreationTimestamp is a timestamp")));
            // Every definition and every property says something.
            for (name, definition) in &all {
                assert!(definition["description"].as_str().is_some_and(|text| text.len() > 5), "{name}");
                for (field, of) in definition["properties"].as_map().into_iter().flatten() {
                    assert!(of["description"].as_str().is_some_and(|text| text.len() > 5), "{name}.{field}");
                }
            }
        }
    }
}
