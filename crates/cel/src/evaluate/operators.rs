//! Operators, and access to the parts of values.

use crate::functions::{self, Arithmetic};
use crate::meter::Meter;
use crate::value::{Kind, Library};
use crate::{EvalError, Key, Value};

type Outcome = Result<Value, EvalError>;

pub(super) fn operator(meter: &mut Meter, function: &str, args: &[Value]) -> Outcome {
    match (function, args) {
        ("!_", [Value::Bool(value)]) => Ok(Value::Bool(!value)),
        ("-_", [Value::Int(value)]) => {
            value.checked_neg().map(Value::Int).ok_or_else(|| EvalError::failed("integer overflow"))
        }
        ("-_", [Value::Double(value)]) => Ok(Value::Double(-value)),
        ("-_", [Value::Duration(value)]) => Ok(Value::Duration(-value)),
        ("_==_", [a, b]) => meter.equal(a, b).map(Value::Bool),
        ("_!=_", [a, b]) => meter.equal(a, b).map(|equal| Value::Bool(!equal)),
        ("_<_" | "_<=_" | "_>_" | "_>=_", [a, b]) => {
            let comparable = a.type_name() == b.type_name() || (is_number(a) && is_number(b));
            let order = a.compare(b);
            if order.is_none() && !(comparable && is_number(a)) {
                return Err(EvalError::overload());
            }
            // NaN compares with nothing.
            Ok(Value::Bool(order.is_some_and(|order| match function {
                "_<_" => order.is_lt(),
                "_<=_" => order.is_le(),
                "_>_" => order.is_gt(),
                _ => order.is_ge(),
            })))
        }
        ("_+_", [a, b]) => functions::arithmetic(meter, Arithmetic::Add, a, b),
        ("_-_", [a, b]) => functions::arithmetic(meter, Arithmetic::Subtract, a, b),
        ("_*_", [a, b]) => functions::arithmetic(meter, Arithmetic::Multiply, a, b),
        ("_/_", [a, b]) => functions::arithmetic(meter, Arithmetic::Divide, a, b),
        ("_%_", [a, b]) => functions::arithmetic(meter, Arithmetic::Remainder, a, b),
        ("@in", [item, Value::List(list)]) => {
            meter.position(list, item).map(|found| Value::Bool(found.is_some()))
        }
        ("@in", [key, Value::Map(map)]) => {
            Ok(Value::Bool(key.as_key().is_some_and(|key| map.contains_key(&key))))
        }
        ("_[_]" | "_[?_]", [Value::Optional(None), _]) => Ok(Value::Optional(None)),
        ("_[_]" | "_[?_]", [Value::Optional(Some(value)), at]) => {
            Ok(Value::Optional(index(value, at).ok().map(Box::new)))
        }
        ("_[?_]", [value, at]) => Ok(Value::Optional(index(value, at).ok().map(Box::new))),
        ("_[_]", [value, at]) => index(value, at),
        _ => functions::global(meter, function, args),
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Uint(_) | Value::Double(_))
}

pub(super) fn holds(value: &Value) -> Result<bool, EvalError> {
    match value {
        Value::Bool(holds) => Ok(*holds),
        _ => Err(EvalError::overload()),
    }
}

/// Returns a field by its name, or by the escaped form of its name.
fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let Value::Map(map) = value else { return None };
    map.get(&Key::Text(name.into())).or_else(|| map.get(&Key::Text(unescape(name)?.into())))
}

/// Returns a field of a value of the program, or of an object that the expression created.
fn own_field(kind: &Kind, name: &str) -> Option<Outcome> {
    match kind {
        Kind::Host(host) => host.0.field(name),
        Kind::Struct(object) => object.fields.get(name).cloned().map(Ok),
        _ => None,
    }
}

pub(super) fn select(value: &Value, name: &str) -> Outcome {
    match value {
        Value::Library(Library(kind)) => {
            own_field(kind, name).unwrap_or_else(|| Err(EvalError::failed(format!("no such key: {name}"))))
        }
        Value::Map(_) => {
            field(value, name).cloned().ok_or_else(|| EvalError::failed(format!("no such key: {name}")))
        }
        _ => Err(EvalError::failed(format!("no such key: {name}"))),
    }
}

pub(super) fn optional_field(value: Value, name: &str) -> Outcome {
    let value = match value {
        Value::Optional(None) => return Ok(Value::Optional(None)),
        Value::Optional(Some(value)) => *value,
        value => value,
    };
    match value {
        Value::Map(_) => Ok(Value::Optional(field(&value, name).cloned().map(Box::new))),
        Value::Null => Ok(Value::Optional(None)),
        Value::Library(Library(kind @ (Kind::Host(_) | Kind::Struct(_)))) => {
            Ok(Value::Optional(own_field(&kind, name).transpose()?.map(Box::new)))
        }
        _ => Err(EvalError::overload()),
    }
}

pub(super) fn has(value: &Value, name: &str) -> Outcome {
    match value {
        Value::Map(_) => Ok(Value::Bool(field(value, name).is_some())),
        Value::Optional(None) => Ok(Value::Bool(false)),
        Value::Optional(Some(value)) => has(value, name),
        Value::Library(Library(kind @ (Kind::Host(_) | Kind::Struct(_)))) => {
            Ok(Value::Bool(own_field(kind, name).is_some()))
        }
        _ => Err(EvalError::overload()),
    }
}

fn index(value: &Value, at: &Value) -> Outcome {
    match (value, at) {
        (Value::List(list), at) => {
            let Some(Key::Int(at)) = at.as_key() else { return Err(EvalError::overload()) };
            let found = usize::try_from(at).ok().and_then(|at| list.get(at)).cloned();
            found.ok_or_else(|| EvalError::failed(format!("index out of bounds: {at}")))
        }
        (Value::Map(map), at) => {
            let key = at.as_key().ok_or_else(EvalError::overload)?;
            map.get(&key).cloned().ok_or_else(|| EvalError::failed(format!("no such key: {key}")))
        }
        (_, at) => match at.as_key() {
            Some(key) => Err(EvalError::failed(format!("no such key: {key}"))),
            None => Err(EvalError::overload()),
        },
    }
}

/// Removes the escapes of names that are not identifiers: `a__dash__b` is `a-b`, `__if__` is `if`.
fn unescape(name: &str) -> Option<String> {
    if !name.contains("__") {
        return None;
    }
    if let Some(word) = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"))
        && !word.contains("__")
        && !["underscores", "dot", "dash", "slash"].contains(&word)
    {
        return Some(word.to_owned());
    }
    let plain = [("__underscores__", "__"), ("__dot__", "."), ("__dash__", "-"), ("__slash__", "/")];
    let (mut out, mut rest) = (String::new(), name);
    while let Some(letter) = rest.chars().next() {
        if let Some((escaped, text)) = plain.iter().find(|(escaped, _)| rest.starts_with(escaped)) {
            out.push_str(text);
            rest = &rest[escaped.len()..];
        } else {
            out.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    Some(out)
}
