//! Quantities.

use std::cmp::Ordering;
use std::sync::Arc;

use client_rs_machinery::quantity::Format;

use super::Outcome;
use crate::value::{Kind, Library};
use crate::{EvalError, Value};

pub(super) const GLOBAL: [&str; 3] = ["quantity", "isQuantity", "sign"];
pub(super) const METHODS: [&str; 8] = [
    "isInteger",
    "asInteger",
    "asApproximateFloat",
    "add",
    "sub",
    "compareTo",
    "isGreaterThan",
    "isLessThan",
];

/// A quantity, and its representation in Go. A value that Go does not hold as an integer is not one here either, even
/// if its amount is whole.
#[derive(Clone, Debug)]
pub(crate) struct Quantity {
    amount: client_rs_machinery::Quantity,
    /// The power of ten of Go's representation; `None` for a number of any length.
    scale: Option<i32>,
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.amount == other.amount
    }
}

impl Quantity {
    fn parse(text: &str) -> Result<Self, EvalError> {
        let amount = client_rs_machinery::Quantity::parse(text)
            .map_err(|error| EvalError::failed(error.to_string()))?;
        Ok(Self { amount, scale: scale(text) })
    }

    fn of(value: i64) -> Self {
        Self { amount: client_rs_machinery::Quantity::new(value, Format::DecimalExponent), scale: Some(0) }
    }

    fn integer(&self) -> Option<i64> {
        self.amount.as_i64().filter(|_| self.scale.is_some_and(|scale| scale >= 0))
    }

    fn with(&self, other: &Self, amount: client_rs_machinery::Quantity) -> Self {
        let scale = match (self.scale, other.scale) {
            (scale, Some(_)) if other.amount.is_zero() => scale,
            (Some(_), scale) if self.amount.is_zero() => scale,
            (Some(a), Some(b)) => {
                // A value that no longer fits 64 bits becomes a number of any length.
                let held = 10_f64.powi(-a.min(b)) * amount.as_f64().abs();
                (held < 9.2e18).then_some(a.min(b))
            }
            _ => None,
        };
        Self { amount, scale }
    }
}

/// Returns the power of ten in which Go holds the number of a text, if it fits.
fn scale(text: &str) -> Option<i32> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let end =
        unsigned.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(unsigned.len());
    let (number, suffix) = unsigned.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let (whole, decimals) = (whole.trim_start_matches('0').len().max(1), i32::try_from(fraction.len()).ok()?);
    let exponent = match suffix {
        "n" => -9,
        "u" => -6,
        "m" => -3,
        "" => 0,
        "k" => 3,
        "M" => 6,
        "G" => 9,
        "T" => 12,
        "P" => 15,
        "E" => 18,
        "Ki" | "Mi" | "Gi" | "Ti" | "Pi" | "Ei" => {
            let power = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].iter().position(|known| *known == suffix)? + 1;
            return (decimals == 0 && whole + power * 3 < 15).then_some(0);
        }
        exponent => exponent.strip_prefix(['e', 'E'])?.parse().ok()?,
    };
    let scale = exponent - decimals;
    (whole + fraction.len() <= 18 && scale >= -9).then_some(scale)
}

pub(super) fn global(function: &str, args: &[Value]) -> Option<Outcome> {
    Some(match (function, args) {
        ("quantity", [Value::Text(text)]) => {
            Quantity::parse(text).map(|quantity| Kind::Quantity(Arc::new(quantity)).into())
        }
        ("isQuantity", [Value::Text(text)]) => Ok(Value::Bool(Quantity::parse(text).is_ok())),
        ("sign", [Value::Library(Library(Kind::Quantity(quantity)))]) => {
            Ok(Value::Int(quantity.amount.sign().into()))
        }
        _ => return None,
    })
}

pub(super) fn method(quantity: &Quantity, function: &str, args: &[Value]) -> Option<Outcome> {
    let made = |quantity: Quantity| Kind::Quantity(Arc::new(quantity)).into();
    let other = match args {
        [Value::Library(Library(Kind::Quantity(other)))] => Some((**other).clone()),
        [Value::Int(value)] if matches!(function, "add" | "sub") => Some(Quantity::of(*value)),
        [] => None,
        _ => return None,
    };
    Some(Ok(match (function, &other) {
        ("isInteger", None) => Value::Bool(quantity.integer().is_some()),
        ("asInteger", None) => match quantity.integer() {
            Some(value) => Value::Int(value),
            None => return Some(Err(EvalError::failed("cannot convert value to integer"))),
        },
        ("asApproximateFloat", None) => Value::Double(quantity.amount.as_f64()),
        ("add", Some(other)) => made(quantity.with(other, &quantity.amount + &other.amount)),
        ("sub", Some(other)) => made(quantity.with(other, &quantity.amount - &other.amount)),
        ("compareTo", Some(other)) => Value::Int(match quantity.amount.cmp(&other.amount) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }),
        ("isGreaterThan", Some(other)) => Value::Bool(quantity.amount > other.amount),
        ("isLessThan", Some(other)) => Value::Bool(quantity.amount < other.amount),
        _ => return None,
    }))
}
