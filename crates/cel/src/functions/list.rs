//! The methods of lists.

use super::Outcome;
use super::arithmetic::{Arithmetic, arithmetic};
use crate::meter::Meter;
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

/// Returns the first `count` integers, which are charged beforehand.
pub(super) fn range(meter: &mut Meter, count: i64) -> Outcome {
    let Ok(items) = usize::try_from(count) else {
        return Err(EvalError::failed(format!("lists.range: size must be non-negative, got {count}")));
    };
    meter.items(items)?;
    Ok(Value::list((0..count).map(Value::Int)))
}

pub(super) fn method(meter: &mut Meter, list: &[Value], function: &str, args: &[Value]) -> Option<Outcome> {
    let place = |at: Option<usize>| Value::Int(at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1));
    let optional = |item: Option<&Value>| Ok(Value::Optional(item.cloned().map(Box::new)));
    Some(match (function, args) {
        ("join", []) => join(meter, list, ""),
        ("join", [Value::Text(by)]) => join(meter, list, by),
        ("isSorted", []) => is_sorted(list),
        ("sum", []) => {
            let mut items = list.iter();
            let Some(first) = items.next() else { return Some(Ok(Value::Int(0))) };
            items.try_fold(first.clone(), |sum, item| arithmetic(meter, Arithmetic::Add, &sum, item))
        }
        ("min", []) => extreme(list, "min"),
        ("max", []) => extreme(list, "max"),
        ("indexOf", [item]) => meter.position(list, item).map(place),
        ("lastIndexOf", [item]) => last_position(meter, list, item).map(place),
        ("reverse", []) => meter.items(list.len()).map(|()| Value::list(list.iter().rev().cloned())),
        ("slice", [Value::Int(from), Value::Int(to)]) => slice(meter, list, *from, *to),
        ("flatten", []) => flattened(meter, list, 1),
        ("flatten", [Value::Int(depth)]) => match u32::try_from(*depth) {
            Ok(depth) => flattened(meter, list, depth),
            Err(_) if *depth > 0 => flattened(meter, list, u32::MAX),
            Err(_) => Err(EvalError::failed("level must be non-negative")),
        },
        ("sort", []) => sorted(meter, list, list),
        ("@sortByAssociatedKeys", [Value::List(keys)]) => sorted(meter, list, keys),
        ("distinct", []) => distinct(meter, list),
        ("first", []) => optional(list.first()),
        ("last", []) => optional(list.last()),
        _ => return None,
    })
}

fn distinct(meter: &mut Meter, list: &[Value]) -> Outcome {
    let mut found: Vec<Value> = Vec::new();
    for item in list {
        if meter.position(&found, item)?.is_none() {
            meter.items(1)?;
            found.push(item.clone());
        }
    }
    Ok(Value::list(found))
}

fn last_position(meter: &mut Meter, list: &[Value], item: &Value) -> Result<Option<usize>, EvalError> {
    for (at, known) in list.iter().enumerate().rev() {
        if meter.equal(known, item)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
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

fn slice(meter: &mut Meter, list: &[Value], from: i64, to: i64) -> Outcome {
    let wrong = |what: String| EvalError::failed(format!("cannot slice({from}, {to}), {what}"));
    let (Ok(start), Ok(end)) = (usize::try_from(from), usize::try_from(to)) else {
        return Err(wrong("negative indexes not supported".to_owned()));
    };
    if start > end {
        return Err(wrong("start index must be less than or equal to end index".to_owned()));
    }
    let found = list.get(start..end).ok_or_else(|| wrong(format!("list is length {}", list.len())))?;
    meter.items(found.len())?;
    Ok(Value::list(found.iter().cloned()))
}

fn flattened(meter: &mut Meter, list: &[Value], depth: u32) -> Outcome {
    let mut out = Vec::new();
    flatten(meter, list, depth, &mut out)?;
    Ok(Value::list(out))
}

fn flatten(meter: &mut Meter, list: &[Value], depth: u32, out: &mut Vec<Value>) -> Result<(), EvalError> {
    meter.items(list.len())?;
    for item in list {
        match item {
            Value::List(inner) if depth > 0 => flatten(meter, inner, depth - 1, out)?,
            item => out.push(item.clone()),
        }
    }
    Ok(())
}

/// Returns the items in the order of their keys; items with equal keys keep their order.
fn sorted(meter: &mut Meter, list: &[Value], keys: &[Value]) -> Outcome {
    meter.items(list.len())?;
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

fn join(meter: &mut Meter, list: &[Value], by: &str) -> Outcome {
    let mut texts = Vec::with_capacity(list.len());
    let mut length = by.len().saturating_mul(list.len().saturating_sub(1));
    for item in list {
        let Value::Text(text) = item else { return Err(EvalError::overload()) };
        length = length.saturating_add(text.len());
        texts.push(&**text);
    }
    meter.allocate(length)?;
    Ok(Value::text(texts.join(by)))
}
