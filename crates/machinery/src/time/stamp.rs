//! [`Time`] and [`MicroTime`]: one representation, two wire precisions.

use super::Duration;
use super::rfc3339::{self, Fraction};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{
    fmt,
    num::NonZeroU32,
    ops::Sub,
    str::FromStr,
    time::{Duration as StdDuration, SystemTime},
};

/// A malformed time, or an instant out of range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeError {
    /// The text is not the expected form of RFC 3339. Holds its start.
    #[error("{0:?} is not an RFC 3339 time")]
    Syntax(Box<str>),
    /// The instant lies before the year 1 or after the year 9999 (UTC).
    #[error("the time is outside the years 1 to 9999")]
    OutOfRange,
}

/// Seconds since 1970-01-01T00:00:00Z and the nanoseconds that follow them.
///
/// Nanoseconds are kept plus one, so that the zero is free for `Option`'s `None`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Instant {
    seconds: i64,
    nanos_plus_one: NonZeroU32,
}

impl Instant {
    /// 0001-01-01T00:00:00Z, Go's zero time.
    const MIN_SECONDS: i64 = -62_135_596_800;
    /// 9999-12-31T23:59:59Z.
    const MAX_SECONDS: i64 = 253_402_300_799;

    const ZERO: Self = Self { seconds: Self::MIN_SECONDS, nanos_plus_one: NonZeroU32::MIN };

    pub(super) const fn new(seconds: i64, nanos: u32) -> Option<Self> {
        if seconds < Self::MIN_SECONDS || seconds > Self::MAX_SECONDS || nanos > 999_999_999 {
            return None;
        }
        match NonZeroU32::new(nanos + 1) {
            Some(nanos_plus_one) => Some(Self { seconds, nanos_plus_one }),
            None => None,
        }
    }

    const fn nanos(self) -> u32 {
        self.nanos_plus_one.get() - 1
    }

    fn nanos_since_epoch(self) -> i128 {
        i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanos())
    }

    fn from_nanos_since_epoch(nanos: i128) -> Option<Self> {
        let seconds = i64::try_from(nanos.div_euclid(1_000_000_000)).ok()?;
        let nanos = u32::try_from(nanos.rem_euclid(1_000_000_000)).ok()?;
        Self::new(seconds, nanos)
    }
}

/// The most bytes of a malformed text that its error keeps.
const ERROR_TEXT: usize = 64;

fn parse(text: &[u8], fraction: Fraction) -> Result<Instant, TimeError> {
    rfc3339::parse(text, fraction).map_err(|out_of_range| {
        if out_of_range {
            return TimeError::OutOfRange;
        }
        TimeError::Syntax(String::from_utf8_lossy(&text[..text.len().min(ERROR_TEXT)]).into())
    })
}

/// Both types have the same operations; only the text form and the precision on the wire differ.
macro_rules! time_type {
    (
        $(#[$doc:meta])*
        $name:ident, text: $len:literal bytes, $fraction:expr, unit: $unit_nanos:literal ns, $write:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(super) Instant);

        impl $name {
            /// 0001-01-01T00:00:00Z: Go's zero time, which the API writes as `null`.
            pub const ZERO: Self = Self(Instant::ZERO);

            /// Length of the text form, in bytes.
            pub const TEXT_LEN: usize = $len;

            /// Creates the instant `nanos` nanoseconds after `seconds` seconds since 1970-01-01T00:00:00Z.
            ///
            /// Returns `None` outside the years 1 to 9999, or if `nanos` is a second or more.
            pub const fn new(seconds: i64, nanos: u32) -> Option<Self> {
                match Instant::new(seconds, nanos) {
                    Some(instant) => Some(Self(instant)),
                    None => None,
                }
            }

            /// Returns the time of the system clock, at its full precision.
            ///
            /// The wire drops digits finer than its unit: use [`truncated`](Self::truncated) if the value must equal
            /// itself after a write and a read.
            pub fn now() -> Self {
                Self::try_from(SystemTime::now()).unwrap_or(Self::ZERO)
            }

            /// Parses the text form. The type's documentation lists the accepted forms.
            ///
            /// # Errors
            ///
            /// [`TimeError`] if the text is malformed or the instant is out of range.
            pub fn parse(text: impl AsRef<[u8]>) -> Result<Self, TimeError> {
                parse(text.as_ref(), $fraction).map(Self)
            }

            /// Returns the whole seconds since 1970-01-01T00:00:00Z, rounded towards the past.
            pub const fn seconds(self) -> i64 {
                self.0.seconds
            }

            /// Returns the nanoseconds past [`seconds`](Self::seconds): 0 to 999,999,999.
            pub const fn nanos(self) -> u32 {
                self.0.nanos()
            }

            /// Whether it is Go's zero time.
            pub const fn is_zero(self) -> bool {
                self.0.seconds == Instant::MIN_SECONDS && self.0.nanos() == 0
            }

            /// Returns the same time at the wire's precision; finer digits are dropped.
            #[must_use]
            pub const fn truncated(self) -> Self {
                let nanos = self.0.nanos();
                match Self::new(self.0.seconds, nanos - nanos % $unit_nanos) {
                    Some(time) => time,
                    None => self,
                }
            }

            /// Returns the text form in UTC: ASCII, no allocation.
            pub fn to_bytes(self) -> [u8; Self::TEXT_LEN] {
                $write(self.0)
            }

            /// Adds a span; `None` if the sum is out of range.
            #[must_use]
            pub fn checked_add(self, duration: Duration) -> Option<Self> {
                let nanos = self.0.nanos_since_epoch() + i128::from(duration.as_nanos());
                Instant::from_nanos_since_epoch(nanos).map(Self)
            }

            /// Subtracts a span; `None` if the difference is out of range.
            #[must_use]
            pub fn checked_sub(self, duration: Duration) -> Option<Self> {
                let nanos = self.0.nanos_since_epoch() - i128::from(duration.as_nanos());
                Instant::from_nanos_since_epoch(nanos).map(Self)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::ZERO
            }
        }

        /// The span from `earlier` to `self`: negative if `earlier` is later, saturated at about ±292 years.
        impl Sub for $name {
            type Output = Duration;

            fn sub(self, earlier: Self) -> Duration {
                let nanos = self.0.nanos_since_epoch() - earlier.0.nanos_since_epoch();
                let limit = if nanos < 0 { i64::MIN } else { i64::MAX };
                Duration::from_nanos(i64::try_from(nanos).unwrap_or(limit))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(str::from_utf8(&self.to_bytes()).map_err(|_| fmt::Error)?)
            }
        }

        /// With every digit in memory, so that unequal times never look equal.
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut text = [0; 19];
                rfc3339::write_date_time(self.0.seconds, &mut text);
                f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)?;
                match self.nanos() {
                    0 => f.write_str("Z"),
                    nanos => write!(f, ".{nanos:09}Z"),
                }
            }
        }

        impl FromStr for $name {
            type Err = TimeError;

            fn from_str(text: &str) -> Result<Self, TimeError> {
                Self::parse(text)
            }
        }

        impl TryFrom<SystemTime> for $name {
            type Error = TimeError;

            fn try_from(time: SystemTime) -> Result<Self, TimeError> {
                let nanos = match time.duration_since(SystemTime::UNIX_EPOCH) {
                    Ok(after) => i128::try_from(after.as_nanos()).map_err(|_| TimeError::OutOfRange)?,
                    Err(before) => {
                        -i128::try_from(before.duration().as_nanos()).map_err(|_| TimeError::OutOfRange)?
                    }
                };
                Instant::from_nanos_since_epoch(nanos).map(Self).ok_or(TimeError::OutOfRange)
            }
        }

        /// Fails only if the platform's clock starts later than the year 1.
        impl TryFrom<$name> for SystemTime {
            type Error = TimeError;

            fn try_from(time: $name) -> Result<Self, TimeError> {
                let seconds = StdDuration::from_secs(time.seconds().unsigned_abs());
                let whole = if time.seconds() < 0 {
                    SystemTime::UNIX_EPOCH.checked_sub(seconds)
                } else {
                    SystemTime::UNIX_EPOCH.checked_add(seconds)
                };
                whole
                    .and_then(|whole| whole.checked_add(StdDuration::from_nanos(time.nanos().into())))
                    .ok_or(TimeError::OutOfRange)
            }
        }

        /// The text form; the zero time is `null`.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if self.is_zero() {
                    return serializer.serialize_none();
                }
                let bytes = self.to_bytes();
                serializer.serialize_some(str::from_utf8(&bytes).map_err(serde::ser::Error::custom)?)
            }
        }

        /// The text form; `null` is the zero time.
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Visitor;

                impl<'de> de::Visitor<'de> for Visitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("an RFC 3339 time or null")
                    }

                    fn visit_none<E: de::Error>(self) -> Result<$name, E> {
                        Ok($name::ZERO)
                    }

                    fn visit_unit<E: de::Error>(self) -> Result<$name, E> {
                        Ok($name::ZERO)
                    }

                    fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<$name, D::Error> {
                        d.deserialize_str(self)
                    }

                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        $name::parse(text).map_err(E::custom)
                    }
                }

                deserializer.deserialize_option(Visitor)
            }
        }
    };
}

time_type! {
    /// A point in time, written with second precision: `2006-01-02T15:04:05Z`. Most timestamps of the API have this
    /// type.
    ///
    /// ```
    /// use client_rs_machinery::{Duration, Time};
    ///
    /// let created = Time::parse("2026-01-02T03:04:05+01:00")?;
    /// assert_eq!(created.to_string(), "2026-01-02T02:04:05Z");
    ///
    /// let later = created.checked_add(Duration::from_secs(90)).unwrap();
    /// assert_eq!((later - created).to_string(), "1m30s");
    /// assert!(Time::parse("2026-01-02").is_err());
    /// # Ok::<(), client_rs_machinery::time::TimeError>(())
    /// ```
    ///
    /// Nanoseconds are kept in memory and take part in comparison, but neither JSON nor protobuf carries them. Use
    /// [`truncated`](Self::truncated) before a comparison with a value from the server.
    ///
    /// Parsing accepts any offset and any number of fraction digits, and refuses the same texts as Go. The text form
    /// is always in UTC. [`age`](super::age) prints the time since an instant as kubectl does.
    Time, text: 20 bytes, Fraction::Any, unit: 1_000_000_000 ns, |instant: Instant| {
        let mut text = [b'Z'; 20];
        if let Some((date_time, _)) = text.split_first_chunk_mut() {
            rfc3339::write_date_time(instant.seconds, date_time);
        }
        text
    }
}

time_type! {
    /// A point in time, written with microsecond precision: `2006-01-02T15:04:05.000000Z`. Leases and events use it.
    ///
    /// ```
    /// use client_rs_machinery::{MicroTime, Time};
    ///
    /// let renewed = MicroTime::parse("2026-01-02T03:04:05.678901Z")?;
    /// assert_eq!(renewed.nanos(), 678_901_000);
    /// assert_eq!(serde_json::to_string(&renewed).unwrap(), r#""2026-01-02T03:04:05.678901Z""#);
    /// assert!(MicroTime::parse("2026-01-02T03:04:05Z").is_err());
    /// # Ok::<(), client_rs_machinery::time::TimeError>(())
    /// ```
    ///
    /// Nanoseconds are kept in memory and take part in comparison, but neither JSON nor protobuf carries them.
    /// Parsing accepts any offset. As in Go, the fraction must have exactly six digits. (Go accepts a sign in place
    /// of the first digit; we do not.) The text form is always in UTC.
    MicroTime, text: 27 bytes, Fraction::Micros, unit: 1_000 ns, |instant: Instant| {
        let mut text = [b'Z'; 27];
        if let Some((date_time, rest)) = text.split_first_chunk_mut() {
            rfc3339::write_date_time(instant.seconds, date_time);
            rest[0] = b'.';
            if let Some((micros, _)) = rest[1..].split_first_chunk_mut() {
                rfc3339::write_micros(instant.nanos(), micros);
            }
        }
        text
    }
}

impl From<Time> for MicroTime {
    fn from(time: Time) -> Self {
        Self(time.0)
    }
}

impl From<MicroTime> for Time {
    fn from(time: MicroTime) -> Self {
        Self(time.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn time(seconds: i64, nanos: u32) -> Time {
        Time::new(seconds, nanos).unwrap()
    }

    #[test]
    fn two_words_also_in_an_option() {
        assert_eq!(size_of::<Time>(), 16);
        assert_eq!(size_of::<Option<Time>>(), 16);
        assert_eq!(size_of::<Option<MicroTime>>(), 16);
    }

    #[test]
    fn range_is_the_years_1_to_9999() {
        assert_eq!(Time::new(-62_135_596_800, 0), Some(Time::ZERO));
        assert_eq!(Time::new(-62_135_596_801, 999_999_999), None);
        assert_eq!(time(253_402_300_799, 999_999_999).to_string(), "9999-12-31T23:59:59Z");
        assert_eq!(Time::new(253_402_300_800, 0), None);
        assert_eq!(Time::new(0, 1_000_000_000), None);
        assert_eq!(Time::parse("0001-01-01T00:00:00+00:01"), Err(TimeError::OutOfRange));
        assert_eq!(Time::parse("0000-12-31T23:59:59Z"), Err(TimeError::OutOfRange));
        assert_eq!(Time::parse("9999-12-31T23:59:59-00:01"), Err(TimeError::OutOfRange));
    }

    type Parts = Option<(i64, u32)>;

    /// The results of Go's parser for each text, for `Time` and for `MicroTime`.
    #[test]
    fn accepts_the_same_texts_as_go() {
        let yes = |seconds, nanos| Some((seconds, nanos));
        let cases: &[(&str, Parts, Parts)] = &[
            ("2006-01-02T15:04:05Z", yes(1_136_214_245, 0), None),
            ("2006-01-02T15:04:05.000000Z", yes(1_136_214_245, 0), yes(1_136_214_245, 0)),
            ("2006-01-02T15:04:05+07:00", yes(1_136_189_045, 0), None),
            ("2006-01-02T15:04:05.5-00:30", yes(1_136_216_045, 500_000_000), None),
            ("2006-01-02T15:04:05.123456789Z", yes(1_136_214_245, 123_456_789), None),
            ("2006-01-02T15:04:05.1234567899999Z", yes(1_136_214_245, 123_456_789), None),
            (
                "2006-01-02T15:04:05.123456-08:00",
                yes(1_136_243_045, 123_456_000),
                yes(1_136_243_045, 123_456_000),
            ),
            ("2006-01-02T15:04:05,123456Z", yes(1_136_214_245, 123_456_000), yes(1_136_214_245, 123_456_000)),
            ("2006-01-02T1:04:05Z", yes(1_136_163_845, 0), None),
            ("2006-01-02T15:04:05+24:60", yes(1_136_124_245, 0), None),
            ("2024-02-29T00:00:00Z", yes(1_709_164_800, 0), None),
            ("1969-12-31T23:59:59.999Z", yes(-1, 999_000_000), None),
            ("2023-02-29T00:00:00Z", None, None),
            ("1900-02-29T00:00:00Z", None, None),
            ("2006-13-02T15:04:05Z", None, None),
            ("2006-00-02T15:04:05Z", None, None),
            ("2006-01-00T15:04:05Z", None, None),
            ("2006-04-31T15:04:05Z", None, None),
            ("2006-01-02T24:00:00Z", None, None),
            ("2006-01-02T15:60:05Z", None, None),
            ("2006-01-02T15:04:60Z", None, None),
            ("2006-01-02t15:04:05Z", None, None),
            ("2006-01-02T15:04:05z", None, None),
            ("2006-01-02 15:04:05Z", None, None),
            ("2006-01-02T15:04:05", None, None),
            ("2006-01-02T15:04:05.Z", None, None),
            ("2006-01-02T15:04:05Zx", None, None),
            ("2006-01-02T15:04:05+25:00", None, None),
            ("2006-01-02T15:04:05+00:61", None, None),
            ("2006-01-02T15:04:05+0700", None, None),
            ("2006-01-02T15:04:05*07:00", None, None),
            ("2006-01-02T15:4:05Z", None, None),
            ("2006-1-02T15:04:05Z", None, None),
            ("206-01-02T15:04:05Z", None, None),
            ("+006-01-02T15:04:05Z", None, None),
            ("", None, None),
            ("2006", None, None),
            ("2006-01-02T15:04:05\u{e9}", None, None),
        ];
        for &(text, as_time, as_micro) in cases {
            let got = Time::parse(text).ok().map(|t| (t.seconds(), t.nanos()));
            assert_eq!(got, as_time, "Time {text:?}");
            let got = MicroTime::parse(text).ok().map(|t| (t.seconds(), t.nanos()));
            assert_eq!(got, as_micro, "MicroTime {text:?}");
        }
    }

    #[test]
    fn errors_hold_a_bounded_part_of_the_text() {
        let Err(TimeError::Syntax(text)) = Time::parse("x".repeat(10_000)) else { panic!() };
        assert_eq!(text.len(), 64);
        assert_eq!(Time::parse("x").unwrap_err().to_string(), r#""x" is not an RFC 3339 time"#);
        assert!(Time::parse([0xff, 0xfe]).is_err());
    }

    #[test]
    fn json_is_text_and_the_zero_time_is_null() {
        let parsed: Time = serde_json::from_str(r#""2006-01-02T15:04:05.9+01:00""#).unwrap();
        assert_eq!(serde_json::to_string(&parsed).unwrap(), r#""2006-01-02T14:04:05Z""#);
        assert_eq!(
            serde_json::to_string(&MicroTime::from(parsed)).unwrap(),
            r#""2006-01-02T14:04:05.900000Z""#
        );
        assert_eq!(serde_json::to_string(&Time::ZERO).unwrap(), "null");
        assert_eq!(serde_json::from_str::<Time>("null").unwrap(), Time::ZERO);
        assert_eq!(serde_json::from_str::<Option<Time>>("null").unwrap(), None);
        assert!(serde_json::from_str::<Time>("12").is_err());
        assert!(serde_json::from_str::<Time>(r#""yesterday""#).is_err());
        assert_eq!(Time::default(), Time::ZERO);
        assert!(Time::ZERO.is_zero() && !time(0, 0).is_zero());
    }

    #[test]
    fn debug_shows_every_digit_and_display_pads() {
        assert_eq!(format!("{:?}", time(0, 1)), "1970-01-01T00:00:00.000000001Z");
        assert_eq!(format!("{:?}", time(0, 0)), "1970-01-01T00:00:00Z");
        assert_eq!(format!("{:>22}", time(0, 1)), "  1970-01-01T00:00:00Z");
    }

    #[test]
    fn arithmetic_stays_in_range() {
        assert_eq!(Time::ZERO.checked_sub(Duration::from_nanos(1)), None);
        let last = time(253_402_300_799, 999_999_999);
        assert_eq!(last.checked_add(Duration::from_nanos(1)), None);
        assert_eq!(last - Time::ZERO, Duration::MAX);
        assert_eq!(Time::ZERO - last, Duration::MIN);
        assert_eq!(time(1, 0) - time(0, 999_999_999), Duration::from_nanos(1));
        assert_eq!(time(0, 0).checked_sub(Duration::from_nanos(1)), Some(time(-1, 999_999_999)));
        assert_eq!(time(0, 0).checked_add(Duration::MIN).unwrap().to_string(), "1677-09-21T00:12:43Z");
    }

    #[test]
    fn truncation_is_to_the_wire_unit() {
        let full = time(-5, 123_456_789);
        assert_eq!(full.truncated(), time(-5, 0));
        assert_eq!(MicroTime::from(full).truncated(), MicroTime::new(-5, 123_456_000).unwrap());
        let now = Time::now();
        assert!(now.seconds() > 1_700_000_000);
        assert_eq!(Time::parse(now.to_bytes()).unwrap(), now.truncated());
    }

    fn any_time() -> impl Strategy<Value = Time> {
        (-62_135_596_800..=253_402_300_799_i64, 0..1_000_000_000_u32).prop_map(|(s, n)| time(s, n))
    }

    proptest! {
        #[test]
        fn prints_as_jiff_and_parses_back(t in any_time()) {
            // jiff's range ends some hours before ours.
            if let Ok(theirs) = jiff::Timestamp::new(t.seconds(), 0) {
                prop_assert_eq!(t.to_string(), theirs.to_string());
            }
            prop_assert_eq!(Time::parse(t.to_bytes()).unwrap(), t.truncated());
            let micro = MicroTime::from(t);
            prop_assert_eq!(MicroTime::parse(micro.to_bytes()).unwrap(), micro.truncated());
            let theirs = chrono::DateTime::from_timestamp(t.seconds(), t.nanos()).unwrap();
            prop_assert_eq!(micro.to_string(), theirs.to_rfc3339_opts(chrono::SecondsFormat::Micros, true));
        }

        #[test]
        fn any_offset_is_read_as_chrono_reads_it(t in any_time(), minutes in -1439..=1439_i32) {
            let zone = chrono::FixedOffset::east_opt(minutes * 60).unwrap();
            let utc = chrono::DateTime::from_timestamp(t.seconds(), t.nanos()).unwrap();
            let text = utc.with_timezone(&zone).to_rfc3339_opts(chrono::SecondsFormat::Nanos, true);
            // Local years 0 and 10000 have no four-digit form.
            if text.len() == 35 || text.len() == 30 {
                prop_assert_eq!(Time::parse(&text).unwrap(), t, "{}", text);
            }
        }

        #[test]
        fn no_text_panics(text in ".*", bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = (Time::parse(&text), MicroTime::parse(&text), Time::parse(&bytes), MicroTime::parse(&bytes));
        }

        #[test]
        fn near_misses_agree_with_chrono(at in 0..20_usize, byte in prop::sample::select(b"0123456789-+:.TZ ".to_vec())) {
            let mut text = *b"2024-02-29T23:59:59Z";
            text[at] = byte;
            let text = str::from_utf8(&text).unwrap();
            let theirs = chrono::DateTime::parse_from_rfc3339(text).ok();
            // chrono also takes leap seconds and a space for the T; years 0 are out of our range.
            if let Some(theirs) = theirs && !text.contains(' ') && !text.contains(":60") && !text.starts_with("0000") {
                prop_assert_eq!(Time::parse(text).unwrap().seconds(), theirs.timestamp());
            } else {
                prop_assert!(Time::parse(text).is_err());
            }
        }

        #[test]
        fn system_time_round_trips(t in any_time()) {
            let there = SystemTime::try_from(t).unwrap();
            prop_assert_eq!(Time::try_from(there).unwrap(), t);
        }

        #[test]
        fn order_is_that_of_the_instants(a in any_time(), b in any_time()) {
            let nanos = |t: Time| (t.seconds(), t.nanos());
            prop_assert_eq!(a.cmp(&b), nanos(a).cmp(&nanos(b)));
        }
    }
}
