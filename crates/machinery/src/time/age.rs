//! Ages for people: the time since an instant.

use super::Time;

/// Returns the time since an instant in the form of the AGE column of `kubectl get`: at most two units, the second
/// only if it matters.
///
/// An instant in the future has the age `0s`.
///
/// ```
/// use client_rs_machinery::{Time, time::age};
///
/// let created = Time::parse("2026-01-01T00:00:00Z")?;
/// assert_eq!(age(created, Time::parse("2026-01-01T00:01:30Z")?), "90s");
/// assert_eq!(age(created, Time::parse("2026-01-01T00:05:30Z")?), "5m30s");
/// assert_eq!(age(created, Time::parse("2026-01-01T02:05:30Z")?), "125m");
/// # Ok::<(), client_rs_machinery::time::TimeError>(())
/// ```
pub fn age(since: Time, now: Time) -> String {
    let seconds = (now.seconds() - since.seconds()).max(0);
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400);
    let years = days / 365;
    let two = |first: i64, unit: char, second: i64, small: char| match second {
        0 => format!("{first}{unit}"),
        second => format!("{first}{unit}{second}{small}"),
    };
    match () {
        () if minutes < 2 => format!("{seconds}s"),
        () if minutes < 10 => two(minutes, 'm', seconds % 60, 's'),
        () if hours < 3 => format!("{minutes}m"),
        () if hours < 8 => two(hours, 'h', minutes % 60, 'm'),
        () if hours < 48 => format!("{hours}h"),
        () if days < 8 => two(days, 'd', hours % 24, 'h'),
        () if years < 2 => format!("{days}d"),
        () if years < 8 => two(years, 'y', days % 365, 'd'),
        () => format!("{years}y"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_short() {
        let at = |seconds: i64| age(Time::new(0, 0).unwrap(), Time::new(seconds, 0).unwrap());
        for (seconds, expected) in [
            (-5, "0s"),
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (121, "2m1s"),
            (600, "10m"),
            (3 * 3600 - 1, "179m"),
            (3 * 3600, "3h"),
            (3 * 3600 + 60, "3h1m"),
            (8 * 3600, "8h"),
            (48 * 3600, "2d"),
            (49 * 3600, "2d1h"),
            (9 * 86400, "9d"),
            (730 * 86400, "2y"),
            (731 * 86400, "2y1d"),
            (3650 * 86400, "10y"),
        ] {
            assert_eq!(at(seconds), expected, "{seconds}");
        }
    }
}
