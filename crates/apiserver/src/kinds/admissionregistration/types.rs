//! The types of objects for the type checker of policies.

use client_rs_cel::Type;
use client_rs_machinery::Json;

use crate::object::definitions::{TYPES, of_kind};

/// The package of the types that all objects share.
const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// The type of a built-in kind; `None` if it is not known, or contains itself.
pub(crate) fn of_built_in(group: &str, version: &str, kind: &str) -> Option<Type> {
    of_definition(of_kind(group, version, kind)?, &mut Vec::new()).ok()?
}

/// The type of a custom resource with this schema.
pub(crate) fn of_custom(schema: &Json, kind: &str) -> Option<Type> {
    let own = schema["properties"].as_map().into_iter().flatten();
    let own = own.filter_map(|(name, property)| Some((name.as_str(), of_schema(property)?)));
    let metadata = of_definition(&format!("{META}.ObjectMeta"), &mut Vec::new()).ok()??;
    let common = [("apiVersion", Type::Text), ("kind", Type::Text), ("metadata", metadata)];
    Some(Type::object(kind, own.chain(common)))
}

/// A type that contains itself.
#[derive(Debug)]
struct Circular;

/// The type of a definition; `None` if expressions can't use it.
fn of_definition(name: &str, above: &mut Vec<String>) -> Result<Option<Type>, Circular> {
    if is_untyped(name) {
        return Ok(None);
    }
    if let Some(of) = special(name) {
        return Ok(Some(of));
    }
    if above.iter().any(|other| other == name) {
        return Err(Circular);
    }
    let Some(definition) = TYPES.get(name) else { return Ok(None) };
    above.push(name.to_owned());
    let mut fields = Vec::with_capacity(definition.fields.len());
    for field in &definition.fields {
        if let Some(of) = of_shape(field.shape, definition.package, above)? {
            fields.push((field.name, of));
        }
    }
    above.pop();
    Ok(Some(Type::object(name, fields)))
}

/// The types that are not objects, although they have a definition.
fn special(name: &str) -> Option<Type> {
    let (package, short) = name.rsplit_once('.')?;
    match (package, short) {
        (META, "Time" | "MicroTime") => Some(Type::Timestamp),
        (META, "Duration") => Some(Type::Text),
        (META, "FieldsV1") | ("io.k8s.apimachinery.pkg.runtime", "RawExtension") => {
            Some(Type::object(name, []))
        }
        _ => None,
    }
}

/// Whether values of a type are of several types. The real server's checker does not know their fields.
fn is_untyped(name: &str) -> bool {
    matches!(
        name.rsplit_once('.'),
        Some(
            ("io.k8s.apimachinery.pkg.api.resource", "Quantity")
                | ("io.k8s.apimachinery.pkg.util.intstr", "IntOrString")
                | (
                    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
                    "JSON"
                        | "JSONSchemaPropsOrBool"
                        | "JSONSchemaPropsOrArray"
                        | "JSONSchemaPropsOrStringArray",
                )
        )
    )
}

fn of_shape(shape: &str, package: &str, above: &mut Vec<String>) -> Result<Option<Type>, Circular> {
    if let Some(item) = shape.strip_prefix("[]") {
        return Ok(of_shape(item, package, above)?.map(Type::list));
    }
    if let Some(value) = shape.strip_prefix("{}") {
        return Ok(of_shape(value, package, above)?.map(Type::map));
    }
    if let Some(name) = shape.strip_prefix('&') {
        let name = name.strip_prefix('=').unwrap_or(name);
        let full = if name.contains('.') { name.to_owned() } else { format!("{package}.{name}") };
        return of_definition(&full, above);
    }
    Ok(match shape {
        "s" => Some(Type::Text),
        "b" => Some(Type::Bool),
        "i" | "l" => Some(Type::Int),
        "d" => Some(Type::Double),
        "y" => Some(Type::Bytes),
        _ => None,
    })
}

/// The type of a part of a structural schema; `None` if expressions can't use it.
fn of_schema(schema: &Json) -> Option<Type> {
    if schema["x-kubernetes-int-or-string"].as_bool() == Some(true) {
        return Some(Type::Dyn);
    }
    Some(match schema["type"].as_str()? {
        "array" => Type::list(of_schema(&schema["items"])?),
        "object" if schema["additionalProperties"].as_map().is_some() => {
            Type::map(of_schema(&schema["additionalProperties"])?)
        }
        "object" => {
            let fields = schema["properties"].as_map().into_iter().flatten();
            Type::object("object", fields.filter_map(|(name, of)| Some((name.as_str(), of_schema(of)?))))
        }
        "string" => match schema["format"].as_str() {
            Some("byte") => Type::Bytes,
            Some("duration") => Type::Duration,
            Some("date" | "date-time") => Type::Timestamp,
            _ => Type::Text,
        },
        "boolean" => Type::Bool,
        "number" => Type::Double,
        "integer" => Type::Int,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use client_rs_cel::Checker;
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn built_in_kinds_have_types() {
        let checker = Checker::new([("object", of_built_in("apps", "v1", "Deployment").unwrap())]);
        for (text, wanted) in [
            ("object.spec.replicas", "int"),
            ("object.metadata.creationTimestamp", "timestamp"),
            ("object.spec.template.spec.containers[0].env[0].name", "string"),
            ("object.metadata.labels", "map(string, string)"),
        ] {
            assert_eq!(checker.check(text).map(|of| of.to_string()), Ok(wanted.to_owned()), "{text}");
        }
        assert!(checker.check("object.spec.nothing").is_err());
        assert!(
            of_built_in("apiextensions.k8s.io", "v1", "CustomResourceDefinition").is_none(),
            "it is circular"
        );
        assert!(of_built_in("none.example.com", "v1", "Nothing").is_none());
    }

    #[test]
    fn custom_resources_have_types() {
        let schema = json!({"properties": {"spec": {"type": "object", "properties": {
            "port": {"x-kubernetes-int-or-string": true}, "tags": {"type": "array", "items": {"type": "string"}},
            "sizes": {"type": "object", "additionalProperties": {"type": "integer"}}, "any": {},
        }}}});
        let checker = Checker::new([("object", of_custom(&schema, "Box").unwrap())]);
        let of = |text: &str| checker.check(text).map(|of| of.to_string()).ok();
        assert_eq!(of("object.spec.port").as_deref(), Some("dyn"));
        assert_eq!(of("object.spec.tags").as_deref(), Some("list(string)"));
        assert_eq!(of("object.spec.sizes").as_deref(), Some("map(string, int)"));
        assert_eq!(of("object.metadata.name").as_deref(), Some("string"));
        assert_eq!(of("object.spec.any"), None);
    }
}
