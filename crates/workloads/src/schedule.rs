//! Cron schedules: when the next run is.

use client_rs_machinery::{Duration, Time};

use crate::zone::Zone;

/// The most days that are searched for a match: a 29th of February on a given weekday may take 40 years.
const DAYS: i64 = 366 * 41;
const DAY: i64 = 86_400;

/// A schedule. Its fields are local times of a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Schedule {
    /// Five fields, each a set of bits.
    Fields {
        minutes: u64,
        hours: u64,
        days: u64,
        months: u64,
        weekdays: u64,
        /// Whether days of the month and weekdays both have to match: when one of them is every day.
        both: bool,
    },
    /// A fixed interval in seconds.
    Every(i64),
}

/// The names of months and weekdays.
const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: &[&str] = &["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

impl Schedule {
    /// Reads a schedule as the API writes it; `None` if it is malformed.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = match text {
            "@yearly" | "@annually" => "0 0 1 1 *",
            "@monthly" => "0 0 1 * *",
            "@weekly" => "0 0 * * 0",
            "@daily" | "@midnight" => "0 0 * * *",
            "@hourly" => "0 * * * *",
            other => other,
        };
        if let Some(interval) = text.strip_prefix("@every ") {
            let nanos = Duration::parse(interval).ok()?.as_nanos();
            return Some(Self::Every((nanos / 1_000_000_000).max(1)));
        }
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [minutes, hours, days, months, weekdays] = fields[..] else { return None };
        Some(Self::Fields {
            minutes: field(minutes, 0, 59, &[])?,
            hours: field(hours, 0, 23, &[])?,
            days: field(days, 1, 31, &[])?,
            months: field(months, 1, 12, MONTHS)?,
            weekdays: field(weekdays, 0, 6, WEEKDAYS)?,
            both: starts_with_every(days) || starts_with_every(weekdays),
        })
    }

    /// The first time after another one. `None` if there is none. Local times that clocks skip are left out.
    pub(crate) fn after(&self, time: Time, zone: &Zone) -> Option<Time> {
        if let Self::Every(interval) = self {
            return Time::new(time.seconds() + interval, 0);
        }
        let mut local = time.seconds() + zone.offset(time.seconds());
        loop {
            local = self.after_local(local)?;
            match zone.to_utc(local) {
                Some(utc) if utc > time.seconds() => return Time::new(utc, 0),
                _ => {}
            }
        }
    }

    /// The first local time after another one, in seconds since 1970.
    fn after_local(&self, time: i64) -> Option<i64> {
        let &Self::Fields { minutes, hours, days, months, weekdays, both } = self else { return None };
        let first = time + 1;
        let first_day = first.div_euclid(DAY);
        for day in first_day..first_day + DAYS {
            let (month, date) = month_and_day(day);
            let weekday = (day + 4).rem_euclid(7);
            let (of_month, of_week) = (has(days, date), has(weekdays, weekday));
            let matches = if both { of_month && of_week } else { of_month || of_week };
            if !has(months, month) || !matches {
                continue;
            }
            let from = (first - day * DAY).max(0);
            for minute in (from + 59) / 60..1440 {
                if has(hours, minute / 60) && has(minutes, minute % 60) {
                    return Some(day * DAY + minute * 60);
                }
            }
        }
        None
    }
}

fn has(set: u64, number: i64) -> bool {
    u32::try_from(number).is_ok_and(|number| number < 64 && set & (1 << number) != 0)
}

fn starts_with_every(text: &str) -> bool {
    text.split(',').any(|part| part == "*" || part == "?" || part.starts_with("*/") || part.starts_with("?/"))
}

/// The bits of a field: numbers, names, ranges and steps, with commas between them.
fn field(text: &str, low: u32, high: u32, names: &[&str]) -> Option<u64> {
    let mut set = 0;
    for part in text.split(',') {
        let (range, step) = match part.split_once('/') {
            None => (part, None),
            Some((range, step)) => (range, Some(step.parse::<u32>().ok().filter(|step| *step > 0)?)),
        };
        let number = |text: &str| {
            let at = names.iter().position(|known| known.eq_ignore_ascii_case(text));
            match at {
                Some(at) => u32::try_from(at).ok().map(|at| at + low),
                None => text.parse::<u32>().ok(),
            }
        };
        let (first, last) = match range {
            "*" | "?" => (low, high),
            _ => match range.split_once('-') {
                Some((first, last)) => (number(first)?, number(last)?),
                // A step without an end goes to the end.
                None if step.is_some() => (number(range)?, high),
                None => (number(range)?, number(range)?),
            },
        };
        if first < low || last > high || first > last {
            return None;
        }
        let step = usize::try_from(step.unwrap_or(1)).ok()?;
        (first..=last).step_by(step).for_each(|number| set |= 1 << number);
    }
    Some(set)
}

/// Month and day of a number of days since 1970.
fn month_and_day(days: i64) -> (i64, i64) {
    // Years begin in March here, so that the leap day is the last of a year.
    let shifted = days + 719_468;
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    (if from_march < 10 { from_march + 3 } else { from_march - 9 }, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(schedule: &str, after: &str) -> Option<String> {
        let time = Time::parse(after).unwrap();
        Schedule::parse(schedule).expect(schedule).after(time, &Zone::default()).map(|time| time.to_string())
    }

    #[test]
    fn the_next_time_is_found() {
        for (schedule, after, expected) in [
            ("*/1 * * * *", "2026-11-17T13:59:30Z", "2026-11-17T14:00:00Z"),
            ("* * * * *", "2026-11-17T14:00:00Z", "2026-11-17T14:01:00Z"),
            ("30 4 * * *", "2026-11-17T14:00:00Z", "2026-11-18T04:30:00Z"),
            ("0 0 1 1 *", "2026-11-17T14:00:00Z", "2027-01-01T00:00:00Z"),
            ("@yearly", "2026-11-17T14:00:00Z", "2027-01-01T00:00:00Z"),
            ("0 0 29 2 *", "2026-11-17T14:00:00Z", "2028-02-29T00:00:00Z"),
            ("15,45 9-17/4 * * mon-fri", "2026-11-21T00:00:00Z", "2026-11-23T09:15:00Z"),
            // Either a 13th or a Friday.
            ("0 12 13 * fri", "2026-11-10T00:00:00Z", "2026-11-13T12:00:00Z"),
            ("0 12 13 * fri", "2026-11-14T00:00:00Z", "2026-11-20T12:00:00Z"),
            // Every day of the month: the weekday decides.
            ("0 12 * * fri", "2026-11-14T00:00:00Z", "2026-11-20T12:00:00Z"),
            ("5/20 * * * *", "2026-11-17T14:06:00Z", "2026-11-17T14:25:00Z"),
            ("@every 90s", "2026-11-17T14:00:00Z", "2026-11-17T14:01:30Z"),
            ("@hourly", "2026-12-31T23:00:00Z", "2027-01-01T00:00:00Z"),
        ] {
            assert_eq!(next(schedule, after).as_deref(), Some(expected), "{schedule} after {after}");
        }
        assert_eq!(next("0 0 31 2 *", "2026-11-17T14:00:00Z"), None);
    }

    #[test]
    fn what_is_malformed_is_no_schedule() {
        for text in [
            "",
            "* * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "5-1 * * * *",
            "*/0 * * * *",
            "a * * * *",
            "@never",
        ] {
            assert_eq!(Schedule::parse(text), None, "{text:?}");
        }
    }
}
