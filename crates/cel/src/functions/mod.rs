//! The functions of the language and of Kubernetes' libraries.

mod arithmetic;
mod convert;
mod cost;
mod format;
mod ip;
mod list;
mod named;
mod quantity;
mod semver;
mod text;
mod time;
mod url;

use crate::meter::Meter;
use crate::value::{Kind, Library};
use crate::{EvalError, Value};

pub(crate) use arithmetic::{Arithmetic, arithmetic};
pub(crate) use cost::{LIST, MAP, STRUCT, charge};
pub(crate) use named::NamedFormat;
pub(crate) use quantity::Quantity;
pub(crate) use semver::Semver;
pub(crate) use time::{duration, timestamp};

type Outcome = Result<Value, EvalError>;

/// Functions without a target that are not in a table of their own.
const GLOBAL: [&str; 14] = [
    "size",
    "type",
    "dyn",
    "matches",
    "optional.of",
    "optional.none",
    "optional.ofNonZeroValue",
    "sets.contains",
    "sets.equivalent",
    "sets.intersects",
    "strings.quote",
    "lists.range",
    "format.named",
    "jsonpatch.escapeKey",
];
/// Methods of an authorizer and of its checks.
const AUTHORIZER: [&str; 14] = [
    "path",
    "group",
    "serviceAccount",
    "resource",
    "subresource",
    "namespace",
    "name",
    "fieldSelector",
    "labelSelector",
    "check",
    "errored",
    "error",
    "allowed",
    "reason",
];
const OPTIONAL: [&str; 4] = ["hasValue", "value", "or", "orValue"];

/// Whether a name with dots is that of a function, not of a method.
pub(crate) fn is_qualified(name: &str) -> bool {
    GLOBAL.contains(&name) || name == "ip.isCanonical" || named::constant(name).is_some()
}

/// Whether a function converts to a type: the real server calls it when it compiles a rule, if possible.
pub(crate) fn is_conversion(name: &str) -> bool {
    convert::TYPES.contains(&name) || name == "dyn" || name == "type"
}

/// `function(args)`.
pub(crate) fn global(meter: &mut Meter, function: &str, args: &[Value]) -> Outcome {
    match (function, args) {
        ("size", [value]) => size(value),
        ("type", [value]) => Ok(Value::Type(value.type_name())),
        ("dyn", [value]) => Ok(value.clone()),
        (function, [value]) if convert::TYPES.contains(&function) => {
            if let Value::Text(_) | Value::Bytes(_) = value {
                meter.allocate(value.bytes())?;
            }
            convert::convert(function, value)
        }
        ("matches", [Value::Text(text), Value::Text(pattern)]) => text::matches(meter, text, pattern),
        ("optional.of", [value]) => Ok(Value::Optional(Some(Box::new(value.clone())))),
        ("optional.none", []) => Ok(Value::Optional(None)),
        ("optional.ofNonZeroValue", [value]) => {
            Ok(Value::Optional((!is_zero(value)).then(|| Box::new(value.clone()))))
        }
        ("sets.contains", [Value::List(a), Value::List(b)]) => contains(meter, a, b).map(Value::Bool),
        ("sets.equivalent", [Value::List(a), Value::List(b)]) => {
            Ok(Value::Bool(contains(meter, b, a)? && contains(meter, a, b)?))
        }
        ("sets.intersects", [Value::List(a), Value::List(b)]) => {
            for item in b.iter() {
                if meter.position(a, item)?.is_some() {
                    return Ok(Value::Bool(true));
                }
            }
            Ok(Value::Bool(false))
        }
        ("strings.quote", [Value::Text(content)]) => text::quote(meter, content),
        ("jsonpatch.escapeKey", [Value::Text(key)]) => {
            meter.allocate(key.len().saturating_mul(2))?;
            Ok(Value::text(key.replace('~', "~0").replace('/', "~1")))
        }
        ("lists.range", [Value::Int(count)]) => list::range(meter, *count),
        (function, [Value::Text(content)]) if ip::GLOBAL.contains(&function) => ip::global(function, content),
        (function, [Value::Text(content)]) if url::GLOBAL.contains(&function) => {
            url::global(function, content)
        }
        (function, args) if quantity::GLOBAL.contains(&function) => {
            quantity::global(function, args).unwrap_or_else(|| Err(EvalError::overload()))
        }
        (function, [Value::Text(content)]) if semver::GLOBAL.contains(&function) => {
            semver::global(function, content, false)
        }
        (function, [Value::Text(content), Value::Bool(loose)]) if semver::GLOBAL.contains(&function) => {
            semver::global(function, content, *loose)
        }
        ("format.named", [Value::Text(name)]) => Ok(named::named(name)),
        (function, []) if function.starts_with("format.") => {
            named::constant(function).ok_or_else(|| EvalError::Unsupported(function.to_owned()))
        }
        ("_[_]" | "_[?_]" | "@in" | "!_" | "-_", _) => Err(EvalError::overload()),
        (known, _) if is_global(known) => Err(EvalError::overload()),
        _ => Err(EvalError::Unsupported(function.to_owned())),
    }
}

/// Whether a list contains all items of another.
fn contains(meter: &mut Meter, list: &[Value], items: &[Value]) -> Result<bool, EvalError> {
    for item in items {
        if meter.position(list, item)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_global(name: &str) -> bool {
    GLOBAL.contains(&name)
        || convert::TYPES.contains(&name)
        || ip::GLOBAL.contains(&name)
        || url::GLOBAL.contains(&name)
        || semver::GLOBAL.contains(&name)
}

/// `target.function(args)`.
pub(crate) fn method(meter: &mut Meter, target: &Value, function: &str, args: &[Value]) -> Outcome {
    if let ("size", []) = (function, args) {
        return size(target);
    }
    let found = match target {
        Value::Text(content) => text::method(meter, content, function, args),
        Value::List(content) => list::method(meter, content, function, args),
        Value::Timestamp(nanos) => time::of_time(*nanos, function, args),
        Value::Duration(nanos) => time::of_span(*nanos, function, args),
        Value::Optional(content) => optional_method(content.as_deref(), function, args),
        Value::Library(Library(kind)) => match (kind, args) {
            (Kind::Ip(address), args) => ip::of_address(*address, function, args),
            (Kind::Cidr(address, length), args) => ip::of_network(*address, *length, function, args),
            (Kind::Quantity(quantity), args) => quantity::method(quantity, function, args),
            (Kind::Url(url), args) => url::method(url, function, args),
            (Kind::Semver(version), args) => semver::method(version, function, args),
            (Kind::Host(host), args) => host.0.method(function, args),
            (Kind::Format(format), [Value::Text(content)]) if function == "validate" => {
                Some(Ok(named::validate(format, content)))
            }
            _ => None,
        },
        _ => None,
    };
    found.unwrap_or_else(|| Err(missing(function)))
}

/// Returns the error for a missing method.
fn missing(function: &str) -> EvalError {
    let tables: [&[&str]; 9] = [
        &text::METHODS,
        &list::METHODS,
        &time::METHODS,
        &OPTIONAL,
        &ip::METHODS,
        &quantity::METHODS,
        &url::METHODS,
        &semver::METHODS,
        &AUTHORIZER,
    ];
    if function == "validate" || tables.iter().any(|table| table.contains(&function)) {
        return EvalError::failed(format!("no such overload: {function}"));
    }
    EvalError::Unsupported(function.to_owned())
}

fn size(value: &Value) -> Outcome {
    match value {
        Value::Text(_) | Value::Bytes(_) | Value::List(_) | Value::Map(_) => {
            Ok(Value::Int(i64::try_from(value.size()).unwrap_or(i64::MAX)))
        }
        _ => Err(EvalError::failed("no such overload: size")),
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Text(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::List(list) => list.is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Null | Value::Optional(None) | Value::Int(0) | Value::Uint(0) | Value::Duration(0) => true,
        Value::Double(value) => *value == 0.0,
        _ => false,
    }
}

fn optional_method(content: Option<&Value>, function: &str, args: &[Value]) -> Option<Outcome> {
    Some(match (function, args) {
        ("hasValue", []) => Ok(Value::Bool(content.is_some())),
        ("value", []) => content.cloned().ok_or_else(|| EvalError::failed("optional.none() dereference")),
        _ => return None,
    })
}
