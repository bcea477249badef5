//! Floating-point numbers as Go prints them.

use client_rs_machinery::go_float;

/// The shortest digits that read back, as `fmt` and YAML have them.
pub(crate) fn shortest(value: f64) -> String {
    go_float(value, -4..6)
}

/// As JSON has them.
pub(crate) fn json(value: f64) -> String {
    go_float(value, -6..21).replace("e-0", "e-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_writer_has_its_own_threshold() {
        assert_eq!(
            (shortest(1.5), shortest(1e6), shortest(1e-5)),
            ("1.5".into(), "1e+06".into(), "1e-05".into())
        );
        assert_eq!((shortest(123_456.5), shortest(1_500_000.5)), ("123456.5".into(), "1.5000005e+06".into()));
        assert_eq!((json(1e-6), json(1e-7), json(0.0)), ("0.000001".into(), "1e-7".into(), "0".into()));
    }
}
