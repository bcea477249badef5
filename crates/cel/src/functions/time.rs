//! Points in time and spans of time: parsing, printing and parts.

use super::Outcome;
use crate::{EvalError, Value};

/// The first moment of the year 1.
pub(crate) const MIN_TIME: i128 = -62_135_596_800_000_000_000;
/// The last moment of the year 9999.
pub(crate) const MAX_TIME: i128 = 253_402_300_799_999_999_999;

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

/// The methods of a point in time. Spans have those in [`of_span`].
pub(super) const METHODS: [&str; 10] = [
    "getFullYear",
    "getMonth",
    "getDayOfYear",
    "getDayOfMonth",
    "getDate",
    "getDayOfWeek",
    "getHours",
    "getMinutes",
    "getSeconds",
    "getMilliseconds",
];

/// Parses Go's form: `1h30m`, `-1.5s`.
pub(crate) fn duration(text: &str) -> Option<i128> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut nanos = 0_i128;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if fraction.contains('.') || whole.len() + fraction.len() == 0 || whole.len() > 19 {
            return None;
        }
        let units = [
            ("ns", 1),
            ("us", 1_000),
            ("µs", 1_000),
            ("μs", 1_000),
            ("ms", 1_000_000),
            ("s", SECOND),
            ("m", 60 * SECOND),
            ("h", 3_600 * SECOND),
        ];
        let (unit, scale) = units.iter().find(|(unit, _)| {
            after.strip_prefix(unit).is_some_and(|next| !next.starts_with(|c: char| c.is_alphabetic()))
        })?;
        let digits = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<i128>().ok() };
        nanos += digits(whole)?.checked_mul(*scale)?;
        // Digits finer than a nanosecond are lost.
        let fine = fraction.get(..fraction.len().min(18))?;
        nanos += digits(fine)? * scale / 10_i128.pow(u32::try_from(fine.len()).ok()?);
        rest = &after[unit.len()..];
    }
    (nanos <= i128::from(i64::MAX)).then_some(sign * nanos)
}

/// Parses RFC 3339.
pub(crate) fn timestamp(text: &str) -> Option<i128> {
    let number = |range: std::ops::Range<usize>| {
        let digits = text.get(range)?;
        digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse::<i64>().ok())?
    };
    let at = |index: usize, expected: &[u8]| {
        text.as_bytes().get(index).is_some_and(|byte| expected.contains(byte))
    };
    if !at(4, b"-") || !at(7, b"-") || !at(10, b"Tt") || !at(13, b":") || !at(16, b":") {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let mut rest = text.get(19..)?;
    let mut nanos = 0i128;
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
        let digits: String = fraction[..length].chars().chain("000000000".chars()).take(9).collect();
        nanos = digits.parse().ok()?;
        rest = &fraction[length..];
    }
    let offset = match rest {
        "Z" | "z" => 0,
        _ => {
            let sign = match rest.as_bytes().first()? {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let (hours, minutes) =
                (rest.get(1..3)?.parse::<i64>().ok()?, rest.get(4..6)?.parse::<i64>().ok()?);
            if rest.len() != 6 || rest.as_bytes()[3] != b':' {
                return None;
            }
            sign * (hours * 3600 + minutes * 60)
        }
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i64::from(leap),
        _ => return None,
    };
    if !(1..=longest).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    let nanos = i128::from(seconds) * SECOND + nanos;
    (MIN_TIME..=MAX_TIME).contains(&nanos).then_some(nanos)
}

/// Returns the days since 1970 in the proleptic calendar, with years that begin in March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Returns the year, month and day of a day since 1970.
fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// Prints RFC 3339, with the fewest digits.
pub(super) fn written(nanos: i128) -> String {
    let (days, rest) = (nanos.div_euclid(DAY), nanos.rem_euclid(DAY));
    let (year, month, day) = date(i64::try_from(days).unwrap_or_default());
    let seconds = rest / SECOND;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fine = fraction(rest % SECOND);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fine}Z")
}

/// Prints a span in seconds.
pub(super) fn span_written(nanos: i128) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let nanos = nanos.abs();
    format!("{sign}{}{}s", nanos / SECOND, fraction(nanos % SECOND))
}

fn fraction(nanos: i128) -> String {
    if nanos == 0 {
        return String::new();
    }
    format!(".{nanos:09}").trim_end_matches('0').to_owned()
}

/// Evaluates a method of a point in time; with a zone, in that zone.
pub(super) fn of_time(nanos: i128, function: &str, args: &[Value]) -> Option<Outcome> {
    let local = match args {
        [] => nanos,
        [Value::Text(zone)] => match offset(zone) {
            Some(minutes) => nanos + i128::from(minutes) * 60 * SECOND,
            None => return Some(Err(EvalError::failed(format!("unknown time zone {zone}")))),
        },
        _ => return None,
    };
    let (whole_days, rest) = (local.div_euclid(DAY), local.rem_euclid(DAY));
    let since = i64::try_from(whole_days).unwrap_or_default();
    let (year, month, day) = date(since);
    let rest = i64::try_from(rest / 1_000_000).unwrap_or_default();
    Some(Ok(Value::Int(match function {
        "getFullYear" => year,
        "getMonth" => month - 1,
        "getDayOfYear" => since - days(year, 1, 1),
        "getDayOfMonth" => day - 1,
        "getDate" => day,
        "getDayOfWeek" => (since + 4).rem_euclid(7),
        "getHours" => rest / 3_600_000,
        "getMinutes" => rest / 60_000 % 60,
        "getSeconds" => rest / 1_000 % 60,
        "getMilliseconds" => rest % 1_000,
        _ => return None,
    })))
}

/// Evaluates a method of a span: its total in a unit.
pub(super) fn of_span(nanos: i128, function: &str, args: &[Value]) -> Option<Outcome> {
    let unit = match (function, args) {
        ("getHours", []) => 3_600 * SECOND,
        ("getMinutes", []) => 60 * SECOND,
        ("getSeconds", []) => SECOND,
        ("getMilliseconds", []) => 1_000_000,
        _ => return None,
    };
    Some(Ok(Value::Int(i64::try_from(nanos / unit).unwrap_or_default())))
}

/// Returns the offset of a zone in minutes. Named zones other than UTC need a database, which is not included.
fn offset(zone: &str) -> Option<i64> {
    if zone.is_empty() || zone == "UTC" {
        return Some(0);
    }
    let (sign, plain) = match zone.as_bytes().first()? {
        b'-' => (-1, &zone[1..]),
        b'+' => (1, &zone[1..]),
        _ => (1, zone),
    };
    let (hours, minutes) = plain.split_once(':')?;
    Some(sign * (hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(timestamp("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(timestamp("2000-03-01T00:00:00.5+01:00"), Some(951_865_200_500_000_000));
        for bad in [
            "",
            "2020-02-30T00:00:00Z",
            "2020-01-01",
            "2020-01-01T25:00:00Z",
            "2020-01-01T00:00:00+1:00",
            "0000-01-01T00:00:00Z",
        ] {
            assert_eq!(timestamp(bad), None, "{bad}");
        }
        assert_eq!(duration("1h30m"), Some(5_400_000_000_000));
        assert_eq!(duration("-1.5s"), Some(-1_500_000_000));
        for bad in ["", "1", "x", "1x", "-", "1.2.3s", ".s", "9999999999h"] {
            assert_eq!(duration(bad), None, "{bad}");
        }
    }

    #[test]
    fn times_are_written_as_they_are_read() {
        for text in ["0001-01-01T00:00:00Z", "2024-02-29T12:34:56.789Z", "9999-12-31T23:59:59.999999999Z"] {
            assert_eq!(timestamp(text).map(written).as_deref(), Some(text));
        }
        assert_eq!(span_written(-1_500_000_000), "-1.5s");
        assert_eq!(span_written(5_400_000_000_000), "5400s");
    }
}
