//! Floating-point numbers as Go prints them.

use std::ops::Range;

/// Returns the shortest digits that parse to the same number. If the exponent is not in `plain`, it is written, with
/// at least two digits: each of Go's writers has its own bounds.
pub fn go_float(value: f64, plain: Range<i32>) -> String {
    if value == 0.0 {
        return if value.is_sign_negative() { "-0".into() } else { "0".into() };
    }
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if plain.contains(&exponent) {
        return format!("{value}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
