//! Validates the spec of a definition.

use client_rs_machinery::validation::{self};
use client_rs_machinery::{FieldError, Json, Unstructured};

use super::super::embedded::joined;
use super::super::go;
use super::{at, conversion, field_path, internal, list, openapi};

const APPROVED: &str = "api-approved.kubernetes.io";
const SCOPES: [&str; 2] = ["Cluster", "Namespaced"];
const COLUMN_TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS: [&str; 8] =
    ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const MAX_SELECTABLE: usize = 8;

/// Validates the spec of a definition.
///
/// The real server stores parts that all versions have in common in one place. The paths of its errors follow: a
/// definition with one version has its schema at `spec.validation`.
pub(super) fn check(spec: &Json, old: Option<&Json>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    // The earlier state of the version of a name.
    let before = |version: &Json| {
        let mut versions = list(&old?["versions"]);
        versions.find(|known| known["name"] == version["name"]).map(|known| &known["schema"])
    };
    let text = |key: &str| spec[key].as_str().unwrap_or_default();
    match text("group") {
        "" => errors.push(FieldError::required("spec.group", "")),
        group => match joined(validation::dns1123_subdomain(group)) {
            Some(why) => errors.push(FieldError::invalid("spec.group", group, why)),
            None if !group.contains('.') => {
                let why = "should be a domain with at least one dot";
                errors.push(FieldError::invalid("spec.group", group, why));
            }
            None => {}
        },
    }
    one_of("spec.scope", text("scope"), &SCOPES, &mut errors);
    let versions: Vec<&Json> = list(&spec["versions"]).collect();
    for (index, _) in
        versions.iter().enumerate().filter(|(_, version)| version["schema"]["openAPIV3Schema"].is_null())
    {
        // With one schema for all versions, none is missing.
        errors.push(FieldError::required(format!("spec.versions[{index}].schema.openAPIV3Schema"), ""));
    }
    let preserves = spec["preserveUnknownFields"].as_bool() == Some(true);
    let has_defaults = |version: &Json| {
        openapi::any(&version["schema"]["openAPIV3Schema"], &|schema| !schema["default"].is_null())
    };
    if preserves && versions.iter().any(|version| has_defaults(version)) {
        let why = "must be false in order to use defaults in the schema";
        errors.push(FieldError::invalid_json("spec.preserveUnknownFields", "true", why));
    }
    let common = Common::of(&versions);
    let any_status = versions.iter().any(|version| !version["subresources"]["status"].is_null());
    for (index, version) in versions.iter().enumerate() {
        let path = format!("spec.versions[{index}]");
        let name = version["name"].as_str().unwrap_or_default();
        if let Some(why) = joined(validation::dns1035_label(name)) {
            errors.push(FieldError::invalid(format!("{path}.name"), name, why));
        }
        deprecation(version, &path, &mut errors);
        if !common.schema {
            let status = !version["subresources"]["status"].is_null();
            openapi::check(
                &version["schema"],
                before(version),
                status,
                &format!("{path}.schema"),
                &mut errors,
            );
        }
        if !common.subresources {
            subresources(&version["subresources"], &format!("{path}.subresources"), &mut errors);
        }
        if !common.columns {
            columns(version, &path, &mut errors);
        }
        if !common.selectable {
            selectable(version, &format!("{path}.selectableFields"), &mut errors);
        }
    }
    let mut names: Vec<&str> = versions.iter().filter_map(|version| version["name"].as_str()).collect();
    names.sort_unstable();
    let unique = names.windows(2).all(|pair| pair[0] != pair[1]);
    let shown = || internal::versions(&spec["versions"], common);
    if !unique {
        errors.push(FieldError::invalid_json("spec.versions", shown(), "must contain unique version names"));
    }
    if versions.iter().filter(|version| version["storage"].as_bool() == Some(true)).count() != 1 {
        let why = "must have exactly one version marked as storage version";
        errors.push(FieldError::invalid_json("spec.versions", shown(), why));
    }
    if let Some(first) = versions.first() {
        let name = first["name"].as_str().unwrap_or_default();
        if let Some(why) = joined(validation::dns1035_label(name)).filter(|_| !name.is_empty()) {
            errors.push(FieldError::invalid("spec.version", name, why));
        }
    }
    for key in ["plural", "singular", "kind", "listKind"] {
        if spec["names"][key].as_str().unwrap_or_default().is_empty() {
            errors.push(FieldError::required(format!("spec.names.{key}"), ""));
        }
    }
    errors.extend(names_errors(&spec["names"], "spec.names"));
    if let Some(first) = versions.first() {
        if common.schema {
            openapi::check(&first["schema"], before(first), any_status, "spec.validation", &mut errors);
        }
        if common.subresources {
            subresources(&first["subresources"], "spec.subresources", &mut errors);
        }
        if common.columns {
            columns(first, "spec", &mut errors);
        }
        if common.selectable {
            selectable(first, "spec.selectableFields", &mut errors);
        }
    }
    conversion::check(&spec["conversion"], preserves, &mut errors);
    errors
}

/// The parts that all versions of a definition have in common.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    pub(super) schema: bool,
    pub(super) subresources: bool,
    pub(super) columns: bool,
    pub(super) selectable: bool,
}

impl Common {
    fn of(versions: &[&Json]) -> Self {
        let same = |key: &str| versions.windows(2).all(|pair| pair[0][key] == pair[1][key]);
        Self {
            schema: same("schema"),
            subresources: same("subresources"),
            columns: same("additionalPrinterColumns"),
            selectable: same("selectableFields"),
        }
    }
}

/// Validates a change of the spec.
pub(super) fn check_update(new: &Json, old: &Json, established: bool) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let mut immutable = |path: &[&str]| {
        let of = |spec: &Json| spec.path(path).and_then(Json::as_str).unwrap_or_default().to_owned();
        if of(new) != of(old) {
            let field = format!("spec.{}", path.join("."));
            errors.push(FieldError::invalid(field, &of(new), "field is immutable"));
        }
    };
    if established {
        immutable(&["scope"]);
        immutable(&["names", "kind"]);
    }
    immutable(&["group"]);
    immutable(&["names", "plural"]);
    errors
}

/// Validates the approval of groups that the Kubernetes community owns.
pub(super) fn approval(object: &Unstructured, old: Option<&Unstructured>) -> Vec<FieldError> {
    let group = at(object, &["spec", "group"]).as_str().unwrap_or_default();
    let protected = |domain: &str| group == domain || group.ends_with(&format!(".{domain}"));
    if !protected("k8s.io") && !protected("kubernetes.io") {
        return Vec::new();
    }
    let state = |object: &Unstructured| {
        let value = object.annotation(APPROVED).unwrap_or_default().to_owned();
        let is_url = value.split_once("://").is_some_and(|(scheme, rest)| {
            !scheme.is_empty() && !rest.split('/').next().unwrap_or_default().is_empty()
        });
        match value.as_str() {
            "" => 3,
            value if value.starts_with("unapproved") => 2,
            _ if is_url => 1,
            _ => 0,
        }
    };
    let new = state(object);
    if old.is_some_and(|old| state(old) == new) {
        return Vec::new();
    }
    let field = format!("metadata.annotations[{APPROVED}]");
    let (see, must) = (
        "see https://github.com/kubernetes/enhancements/pull/1111",
        format!("protected groups must have approval annotation \"{APPROVED}\""),
    );
    match new {
        3 => vec![FieldError::required(field, format!("{must}, {see}"))],
        0 => {
            let why = format!("{must} with either a URL or a reason starting with \"unapproved\", {see}");
            vec![FieldError::invalid(field, object.annotation(APPROVED).unwrap_or_default(), why)]
        }
        _ => Vec::new(),
    }
}

/// Validates names.
pub(super) fn names_errors(names: &Json, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let text = |key: &str| names[key].as_str().unwrap_or_default();
    for key in ["plural", "singular"] {
        let name = text(key);
        if let Some(why) = joined(validation::dns1035_label(name)).filter(|_| !name.is_empty()) {
            errors.push(FieldError::invalid(format!("{path}.{key}"), name, why));
        }
    }
    for key in ["kind", "listKind"] {
        let name = text(key);
        if let Some(why) =
            joined(validation::dns1035_label(&name.to_lowercase())).filter(|_| !name.is_empty())
        {
            let why = format!("may have mixed case, but should otherwise match: {why}");
            errors.push(FieldError::invalid(format!("{path}.{key}"), name, why));
        }
    }
    let each = |key: &str, errors: &mut Vec<FieldError>| {
        for (index, name) in list(&names[key]).enumerate() {
            let name = name.as_str().unwrap_or_default();
            if let Some(why) = joined(validation::dns1035_label(name)) {
                errors.push(FieldError::invalid(format!("{path}.{key}[{index}]"), name, why));
            }
        }
    };
    each("shortNames", &mut errors);
    if !text("kind").is_empty() && text("kind") == text("listKind") {
        let why = "kind and listKind may not be the same";
        errors.push(FieldError::invalid(format!("{path}.listKind"), text("listKind"), why));
    }
    each("categories", &mut errors);
    errors
}

/// Validates a required value with a fixed set of options.
pub(super) fn one_of(path: &str, value: &str, supported: &[&str], errors: &mut Vec<FieldError>) {
    if value.is_empty() {
        errors.push(FieldError::required(path, ""));
    } else if !supported.contains(&value) {
        errors.push(FieldError::not_supported(path, value, supported));
    }
}

fn deprecation(version: &Json, path: &str, errors: &mut Vec<FieldError>) {
    let Some(warning) = version["deprecationWarning"].as_str() else { return };
    let mut wrong = Vec::new();
    if version["deprecated"].as_bool() == Some(true) {
        if warning.len() > 256 {
            wrong.push("must be <= 256 characters long".to_owned());
        }
        if warning.is_empty() {
            wrong.push("must not be an empty string".to_owned());
        }
        if let Some((index, _)) = warning.char_indices().find(|(_, at)| at.is_control()) {
            wrong.push(format!(
                "must only contain printable UTF-8 characters; non-printable character found at index {index}"
            ));
        }
    } else {
        wrong.push("can only be set for deprecated versions".to_owned());
    }
    for why in wrong {
        errors.push(FieldError::invalid_json(format!("{path}.deprecationWarning"), go::quoted(warning), why));
    }
}

fn subresources(subresources: &Json, path: &str, errors: &mut Vec<FieldError>) {
    let scale = &subresources["scale"];
    if scale.is_null() {
        return;
    }
    let paths = [("specReplicasPath", ".spec.", true), ("statusReplicasPath", ".status.", true)];
    for (key, under, _) in paths {
        let (value, path) = (scale[key].as_str().unwrap_or_default(), format!("{path}.scale.{key}"));
        if value.is_empty() {
            errors.push(FieldError::required(path, ""));
        } else if !value.starts_with('.') {
            errors.push(FieldError::invalid(path, value, "must be a simple json path starting with ."));
        } else if !value.starts_with(under) {
            let why = format!("should be a json path under {}", under.trim_end_matches('.'));
            errors.push(FieldError::invalid(path, value, why));
        }
    }
    if let Some(value) = scale["labelSelectorPath"].as_str().filter(|value| !value.is_empty()) {
        let path = format!("{path}.scale.labelSelectorPath");
        if !value.starts_with('.') {
            errors.push(FieldError::invalid(path, value, "must be a simple json path starting with ."));
        } else if !value.starts_with(".spec.") && !value.starts_with(".status.") {
            let why = "should be a json path under either .spec or .status";
            errors.push(FieldError::invalid(path, value, why));
        }
    }
}

fn columns(version: &Json, path: &str, errors: &mut Vec<FieldError>) {
    for (index, column) in list(&version["additionalPrinterColumns"]).enumerate() {
        let at = |key: &str| format!("{path}.additionalPrinterColumns[{index}].{key}");
        let text = |key: &str| column[key].as_str().unwrap_or_default();
        if text("name").is_empty() {
            errors.push(FieldError::required(at("name"), ""));
        }
        let why = format!("must be one of {}", COLUMN_TYPES.join(","));
        match text("type") {
            "" => errors.push(FieldError::required(at("type"), why)),
            kind if !COLUMN_TYPES.contains(&kind) => errors.push(FieldError::invalid(at("type"), kind, why)),
            _ => {}
        }
        let format = text("format");
        if !format.is_empty() && !COLUMN_FORMATS.contains(&format) {
            let why = format!("must be one of {}", COLUMN_FORMATS.join(","));
            errors.push(FieldError::invalid(at("format"), format, why));
        }
        match text("jsonPath") {
            "" => errors.push(FieldError::required(at("JSONPath"), "")),
            value if !value.starts_with('.') => {
                let why = "must be a simple json path starting with .";
                errors.push(FieldError::invalid(at("JSONPath"), value, why));
            }
            _ => {}
        }
    }
}

fn selectable(version: &Json, path: &str, errors: &mut Vec<FieldError>) {
    let schema = &version["schema"]["openAPIV3Schema"];
    let fields: Vec<&Json> = list(&version["selectableFields"]).collect();
    if fields.is_empty() {
        return;
    }
    if schema.is_null() {
        let why = if path.starts_with("spec.versions") {
            "may only be set when `version.schema.openAPIV3Schema` is not included"
        } else {
            "may only be set when validations.schema is included"
        };
        errors.push(FieldError::invalid(path, "", why));
        return;
    }
    let mut seen: Vec<String> = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let at = format!("{path}[{index}].jsonPath");
        let value = field["jsonPath"].as_str().unwrap_or_default();
        if value.is_empty() {
            errors.push(FieldError::required(at, ""));
            continue;
        }
        let (found, segments) = match field_path::resolve(value, schema, false) {
            Ok(found) => found,
            Err(why) => {
                errors.push(FieldError::invalid(at, value, format!("is an invalid path: {why}")));
                continue;
            }
        };
        if segments.first().is_some_and(|first| first == "metadata") {
            errors.push(FieldError::invalid(at.as_str(), value, "must not point to fields in metadata"));
        }
        if !matches!(found["type"].as_str(), Some("string" | "boolean" | "integer")) {
            let why = "must point to a field of type string, boolean or integer. Enum string fields and strings with \
                       formats are allowed.";
            errors.push(FieldError::invalid(at.as_str(), value, why));
        }
        let whole = segments.join(".");
        if seen.contains(&whole) {
            errors.push(FieldError::duplicate(at, value));
        } else {
            seen.push(whole);
        }
    }
    if seen.len() > MAX_SELECTABLE {
        errors.push(FieldError::too_many(path, seen.len(), MAX_SELECTABLE));
    }
}
