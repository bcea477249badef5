//! Named formats.

use client_rs_machinery::validation;

use crate::value::Kind;
use crate::{Value, go};

/// A format: a check that returns the mistakes in a text.
pub(crate) struct NamedFormat {
    /// The name in expressions.
    name: &'static str,
    check: fn(&str) -> Vec<String>,
    /// The length of an equivalent pattern.
    pub(super) pattern_size: u64,
}

impl std::fmt::Debug for NamedFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for NamedFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

const fn format(name: &'static str, check: fn(&str) -> Vec<String>, pattern_size: u64) -> NamedFormat {
    NamedFormat { name, check, pattern_size }
}

static FORMATS: [NamedFormat; 13] = [
    format("dns1123Label", |text| broken(validation::dns1123_label(text)), 30),
    format("dns1123Subdomain", |text| broken(validation::dns1123_subdomain(text)), 60),
    format("dns1035Label", |text| broken(validation::dns1035_label(text)), 30),
    format("qualifiedName", |text| broken(validation::qualified_name(text)), 60),
    format("dns1123LabelPrefix", |text| broken(validation::dns1123_label(&prefix(text))), 30),
    format("dns1123SubdomainPrefix", |text| broken(validation::dns1123_subdomain(&prefix(text))), 60),
    format("dns1035LabelPrefix", |text| broken(validation::dns1035_label(&prefix(text))), 30),
    format("labelValue", |text| broken(validation::label_value(text)), 40),
    format("uri", |text| go::request_uri(text).err().into_iter().collect(), 1103),
    format("uuid", |text| unless(go::is_uuid(text), "does not match the UUID format"), 70),
    format("byte", |text| unless(go::is_base64(text), "invalid base64"), 84),
    format("date", |text| unless(go::is_date(text), "invalid date"), 71),
    format("datetime", |text| unless(go::is_date_time(text), "invalid datetime"), 71),
];

fn broken(result: validation::Result) -> Vec<String> {
    let violations = result.err();
    violations.iter().flat_map(|found| found.iter()).map(ToString::to_string).collect()
}

fn unless(holds: bool, what: &str) -> Vec<String> {
    if holds { Vec::new() } else { vec![what.to_owned()] }
}

/// The prefix of a generated name may end in a dash. The real server also ignores the text before the dash.
fn prefix(text: &str) -> String {
    match text.len().checked_sub(2).and_then(|end| text.get(..end)) {
        Some(before) if text.ends_with('-') => format!("{before}a"),
        _ => text.to_owned(),
    }
}

/// `format.name()`.
pub(super) fn constant(function: &str) -> Option<Value> {
    found(function.strip_prefix("format.")?).map(|format| Kind::Format(format).into())
}

/// `format.named(name)`.
pub(super) fn named(name: &str) -> Value {
    Value::Optional(found(name).map(|format| Box::new(Kind::Format(format).into())))
}

fn found(name: &str) -> Option<&'static NamedFormat> {
    FORMATS.iter().find(|format| format.name == name)
}

pub(super) fn validate(format: &NamedFormat, text: &str) -> Value {
    let found = (format.check)(text);
    let said = (!found.is_empty()).then(|| Box::new(Value::list(found.into_iter().map(Value::text))));
    Value::Optional(said)
}
