//! Conversions to and from the `jiff` crate. Those that can leave a range are `TryFrom`.

use super::{Duration, MicroTime, Time, TimeError};

macro_rules! jiff_conversions {
    ($name:ident) => {
        impl TryFrom<jiff::Timestamp> for $name {
            type Error = TimeError;

            fn try_from(timestamp: jiff::Timestamp) -> Result<Self, TimeError> {
                let nanos = timestamp.as_nanosecond();
                let seconds = i64::try_from(nanos.div_euclid(1_000_000_000));
                let nanos = u32::try_from(nanos.rem_euclid(1_000_000_000));
                match (seconds, nanos) {
                    (Ok(seconds), Ok(nanos)) => $name::new(seconds, nanos).ok_or(TimeError::OutOfRange),
                    _ => Err(TimeError::OutOfRange),
                }
            }
        }

        /// Fails in the last hours of the year 9999, past the end of `jiff`'s range.
        impl TryFrom<$name> for jiff::Timestamp {
            type Error = TimeError;

            fn try_from(time: $name) -> Result<Self, TimeError> {
                let nanos = i128::from(time.seconds()) * 1_000_000_000 + i128::from(time.nanos());
                jiff::Timestamp::from_nanosecond(nanos).map_err(|_| TimeError::OutOfRange)
            }
        }
    };
}

jiff_conversions!(Time);
jiff_conversions!(MicroTime);

impl From<Duration> for jiff::SignedDuration {
    fn from(duration: Duration) -> Self {
        jiff::SignedDuration::from_nanos(duration.as_nanos())
    }
}

/// Saturates at [`Duration::MIN`] and [`Duration::MAX`].
impl From<jiff::SignedDuration> for Duration {
    fn from(duration: jiff::SignedDuration) -> Self {
        let limit = if duration.is_negative() { i64::MIN } else { i64::MAX };
        Duration::from_nanos(i64::try_from(duration.as_nanos()).unwrap_or(limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ends_of_the_ranges() {
        let last = Time::new(253_402_300_799, 0).unwrap();
        assert_eq!(jiff::Timestamp::try_from(last), Err(TimeError::OutOfRange));
        assert_eq!(Time::try_from(jiff::Timestamp::MIN), Err(TimeError::OutOfRange));
        let first = jiff::Timestamp::try_from(Time::ZERO).unwrap();
        assert_eq!(first.to_string(), "0001-01-01T00:00:00Z");
        assert_eq!(Duration::from(jiff::SignedDuration::MIN), Duration::MIN);
        assert_eq!(Duration::from(jiff::SignedDuration::MAX), Duration::MAX);
    }

    proptest! {
        #[test]
        fn round_trips(seconds in -62_135_596_800..253_402_200_000_i64, nanos in 0..1_000_000_000_u32, span in any::<i64>()) {
            let time = Time::new(seconds, nanos).unwrap();
            let there = jiff::Timestamp::try_from(time).unwrap();
            prop_assert_eq!(Time::try_from(there), Ok(time));
            prop_assert_eq!(MicroTime::try_from(there), Ok(time.into()));
            let span = Duration::from_nanos(span);
            prop_assert_eq!(Duration::from(jiff::SignedDuration::from(span)), span);
        }
    }
}
