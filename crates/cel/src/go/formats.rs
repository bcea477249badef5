//! Formats of texts that schemas and rules share.

use std::sync::LazyLock;

use regex::Regex;

/// A regular expression that is known to be valid.
macro_rules! expressions {
    ($($name:ident = $pattern:literal;)*) => {$(
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($pattern).expect("a checked expression"));
    )*};
}

expressions! {
    UUID = r"(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$";
    BASE64 = r"^(?:[A-Za-z0-9+\\/]{4})*(?:[A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=|[A-Za-z0-9+\\/]{4})$";
}

/// Whether a text is a UUID, with or without dashes.
pub fn is_uuid(text: &str) -> bool {
    UUID.is_match(text)
}

/// Whether a text is base64 with padding, and not empty.
pub fn is_base64(text: &str) -> bool {
    BASE64.is_match(text)
}

/// Whether a text is a date of RFC 3339.
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' || !text.is_ascii() {
        return false;
    }
    let number = |from: usize, to: usize| {
        let part = &text[from..to];
        part.bytes().all(|at| at.is_ascii_digit()).then(|| part.parse::<u32>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(0, 4), number(5, 7), number(8, 10)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// Whether a text is a point in time, almost as in RFC 3339: any character may come before the fraction of a second.
///
/// Servers check the times of every status with it, so it uses no regular expression.
pub fn is_date_time(text: &str) -> bool {
    let mut parts = text.split(['t', 'T']);
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    is_date(date) && is_time(time)
}

fn is_time(text: &str) -> bool {
    let Some((&[h1, h2, b':', m1, m2, b':', s1, s2], _)) = text.as_bytes().split_first_chunk() else {
        return false;
    };
    let is_below = |ten: u8, one: u8, most: &[u8; 2]| {
        ten.is_ascii_digit() && one.is_ascii_digit() && [ten, one] <= *most
    };
    if !(is_below(h1, h2, b"23") && is_below(m1, m2, b"59") && is_below(s1, s2, b"59")) {
        return false;
    }
    // All of the bytes before it are ASCII.
    let rest = &text[8..];
    let fraction = || {
        let mut chars = rest.chars();
        chars.next().filter(|point| *point != '\n')?;
        let digits = chars.as_str();
        let zone = digits.trim_start_matches(|digit: char| digit.is_ascii_digit());
        (zone.len() < digits.len()).then_some(zone)
    };
    is_zone(rest) || fraction().is_some_and(is_zone)
}

fn is_zone(text: &str) -> bool {
    match text.as_bytes() {
        b"z" | b"Z" => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => [h1, h2, m1, m2].into_iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_each_format() {
        assert!(is_uuid("6ba7b810-9dad-11d1-80b4-00c04fd430c8") && !is_uuid("6ba7"));
        assert!(is_base64("aGVsbG8=") && !is_base64("a") && !is_base64(""));
        assert!(is_date("2024-02-29") && !is_date("2023-02-29"));
    }

    #[test]
    fn times_are_those_of_the_expression_that_they_are_defined_by() {
        let expression =
            Regex::new(r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$").unwrap();
        let expected = |text: &str| {
            let lower = text.to_lowercase();
            let mut parts = lower.split('t');
            let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
            let found = expression.captures(time);
            is_date(date)
                && found.is_some_and(|found| &found[1] <= "23" && &found[2] <= "59" && &found[3] <= "59")
        };
        for (text, is_valid) in [
            ("2014-12-15T19:30:20.000Z", true),
            ("2014-12-15t23:59:59z", true),
            ("2014-12-15T19:30:20+01:00", true),
            ("2014-12-15T19:30:20é1-99:99", true),
            ("2014-12-15T19:30:20+05+05:00", true),
            ("2014-12-15T19:30:20Ztail", true),
            ("2014-12-15 19:30:20", false),
            ("2014-12-15T24:30:20Z", false),
            ("2014-12-15T19:60:20Z", false),
            ("2014-12-15T19:30:20", false),
            ("2014-12-15T19:30:20.Z", false),
            ("2014-12-15T19:30:20\n1Z", false),
            ("2014-12-15T19:30:2éZ", false),
            ("2014-02-30T19:30:20Z", false),
        ] {
            assert_eq!((is_date_time(text), expected(text)), (is_valid, is_valid), "{text:?}");
        }
        // Each character of a valid one changed, removed and repeated.
        let chars: Vec<char> = "2014-12-15T19:30:20.12+01:00".chars().collect();
        for at in 0..chars.len() {
            for other in ["", "0", "6", "9", "z", "Z", "t", ":", ".", "+", "-", "é", "\n", "00"] {
                let (before, after) = (&chars[..at], &chars[at + 1..]);
                let text: String =
                    before.iter().copied().chain(other.chars()).chain(after.iter().copied()).collect();
                assert_eq!(is_date_time(&text), expected(&text), "{text:?}");
            }
        }
    }
}
