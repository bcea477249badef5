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
    DATE_TIME = r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$";
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

/// Whether a text is a point in time, almost as in RFC 3339.
pub fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    is_date(date)
        && DATE_TIME
            .captures(time)
            .is_some_and(|found| &found[1] <= "23" && &found[2] <= "59" && &found[3] <= "59")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_each_format() {
        assert!(is_uuid("6ba7b810-9dad-11d1-80b4-00c04fd430c8") && !is_uuid("6ba7"));
        assert!(is_base64("aGVsbG8=") && !is_base64("a") && !is_base64(""));
        assert!(is_date("2024-02-29") && !is_date("2023-02-29"));
        assert!(is_date_time("2014-12-15T19:30:20.000Z") && !is_date_time("2014-12-15 19:30:20"));
    }
}
