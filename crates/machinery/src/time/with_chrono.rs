//! Conversions to and from the `chrono` crate. Those that can leave a range are `TryFrom`.

use super::{Duration, MicroTime, Time, TimeError};

macro_rules! chrono_conversions {
    ($name:ident) => {
        /// In a leap second, `chrono` counts past a whole second of nanoseconds: it becomes the second's last.
        impl<Z: chrono::TimeZone> TryFrom<chrono::DateTime<Z>> for $name {
            type Error = TimeError;

            fn try_from(time: chrono::DateTime<Z>) -> Result<Self, TimeError> {
                let nanos = time.timestamp_subsec_nanos().min(999_999_999);
                $name::new(time.timestamp(), nanos).ok_or(TimeError::OutOfRange)
            }
        }

        impl From<$name> for chrono::DateTime<chrono::Utc> {
            fn from(time: $name) -> Self {
                // Our range lies inside chrono's.
                chrono::DateTime::from_timestamp(time.seconds(), time.nanos()).unwrap_or_default()
            }
        }
    };
}

chrono_conversions!(Time);
chrono_conversions!(MicroTime);

impl From<Duration> for chrono::TimeDelta {
    fn from(duration: Duration) -> Self {
        chrono::TimeDelta::nanoseconds(duration.as_nanos())
    }
}

/// Saturates at [`Duration::MIN`] and [`Duration::MAX`].
impl From<chrono::TimeDelta> for Duration {
    fn from(delta: chrono::TimeDelta) -> Self {
        let limit = if delta < chrono::TimeDelta::zero() { i64::MIN } else { i64::MAX };
        Duration::from_nanos(delta.num_nanoseconds().unwrap_or(limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ends_of_the_ranges() {
        assert_eq!(Time::try_from(chrono::DateTime::<chrono::Utc>::MAX_UTC), Err(TimeError::OutOfRange));
        let first = chrono::DateTime::<chrono::Utc>::from(Time::ZERO);
        assert_eq!(first.to_rfc3339(), "0001-01-01T00:00:00+00:00");
        assert_eq!(Duration::from(chrono::TimeDelta::MIN), Duration::MIN);
        assert_eq!(Duration::from(chrono::TimeDelta::MAX), Duration::MAX);
    }

    #[test]
    fn leap_second_is_the_last_of_its_second() {
        let leap = chrono::DateTime::parse_from_rfc3339("2016-12-31T23:59:60.5Z").unwrap();
        assert_eq!(Time::try_from(leap).unwrap(), Time::new(1_483_228_799, 999_999_999).unwrap());
    }

    proptest! {
        #[test]
        fn round_trips(seconds in -62_135_596_800..=253_402_300_799_i64, nanos in 0..1_000_000_000_u32, span in any::<i64>()) {
            let time = Time::new(seconds, nanos).unwrap();
            let there = chrono::DateTime::<chrono::Utc>::from(time);
            prop_assert_eq!(Time::try_from(there), Ok(time));
            prop_assert_eq!(MicroTime::try_from(there), Ok(time.into()));
            let span = Duration::from_nanos(span);
            prop_assert_eq!(Duration::from(chrono::TimeDelta::from(span)), span);
        }
    }
}
