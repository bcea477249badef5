//! [`Duration`]: a span of time in Go's notation.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{
    fmt,
    ops::{Add, Neg, Sub},
    str::FromStr,
    time::Duration as StdDuration,
};

/// A signed span of time, counted in nanoseconds: at most about 292 years either way.
///
/// ```
/// use client_rs_machinery::Duration;
///
/// let timeout = Duration::parse("1h30m")?;
/// assert_eq!(timeout, Duration::from_secs(5400));
/// assert_eq!(timeout.to_string(), "1h30m0s");
/// assert_eq!(std::time::Duration::try_from(timeout), Ok(std::time::Duration::from_secs(5400)));
/// assert!(Duration::parse("90").is_err());
/// # Ok::<(), client_rs_machinery::time::DurationError>(())
/// ```
///
/// The text form is Go's: `1h30m0s`, `1.5µs`, `-2m0.25s`; zero is `0s`. Hours are the largest unit. Parsing accepts
/// any sum of numbers with the units `ns`, `us` (also `µs`), `ms`, `s`, `m` and `h`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    nanos: i64,
}

/// A malformed duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DurationError {
    /// Malformed, or beyond the range of an `i64` of nanoseconds.
    #[error("{0:?} is not a duration")]
    Invalid(Box<str>),
    /// A number without a unit. Only a lone `0` needs none.
    #[error("a number in duration {0:?} has no unit")]
    MissingUnit(Box<str>),
    /// A unit that is not one of `ns`, `us`, `µs`, `ms`, `s`, `m`, `h`.
    #[error("unknown unit {unit:?} in duration {text:?}")]
    UnknownUnit {
        /// The text in the place of the unit.
        unit: Box<str>,
        /// The whole text.
        text: Box<str>,
    },
}

const MICROSECOND: u64 = 1_000;
const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

impl Duration {
    /// The empty span.
    pub const ZERO: Self = Self { nanos: 0 };
    /// The longest positive span.
    pub const MAX: Self = Self { nanos: i64::MAX };
    /// The longest negative span.
    pub const MIN: Self = Self { nanos: i64::MIN };

    /// Creates a span of this many nanoseconds.
    pub const fn from_nanos(nanos: i64) -> Self {
        Self { nanos }
    }

    /// Creates a span of this many seconds, saturated at [`MIN`](Self::MIN) and [`MAX`](Self::MAX).
    pub const fn from_secs(seconds: i64) -> Self {
        Self { nanos: seconds.saturating_mul(1_000_000_000) }
    }

    /// Returns the span in nanoseconds, which is also its protobuf form.
    pub const fn as_nanos(self) -> i64 {
        self.nanos
    }

    /// Returns the span in seconds, rounded to an `f64`.
    #[expect(clippy::cast_precision_loss, reason = "the precision of f64 is what this returns")]
    pub fn as_secs_f64(self) -> f64 {
        self.nanos as f64 / 1e9
    }

    /// Parses Go's notation.
    ///
    /// # Errors
    ///
    /// [`DurationError`] if the text is malformed, lacks a unit, or is out of range.
    pub fn parse(text: &str) -> Result<Self, DurationError> {
        parse(text)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = Buffer { bytes: [0; 32], start: 32 };
        buffer.write(*self);
        f.pad(str::from_utf8(&buffer.bytes[buffer.start..]).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Duration {
    type Err = DurationError;

    fn from_str(text: &str) -> Result<Self, DurationError> {
        parse(text)
    }
}

/// Saturates.
impl Add for Duration {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { nanos: self.nanos.saturating_add(other.nanos) }
    }
}

/// Saturates.
impl Sub for Duration {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { nanos: self.nanos.saturating_sub(other.nanos) }
    }
}

/// Saturates: the negative of [`Duration::MIN`] is [`Duration::MAX`].
impl Neg for Duration {
    type Output = Self;

    fn neg(self) -> Self {
        Self { nanos: self.nanos.saturating_neg() }
    }
}

/// Saturates at [`Duration::MAX`].
impl From<StdDuration> for Duration {
    fn from(duration: StdDuration) -> Self {
        Self { nanos: i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX) }
    }
}

/// Fails for a negative span, because `std`'s has no sign. The error returns the span.
impl TryFrom<Duration> for StdDuration {
    type Error = Duration;

    fn try_from(duration: Duration) -> Result<Self, Duration> {
        u64::try_from(duration.nanos).map(StdDuration::from_nanos).map_err(|_| duration)
    }
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Duration;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a duration such as 1h30m")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Duration, E> {
                parse(text).map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Visitor)
    }
}

fn parse(text: &str) -> Result<Duration, DurationError> {
    /// Holds the magnitude of `i64::MIN`.
    const LIMIT: u64 = 1 << 63;

    let invalid = || DurationError::Invalid(text.into());
    let (negative, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut sum = 0_u64;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        if unit.is_empty() {
            return Err(DurationError::MissingUnit(text.into()));
        }
        let size = unit_nanos(unit)
            .ok_or_else(|| DurationError::UnknownUnit { unit: unit.into(), text: text.into() })?;
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| invalid())? };
        sum = whole
            .checked_mul(size)
            .and_then(|nanos| nanos.checked_add(fraction_nanos(fraction, size)))
            .and_then(|nanos| nanos.checked_add(sum))
            .filter(|&sum| sum <= LIMIT)
            .ok_or_else(invalid)?;
        rest = after;
    }
    let nanos = if negative { 0_i64.checked_sub_unsigned(sum) } else { i64::try_from(sum).ok() };
    nanos.map(Duration::from_nanos).ok_or_else(invalid)
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(text.len()))
}

fn unit_nanos(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        // The micro sign and the Greek letter look the same.
        "us" | "\u{b5}s" | "\u{3bc}s" => MICROSECOND,
        "ms" => MILLISECOND,
        "s" => SECOND,
        "m" => MINUTE,
        "h" => HOUR,
        _ => return None,
    })
}

/// `0.digits` of a unit. Computed in `f64` as Go does, so that the last nanosecond is the same.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "as Go's conversions; the result is below one unit, at most 3.6e12"
)]
fn fraction_nanos(digits: &str, unit: u64) -> u64 {
    let mut value = 0_u64;
    let mut scale = 1.0_f64;
    for digit in digits.bytes().map(|b| u64::from(b - b'0')) {
        if value > i64::MAX as u64 / 10 {
            break;
        }
        value = value * 10 + digit;
        scale *= 10.0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}

/// Filled from its end. The longest text has 25 bytes: `-2562047h47m16.854775808s`.
struct Buffer {
    bytes: [u8; 32],
    start: usize,
}

impl Buffer {
    fn write(&mut self, duration: Duration) {
        let nanos = duration.nanos.unsigned_abs();
        self.push(b's');
        if nanos == 0 {
            self.push(b'0');
        } else if nanos < MICROSECOND {
            self.push(b'n');
            self.integer(nanos);
        } else if nanos < MILLISECOND {
            self.push(0xb5);
            self.push(0xc2);
            self.decimal(nanos, 3);
        } else if nanos < SECOND {
            self.push(b'm');
            self.decimal(nanos, 6);
        } else {
            self.decimal(nanos % MINUTE, 9);
            let minutes = nanos / MINUTE;
            if minutes > 0 {
                self.push(b'm');
                self.integer(minutes % 60);
            }
            if minutes >= 60 {
                self.push(b'h');
                self.integer(minutes / 60);
            }
        }
        if duration.nanos < 0 {
            self.push(b'-');
        }
    }

    fn push(&mut self, byte: u8) {
        self.start -= 1;
        self.bytes[self.start] = byte;
    }

    fn integer(&mut self, mut value: u64) {
        loop {
            self.push(b'0' + (value % 10) as u8);
            value /= 10;
            if value == 0 {
                return;
            }
        }
    }

    /// `value / 10^places` without trailing zeros.
    fn decimal(&mut self, mut value: u64, places: u32) {
        let mut printed = false;
        for _ in 0..places {
            let digit = (value % 10) as u8;
            printed |= digit != 0;
            if printed {
                self.push(b'0' + digit);
            }
            value /= 10;
        }
        if printed {
            self.push(b'.');
        }
        self.integer(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Nanoseconds, with the text that Go prints for them.
    const PRINTED: &[(i64, &str)] = &[
        (0, "0s"),
        (1, "1ns"),
        (-1, "-1ns"),
        (999, "999ns"),
        (1_000, "1µs"),
        (1_100, "1.1µs"),
        (1_500, "1.5µs"),
        (999_999, "999.999µs"),
        (2_200_000, "2.2ms"),
        (100_000_000, "100ms"),
        (999_999_999, "999.999999ms"),
        (1_000_000_000, "1s"),
        (3_300_000_000, "3.3s"),
        (60_000_000_000, "1m0s"),
        (245_000_000_000, "4m5s"),
        (245_001_000_000, "4m5.001s"),
        (3_600_000_000_000, "1h0m0s"),
        (3_600_500_000_000, "1h0m0.5s"),
        (18_367_001_000_000, "5h6m7.001s"),
        (480_000_000_001, "8m0.000000001s"),
        (31_536_000_000_000_000, "8760h0m0s"),
        (i64::MAX, "2562047h47m16.854775807s"),
        (i64::MIN, "-2562047h47m16.854775808s"),
    ];

    #[test]
    fn prints_as_go() {
        for &(nanos, text) in PRINTED {
            assert_eq!(Duration::from_nanos(nanos).to_string(), text);
            assert_eq!(Duration::parse(text), Ok(Duration::from_nanos(nanos)), "{text}");
        }
        assert_eq!(format!("{:>5}|{:?}", Duration::ZERO, Duration::from_secs(1)), "   0s|1s");
    }

    #[test]
    fn parses_as_go() {
        let cases: &[(&str, i64)] = &[
            ("0", 0),
            ("+0", 0),
            ("-0", 0),
            ("5s", 5_000_000_000),
            ("+5s", 5_000_000_000),
            ("-5s", -5_000_000_000),
            ("5.0s", 5_000_000_000),
            ("5.s", 5_000_000_000),
            (".5s", 500_000_000),
            ("1.00000000000000000000s", 1_000_000_000),
            ("10us", 10_000),
            ("11\u{b5}s", 11_000),
            ("12\u{3bc}s", 12_000),
            ("3h30m", 12_600_000_000_000),
            ("10.5s4m", 250_500_000_000),
            ("-2m3.4s", -123_400_000_000),
            ("1h2m3s4ms5us6ns", 3_723_004_005_006),
            ("39h9m14.425s", 140_954_425_000_000),
            ("52763797000ns", 52_763_797_000),
            ("0.3333333333333333333h", 1_200_000_000_000),
            ("9007199254740993ns", 9_007_199_254_740_993),
            ("9223372036854775.807us", i64::MAX),
            ("-9223372036854775808ns", i64::MIN),
            ("-2562047h47m16.854775808s", i64::MIN),
            ("0.100000000000000000000h", 360_000_000_000),
            ("0.830103483285477580700h", 2_988_372_539_827),
            ("0.9223372036854775807h", 3_320_413_933_267),
            ("0.92233720368547758079999h", 3_320_413_933_267),
        ];
        for &(text, nanos) in cases {
            assert_eq!(Duration::parse(text), Ok(Duration::from_nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn refuses_the_same_texts_as_go() {
        for text in [
            "",
            "-",
            "+",
            "s",
            ".",
            "-.",
            ".s",
            "+.s",
            "--1s",
            "1s-1s",
            " 1s",
            "9223372036854775808ns",
            "1e3s",
            "9223372036854775.808us",
            "3000000h",
            "-9223372036854775809ns",
            "-2562047h47m16.854775809s",
            "99999999999999999999ns",
            // Go's sum wraps around here and yields zero.
            "9223372036854775808ns9223372036854775808ns",
        ] {
            assert!(
                matches!(
                    Duration::parse(text),
                    Err(DurationError::Invalid(_) | DurationError::UnknownUnit { .. })
                ),
                "{text}"
            );
        }
        assert_eq!(Duration::parse("1"), Err(DurationError::MissingUnit("1".into())));
        assert_eq!(Duration::parse("1s.5"), Err(DurationError::MissingUnit("1s.5".into())));
        let unknown = Duration::parse("1d").unwrap_err();
        assert_eq!(unknown.to_string(), r#"unknown unit "d" in duration "1d""#);
        assert_eq!(Duration::parse("3 s").unwrap_err().to_string(), r#"unknown unit " s" in duration "3 s""#);
    }

    #[test]
    fn saturates() {
        assert_eq!(-Duration::MIN, Duration::MAX);
        assert_eq!(Duration::MAX + Duration::from_nanos(1), Duration::MAX);
        assert_eq!(Duration::MIN - Duration::from_nanos(1), Duration::MIN);
        assert_eq!(Duration::from_secs(i64::MAX), Duration::MAX);
        assert_eq!(Duration::from(StdDuration::MAX), Duration::MAX);
        assert_eq!(StdDuration::try_from(Duration::from_nanos(-1)), Err(Duration::from_nanos(-1)));
        assert_eq!(StdDuration::try_from(Duration::from_secs(2)), Ok(StdDuration::from_secs(2)));
        assert!((Duration::from_nanos(1_500_000_000).as_secs_f64() - 1.5).abs() < 1e-12);
    }

    #[test]
    fn json_is_text() {
        let parsed: Duration = serde_json::from_str(r#""90m""#).unwrap();
        assert_eq!(serde_json::to_string(&parsed).unwrap(), r#""1h30m0s""#);
        assert!(serde_json::from_str::<Duration>("90").is_err());
        assert!(serde_json::from_str::<Duration>(r#""90""#).is_err());
    }

    proptest! {
        #[test]
        fn prints_and_parses_back(nanos in any::<i64>(), small in -2_000_000_000_i64..2_000_000_000) {
            for nanos in [nanos, small] {
                let duration = Duration::from_nanos(nanos);
                prop_assert_eq!(Duration::parse(&duration.to_string()), Ok(duration));
            }
        }

        #[test]
        fn no_text_panics(text in ".*", close in "[-+]?([0-9.]{0,25}(ns|us|µs|ms|s|m|h|x)?){0,4}") {
            let _ = Duration::parse(&text);
            if let Ok(duration) = Duration::parse(&close) {
                prop_assert_eq!(Duration::parse(&duration.to_string()), Ok(duration));
            }
        }
    }
}
