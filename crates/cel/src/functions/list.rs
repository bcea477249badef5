//! What can be asked of lists.

use super::Outcome;
use super::arithmetic::{Arithmetic, arithmetic};
use crate::{EvalError, Value};

pub(super) const METHODS: [&str; 16] = [
    "isSorted",
    "sum",
    "min",
    "max",
    "indexOf",
    "lastIndexOf",
    "join",
    "slice",
    "flatten",
    "sort",
    "distinct",
    "reverse",
    "first",
    "last",
    "size",
    "@sortByAssociatedKeys",
];

/// How many items `lists.range` makes at most. Go makes as many as are asked for; the cost of more is over every limit.
const MAX_RANGE: i64 = 10_000_000;

pub(super) fn range(count: i64) -> Outcome {
    if count < 0 {
        return Err(EvalError::failed(format!("lists.range: size must be non-negative, got {count}")));
    }
    if count > MAX_RANGE {
        return Err(EvalError::failed("operation cancelled: actual cost limit exceeded"));
    }
    Ok(Value::list((0..count).map(Value::Int)))
}

pub(super) fn method(list: &[Value], function: &str, args: &[Value]) -> Option<Outcome> {
    let place = |at: Option<usize>| Value::Int(at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1));
    let optional = |item: Option<&Value>| Ok(Value::Optional(item.cloned().map(Box::new)));
    Some(match (function, args) {
        ("join", []) => join(list, ""),
        ("join", [Value::Text(by)]) => join(list, by),
        ("isSorted", []) => is_sorted(list),
        ("sum", []) => {
            let mut items = list.iter();
            let Some(first) = items.next() else { return Some(Ok(Value::Int(0))) };
            items.try_fold(first.clone(), |sum, item| arithmetic(Arithmetic::Add, &sum, item))
        }
        ("min", []) => extreme(list, "min"),
        ("max", []) => extreme(list, "max"),
        ("indexOf", [item]) => Ok(place(list.iter().position(|known| known == item))),
        ("lastIndexOf", [item]) => Ok(place(list.iter().rposition(|known| known == item))),
        ("reverse", []) => Ok(Value::list(list.iter().rev().cloned())),
        ("slice", [Value::Int(from), Value::Int(to)]) => slice(list, *from, *to),
        ("flatten", []) => Ok(Value::list(flatten(list, 1))),
        ("flatten", [Value::Int(depth)]) => match u32::try_from(*depth) {
            Ok(depth) => Ok(Value::list(flatten(list, depth))),
            Err(_) if *depth > 0 => Ok(Value::list(flatten(list, u32::MAX))),
            Err(_) => Err(EvalError::failed("level must be non-negative")),
        },
        ("sort", []) => sorted(list, list),
        ("@sortByAssociatedKeys", [Value::List(keys)]) => sorted(list, keys),
        ("distinct", []) => {
            let mut found: Vec<Value> = Vec::new();
            for item in list {
                if !found.contains(item) {
                    found.push(item.clone());
                }
            }
            Ok(Value::list(found))
        }
        ("first", []) => optional(list.first()),
        ("last", []) => optional(list.last()),
        _ => return None,
    })
}

fn is_sorted(list: &[Value]) -> Outcome {
    let mut sorted = true;
    for pair in list.windows(2) {
        sorted &= pair[0].compare(&pair[1]).ok_or_else(EvalError::overload)?.is_le();
    }
    Ok(Value::Bool(sorted))
}

fn extreme(list: &[Value], function: &str) -> Outcome {
    let mut items = list.iter();
    let Some(mut best) = items.next() else {
        return Err(EvalError::failed(format!("{function} called on empty list")));
    };
    for item in items {
        let order = item.compare(best).ok_or_else(EvalError::overload)?;
        if if function == "min" { order.is_lt() } else { order.is_gt() } {
            best = item;
        }
    }
    Ok(best.clone())
}

fn slice(list: &[Value], from: i64, to: i64) -> Outcome {
    let wrong = |what: String| EvalError::failed(format!("cannot slice({from}, {to}), {what}"));
    let (Ok(start), Ok(end)) = (usize::try_from(from), usize::try_from(to)) else {
        return Err(wrong("negative indexes not supported".to_owned()));
    };
    if start > end {
        return Err(wrong("start index must be less than or equal to end index".to_owned()));
    }
    let found = list.get(start..end).ok_or_else(|| wrong(format!("list is length {}", list.len())))?;
    Ok(Value::list(found.iter().cloned()))
}

fn flatten(list: &[Value], depth: u32) -> Vec<Value> {
    let mut out = Vec::with_capacity(list.len());
    for item in list {
        match item {
            Value::List(inner) if depth > 0 => out.extend(flatten(inner, depth - 1)),
            item => out.push(item.clone()),
        }
    }
    out
}

/// The items in the order of their keys; those of equal keys as they were.
fn sorted(list: &[Value], keys: &[Value]) -> Outcome {
    let Some(first) = keys.first() else { return Ok(Value::list(list.iter().cloned())) };
    if first.compare(first).is_none() && !matches!(first, Value::Double(_)) {
        return Err(EvalError::failed("list elements must be comparable"));
    }
    if keys.iter().any(|key| key.type_name() != first.type_name()) {
        return Err(EvalError::failed("list elements must have the same type"));
    }
    let mut order: Vec<usize> = (0..list.len().min(keys.len())).collect();
    order.sort_by(|a, b| keys[*a].compare(&keys[*b]).unwrap_or(std::cmp::Ordering::Equal));
    Ok(Value::list(order.into_iter().map(|at| list[at].clone())))
}

fn join(list: &[Value], by: &str) -> Outcome {
    let mut texts = Vec::with_capacity(list.len());
    for item in list {
        let Value::Text(text) = item else { return Err(EvalError::overload()) };
        texts.push(&**text);
    }
    Ok(Value::text(texts.join(by)))
}
