//! The operators of numbers and times, and their effect on texts and lists.

use std::sync::Arc;

use super::Outcome;
use super::time::{MAX_TIME, MIN_TIME};
use crate::meter::Meter;
use crate::{EvalError, Value};

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

pub(crate) fn arithmetic(meter: &mut Meter, operator: Arithmetic, a: &Value, b: &Value) -> Outcome {
    use Arithmetic::{Add, Divide, Multiply, Remainder, Subtract};
    let zero = || EvalError::failed(if operator == Divide { "division by zero" } else { "modulus by zero" });
    let overflow = || EvalError::failed("integer overflow");
    let span = |nanos: i128| match i64::try_from(nanos) {
        Ok(_) => Ok(Value::Duration(nanos)),
        Err(_) => Err(overflow()),
    };
    let time = |nanos: i128| match nanos {
        MIN_TIME..=MAX_TIME => Ok(Value::Timestamp(nanos)),
        _ => Err(EvalError::failed("timestamp overflow")),
    };
    match (a, b) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0))
            if matches!(operator, Divide | Remainder) =>
        {
            Err(zero())
        }
        (Value::Int(a), Value::Int(b)) => match operator {
            Add => a.checked_add(*b),
            Subtract => a.checked_sub(*b),
            Multiply => a.checked_mul(*b),
            Divide => a.checked_div(*b),
            Remainder => a.checked_rem(*b),
        }
        .map(Value::Int)
        .ok_or_else(overflow),
        (Value::Uint(a), Value::Uint(b)) => match operator {
            Add => a.checked_add(*b),
            Subtract => a.checked_sub(*b),
            Multiply => a.checked_mul(*b),
            Divide => a.checked_div(*b),
            Remainder => a.checked_rem(*b),
        }
        .map(Value::Uint)
        .ok_or_else(|| EvalError::failed("unsigned integer overflow")),
        (Value::Double(a), Value::Double(b)) => match operator {
            Add => Ok(Value::Double(a + b)),
            Subtract => Ok(Value::Double(a - b)),
            Multiply => Ok(Value::Double(a * b)),
            Divide => Ok(Value::Double(a / b)),
            Remainder => Err(EvalError::overload()),
        },
        (Value::Text(a), Value::Text(b)) if operator == Add => {
            meter.allocate(a.len() + b.len())?;
            Ok(Value::text([&**a, &**b].concat()))
        }
        (Value::Bytes(a), Value::Bytes(b)) if operator == Add => {
            meter.allocate(a.len() + b.len())?;
            Ok(Value::Bytes([&a[..], &b[..]].concat().into()))
        }
        (Value::List(a), Value::List(b)) if operator == Add => Ok(Value::List(Arc::new(meter.plus(a, b)?))),
        (Value::Duration(a), Value::Duration(b)) if operator == Add => span(a.saturating_add(*b)),
        (Value::Duration(a), Value::Duration(b)) if operator == Subtract => span(a.saturating_sub(*b)),
        (Value::Timestamp(a), Value::Duration(b)) | (Value::Duration(b), Value::Timestamp(a))
            if operator == Add =>
        {
            time(a.saturating_add(*b))
        }
        (Value::Timestamp(a), Value::Duration(b)) if operator == Subtract => time(a.saturating_sub(*b)),
        (Value::Timestamp(a), Value::Timestamp(b)) if operator == Subtract => span(a.saturating_sub(*b)),
        _ => Err(EvalError::overload()),
    }
}
