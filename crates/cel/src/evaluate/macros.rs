//! Macros: they evaluate a body for each item of a list, or each key of a map.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::operators::holds;
use super::{Evaluation, Outcome};
use crate::parser::second_variable;
use crate::{EvalError, Expr, Value, functions};

/// Returns the cost per item that the real server adds to that of the bodies: the loop condition and the accumulator.
fn overhead(function: &str, value: &Outcome) -> u64 {
    match function {
        "all" | "transformMap" => 3,
        "exists" => 4,
        "filter" | "exists_one" | "existsOne" if *value != Ok(Value::Bool(true)) => 1,
        "filter" => 3 + functions::LIST,
        "map" | "transformList" => 2 + functions::LIST,
        _ => 2,
    }
}

impl Evaluation {
    /// Evaluates `range.all(x, …)` and similar macros; with two variables, the index or key and the value.
    pub(super) fn comprehension(
        &mut self,
        range: &Expr,
        function: &str,
        first: &str,
        rest: &[Expr],
    ) -> Outcome {
        let range = self.value(range)?;
        match (function, rest) {
            ("optMap" | "optFlatMap", [body]) => return self.optional(range, function, first, body),
            ("sortBy", [key]) => return self.sort_by(range, first, key),
            _ => {}
        }
        let (second, bodies) = second_variable(function, rest);
        let (filter, body) = match bodies {
            [body] => (None, body),
            [filter, body] => (Some(filter), body),
            _ => return Err(EvalError::overload()),
        };
        if matches!(function, "map" | "filter" | "transformList") {
            self.meter.spend(functions::LIST)?;
        } else if matches!(function, "transformMap" | "transformMapEntry") {
            self.meter.spend(functions::MAP)?;
        }
        let (mut found, mut list, mut map, mut failed) = (0_usize, Vec::new(), BTreeMap::new(), None);
        for (key, value) in entries(&range, second.is_some())? {
            let bound = match second {
                Some(second) => vec![(first, key.clone()), (second, value)],
                // With one variable, a map yields its keys and a list its items.
                None if matches!(range, Value::Map(_)) => vec![(first, key.clone())],
                None => vec![(first, value)],
            };
            if let Some(filter) = filter {
                match self.with(&bound, filter)? {
                    Value::Bool(true) => {}
                    Value::Bool(false) => {
                        self.meter.spend(1)?;
                        continue;
                    }
                    _ => return Err(EvalError::overload()),
                }
            }
            let value = self.with(&bound, body);
            self.meter.spend(overhead(function, &value))?;
            match function {
                "map" | "transformList" => {
                    self.meter.items(1)?;
                    list.push(value?);
                }
                "transformMap" => {
                    self.meter.entries(1)?;
                    insert(&mut map, &key, value?)?;
                }
                "transformMapEntry" => {
                    let Value::Map(entries) = value? else { return Err(EvalError::overload()) };
                    self.meter.entries(entries.len())?;
                    for (key, value) in entries.iter() {
                        insert(&mut map, &key.clone().into(), value.clone())?;
                    }
                }
                "filter" => {
                    if holds(&value?)? {
                        self.meter.items(1)?;
                        list.push(bound[0].1.clone());
                    }
                }
                "all" | "exists" => match value.and_then(|value| holds(&value)) {
                    // A decisive item ends the loop, even after errors of earlier items.
                    Ok(holds) if holds == (function == "exists") => {
                        self.meter.spend(1)?;
                        return Ok(Value::Bool(holds));
                    }
                    Ok(_) => {}
                    Err(error) => failed = failed.or(Some(error)),
                },
                _ => found += usize::from(holds(&value?)?),
            }
        }
        self.meter.spend(1)?;
        if let Some(error) = failed {
            return Err(error);
        }
        Ok(match function {
            "all" => Value::Bool(true),
            "exists" => Value::Bool(false),
            "exists_one" | "existsOne" => Value::Bool(found == 1),
            "transformMap" | "transformMapEntry" => Value::Map(Arc::new(map)),
            _ => Value::list(list),
        })
    }

    fn optional(&mut self, range: Value, function: &str, variable: &str, body: &Expr) -> Outcome {
        let Value::Optional(content) = range else {
            return Err(EvalError::failed("no such overload: hasValue"));
        };
        self.meter.spend(1)?;
        let Some(content) = content else { return Ok(Value::Optional(None)) };
        self.meter.spend(1)?;
        let value = self.with(&[(variable, *content)], body)?;
        Ok(if function == "optMap" { Value::Optional(Some(Box::new(value))) } else { value })
    }

    fn sort_by(&mut self, range: Value, variable: &str, key: &Expr) -> Outcome {
        let Value::List(items) = &range else { return Err(EvalError::overload()) };
        self.meter.items(items.len())?;
        let mut keys = Vec::with_capacity(items.len());
        for item in items.iter() {
            let value = self.with(&[(variable, item.clone())], key);
            self.meter.spend(overhead("map", &value))?;
            keys.push(value?);
        }
        let args = [range, Value::list(keys)];
        self.called("@sortByAssociatedKeys", &args, |meter, args| {
            functions::method(meter, &args[0], "@sortByAssociatedKeys", &args[1..])
        })
    }
}

/// Returns the entries of the range: indexes and items, or keys and values. They are copied one at a time.
fn entries(range: &Value, two: bool) -> Result<Box<dyn Iterator<Item = (Value, Value)> + '_>, EvalError> {
    Ok(match range {
        Value::List(list) => {
            let indices = (0_i64..).map(Value::Int);
            Box::new(indices.zip(list.iter().cloned()))
        }
        Value::Map(map) => Box::new(map.iter().map(|(key, value)| (key.clone().into(), value.clone()))),
        other => {
            let of = match other {
                Value::Null => "Null",
                Value::Bool(_) => "Bool",
                Value::Int(_) => "Int",
                Value::Uint(_) => "Uint",
                Value::Double(_) => "Double",
                Value::Text(_) => "String",
                Value::Bytes(_) => "Bytes",
                Value::Duration(_) => "Duration",
                Value::Timestamp(_) => "Timestamp",
                _ => return Err(EvalError::overload()),
            };
            return Err(EvalError::failed(if two {
                format!("unsupported comprehension range type: types.{of}")
            } else {
                format!("got 'types.{of}', expected iterable type")
            }));
        }
    })
}

fn insert(map: &mut BTreeMap<crate::Key, Value>, key: &Value, value: Value) -> Result<(), EvalError> {
    let key = key.as_key().ok_or_else(EvalError::overload)?;
    if map.insert(key.clone(), value).is_some() {
        return Err(EvalError::failed(format!("insert failed: key {key} already exists")));
    }
    Ok(())
}
