//! The canonical form: no fraction, the largest suffix that leaves none.

use super::Format;
use super::decimal::{Decimal, Mantissa};
use std::fmt::Write;

const DECIMAL: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// Writes `value` in `format`, or in the nearest one that can hold it exactly:
///
/// - a binary value below 1024 or with a fraction is written with decimal suffixes, as in Go;
/// - one beyond the largest decimal suffix is written with an exponent. (Go drops the suffix then, and with it the
///   value's magnitude: it prints `1000E` as `1`. We don't.)
///
/// Also returns the format that a reader of the text will see.
pub(super) fn write(value: &Decimal, format: Format) -> (String, Format) {
    if value.is_zero() {
        return ("0".into(), Format::DecimalSi);
    }
    if format == Format::BinarySi
        && let Some(text) = write_binary(value)
    {
        return text;
    }
    write_decimal(value, format)
}

fn write_binary(value: &Decimal) -> Option<(String, Format)> {
    let limit = Decimal::new(1024, 0);
    if value.clone().abs() < limit || !value.is_multiple_of_pow10(0) {
        return None;
    }
    let mut number = value.to_integer()?;
    let mut suffix = 0;
    let unit = Mantissa::Small(1024);
    while suffix + 1 < BINARY.len()
        && let (quotient, true) = number.div_rem(&unit)
    {
        number = quotient;
        suffix += 1;
    }
    let seen = if suffix == 0 { Format::DecimalSi } else { Format::BinarySi };
    Some((format!("{number}{}", BINARY[suffix]), seen))
}

fn write_decimal(value: &Decimal, format: Format) -> (String, Format) {
    let (number, exponent) = value.clone().normalized();
    // A reader takes no exponent beyond an i32.
    let thousands = exponent.div_euclid(3).min(i64::from(i32::MAX) / 3);
    let mut text = number.times_pow10(exponent - thousands * 3).to_string();
    let suffix = usize::try_from(thousands + 3).ok().and_then(|index| DECIMAL.get(index));
    match suffix {
        Some(suffix) if format != Format::DecimalExponent || suffix.is_empty() => {
            text.push_str(suffix);
            (text, Format::DecimalSi)
        }
        _ => {
            // Writing to a String can't fail.
            let _ = write!(text, "e{}", thousands * 3);
            (text, Format::DecimalExponent)
        }
    }
}
