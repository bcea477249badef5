//! The cost of a call, in the real server's units.

use crate::meter::Meter;
use crate::text::beginning;
use crate::value::{Kind, Library};
use crate::{EvalError, Value};

/// The cost of scanning a text, per character.
const TEXT: f64 = 0.1;
/// The cost of a pattern, per character.
const PATTERN: f64 = 0.25;
/// The cost of creating a list.
pub(crate) const LIST: u64 = 10;
/// The cost of creating a map.
pub(crate) const MAP: u64 = 30;
/// The cost of creating an object.
pub(crate) const STRUCT: u64 = 40;
/// The cost of a question to the authorizer: an expression can ask two.
const AUTHORIZATION: u64 = 350_000;

/// Charges for a call of a function with these arguments before the call: the cost of the real server, and the steps
/// that the real server does not count. The target of a method is the first argument.
pub(crate) fn charge(meter: &mut Meter, function: &str, args: &[Value]) -> Result<(), EvalError> {
    look_through(meter, function, args)?;
    let cost = match function {
        "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => match args.first() {
            Some(target) => traversal(meter, target)?,
            None => 0,
        },
        "join" => scaled(joined(meter, args)?, 2.0 * TEXT),
        _ => cost(function, args),
    };
    meter.spend(cost)
}

/// Returns the cost in the real server, which depends only on the arguments.
fn cost(function: &str, args: &[Value]) -> u64 {
    let size = |at: usize| args.get(at).map_or(1, Value::size);
    let text = |size: u64| scaled(size, TEXT);
    match function {
        "check" => AUTHORIZATION,
        "fieldSelector" | "labelSelector" => {
            let requirements = scaled(size(1), 0.5);
            LIST.saturating_add(text(size(1))).saturating_add(requirements.saturating_mul(LIST + STRUCT))
        }
        "url"
        | "jsonpatch.escapeKey"
        | "lowerAscii"
        | "upperAscii"
        | "substring"
        | "trim"
        | "cidr"
        | "isIP"
        | "isCIDR"
        | "quantity"
        | "isQuantity"
        | "semver"
        | "isSemver"
        | "strings.quote"
        | "format" => text(size(0)),
        "ip" => match args {
            [Value::Library(_)] => 1,
            _ => text(size(0)),
        },
        "replace" | "split" | "ip.isCanonical" => scaled(size(0), 2.0 * TEXT),
        "find" | "findAll" | "matches" => text(size(0) + 1) * scaled(size(1), PATTERN),
        "containsIP" => {
            text(size(0) * 2) + if matches!(args, [_, Value::Text(_)]) { text(size(1)) } else { 0 }
        }
        "containsCIDR" => {
            let parse = if matches!(args, [_, Value::Text(_)]) { text(size(1)) } else { 0 };
            text(size(0) * 2) + text(size(0)) + 1 + parse
        }
        "validate" => match args {
            [Value::Library(Library(Kind::Format(format))), _] => {
                text(size(1) + 1) * scaled(format.pattern_size, PATTERN)
            }
            _ => 1,
        },
        "startsWith" | "endsWith" => text(size(1)),
        "contains" => text(size(0)) * text(size(1)),
        "bytes" | "string" => match args {
            [Value::Text(_)] if function == "bytes" => text(size(0)),
            [Value::Bytes(_)] if function == "string" => text(size(0)),
            _ => 1,
        },
        "@in" => match args {
            [_, Value::List(list)] => list.len() as u64,
            _ => 1,
        },
        "_==_" if matches!(args, [Value::Library(_), _]) => 1,
        "_==_" | "_!=_" => match args {
            [a, b, ..] => text(smaller(present(a), present(b))),
            _ => text(1),
        },
        "_<_" | "_<=_" | "_>_" | "_>=_" => match args {
            [a @ (Value::Text(_) | Value::Bytes(_)), b, ..] => text(smaller(a, b)),
            _ => 1,
        },
        "_+_" if matches!(args, [Value::Text(_) | Value::Bytes(_), _]) => text(size(0) + size(1)),
        "sets.contains" | "sets.intersects" => 1 + size(0).saturating_mul(size(1)),
        "sets.equivalent" => 1 + size(0).saturating_mul(size(1)).saturating_mul(2),
        "slice" | "lists.range" | "reverse" => made(function, args).saturating_add(1 + LIST),
        "flatten" => match args {
            [_, Value::Int(depth)] => size(0).saturating_mul(depth.unsigned_abs()).saturating_add(1 + LIST),
            _ => size(0) + 1 + LIST,
        },
        "sort" | "distinct" => pairs(args.first()),
        "@sortByAssociatedKeys" => pairs(args.get(1)),
        _ => 1,
    }
}

fn scaled(size: u64, by: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]
    let scaled = (size as f64 * by).ceil() as u64;
    scaled
}

/// Returns the content of an optional value that is present.
fn present(value: &Value) -> &Value {
    match value {
        Value::Optional(Some(value)) => present(value),
        value => value,
    }
}

/// Returns the size of the smaller of two values. The longer of two texts is not scanned if the number of its bytes
/// decides.
fn smaller(a: &Value, b: &Value) -> u64 {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => {
            let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            let count = short.chars().count();
            // A character has at most four bytes.
            let most = long.len().min(count.saturating_mul(4));
            count.min(beginning(long, most).chars().count()) as u64
        }
        (Value::Text(text), other) | (other, Value::Text(text)) => {
            let size = other.size();
            text.chars().take(usize::try_from(size).unwrap_or(usize::MAX)).count() as u64
        }
        (a, b) => a.size().min(b.size()),
    }
}

/// Returns the number of items of the list that a function creates; 1 if it creates none.
fn made(function: &str, args: &[Value]) -> u64 {
    let made = match (function, args) {
        ("reverse", [Value::List(list)]) => Some(list.len() as u64),
        ("lists.range", [Value::Int(count)]) => u64::try_from(*count).ok(),
        ("slice", [Value::List(list), Value::Int(from), Value::Int(to)]) => {
            match (usize::try_from(*from), usize::try_from(*to)) {
                (Ok(from), Ok(to)) if from <= to && to <= list.len() => Some((to - from) as u64),
                _ => None,
            }
        }
        _ => None,
    };
    made.unwrap_or(1)
}

/// Returns the number of characters of a joined list of texts; 1 if it cannot be joined.
fn joined(meter: &mut Meter, args: &[Value]) -> Result<u64, EvalError> {
    let (list, by) = match args {
        [Value::List(list)] => (list, 0),
        [Value::List(list), Value::Text(by)] => (list, by.chars().count() as u64),
        _ => return Ok(1),
    };
    let mut size = by.saturating_mul((list.len() as u64).saturating_sub(1));
    for item in list.iter() {
        let Value::Text(text) = item else { return Ok(1) };
        meter.step(1)?;
        meter.scan(text.len())?;
        size = size.saturating_add(text.chars().count() as u64);
    }
    Ok(size)
}

/// Counts the values that a call scans. The values that it creates and compares are counted elsewhere.
fn look_through(meter: &mut Meter, function: &str, args: &[Value]) -> Result<(), EvalError> {
    meter.step(1)?;
    match (function, args) {
        ("startsWith" | "endsWith", [_, part]) => scan(meter, part),
        ("_<_" | "_<=_" | "_>_" | "_>=_" | "_==_" | "_!=_", [Value::Text(a), Value::Text(b)]) => {
            meter.scan(a.len().min(b.len()).saturating_mul(5))
        }
        ("_==_" | "_!=_" | "@in" | "dyn" | "type" | "optional.of" | "optional.ofNonZeroValue", _) => Ok(()),
        ("sort", [Value::List(keys)]) | ("@sortByAssociatedKeys", [_, Value::List(keys)]) => {
            let rounds = u64::from(keys.len().checked_ilog2().unwrap_or_default()) + 2;
            for key in keys.iter() {
                meter.step(rounds)?;
                if let Value::Text(text) = key {
                    meter.step((text.len() as u64 / 16).saturating_mul(rounds))?;
                }
            }
            Ok(())
        }
        _ => args.iter().try_for_each(|arg| scan(meter, arg)),
    }
}

fn scan(meter: &mut Meter, value: &Value) -> Result<(), EvalError> {
    match value {
        Value::Text(text) => meter.scan(text.len()),
        Value::Bytes(bytes) => meter.scan(bytes.len()),
        Value::Library(Library(Kind::Url(url))) => meter.scan(url.len()),
        Value::Library(Library(Kind::Semver(version))) => meter.scan(version.len()),
        _ => Ok(()),
    }
}

/// Returns the number of pairs of items.
fn pairs(list: Option<&Value>) -> u64 {
    let Some(Value::List(list)) = list else { return 1 };
    let size = list.len() as u64;
    let texts = matches!(list.first(), Some(Value::Text(_) | Value::Bytes(_)));
    let pairs = size.saturating_mul(size);
    pairs.saturating_mul(2) + if texts { pairs / 10 } else { 0 } + 1 + LIST
}

fn traversal(meter: &mut Meter, value: &Value) -> Result<u64, EvalError> {
    meter.step(1)?;
    let mut sum: u64 = 0;
    match value {
        Value::Text(text) => return Ok(text.len() as u64 / 10),
        Value::Bytes(bytes) => return Ok(bytes.len() as u64 / 10),
        Value::List(list) => {
            for item in list.iter() {
                sum = sum.saturating_add(traversal(meter, item)?);
            }
        }
        Value::Map(map) => {
            for (key, value) in map.iter() {
                sum = sum.saturating_add(traversal(meter, &key.clone().into())?);
                sum = sum.saturating_add(traversal(meter, value)?);
            }
        }
        _ => return Ok(1),
    }
    Ok(sum)
}
