//! Time zones, from the files of the system (`TZif`, RFC 9636).

use std::path::{Component, Path};

/// Where systems have their time zones.
const FOLDERS: &[&str] = &["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"];
const DAY: i64 = 86_400;

/// The offsets of a time zone from UTC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Zone {
    /// The offset before the first change.
    first: i64,
    /// From when an offset holds, in order.
    changes: Vec<(i64, i64)>,
    /// The rule for the time after the last change.
    rule: Option<Rule>,
}

/// Offsets that change twice a year, or never.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    standard: i64,
    summer: Option<Summer>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Summer {
    offset: i64,
    begin: Change,
    end: Change,
}

/// A day of each year, and the second of that day in local time: the weekday of the week of the month; week 5 is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    month: i64,
    week: i64,
    weekday: i64,
    second: i64,
}

impl Zone {
    /// The zone of a name such as `Europe/Berlin`; `None` if the system does not know it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        if matches!(name, "UTC" | "Etc/UTC") {
            return Some(Self::default());
        }
        // A name is a path below the folder, and never leads out of it.
        let path = Path::new(name);
        if name.is_empty() || !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let read = |folder: &&str| std::fs::read(Path::new(folder).join(path)).ok();
        FOLDERS.iter().find_map(read).and_then(|bytes| Self::parse(&bytes))
    }

    /// The offset from UTC at a time, in seconds.
    pub(crate) fn offset(&self, utc: i64) -> i64 {
        let after = self.changes.partition_point(|(at, _)| *at <= utc);
        match (&self.rule, after.checked_sub(1)) {
            (Some(rule), _) if after == self.changes.len() => rule.offset(utc),
            (_, Some(last)) => self.changes[last].1,
            (_, None) => self.first,
        }
    }

    /// The time of a local time; `None` if clocks skip it. Of two times it is the first.
    pub(crate) fn to_utc(&self, local: i64) -> Option<i64> {
        let offsets = [self.offset(local - DAY), self.offset(local + DAY)];
        let mut fitting: Vec<i64> = offsets.iter().map(|offset| local - offset).collect();
        fitting.retain(|utc| utc + self.offset(*utc) == local);
        fitting.into_iter().min()
    }

    /// Reads a file of the versions 2 to 4.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let (first, _) = Header::read(bytes)?;
        // The first block has the same with fewer bits.
        let second = bytes.get(Header::SIZE + first.size(4)..)?;
        let (header, body) = Header::read(second)?;
        let times = body.get(..header.times * 8)?;
        let kinds = body.get(header.times * 8..header.times * 9)?;
        let types = body.get(header.times * 9..header.times * 9 + header.types * 6)?;
        let offset = |kind: usize| {
            let bytes = types.get(kind * 6..kind * 6 + 4)?;
            Some(i64::from(i32::from_be_bytes(bytes.try_into().ok()?)))
        };
        let mut changes = Vec::with_capacity(header.times);
        for (time, kind) in times.chunks_exact(8).zip(kinds) {
            changes.push((i64::from_be_bytes(time.try_into().ok()?), offset(usize::from(*kind))?));
        }
        let footer = body.get(header.size(8)..)?.strip_prefix(b"\n")?;
        let footer = std::str::from_utf8(footer.split(|byte| *byte == b'\n').next()?).ok()?;
        Some(Self { first: offset(0)?, changes, rule: Rule::parse(footer) })
    }
}

/// The numbers of entries in a block.
struct Header {
    flags: [usize; 2],
    leaps: usize,
    times: usize,
    types: usize,
    letters: usize,
}

impl Header {
    const SIZE: usize = 44;

    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (head, body) = bytes.split_at_checked(Self::SIZE)?;
        if !head.starts_with(b"TZif") || head[4] < b'2' {
            return None;
        }
        let count = |at: usize| {
            let bytes = head.get(20 + at * 4..24 + at * 4)?;
            let count = usize::try_from(u32::from_be_bytes(bytes.try_into().ok()?)).ok()?;
            // Real files have some hundred.
            (count < 100_000).then_some(count)
        };
        let header = Self {
            flags: [count(0)?, count(1)?],
            leaps: count(2)?,
            times: count(3)?,
            types: count(4)?,
            letters: count(5)?,
        };
        Some((header, body))
    }

    /// The size of the block with times of so many bytes.
    fn size(&self, time: usize) -> usize {
        self.times * (time + 1)
            + self.types * 6
            + self.letters
            + self.leaps * (time + 4)
            + self.flags[0]
            + self.flags[1]
    }
}

impl Rule {
    /// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`. Rules with numbers of days are not read.
    fn parse(text: &str) -> Option<Self> {
        let (names, changes) =
            text.split_once(',').map_or((text, None), |(names, changes)| (names, Some(changes)));
        let rest = skip_name(names)?;
        let (standard, rest) = take_time(rest)?;
        let standard = -standard;
        let Some(changes) = changes else { return Some(Self { standard, summer: None }) };
        let rest = skip_name(rest)?;
        let offset = if rest.is_empty() { standard + 3_600 } else { -take_time(rest)?.0 };
        let (begin, end) = changes.split_once(',')?;
        let summer = Summer { offset, begin: Change::parse(begin)?, end: Change::parse(end)? };
        Some(Self { standard, summer: Some(summer) })
    }

    fn offset(&self, utc: i64) -> i64 {
        let Some(summer) = &self.summer else { return self.standard };
        let year = year_of((utc + self.standard).div_euclid(DAY));
        let begin = summer.begin.in_year(year) - self.standard;
        let end = summer.end.in_year(year) - summer.offset;
        // In the south the year begins in summer.
        let is_summer = if begin < end { (begin..end).contains(&utc) } else { !(end..begin).contains(&utc) };
        if is_summer { summer.offset } else { self.standard }
    }
}

impl Change {
    fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_once('/').map_or((text, None), |(date, time)| (date, Some(time)));
        let mut parts = date.strip_prefix('M')?.split('.').map(|part| part.parse::<i64>().ok());
        let (month, week, weekday) = (parts.next()??, parts.next()??, parts.next()??);
        let second = time.map_or(Some(7_200), |time| take_time(time).map(|(second, _)| second))?;
        let valid = (1..=12).contains(&month) && (1..=5).contains(&week) && (0..=6).contains(&weekday);
        valid.then_some(Self { month, week, weekday, second })
    }

    /// The local time of the change in a year.
    fn in_year(self, year: i64) -> i64 {
        let first = days_before(year, self.month);
        let next =
            if self.month == 12 { days_before(year + 1, 1) } else { days_before(year, self.month + 1) };
        let shift = (self.weekday - (first + 4)).rem_euclid(7);
        let mut day = first + shift + (self.week - 1) * 7;
        while day >= next {
            day -= 7;
        }
        day * DAY + self.second
    }
}

/// Skips the name of a zone: letters, or anything in angle brackets.
fn skip_name(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('<') {
        return quoted.split_once('>').map(|(_, rest)| rest);
    }
    let end = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    (end >= 3).then(|| &text[end..])
}

/// Reads hours, minutes and seconds, with or without a sign.
fn take_time(text: &str) -> Option<(i64, &str)> {
    let is_part = |letter: char| letter.is_ascii_digit() || matches!(letter, ':' | '+' | '-');
    let end = text.find(|letter: char| !is_part(letter)).unwrap_or(text.len());
    let (time, rest) = text.split_at(end);
    let (sign, time) = match time.strip_prefix('-') {
        Some(time) => (-1, time),
        None => (1, time.strip_prefix('+').unwrap_or(time)),
    };
    let mut seconds = 0;
    for (part, unit) in time.split(':').zip([3_600, 60, 1]) {
        seconds += part.parse::<i64>().ok().filter(|number| *number < 200)? * unit;
    }
    Some((sign * seconds, rest))
}

/// The days from 1970 to the first of a month.
fn days_before(year: i64, month: i64) -> i64 {
    // Years begin in March here, so that the leap day is the last of a year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5
        - 719_468
}

fn year_of(days: i64) -> i64 {
    let guess = 1970 + days.div_euclid(365);
    (guess - 2..=guess).rev().find(|year| days_before(*year, 1) <= days).unwrap_or(guess)
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::Time;

    use super::*;

    fn at(text: &str) -> i64 {
        Time::parse(text).unwrap().seconds()
    }

    fn of_rule(text: &str) -> Zone {
        Zone { rule: Some(Rule::parse(text).expect(text)), ..Zone::default() }
    }

    #[test]
    fn summer_begins_and_ends_by_the_rule() {
        let berlin = of_rule("CET-1CEST,M3.5.0,M10.5.0/3");
        for (time, hours) in [
            ("2026-03-29T00:59:59Z", 1),
            ("2026-03-29T01:00:00Z", 2),
            ("2026-10-25T00:59:59Z", 2),
            ("2026-10-25T01:00:00Z", 1),
            ("2026-12-31T23:30:00Z", 1),
            ("2027-01-01T00:30:00Z", 1),
        ] {
            assert_eq!(berlin.offset(at(time)), hours * 3_600, "{time}");
        }
        let sydney = of_rule("AEST-10AEDT,M10.1.0,M4.1.0/3");
        assert_eq!(sydney.offset(at("2026-01-01T00:00:00Z")), 11 * 3_600);
        assert_eq!(sydney.offset(at("2026-07-01T00:00:00Z")), 10 * 3_600);
        assert_eq!(of_rule("<+0530>-5:30").offset(0), 19_800);
        assert_eq!(of_rule("EST5EDT,M3.2.0,M11.1.0").offset(at("2026-07-01T00:00:00Z")), -4 * 3_600);
        for text in ["", "X", "CET-1CEST,J60,J300", "CET-1CEST,M13.1.0,M1.1.0"] {
            assert_eq!(Rule::parse(text), None, "{text}");
        }
    }

    #[test]
    fn local_times_that_clocks_skip_do_not_exist() {
        let berlin = of_rule("CET-1CEST,M3.5.0,M10.5.0/3");
        assert_eq!(berlin.to_utc(at("2026-03-29T02:30:00Z")), None);
        assert_eq!(berlin.to_utc(at("2026-03-29T03:30:00Z")), Some(at("2026-03-29T01:30:00Z")));
        // Half past two comes twice.
        assert_eq!(berlin.to_utc(at("2026-10-25T02:30:00Z")), Some(at("2026-10-25T00:30:00Z")));
        assert_eq!(Zone::default().to_utc(7), Some(7));
    }

    #[test]
    fn a_schedule_is_of_local_times() {
        let berlin = of_rule("CET-1CEST,M3.5.0,M10.5.0/3");
        let schedule = crate::schedule::Schedule::parse("30 2 * * *").unwrap();
        let mut time = Time::parse("2026-03-27T12:00:00Z").unwrap();
        let mut seen = Vec::new();
        for _ in 0..3 {
            time = schedule.after(time, &berlin).unwrap();
            seen.push(time.to_string());
        }
        // There is no half past two on the 29th.
        assert_eq!(seen, ["2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z"]);
    }

    #[test]
    fn a_file_has_changes_and_a_rule_for_what_follows() {
        let head = |times: u32, types: u32, letters: u32| {
            let mut head = b"TZif2".to_vec();
            head.resize(20, 0);
            for count in [0, 0, 0, times, types, letters] {
                head.extend(count.to_be_bytes());
            }
            head
        };
        let mut file = head(0, 1, 1);
        file.extend([0; 7]);
        file.extend(head(1, 2, 4));
        file.extend(1_000_i64.to_be_bytes());
        file.push(1);
        for offset in [100_i32, 200] {
            file.extend(offset.to_be_bytes());
            file.extend([0, 0]);
        }
        file.extend(b"ABC\0\nABC-1\n");
        let zone = Zone::parse(&file).unwrap();
        assert_eq!((zone.offset(999), zone.first), (100, 100));
        // After the last change the rule holds.
        assert_eq!(zone.offset(1_000), 3_600);
        for cut in 0..file.len() - 1 {
            // A file that ends early is refused, or ends in its rule.
            assert!(Zone::parse(&file[..cut]).is_none_or(|zone| zone.changes.len() == 1), "{cut}");
        }
    }

    #[test]
    fn names_never_lead_out_of_the_folder() {
        for name in ["", "../../etc/passwd", "/etc/passwd", "Europe/../../x", "No/Such"] {
            assert_eq!(Zone::named(name), None, "{name}");
        }
        assert_eq!(Zone::named("Etc/UTC"), Some(Zone::default()));
    }
}
