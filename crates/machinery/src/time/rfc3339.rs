//! The text form: RFC 3339 to and from an instant, with the leniency of Go's parser.
//!
//! What a Go API server accepts we accept: one-digit hours, a comma before the fraction, offsets up to `24:60`,
//! any number of fraction digits (those past the ninth are dropped). What it refuses we refuse: lower-case
//! `t` and `z`, leap seconds, a space between date and time.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "every cast is of a value whose range the line before it bounds"
)]

use super::stamp::Instant;

const DAY: i64 = 86_400;
/// Days from 0000-03-01, where the leap cycle starts, to 1970-01-01.
const EPOCH_DAYS: i64 = 719_468;
/// Days in the 400 years after which the Gregorian calendar repeats.
const ERA_DAYS: i64 = 146_097;

/// How many digits follow the seconds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fraction {
    /// Any number, none included.
    Any,
    /// Exactly six.
    Micros,
}

/// The parts of a well-formed time; `Err(false)` is bad syntax, `Err(true)` a year outside 1 to 9999.
pub(super) fn parse(text: &[u8], fraction: Fraction) -> Result<Instant, bool> {
    // Nearly every time on the wire has this one form.
    if fraction == Fraction::Any
        && let Ok(text) = text.try_into()
        && let Some(seconds) = whole_seconds_utc(text)
    {
        return Instant::new(seconds, 0).ok_or(true);
    }
    let mut rest = Scanner(text);
    let (seconds, nanos) = rest.date_time(fraction).ok_or(false)?;
    Instant::new(seconds, nanos).ok_or(true)
}

/// `2006-01-02T15:04:05Z` without branches for each byte; `None` leaves the text to the scanner.
fn whole_seconds_utc(text: &[u8; 20]) -> Option<i64> {
    let separators = [text[4], text[7], text[10], text[13], text[16], text[19]];
    if separators != *b"--T::Z" {
        return None;
    }
    let digit = |at: usize| u32::from(text[at].wrapping_sub(b'0'));
    let all_digits =
        [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18].iter().fold(true, |all, &at| all & (digit(at) <= 9));
    if !all_digits {
        return None;
    }
    let two = |at: usize| digit(at) * 10 + digit(at + 1);
    seconds_of(two(0) * 100 + two(2), two(5), two(8), two(11), two(14), two(17))
}

/// Returns the seconds since 1970 of a date and time of day; `None` if the date or time does not exist.
fn seconds_of(year: u32, month: u32, day: u32, hour: u32, minute: u32, second: u32) -> Option<i64> {
    if !(1..=12).contains(&month) || day == 0 || day > days_in_month(year, month) {
        return None;
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    Some(days_from_civil(year, month, day) * DAY + i64::from(hour * 3600 + minute * 60 + second))
}

/// `2006-01-02T15:04:05` of an instant.
pub(super) fn write_date_time(seconds: i64, out: &mut [u8; 19]) {
    let days = seconds.div_euclid(DAY);
    let second_of_day = seconds.rem_euclid(DAY) as u32;
    let (year, month, day) = civil_from_days(days);
    put2(out, 0, year / 100);
    put2(out, 2, year % 100);
    out[4] = b'-';
    put2(out, 5, month);
    out[7] = b'-';
    put2(out, 8, day);
    out[10] = b'T';
    put2(out, 11, second_of_day / 3600);
    out[13] = b':';
    put2(out, 14, second_of_day / 60 % 60);
    out[16] = b':';
    put2(out, 17, second_of_day % 60);
}

/// The six digits of the microseconds.
pub(super) fn write_micros(nanos: u32, out: &mut [u8; 6]) {
    let micros = nanos / 1000;
    put2(out, 0, micros / 10_000);
    put2(out, 2, micros / 100 % 100);
    put2(out, 4, micros % 100);
}

fn put2(out: &mut [u8], at: usize, value: u32) {
    out[at] = b'0' + (value / 10) as u8;
    out[at + 1] = b'0' + (value % 10) as u8;
}

/// Days since 1970-01-01 of a date. Years start in March, so that the leap day is the last of its year.
fn days_from_civil(year: u32, month: u32, day: u32) -> i64 {
    // Counted from 400 years before year 0, so that nothing is negative.
    let year = year + 400 - u32::from(month <= 2);
    let century = year / 100;
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let days = 365 * year + year / 4 - century + century / 4 + day_of_year;
    i64::from(days) - ERA_DAYS - EPOCH_DAYS
}

/// The inverse of [`days_from_civil`], for the years 0 to 9999.
fn civil_from_days(days: i64) -> (u32, u32, u32) {
    let days = (days + ERA_DAYS + EPOCH_DAYS) as u32;
    let era = days / ERA_DAYS as u32;
    let day_of_era = days % ERA_DAYS as u32;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + u32::from(month <= 2) - 400;
    (year, month, day)
}

fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The rest of the text.
struct Scanner<'a>(&'a [u8]);

impl Scanner<'_> {
    fn date_time(&mut self, fraction: Fraction) -> Option<(i64, u32)> {
        let year = self.two()? * 100 + self.two()?;
        self.byte(b'-')?;
        let month = self.two()?;
        self.byte(b'-')?;
        let day = self.two()?;
        self.byte(b'T')?;
        let hour = self.one_or_two()?;
        self.byte(b':')?;
        let minute = self.two()?;
        self.byte(b':')?;
        let second = self.two()?;
        let local = seconds_of(year, month, day, hour, minute, second)?;
        let nanos = match fraction {
            Fraction::Any => self.any_fraction(),
            Fraction::Micros => self.six_digits()?,
        };
        let offset = self.offset()?;
        Some((local - offset, nanos))
    }

    fn byte(&mut self, want: u8) -> Option<()> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        (first == want).then_some(())
    }

    fn digit(&mut self) -> Option<u32> {
        let (&first, rest) = self.0.split_first()?;
        let digit = first.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        self.0 = rest;
        Some(u32::from(digit))
    }

    fn two(&mut self) -> Option<u32> {
        Some(self.digit()? * 10 + self.digit()?)
    }

    fn one_or_two(&mut self) -> Option<u32> {
        let first = self.digit()?;
        Some(self.digit().map_or(first, |second| first * 10 + second))
    }

    /// Zero without consuming anything when there is no fraction.
    fn any_fraction(&mut self) -> u32 {
        if !matches!(self.0, [b'.' | b',', b'0'..=b'9', ..]) {
            return 0;
        }
        self.0 = &self.0[1..];
        let mut nanos = 0;
        let mut unit = 100_000_000;
        while let Some(digit) = self.digit() {
            nanos += digit * unit;
            unit /= 10;
        }
        nanos
    }

    fn six_digits(&mut self) -> Option<u32> {
        let (&first, rest) = self.0.split_first()?;
        if first != b'.' && first != b',' {
            return None;
        }
        self.0 = rest;
        let micros = self.two()? * 10_000 + self.two()? * 100 + self.two()?;
        Some(micros * 1000)
    }

    /// Seconds east of UTC; must end the text.
    fn offset(&mut self) -> Option<i64> {
        let (&sign, rest) = self.0.split_first()?;
        self.0 = rest;
        let offset = if sign == b'Z' {
            0
        } else {
            let hours = self.two()?;
            self.byte(b':')?;
            let minutes = self.two()?;
            if hours > 24 || minutes > 60 {
                return None;
            }
            let east = i64::from(hours * 3600 + minutes * 60);
            match sign {
                b'+' => east,
                b'-' => -east,
                _ => return None,
            }
        };
        self.0.is_empty().then_some(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_day_counts_are_inverse_over_every_day_of_ten_thousand_years() {
        let mut days = days_from_civil(0, 1, 1);
        for year in 0..=9999 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    assert_eq!(days_from_civil(year, month, day), days);
                    assert_eq!(civil_from_days(days), (year, month, day));
                    days += 1;
                }
            }
        }
        assert_eq!(days_from_civil(1970, 1, 1), 0);
    }
}
