//! What a call costs, in the real server's units.

use crate::value::{Kind, Library};
use crate::{EvalError, Value};

/// What it costs to go through a text, a character.
const TEXT: f64 = 0.1;
/// What a pattern costs, a character.
const PATTERN: f64 = 0.25;
/// What it costs to make a list.
pub(crate) const LIST: u64 = 10;
/// What it costs to make a map.
pub(crate) const MAP: u64 = 30;

/// A call of a function with these arguments, the target of a method first, that came to this.
pub(crate) fn cost(function: &str, args: &[Value], result: &Result<Value, EvalError>) -> u64 {
    let size = |at: usize| args.get(at).map_or(1, Value::size);
    let text = |size: u64| scaled(size, TEXT);
    let result = result.as_ref().map_or(1, Value::size);
    match function {
        "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => args.first().map_or(0, traversal),
        "url" | "lowerAscii" | "upperAscii" | "substring" | "trim" | "cidr" | "isIP" | "isCIDR"
        | "quantity" | "isQuantity" | "semver" | "isSemver" | "strings.quote" | "format" => text(size(0)),
        "ip" => match args {
            [Value::Library(_)] => 1,
            _ => text(size(0)),
        },
        "replace" | "split" | "ip.isCanonical" => scaled(size(0), 2.0 * TEXT),
        "join" => scaled(result, 2.0 * TEXT),
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
        "_==_" | "_!=_" => text(sized(&args[0]).min(args.get(1).map_or(1, sized))),
        "_<_" | "_<=_" | "_>_" | "_>=_" if matches!(args, [Value::Text(_) | Value::Bytes(_), _]) => {
            text(size(0).min(size(1)))
        }
        "_+_" if matches!(args, [Value::Text(_) | Value::Bytes(_), _]) => text(size(0) + size(1)),
        "sets.contains" | "sets.intersects" => 1 + size(0).saturating_mul(size(1)),
        "sets.equivalent" => 1 + size(0).saturating_mul(size(1)).saturating_mul(2),
        "slice" | "lists.range" | "reverse" => result + 1 + LIST,
        "flatten" => match args {
            [_, Value::Int(depth)] => size(0).saturating_mul(depth.unsigned_abs()) + 1 + LIST,
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

/// The size of what may be there.
fn sized(value: &Value) -> u64 {
    match value {
        Value::Optional(Some(value)) => sized(value),
        value => value.size(),
    }
}

/// Each item against each other.
fn pairs(list: Option<&Value>) -> u64 {
    let Some(Value::List(list)) = list else { return 1 };
    let size = list.len() as u64;
    let texts = matches!(list.first(), Some(Value::Text(_) | Value::Bytes(_)));
    let pairs = size.saturating_mul(size);
    pairs.saturating_mul(2) + if texts { pairs / 10 } else { 0 } + 1 + LIST
}

fn traversal(value: &Value) -> u64 {
    match value {
        Value::Text(text) => text.len() as u64 / 10,
        Value::Bytes(bytes) => bytes.len() as u64 / 10,
        Value::List(list) => list.iter().map(traversal).sum(),
        Value::Map(map) => {
            map.iter().map(|(key, value)| traversal(&key.clone().into()) + traversal(value)).sum()
        }
        _ => 1,
    }
}
