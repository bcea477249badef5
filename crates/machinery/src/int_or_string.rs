//! [`IntOrString`]: a field that takes a number or a string, such as a port or a percentage.

use crate::Str;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{convert::Infallible, fmt, num::IntErrorKind, str::FromStr};

/// A number or a string: `80` or `http`, `1` or `25%`.
///
/// JSON keeps the two apart: `80` is not `"80"`, and the two are not equal here either.
///
/// ```
/// use client_rs_machinery::{IntOrString, Rounding};
///
/// let port = IntOrString::from(8080);
/// let max_surge = IntOrString::from("25%");
/// assert_eq!(serde_json::to_string(&port).unwrap(), "8080");
///
/// // 25 % of 10 replicas, rounded as the Deployment controller does.
/// assert_eq!(max_surge.scaled_value(10, Rounding::Up).unwrap(), 3);
/// assert_eq!(max_surge.scaled_value(10, Rounding::Down).unwrap(), 2);
/// assert!(IntOrString::from("http").scaled_value(10, Rounding::Up).is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum IntOrString {
    /// A number.
    Int(i32),
    /// A string.
    String(Str),
}

/// How a percentage that falls between two whole numbers is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To the greater number.
    Up,
    /// To the lesser number.
    Down,
}

/// A string that is not a percentage, in a place that needs one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither a number nor a percentage such as 25%")]
pub struct NotPercentage(pub Str);

impl IntOrString {
    /// The number zero.
    pub const ZERO: Self = Self::Int(0);

    /// Parses a number if the text is one and fits an `i32`; else returns the text as a string.
    pub fn parse(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::String(text.into()), Self::Int)
    }

    /// Returns the number. A string is parsed, and counts as 0 if it is not a number. Saturates.
    pub fn int_value(&self) -> i64 {
        match self {
            Self::Int(value) => i64::from(*value),
            Self::String(text) => match text.parse::<i64>() {
                Ok(value) => value,
                Err(error) if *error.kind() == IntErrorKind::PosOverflow => i64::MAX,
                Err(error) if *error.kind() == IntErrorKind::NegOverflow => i64::MIN,
                Err(_) => 0,
            },
        }
    }

    /// Returns the string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Int(_) => None,
            Self::String(text) => Some(text),
        }
    }

    /// Returns a number unchanged, and a percentage as that part of `total`. Saturates.
    ///
    /// This is how controllers read `maxSurge` (rounded up) and `maxUnavailable` (rounded down).
    ///
    /// # Errors
    ///
    /// [`NotPercentage`] for any other string, also for a number in quotes.
    pub fn scaled_value(&self, total: impl Into<i64>, rounding: Rounding) -> Result<i64, NotPercentage> {
        let text = match self {
            Self::Int(value) => return Ok(i64::from(*value)),
            Self::String(text) => text,
        };
        let percent = text.strip_suffix('%').and_then(|number| number.parse::<i64>().ok());
        let Some(percent) = percent else { return Err(NotPercentage(text.clone())) };
        let hundredths = i128::from(percent) * i128::from(total.into());
        let part = match rounding {
            Rounding::Up => -(-hundredths).div_euclid(100),
            Rounding::Down => hundredths.div_euclid(100),
        };
        let limit = if part < 0 { i64::MIN } else { i64::MAX };
        Ok(i64::try_from(part).unwrap_or(limit))
    }
}

impl Default for IntOrString {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<i32> for IntOrString {
    fn from(value: i32) -> Self {
        Self::Int(value)
    }
}

/// Always a string; [`IntOrString::parse`] looks for a number.
impl From<&str> for IntOrString {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

/// Always a string.
impl From<String> for IntOrString {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

/// Always a string.
impl From<Str> for IntOrString {
    fn from(text: Str) -> Self {
        Self::String(text)
    }
}

/// The same as [`IntOrString::parse`].
impl FromStr for IntOrString {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::parse(text))
    }
}

impl fmt::Display for IntOrString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => fmt::Display::fmt(value, f),
            Self::String(text) => fmt::Display::fmt(text.as_str(), f),
        }
    }
}

impl fmt::Debug for IntOrString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => fmt::Debug::fmt(value, f),
            Self::String(text) => fmt::Debug::fmt(text.as_str(), f),
        }
    }
}

impl Serialize for IntOrString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(value) => serializer.serialize_i32(*value),
            Self::String(text) => serializer.serialize_str(text),
        }
    }
}

/// `null` is the number zero, as in Go.
impl<'de> Deserialize<'de> for IntOrString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = IntOrString;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a 32-bit number or a string")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<IntOrString, E> {
                let number = i32::try_from(value);
                number
                    .map(IntOrString::Int)
                    .map_err(|_| E::invalid_value(de::Unexpected::Signed(value), &self))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<IntOrString, E> {
                let number = i32::try_from(value);
                number
                    .map(IntOrString::Int)
                    .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(value), &self))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<IntOrString, E> {
                Ok(text.into())
            }

            fn visit_unit<E: de::Error>(self) -> Result<IntOrString, E> {
                Ok(IntOrString::ZERO)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parse_takes_numbers_that_fit() {
        for (text, want) in [
            ("80", IntOrString::Int(80)),
            ("-1", IntOrString::Int(-1)),
            ("+5", IntOrString::Int(5)),
            ("007", IntOrString::Int(7)),
            ("2147483647", IntOrString::Int(i32::MAX)),
            ("2147483648", "2147483648".into()),
            ("http", "http".into()),
            ("25%", "25%".into()),
            (" 5", " 5".into()),
            ("1_0", "1_0".into()),
            ("", "".into()),
        ] {
            assert_eq!(IntOrString::parse(text), want, "{text:?}");
            assert_eq!(text.parse::<IntOrString>(), Ok(want));
        }
        assert_ne!(IntOrString::from("80"), IntOrString::from(80));
    }

    #[test]
    fn int_value_reads_texts_too() {
        for (value, want) in [
            (IntOrString::Int(7), 7),
            ("8".into(), 8),
            ("http".into(), 0),
            ("99999999999999999999".into(), i64::MAX),
            ("-99999999999999999999".into(), i64::MIN),
        ] {
            assert_eq!(value.int_value(), want, "{value}");
        }
    }

    #[test]
    fn scaled_value_of_numbers_and_percentages() {
        for (value, total, up, down) in [
            (IntOrString::from(123), 200, 123, 123),
            ("90%".into(), 100, 90, 90),
            ("90%".into(), 95, 86, 85),
            ("50%".into(), 10, 5, 5),
            ("2%".into(), 10, 1, 0),
            ("-50%".into(), 5, -2, -3),
            ("0%".into(), 1000, 0, 0),
            ("+10%".into(), 11, 2, 1),
            ("9223372036854775807%".into(), i64::MAX, i64::MAX, i64::MAX),
            ("-9223372036854775808%".into(), i64::MAX, i64::MIN, i64::MIN),
        ] {
            assert_eq!(value.scaled_value(total, Rounding::Up), Ok(up), "{value} of {total}");
            assert_eq!(value.scaled_value(total, Rounding::Down), Ok(down), "{value} of {total}");
        }
        for text in ["", "%", "90", "90%%", "a%", "1.5%", "90 %", "9223372036854775808%"] {
            let error = IntOrString::from(text).scaled_value(10, Rounding::Up).unwrap_err();
            assert_eq!(error, NotPercentage(text.into()));
        }
        let error = IntOrString::from("x").scaled_value(10, Rounding::Up).unwrap_err();
        assert_eq!(error.to_string(), r#""x" is neither a number nor a percentage such as 25%"#);
    }

    #[test]
    fn json_keeps_number_and_text_apart() {
        let read = |json: &str| serde_json::from_str::<IntOrString>(json);
        assert_eq!(read("80").unwrap(), IntOrString::Int(80));
        assert_eq!(read("-80").unwrap(), IntOrString::Int(-80));
        assert_eq!(read(r#""80""#).unwrap(), IntOrString::from("80"));
        assert_eq!(read("null").unwrap(), IntOrString::default());
        assert!(read("2147483648").is_err() && read("-2147483649").is_err());
        assert!(read("1.5").is_err() && read("true").is_err());
        assert_eq!(serde_json::to_string(&IntOrString::from(80)).unwrap(), "80");
        assert_eq!(serde_json::to_string(&IntOrString::from(String::from("80"))).unwrap(), r#""80""#);
    }

    #[test]
    fn prints_its_value() {
        assert_eq!(
            format!("{}|{:>4}|{:?}", IntOrString::from(80), IntOrString::from("a"), IntOrString::from("a")),
            "80|   a|\"a\""
        );
        assert_eq!(IntOrString::from("a").as_str(), Some("a"));
        assert_eq!(IntOrString::from(1).as_str(), None);
        assert_eq!(IntOrString::from(Str::from("a")), "a".into());
    }

    proptest! {
        /// Go computes in `float64`; where that is exact we agree.
        #[test]
        fn percentages_as_in_floats(percent in -1000..=1000_i32, total in -1_000_000..=1_000_000_i32) {
            let value = IntOrString::from(format!("{percent}%"));
            let exact = f64::from(percent) * f64::from(total) / 100.0;
            for (rounding, float) in [(Rounding::Up, exact.ceil()), (Rounding::Down, exact.floor())] {
                let got = i32::try_from(value.scaled_value(total, rounding).unwrap()).unwrap();
                prop_assert!((f64::from(got) - float).abs() < 1e-9, "{} of {}", percent, total);
            }
        }
    }
}
