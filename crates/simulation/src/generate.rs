//! Objects of a kind that are valid by its schema, for workloads that nobody writes down.
//!
//! Values are drawn from the structure of the schema: types, bounds, enums, formats, patterns. The schema engine of the server then
//! validates the whole object, with its CEL rules, and each change from one state to another. Objects that it refuses are
//! drawn again.

use std::fmt::Write as _;

use client_rs_machinery::Unstructured;
use client_rs_schema::{ObjectRules, Schema};
use fastrand::Rng;
use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Value, json};

use crate::path::ObjectPath;
use crate::simulation::Subject;

/// The most states of an object.
const STATES: usize = 12;
/// The most tries for all states of an object.
const TRIES: usize = 2_000;
/// The most characters of a state in a message.
const DESCRIBED: usize = 200;
/// The depth at which optional fields are left out.
const DEPTH: u32 = 6;

/// Returns objects of a definition's storage version, each with a few states; the first state is the simplest. An error says
/// why there are none.
pub(crate) fn subjects(definition: &Value, objects: u8) -> Result<Vec<Subject>, String> {
    let spec = &definition["spec"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (group, plural) = (text(&spec["group"]), text(&spec["names"]["plural"]));
    let kind = text(&spec["names"]["kind"]);
    let versions = spec["versions"].as_array().into_iter().flatten();
    let stored = versions.into_iter().find(|version| version["storage"] == true);
    let stored = stored.ok_or_else(|| format!("the definition of {kind} has no storage version"))?;
    let version = text(&stored["name"]);
    let schema = &stored["schema"]["openAPIV3Schema"];
    let rules = Rules::new(schema)?;
    let namespace = if spec["scope"] == "Namespaced" { "default" } else { "" };
    let mut subjects = Vec::new();
    for number in 0..objects {
        let name = format!("{}-{}", kind.to_lowercase(), number + 1);
        let head = json!({
            "apiVersion": format!("{group}/{version}"),
            "kind": kind.clone(),
            "metadata": {"name": name.clone()},
        });
        let mut random = Rng::with_seed(u64::from(number) + 1);
        let states = states(&head, schema, &rules, &mut random).map_err(|error| {
            format!("no valid {kind} was found: {error}; use `workload` with objects of your own")
        })?;
        let path = ObjectPath {
            api: format!("/apis/{group}/{version}"),
            plural: plural.clone(),
            namespace: namespace.to_owned(),
            name,
            subresource: String::new(),
        };
        subjects.push(Subject { path, states });
    }
    Ok(subjects)
}

/// The rules of a schema.
struct Rules(Schema);

impl Rules {
    fn new(schema: &Value) -> Result<Self, String> {
        let schema = serde_json::from_value(schema.clone()).map_err(|error| error.to_string())?;
        Ok(Self(Schema::compile(&schema)))
    }

    /// Checks a new object, or a change.
    fn check(&self, object: &Value, old: Option<&Value>) -> Result<(), String> {
        let rules = ObjectRules { schema: Some(&self.0), ..ObjectRules::default() };
        let read = |value: &Value| {
            let object =
                Unstructured::from_json(value.to_string().as_bytes()).map_err(|error| error.to_string())?;
            rules.read(object).map(|read| read.object)
        };
        let (object, old) = (read(object)?, old.map(read).transpose()?);
        match rules.validate(&object, old.as_ref()).first() {
            Some(error) => Err(error.to_string()),
            None => Ok(()),
        }
    }
}

fn states(head: &Value, schema: &Value, rules: &Rules, random: &mut Rng) -> Result<Vec<Value>, String> {
    let mut states: Vec<Value> = Vec::new();
    let mut refused = String::new();
    for attempt in 0..TRIES {
        if states.len() == STATES {
            break;
        }
        let candidate = match states.as_slice() {
            // The first one has required fields only, if such an object is valid.
            [] => object(head, schema, random, u32::from(attempt > TRIES / 4)),
            [.., _] if random.bool() => object(head, schema, random, 2),
            known => changed(&known[random.usize(..known.len())], schema, random),
        };
        if states.contains(&candidate) {
            continue;
        }
        // The user changes any state to any other one.
        let checked = rules.check(&candidate, None).and_then(|()| {
            states.iter().try_for_each(|known| {
                rules.check(&candidate, Some(known))?;
                rules.check(known, Some(&candidate))
            })
        });
        match checked {
            Ok(()) => states.push(candidate),
            Err(error) => refused = error,
        }
    }
    states.sort_by_cached_key(|state| state.to_string().len());
    if states.is_empty() { Err(refused) } else { Ok(states) }
}

/// Makes an object. `more` is the chance of optional fields: never, rarely, or often.
fn object(head: &Value, schema: &Value, random: &mut Rng, more: u32) -> Value {
    let mut object = head.clone();
    let Value::Object(fields) = draw(schema, random, more, 0) else { return object };
    for (name, value) in fields {
        if !is_servers(&name) {
            object[name] = value;
        }
    }
    // A spec without required fields is still sent.
    if object.get("spec").is_none() && schema["properties"].get("spec").is_some() {
        object["spec"] = draw(&schema["properties"]["spec"], random, more, 1);
    }
    object
}

fn is_servers(field: &str) -> bool {
    matches!(field, "apiVersion" | "kind" | "metadata" | "status")
}

/// Changes one field of an object.
fn changed(object: &Value, schema: &Value, random: &mut Rng) -> Value {
    let mut object = object.clone();
    let fields: Vec<&String> = schema["properties"].as_object().into_iter().flat_map(Map::keys).collect();
    let fields: Vec<&String> = fields.into_iter().filter(|field| !is_servers(field)).collect();
    let Some(part) = random.choice(fields) else { return object };
    let schema = &schema["properties"][part];
    let inner: Vec<&String> = schema["properties"].as_object().into_iter().flat_map(Map::keys).collect();
    match random.choice(inner) {
        Some(field) => {
            let value = draw(&schema["properties"][field], random, 2, 2);
            if !object[part].is_object() {
                object[part] = json!({});
            }
            object[part][field] = value;
        }
        None => object[part] = draw(schema, random, 2, 1),
    }
    object
}

/// Draws a value of a schema.
fn draw(schema: &Value, random: &mut Rng, more: u32, depth: u32) -> Value {
    if let Some(values) = schema["enum"].as_array() {
        return values.get(random.usize(..values.len().max(1))).cloned().unwrap_or_default();
    }
    if !schema["default"].is_null() && random.u8(..3) == 0 {
        return schema["default"].clone();
    }
    if schema["x-kubernetes-int-or-string"] == true {
        return if random.bool() {
            json!(random.u8(..100))
        } else {
            json!(format!("{}%", random.u8(..=100)))
        };
    }
    match schema["type"].as_str().unwrap_or_default() {
        "object" => fields(schema, random, more, depth),
        "array" => {
            let (least, most) = (count(schema, "minItems").unwrap_or(0), count(schema, "maxItems"));
            let many = least + if depth < DEPTH && more > 0 { random.usize(..3) } else { 0 };
            let many = most.map_or(many, |most| many.min(most));
            let mut items: Vec<Value> = Vec::new();
            for _ in 0..many {
                let item = draw(&schema["items"], random, more, depth + 1);
                if schema["x-kubernetes-list-type"] != "set" || !items.contains(&item) {
                    items.push(item);
                }
            }
            Value::Array(items)
        }
        "integer" => integer(schema, random),
        "number" => {
            let bound = |name: &str, other: f64| schema[name].as_f64().unwrap_or(other);
            let (least, most) = (bound("minimum", 0.0), bound("maximum", bound("minimum", 0.0) + 10.0));
            json!(least + (most - least) * f64::from(random.u8(..=4)) / 4.0)
        }
        "boolean" => json!(random.bool()),
        "string" => json!(string(schema, random)),
        _ => json!({}),
    }
}

fn count(schema: &Value, bound: &str) -> Option<usize> {
    schema[bound].as_u64().and_then(|bound| usize::try_from(bound).ok())
}

fn fields(schema: &Value, random: &mut Rng, more: u32, depth: u32) -> Value {
    let names = |schema: &Value| -> Vec<String> {
        let names = schema["required"].as_array().into_iter().flatten();
        names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let mut required = names(schema);
    // One of the alternatives, for those that differ in the fields that they need.
    for alternatives in ["oneOf", "anyOf"] {
        let alternatives: Vec<&Value> = schema[alternatives].as_array().into_iter().flatten().collect();
        if let Some(chosen) = random.choice(alternatives) {
            required.extend(names(chosen));
        }
    }
    let mut fields = Map::new();
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        let wanted = match more {
            0 => false,
            1 => random.u8(..4) == 0,
            _ => random.u8(..4) > 0,
        };
        if required.contains(name) || (wanted && depth < DEPTH) {
            fields.insert(name.clone(), draw(inner, random, more, depth + 1));
        }
    }
    let least = count(schema, "minProperties").unwrap_or(0);
    let entries = &schema["additionalProperties"];
    if entries.is_object() {
        let many = least.max(if more > 0 { random.usize(..3) } else { 0 });
        let many = count(schema, "maxProperties").map_or(many, |most| many.min(most));
        for number in 0..many {
            fields.insert(format!("key-{number}"), draw(entries, random, more, depth + 1));
        }
    }
    Value::Object(fields)
}

/// Draws an integer: the bounds more often than others. Without bounds it is from 0 to 100.
fn integer(schema: &Value, random: &mut Rng) -> Value {
    let bound = |name: &str| schema[name].as_f64();
    #[allow(clippy::cast_possible_truncation, reason = "bounds of integers; larger ones are cut off")]
    let whole = |number: f64| number as i64;
    let step = bound("multipleOf").map_or(1, |step| whole(step).max(1));
    let mut least = bound("minimum").map(|least| whole(least.ceil()));
    let mut most = bound("maximum").map(|most| whole(most.floor()));
    if schema["exclusiveMinimum"] == true {
        least = least.map(|least| least.saturating_add(1));
    }
    if schema["exclusiveMaximum"] == true {
        most = most.map(|most| most.saturating_sub(1));
    }
    let least = least.unwrap_or_else(|| most.unwrap_or(0).min(0));
    let most = most.unwrap_or_else(|| least.saturating_add(100)).max(least);
    let number = match random.u8(..4) {
        0 => least,
        1 => most,
        _ => random.i64(least..=most.min(least.saturating_add(1_000_000))),
    };
    let rounded = number - number.rem_euclid(step);
    json!(if rounded < least { rounded.saturating_add(step) } else { rounded })
}

fn string(schema: &Value, random: &mut Rng) -> String {
    let format = schema["format"].as_str().unwrap_or_default().replace('-', "");
    let byte = random.u8(1..250);
    match format.as_str() {
        "datetime" => return format!("2027-01-{:02}T08:00:00Z", byte % 28 + 1),
        "date" => return format!("2027-01-{:02}", byte % 28 + 1),
        "duration" => return format!("{byte}s"),
        "ipv4" | "ip" => return format!("10.0.0.{byte}"),
        "ipv6" => return format!("2001:db8::{byte:x}"),
        "cidr" => return format!("10.{byte}.0.0/16"),
        "mac" => return format!("00:00:5e:00:53:{byte:02x}"),
        "uri" => return format!("https://example.com/{byte}"),
        "email" => return format!("user-{byte}@example.com"),
        "hostname" => return format!("host-{byte}.example.com"),
        "uuid" | "uuid4" => return format!("00000000-0000-4000-8000-0000000000{byte:02x}"),
        "byte" => return "dGV4dA==".to_owned(),
        _ => {}
    }
    if let Some(pattern) = schema["pattern"].as_str().and_then(|pattern| regex_syntax::parse(pattern).ok()) {
        let mut text = String::new();
        sample(&pattern, random, &mut text);
        return text;
    }
    let least = count(schema, "minLength").unwrap_or(0);
    let most = count(schema, "maxLength").unwrap_or(usize::MAX).max(least);
    let length = match random.u8(..6) {
        0 => least,
        1 if most < 64 => most,
        _ => random.usize(least..=least.saturating_add(8).min(most)),
    };
    (0..length).map(|_| random.lowercase()).collect()
}

/// Adds a text that a pattern matches. Repetitions are short. Assertions are not looked at: the engine finds out.
fn sample(pattern: &Hir, random: &mut Rng, text: &mut String) {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(Class::Unicode(class)) => {
            let ranges: Vec<_> = class.ranges().iter().collect();
            // Printable characters of ASCII, if there are any.
            let plain: Vec<(char, char)> = ranges
                .iter()
                .map(|range| (range.start().max(' '), range.end().min('~')))
                .filter(|(start, end)| start <= end)
                .collect();
            let (start, end) = match random.choice(&plain) {
                Some(range) => *range,
                None => match random.choice(ranges) {
                    Some(range) => (range.start(), range.end()),
                    None => return,
                },
            };
            text.push(random.char(start..=end));
        }
        HirKind::Class(Class::Bytes(class)) => {
            if let Some(range) = class.ranges().first() {
                text.push(char::from(range.start()));
            }
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX).min(repetition.min.saturating_add(4));
            for _ in 0..random.u32(repetition.min..=most.max(repetition.min)) {
                sample(&repetition.sub, random, text);
            }
        }
        HirKind::Capture(capture) => sample(&capture.sub, random, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| sample(part, random, text)),
        HirKind::Alternation(parts) => {
            if let Some(part) = random.choice(parts) {
                sample(part, random, text);
            }
        }
    }
}

/// Describes a state in one line, for the steps of a failure. Values of secrets are not in it.
pub(crate) fn described(state: &Value) -> String {
    let mut text = String::new();
    if state["kind"] == "Secret" {
        return "[hidden]".to_owned();
    }
    for (field, value) in state.as_object().into_iter().flatten() {
        if !is_servers(field) {
            let separator = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{separator}{field}: {value}");
        }
    }
    match text.char_indices().nth(DESCRIBED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn definition(spec: &Value) -> Value {
        json!({"spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "sites", "kind": "Site"},
            "versions": [{"name": "v1", "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object",
                "properties": {"spec": spec, "status": {"type": "object"}},
            }}}],
        }})
    }

    fn site() -> Value {
        definition(&json!({
            "type": "object",
            "required": ["host", "min", "max", "size"],
            "properties": {
                "host": {"type": "string", "pattern": "^[a-z]([a-z0-9-]{0,10}[a-z0-9])?(\\.example)+$",
                         "x-kubernetes-validations": [{"rule": "self == oldSelf"}]},
                "min": {"type": "integer", "minimum": 1, "maximum": 9},
                "max": {"type": "integer", "format": "int32", "minimum": 1, "exclusiveMinimum": true, "multipleOf": 3, "maximum": 30},
                "size": {"type": "string", "enum": ["small", "large"]},
                "image": {"type": "string", "default": "nginx", "minLength": 3, "maxLength": 5},
                "until": {"type": "string", "format": "date-time"},
                "ports": {"type": "array", "minItems": 1, "maxItems": 2, "x-kubernetes-list-type": "set",
                          "items": {"type": "integer", "minimum": 1, "maximum": 3}},
                "labels": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 4}, "maxProperties": 1},
                "share": {"x-kubernetes-int-or-string": true},
            },
            "x-kubernetes-validations": [{"rule": "self.min <= self.max"}],
        }))
    }

    #[test]
    fn all_states_and_changes_are_valid() {
        let definition = site();
        let rules = Rules::new(&definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]).unwrap();
        let found = subjects(&definition, 3).unwrap();
        assert_eq!(found.len(), 3);
        for subject in &found {
            assert_eq!(subject.states.len(), STATES);
            for one in &subject.states {
                rules.check(one, None).unwrap();
                assert!(subject.states.iter().all(|other| rules.check(other, Some(one)).is_ok()));
                assert!(one.get("status").is_none(), "{one}");
            }
            let texts: BTreeSet<String> = subject.states.iter().map(ToString::to_string).collect();
            assert_eq!(texts.len(), STATES, "states are repeated");
            let hosts: BTreeSet<&str> =
                subject.states.iter().filter_map(|state| state["spec"]["host"].as_str()).collect();
            assert_eq!(hosts.len(), 1, "the host can't change");
            // The first one is the simplest.
            assert!(texts.iter().all(|text| text.len() >= subject.states[0].to_string().len()));
        }
        let states = found.iter().flat_map(|subject| &subject.states);
        let of = |field: &str| states.clone().filter(|state| state["spec"].get(field).is_some()).count();
        for field in ["image", "until", "ports", "labels", "share"] {
            assert!((1..36).contains(&of(field)), "{field} is optional: {}", of(field));
        }
    }

    #[test]
    fn a_definition_has_the_same_objects_each_time() {
        let texts = || subjects(&site(), 2).unwrap().iter().map(|one| format!("{one:?}")).collect::<Vec<_>>();
        assert_eq!(texts(), texts());
        assert_eq!(
            subjects(&site(), 1).unwrap()[0].path.object(),
            "/apis/example.com/v1/namespaces/default/sites/site-1"
        );
    }

    #[test]
    fn a_kind_without_valid_objects_is_an_error_that_names_the_rule() {
        let never = definition(&json!({
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "x-kubernetes-validations": [{"rule": "false", "message": "it never holds"}],
        }));
        let error = subjects(&never, 1).unwrap_err();
        assert!(error.contains("Site") && error.contains("it never holds"), "{error}");
    }

    #[test]
    fn patterns_have_texts() {
        for pattern in [
            "^[a-z]+$",
            "^(a|bc){2}x?$",
            "^v[1-9][0-9]*((alpha|beta)[0-9])?$",
            r"^\d+(ms|s|m)$",
            "^[^/]+/[A-Z]$",
        ] {
            let regex = regex_syntax::parse(pattern).unwrap();
            let schema = Rules::new(
                &json!({"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}),
            );
            let (schema, mut random) = (schema.unwrap(), Rng::with_seed(1));
            for _ in 0..50 {
                let mut text = String::new();
                sample(&regex, &mut random, &mut text);
                schema.check(&json!({"kind": "A", "a": text}), None).unwrap();
            }
        }
    }

    #[test]
    fn secrets_and_long_states_are_not_shown() {
        assert_eq!(described(&json!({"kind": "Secret", "data": {"a": "eA=="}})), "[hidden]");
        assert_eq!(described(&json!({"kind": "A", "metadata": {}, "spec": {"a": 1}})), r#"spec: {"a":1}"#);
        assert_eq!(described(&json!({"kind": "A", "spec": "x".repeat(500)})).chars().count(), DESCRIBED + 1);
    }
}
