//! Validates values against a schema, with the real server's error texts.

use client_rs_machinery::{FieldError, Json, List, Map};

use super::formats::Format;
use super::go;
use super::schema::{Additional, Bound, ListType, Schema};

/// Validates a value. `base` is the prefix of the field in errors. `old` is the earlier value: errors in unchanged
/// parts are ignored.
pub(crate) fn check(value: &Json, old: Option<&Json>, schema: &Schema, base: &str) -> Vec<FieldError> {
    let found = validate(value, old, schema, "");
    found.errors.into_iter().map(|error| error.placed(base)).collect()
}

/// An error without its final path.
#[derive(Clone, Debug)]
enum Wrong {
    /// An error at a path.
    At(String, Sort),
    /// An error of the whole value, as a sentence.
    Sentence(String),
}

#[derive(Clone, Debug)]
enum Sort {
    Required,
    NotSupported(Json, Vec<Json>),
    TooLong(i64),
    TooMany(usize, i64),
    /// A type error, with the printed value.
    Type(String, String),
    /// Any other error, with the printed value.
    Invalid(String, String),
}

impl Wrong {
    fn placed(self, base: &str) -> FieldError {
        let (path, sort) = match self {
            Self::Sentence(text) => {
                let base = if base.is_empty() { "<nil>" } else { base };
                return FieldError::invalid_json(base, "\"\"", text);
            }
            Self::At(path, sort) => (path, sort),
        };
        let below = path.strip_prefix('.').unwrap_or(&path);
        let field = match (base, below) {
            ("", "") => "<nil>".to_owned(),
            ("", below) => below.to_owned(),
            (base, "") => base.to_owned(),
            (base, below) => format!("{base}.{below}"),
        };
        match sort {
            Sort::Required => FieldError::required(field, ""),
            Sort::NotSupported(value, values) => {
                let texts: Vec<String> = values
                    .iter()
                    .map(|value| value.as_str().map_or_else(|| go::json(value), str::to_owned))
                    .collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                FieldError::not_supported_json(field, go::shown(&value), &texts)
            }
            Sort::TooLong(max) => FieldError::too_long(field, usize::try_from(max).unwrap_or_default()),
            Sort::TooMany(count, max) => {
                FieldError::too_many(field, count, usize::try_from(max).unwrap_or_default())
            }
            Sort::Type(shown, why) => FieldError::type_invalid(field, shown, why),
            Sort::Invalid(shown, why) => FieldError::invalid_json(field, shown, why),
        }
    }
}

/// The result of a check. Of several alternatives, the one with the most successes is the intended one.
#[derive(Debug, Default)]
struct Found {
    errors: Vec<Wrong>,
    successes: usize,
}

impl Found {
    fn merge(&mut self, other: Self) {
        self.errors.extend(other.errors);
        self.successes += other.successes;
    }

    fn add(&mut self, path: &str, sort: Sort) {
        self.errors.push(Wrong::At(path.to_owned(), sort));
    }
}

fn validate(value: &Json, old: Option<&Json>, schema: &Schema, path: &str) -> Found {
    let found = validate_new(value, old, schema, path);
    if !found.errors.is_empty() && old == Some(value) {
        return Found { errors: Vec::new(), successes: found.successes };
    }
    found
}

fn validate_new(value: &Json, old: Option<&Json>, schema: &Schema, path: &str) -> Found {
    let mut found = Found::default();
    if value.is_null() {
        if !schema.kinds().is_empty() && !schema.nullable {
            let kinds = schema.kinds().join(",");
            let why = format!("{path} in body must be of type {kinds}: \"null\"");
            found.add(path, Sort::Type("\"null\"".to_owned(), why));
        }
        found.successes += 1;
        found.merge(one_of_values(value, schema, path));
        return found;
    }
    if !schema.kinds().is_empty() || !schema.rules.format_name.is_empty() {
        found.merge(kind(value, schema, path));
        found.successes += 1;
    }
    found.merge(junctors(value, old, schema, path));
    found.successes += 1;
    match value {
        Json::Str(text) => {
            found.merge(string(text, schema, path));
            found.successes += 1;
            if let Some(Format::Text(is)) = schema.rules.format {
                if !is(text) {
                    let name = &schema.rules.format_name;
                    let why = format!("{path} in body must be of type {name}: {}", go::quoted(text));
                    found.add(path, Sort::Type(go::quoted(text), why));
                }
                found.successes += 1;
            }
        }
        Json::Int(_) | Json::Float(_) => {
            found.merge(number(value, schema, path));
            found.successes += 1;
        }
        Json::List(list) => {
            found.merge(entries(list, old, schema, path));
            found.successes += 1;
        }
        _ => {}
    }
    found.merge(one_of_values(value, schema, path));
    found.successes += 1;
    if let Json::Map(object) = value {
        found.merge(fields(object, old, schema, path));
        found.successes += 1;
    }
    found.successes += 1;
    found
}

fn kind(value: &Json, schema: &Schema, path: &str) -> Found {
    let mut found = Found { errors: Vec::new(), successes: 1 };
    let kinds = schema.kinds();
    let (name, format) = match value {
        Json::Null => ("null", ""),
        Json::Bool(_) => ("boolean", ""),
        Json::Int(_) => ("integer", "int64"),
        Json::Float(_) => ("number", "float64"),
        Json::Str(_) => ("string", ""),
        Json::List(_) => ("array", ""),
        Json::Map(_) => ("object", ""),
    };
    let has = |kind: &str| kinds.contains(&kind);
    let whole = matches!(value, Json::Float(number) if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0);
    let fits = has(name) || (whole && has("integer")) || (matches!(value, Json::Int(_)) && has("number"));
    let wanted = &schema.rules.format_name;
    let textual = matches!(value, Json::Str(_) | Json::List(_));
    let wrong = if !textual && !wanted.is_empty() && !fits && format != wanted.as_str() {
        Some((wanted.to_string(), format))
    } else if fits || (textual && !wanted.is_empty() && !has("number") && !has("integer")) {
        // A format describes a string better than its type.
        None
    } else {
        Some((kinds.join(","), name))
    };
    if let Some((wanted, is)) = wrong {
        found.successes = 0;
        let why = format!("{path} in body must be of type {wanted}: {}", go::quoted(is));
        found.add(path, Sort::Type(go::quoted(is), why));
    }
    found
}

fn junctors(value: &Json, old: Option<&Json>, schema: &Schema, path: &str) -> Found {
    let mut found = Found::default();
    let rules = &schema.rules;
    let quoted = go::quoted(path);
    if !rules.any_of.is_empty() {
        let mut best: Option<Found> = None;
        let mut valid = None;
        for any in &rules.any_of {
            let result = validate(value, old, any, path);
            if result.errors.is_empty() {
                valid = Some(result);
                break;
            }
            if best.as_ref().is_none_or(|best| result.successes > best.successes) {
                best = Some(result);
            }
        }
        if valid.is_none() {
            found.errors.push(Wrong::Sentence(format!("{quoted} must validate at least one schema (anyOf)")));
        }
        if let Some(merged) = valid.or(best) {
            found.merge(merged);
        }
    }
    if !rules.one_of.is_empty() {
        let mut best: Option<Found> = None;
        let mut first = None;
        let mut count = 0;
        for one in &rules.one_of {
            let result = validate(value, old, one, path);
            if result.errors.is_empty() {
                count += 1;
                best = None;
                first.get_or_insert(result);
            } else if count == 0 && best.as_ref().is_none_or(|best| result.successes > best.successes) {
                best = Some(result);
            }
        }
        if count == 1 {
            found.merge(first.unwrap_or_default());
        } else {
            let more = if count == 0 {
                "Found none valid".to_owned()
            } else {
                format!("Found {count} valid alternatives")
            };
            let text = format!("{quoted} must validate one and only one schema (oneOf). {more}");
            found.errors.push(Wrong::Sentence(text));
            found.merge(best.unwrap_or_default());
        }
    }
    if !rules.all_of.is_empty() {
        let mut count = 0;
        for all in &rules.all_of {
            let result = validate(value, old, all, path);
            count += usize::from(result.errors.is_empty());
            found.merge(result);
        }
        if count != rules.all_of.len() {
            let more = if count == 0 { ". None validated" } else { "" };
            found
                .errors
                .push(Wrong::Sentence(format!("{quoted} must validate all the schemas (allOf){more}")));
        }
    }
    if let Some(not) = &rules.not
        && validate(value, old, not, path).errors.is_empty()
    {
        found.errors.push(Wrong::Sentence(format!("{quoted} must not validate the schema (not)")));
    }
    found.successes += 1;
    found
}

fn string(text: &str, schema: &Schema, path: &str) -> Found {
    let mut found = Found::default();
    let rules = &schema.rules;
    let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    if let Some(max) = rules.max_length.filter(|max| length > *max) {
        found.add(path, Sort::TooLong(max));
    } else if let Some(min) = rules.min_length.filter(|min| length < *min) {
        let why = format!("{path} in body should be at least {min} chars long");
        found.add(path, Sort::Invalid(go::quoted(text), why));
    } else if let Some((pattern, compiled)) = &rules.pattern
        && !compiled.is_match(text)
    {
        let why = format!("{path} in body should match '{pattern}'");
        found.add(path, Sort::Invalid(go::quoted(text), why));
    }
    found
}

#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
fn number(value: &Json, schema: &Schema, path: &str) -> Found {
    let mut found = Found::default();
    let rules = &schema.rules;
    let shown = go::shown(value);
    let size = value.as_f64().unwrap_or_default();
    match rules.format {
        Some(Format::Int32)
            if size.fract() == 0.0 && !(-2_147_483_648.0..=2_147_483_647.0).contains(&size) =>
        {
            let text = format!("Checked value must be of type integer with format int32 in {path}");
            found.errors.push(Wrong::Sentence(text));
        }
        Some(Format::Int64) | None
            if schema.kind == "integer" && value.as_i64().is_none() && size.fract() != 0.0 =>
        {
            let format = if rules.format.is_some() { "with format int64" } else { "(default format)" };
            let text = format!("Checked value must be of type integer {format} in {path}");
            found.errors.push(Wrong::Sentence(text));
        }
        Some(Format::Int32) if size.fract() != 0.0 => {
            let text = format!("Checked value must be of type integer with format int32 in {path}");
            found.errors.push(Wrong::Sentence(text));
        }
        Some(Format::Float) if size.abs() > f64::from(f32::MAX) => {
            let text = format!("Checked value must be of type number with format float in {path}");
            found.errors.push(Wrong::Sentence(text));
        }
        _ => {}
    }
    let integer = value.as_i64();
    let bound = |at: f64| integer.map_or_else(|| go::float(at), |_| (at as i64).to_string());
    if let Some(factor) = rules.multiple_of {
        // An integer is divided by the factor as an integer, regardless of the result.
        let positive = if integer.is_some() { factor as i64 > 0 } else { factor > 0.0 };
        if !positive {
            let shown = bound(factor);
            let why = format!("factor MultipleOf declared for {path} must be positive: {shown}");
            found.add(path, Sort::Invalid(shown, why));
        }
        let multiple = match integer {
            _ if !positive => true,
            Some(integer) => integer % (factor as i64) == 0,
            None if factor < 1.0 => (1.0 / factor * size).fract() == 0.0,
            None => (size / factor).fract() == 0.0,
        };
        if !multiple {
            let why = format!("{path} in body should be a multiple of {}", bound(factor));
            found.add(path, Sort::Invalid(shown.clone(), why));
        }
    }
    let beyond = |Bound { at, exclusive }: Bound, sign: f64| match integer {
        Some(integer) => {
            let at = at as i64;
            let past = if sign > 0.0 { integer > at } else { integer < at };
            past || (exclusive && integer == at)
        }
        None => sign * size > sign * at || (exclusive && (size - at).abs() == 0.0),
    };
    let than = |bound: Bound| if bound.exclusive { "than" } else { "than or equal to" };
    if let Some(minimum) = rules.minimum.filter(|minimum| beyond(*minimum, -1.0)) {
        let why = format!("{path} in body should be greater {} {}", than(minimum), bound(minimum.at));
        found.add(path, Sort::Invalid(shown.clone(), why));
    }
    if let Some(maximum) = rules.maximum.filter(|maximum| beyond(*maximum, 1.0)) {
        let why = format!("{path} in body should be less {} {}", than(maximum), bound(maximum.at));
        found.add(path, Sort::Invalid(shown, why));
    }
    found.successes += 1;
    found
}

fn entries(list: &List<Json>, old: Option<&Json>, schema: &Schema, path: &str) -> Found {
    let mut found = Found::default();
    if let Some(items) = &schema.items {
        let before = old.and_then(Json::as_list);
        for (index, item) in list.iter().enumerate() {
            let was = before.and_then(|before| counterpart(item, before, schema));
            found.merge(validate(item, was, items, &format!("{path}[{index}]")));
        }
    }
    let size = i64::try_from(list.len()).unwrap_or(i64::MAX);
    if let Some(min) = schema.rules.min_items.filter(|min| size < *min) {
        let why = format!("{path} in body should have at least {min} items");
        found.add(path, Sort::Invalid(size.to_string(), why));
    }
    if let Some(max) = schema.rules.max_items.filter(|max| size > *max) {
        found.add(path, Sort::TooMany(list.len(), max));
    }
    found.successes += 1;
    found
}

/// The entry of an old list that corresponds to an item. Only lists with keys have one.
fn counterpart<'o>(item: &Json, before: &'o List<Json>, schema: &Schema) -> Option<&'o Json> {
    if schema.list_type != ListType::Map {
        return None;
    }
    let same =
        |other: &&Json| schema.list_keys.iter().all(|key| item.get(key.as_str()) == other.get(key.as_str()));
    before.iter().find(same)
}

fn fields(object: &Map<Json>, old: Option<&Json>, schema: &Schema, path: &str) -> Found {
    let mut found = Found::default();
    let rules = &schema.rules;
    let size = i64::try_from(object.len()).unwrap_or(i64::MAX);
    if let Some(min) = rules.min_properties.filter(|min| size < *min) {
        let why = format!("{path} in body should have at least {min} properties");
        found.add(path, Sort::Invalid(size.to_string(), why));
    }
    if let Some(max) = rules.max_properties.filter(|max| size > *max) {
        found.add(path, Sort::TooMany(object.len(), max));
    }
    let was = |key: &str| old.and_then(|old| old.get(key));
    match &schema.additional {
        Some(Additional::Allowed(false)) => {
            for key in object.keys().filter(|key| !schema.properties.contains_key(key.as_str())) {
                let why = format!("{path}.{key} in body is a forbidden property");
                found.add(path, Sort::Invalid(go::quoted(key), why));
            }
        }
        Some(Additional::Of(additional)) => {
            let others = object.iter().filter(|(key, _)| !schema.properties.contains_key(key.as_str()));
            for (key, value) in others {
                found.merge(validate(value, was(key), additional, &format!("{path}.{key}")));
            }
        }
        _ => {}
    }
    for (key, property) in &schema.properties {
        let Some(value) = object.get(key) else { continue };
        let at = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
        let was =
            if path.is_empty() && matches!(key.as_str(), "kind" | "apiVersion") { None } else { was(key) };
        found.merge(validate(value, was, property, &at));
    }
    for key in rules.required.iter().filter(|key| object.get(key).is_none()) {
        found.add(&format!("{path}.{key}"), Sort::Required);
    }
    found
}

fn one_of_values(value: &Json, schema: &Schema, path: &str) -> Found {
    let mut found = Found::default();
    let values = &schema.rules.values;
    if !values.is_empty() && !values.iter().any(|known| same(value, known)) {
        found.add(path, Sort::NotSupported(value.clone(), values.clone()));
    }
    found
}

/// Whether a value is in an enumeration. Numbers are compared in the type of the enumerated one.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::float_cmp)]
fn same(value: &Json, known: &Json) -> bool {
    match (value, known) {
        (Json::Null, _) => false,
        (Json::Float(value), Json::Int(known)) => *value as i64 == *known,
        (Json::Int(value), Json::Float(known)) => *value as f64 == *known,
        (value, known) => value == known,
    }
}
