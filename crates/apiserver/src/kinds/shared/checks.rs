//! Checks that the rules of several kinds share.

use std::collections::HashSet;
use std::net::IpAddr;

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{FieldError, Json, Quantity, Unstructured, validation};

use crate::kinds::rules::Errors;

pub(crate) const IMMUTABLE: &str = "field is immutable";
pub(crate) const NOT_NEGATIVE: &str = "must be greater than or equal to 0";

static NULL: Json = Json::Null;

pub(crate) fn at<'o>(object: &'o Unstructured, field: &str) -> &'o Json {
    object.object.get(field).unwrap_or(&NULL)
}

pub(crate) fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

/// The entries of a map with string values.
pub(crate) fn entries(value: &Json) -> impl Iterator<Item = (&str, &str)> {
    let pairs = value.as_map().into_iter().flatten();
    pairs.map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default()))
}

pub(crate) fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}

pub(crate) fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Str(text) => text.is_empty(),
        Json::Map(map) => map.is_empty(),
        Json::List(list) => list.is_empty(),
        _ => false,
    }
}

/// Adds an error for each violation of a rule on a text.
pub(crate) fn invalid(path: &str, value: &str, checked: validation::Result, errors: &mut Errors) {
    let violations = checked.err().into_iter().flatten();
    errors.extend(violations.map(|why| FieldError::invalid(path, value, why.to_string())));
}

/// Adds an error about a number.
pub(crate) fn wrong(path: impl Into<String>, value: &Json, why: &str, errors: &mut Errors) {
    errors.push(FieldError::invalid_json(path.into(), value.to_string(), why));
}

/// Requires a field that is not empty.
pub(crate) fn required(holder: &Json, path: &str, field: &str, errors: &mut Errors) -> bool {
    let missing = is_empty(&holder[field]);
    if missing {
        errors.push(FieldError::required(format!("{path}.{field}"), ""));
    }
    !missing
}

/// Checks that optional fields are not negative.
pub(crate) fn not_negative(holder: &Json, path: &str, fields: &[&str], errors: &mut Errors) {
    for field in fields {
        if holder[*field].as_i64().is_some_and(|number| number < 0) {
            wrong(format!("{path}.{field}"), &holder[*field], NOT_NEGATIVE, errors);
        }
    }
}

pub(crate) fn one_of(holder: &Json, path: &str, field: &str, supported: &[&str], errors: &mut Errors) {
    if let Some(value) = holder[field].as_str().filter(|value| !supported.contains(value)) {
        errors.push(FieldError::not_supported(joined(path, field), value, supported));
    }
}

/// The path of a field. At the top it is the field's name.
pub(crate) fn joined(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

pub(crate) fn port_number(number: i64, path: &str, errors: &mut Errors) {
    for why in validation::port_number(number).err().into_iter().flatten() {
        errors.push(FieldError::invalid_json(path, number.to_string(), why.to_string()));
    }
}

/// Validates a port number or name.
pub(crate) fn port(port: &Json, path: &str, errors: &mut Errors) {
    match port {
        Json::Str(name) => invalid(path, name, validation::port_name(name), errors),
        port => port_number(port.as_i64().unwrap_or(0), path, errors),
    }
}

/// Validates a name: it must be set, be a label, and be unique.
pub(crate) fn unique_label(name: &Json, path: &str, seen: &mut HashSet<String>, errors: &mut Errors) {
    let name = text(name);
    if name.is_empty() {
        errors.push(FieldError::required(path, ""));
        return;
    }
    invalid(path, name, validation::dns1123_label(name), errors);
    if !seen.insert(name.to_owned()) {
        errors.push(FieldError::duplicate(path, name));
    }
}

/// Validates a label selector at `path`.
pub(crate) fn label_selector(selector: &Json, path: &str, errors: &mut Errors) {
    labels(&selector["matchLabels"], &format!("{path}.matchLabels"), errors);
    for (index, expression) in list(&selector["matchExpressions"]).enumerate() {
        let path = format!("{path}.matchExpressions[{index}]");
        let values = list(&expression["values"]).count();
        match text(&expression["operator"]) {
            "In" | "NotIn" if values == 0 => {
                let why = "must be specified when `operator` is 'In' or 'NotIn'";
                errors.push(FieldError::required(format!("{path}.values"), why));
            }
            "Exists" | "DoesNotExist" if values > 0 => {
                let why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                errors.push(FieldError::forbidden(format!("{path}.values"), why));
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            other => {
                errors.push(FieldError::invalid(
                    format!("{path}.operator"),
                    other,
                    "not a valid selector operator",
                ));
            }
        }
        let key = text(&expression["key"]);
        invalid(&format!("{path}.key"), key, validation::qualified_name(key), errors);
    }
}

/// Validates labels at a path outside of the metadata.
pub(crate) fn labels(map: &Json, path: &str, errors: &mut Errors) {
    for (key, value) in entries(map) {
        invalid(path, key, validation::qualified_name(key), errors);
        invalid(path, value, validation::label_value(value), errors);
    }
}

/// Parses a selector; `None` if it is malformed.
pub(crate) fn parsed(selector: &Json) -> Option<Selector> {
    let expressions = list(&selector["matchExpressions"]).filter_map(|expression| {
        let values: Vec<&str> = list(&expression["values"]).filter_map(Json::as_str).collect();
        Some((expression["key"].as_str()?, expression["operator"].as_str()?, values))
    });
    Selector::from_label_selector(entries(&selector["matchLabels"]), expressions).ok()
}

/// Parses a quantity; `None` if it is malformed.
pub(crate) fn quantity(value: &Json) -> Option<Quantity> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.parse().ok()
}

/// Validates a count or a percentage: it must not be negative, and with `most` a percentage must not exceed 100.
pub(crate) fn count_or_percent(value: &Json, path: &str, most: bool, errors: &mut Errors) {
    match value {
        Json::Null => {}
        Json::Str(part) => match validation::percent(part) {
            Err(_) => invalid(path, part, validation::percent(part), errors),
            Ok(()) if most && part.trim_end_matches('%').parse::<u64>().is_ok_and(|part| part > 100) => {
                errors.push(FieldError::invalid(path, part, "must not be greater than 100%"));
            }
            Ok(()) => {}
        },
        value if value.as_i64().is_some_and(|count| count < 0) => wrong(path, value, NOT_NEGATIVE, errors),
        _ => {}
    }
}

/// Whether a count or a percentage is zero.
pub(crate) fn is_zero(value: &Json) -> bool {
    value.as_i64() == Some(0)
        || value.as_str().is_some_and(|part| part.trim_end_matches('%').parse() == Ok(0_u64))
}

pub(crate) const IP: &str = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
pub(crate) const CIDR: &str = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/// Parses an address range into its first address and its prefix length.
pub(crate) fn cidr(text: &str) -> Option<(IpAddr, u8)> {
    let (address, bits) = text.split_once('/')?;
    let address: IpAddr = address.parse().ok()?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    let plain = bits.bytes().all(|digit| digit.is_ascii_digit());
    let bits: u8 = bits.parse().ok().filter(|bits| plain && *bits <= most)?;
    Some((address, bits))
}

/// Validates the address of an endpoint.
pub(crate) fn endpoint_address(address: &str, path: &str, errors: &mut Errors) {
    let Ok(parsed) = address.parse::<IpAddr>() else { return };
    let why = if parsed.is_unspecified() {
        format!("may not be unspecified ({})", if parsed.is_ipv4() { "0.0.0.0" } else { "::" })
    } else if parsed.is_loopback() {
        "may not be in the loopback range (127.0.0.0/8, ::1/128)".to_owned()
    } else if match parsed {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    } {
        "may not be in the link-local range (169.254.0.0/16, fe80::/10)".to_owned()
    } else if match parsed {
        IpAddr::V4(address) => address.octets()[..3] == [224, 0, 0],
        IpAddr::V6(address) => address.octets()[..2] == [0xff, 0x02],
    } {
        "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)".to_owned()
    } else {
        return;
    };
    errors.push(FieldError::invalid(path, address, why));
}

/// Refuses a change of a field.
pub(crate) fn immutable(path: &[&str], new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let of = |object: &Unstructured| object.nested(path).ok().flatten().cloned().unwrap_or_default();
    let (new, old) = (of(new), of(old));
    if new != old {
        wrong(path.join("."), &new, IMMUTABLE, errors);
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn address_ranges_are_parsed_or_refused() {
        for (text, good) in [
            ("10.0.0.0/24", true),
            ("fd00::/64", true),
            ("10.0.0.0", false),
            ("10.0.0.0/33", false),
            ("10.0.0/24", false),
            ("10.0.0.0/+4", false),
        ] {
            assert_eq!(cidr(text).is_some(), good, "{text}");
        }
    }

    #[test]
    fn percentages_and_counts_are_validated() {
        for (value, most, good) in [
            (json!(0), true, true),
            (json!(-1), true, false),
            (json!("100%"), true, true),
            (json!("101%"), true, false),
            (json!("101%"), false, true),
            (json!("x"), false, false),
        ] {
            let mut errors = Vec::new();
            count_or_percent(&value, "x", most, &mut errors);
            assert_eq!(errors.is_empty(), good, "{value}: {errors:?}");
        }
        assert!(
            is_zero(&json!(0)) && is_zero(&json!("0%")) && !is_zero(&json!("1%")) && !is_zero(&Json::Null)
        );
    }
}
