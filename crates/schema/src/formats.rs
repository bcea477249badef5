//! Formats of strings and numbers, parsed as in the real server.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::LazyLock;

use client_rs_cel::go;
use client_rs_machinery::{Duration, Json, Str};
use regex::Regex;

/// A supported format.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Format {
    Int32,
    Int64,
    Float,
    Double,
    /// A predicate on strings.
    Text(fn(&str) -> bool),
}

impl Format {
    /// The format of a schema, with its name; `None` if it is not supported.
    pub(crate) fn of(schema: &Json) -> (Str, Option<Self>) {
        let name = schema["format"].as_shared_str().cloned().unwrap_or_default();
        let int_or_string = schema["x-kubernetes-int-or-string"].as_bool() == Some(true);
        let kind = if int_or_string { "" } else { schema["type"].as_str().unwrap_or_default() };
        match Self::known(kind, &name) {
            Some(format) => (name, Some(format)),
            None => (Str::EMPTY, None),
        }
    }

    /// The format of this name for a type.
    pub(crate) fn known(kind: &str, name: &str) -> Option<Self> {
        Some(match (kind, name) {
            ("integer", "int32") => Self::Int32,
            ("integer", "int64") => Self::Int64,
            ("number", "float") => Self::Float,
            ("number", "double") => Self::Double,
            ("" | "string", name) => Self::Text(text(&name.replace('-', ""))?),
            _ => return None,
        })
    }
}

fn text(name: &str) -> Option<fn(&str) -> bool> {
    Some(match name {
        "bsonobjectid" => |text| text.len() == 24 && text.bytes().all(|at| at.is_ascii_hexdigit()),
        "uri" => |text| go::request_uri(text).is_ok(),
        "email" => is_email,
        "hostname" => is_hostname,
        "ipv4" => |text| text.contains('.') && sloppy_ip(text).is_some(),
        "ipv6" => |text| text.contains(':') && text.parse::<Ipv6Addr>().is_ok(),
        "cidr" => is_cidr,
        "mac" => is_mac,
        "uuid" => go::is_uuid,
        "uuid3" => |text| go::is_uuid(text) && version_of(text) == Some('3'),
        "uuid4" => |text| go::is_uuid(text) && version_of(text) == Some('4') && has_variant(text),
        "uuid5" => |text| go::is_uuid(text) && version_of(text) == Some('5') && has_variant(text),
        "isbn" => |text| is_isbn10(text) || is_isbn13(text),
        "isbn10" => is_isbn10,
        "isbn13" => is_isbn13,
        "creditcard" => is_credit_card,
        "ssn" => |text| SSN.is_match(text),
        "hexcolor" => |text| HEX_COLOR.is_match(text),
        "rgbcolor" => |text| RGB_COLOR.is_match(text),
        "byte" => go::is_base64,
        "password" => |_| true,
        "date" => go::is_date,
        "duration" => is_duration,
        "datetime" => go::is_date_time,
        "k8sshortname" => |text| text.len() <= 63 && SHORT_NAME.is_match(text),
        "k8slongname" => |text| text.len() <= 253 && LONG_NAME.is_match(text),
        _ => return None,
    })
}

/// Regular expressions whose validity a test checks.
macro_rules! expressions {
    ($($name:ident = $pattern:literal;)*) => {$(
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($pattern).expect("a checked expression"));
    )*};
}

expressions! {
    SSN = r"^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$";
    HEX_COLOR = r"^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$";
    RGB_COLOR = r"^rgb\(\s*(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])\s*,\s*(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])\s*,\s*(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])\s*\)$";
    SHORT_NAME = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
    LONG_NAME = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
    HOSTNAME = r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$";
    CREDIT_CARD = r"^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}|6[27][0-9]{14})$";
    SCALA_DURATION = r"([0-9]+)\s*([A-Za-zµ]+)";
}

fn digits(text: &str) -> String {
    text.chars().filter(|at| *at != '-' && *at != ' ').collect()
}

/// The version digit of a UUID.
fn version_of(text: &str) -> Option<char> {
    text.chars().filter(|at| *at != '-').nth(12)
}

fn has_variant(text: &str) -> bool {
    text.chars().filter(|at| *at != '-').nth(16).is_some_and(|at| "89abAB".contains(at))
}

fn is_email(text: &str) -> bool {
    let address = match (text.rfind('<'), text.strip_suffix('>')) {
        (Some(from), Some(whole)) => &whole[from + 1..],
        _ => text.trim(),
    };
    let Some((local, domain)) = address.rsplit_once('@') else { return false };
    let word = |text: &str, extra: &str| {
        !text.is_empty()
            && text.split('.').all(|part| {
                !part.is_empty()
                    && part.chars().all(|at| at.is_alphanumeric() || extra.contains(at) || !at.is_ascii())
            })
    };
    let quoted = local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    (quoted || word(local, "!#$%&'*+-/=?^_`{|}~")) && word(domain, "!#$%&'*+-/=?^_`{|}~")
}

fn is_hostname(text: &str) -> bool {
    HOSTNAME.is_match(text) && text.len() <= 255 && text.split('.').all(|part| part.len() <= 63)
}

/// An address with leading zeros, which old versions of Go accepted.
fn sloppy_ip(text: &str) -> Option<IpAddr> {
    if text.contains(':') {
        return text.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
    }
    let mut parts = [0_u8; 4];
    let mut count = 0;
    for part in text.split('.') {
        if count == 4 || part.is_empty() || !part.bytes().all(|at| at.is_ascii_digit()) {
            return None;
        }
        parts[count] = part.parse().ok()?;
        count += 1;
    }
    (count == 4).then(|| IpAddr::from(parts))
}

fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    let max = match sloppy_ip(address) {
        Some(IpAddr::V4(_)) => 32,
        Some(IpAddr::V6(_)) => 128,
        None => return false,
    };
    bits.bytes().all(|at| at.is_ascii_digit()) && bits.parse::<u32>().is_ok_and(|bits| bits <= max)
}

fn is_mac(text: &str) -> bool {
    let hex = |part: &str, length| part.len() == length && part.bytes().all(|at| at.is_ascii_hexdigit());
    [':', '-'].iter().any(|by| {
        let parts: Vec<&str> = text.split(*by).collect();
        matches!(parts.len(), 6 | 8 | 20) && parts.iter().all(|part| hex(part, 2))
    }) || {
        let parts: Vec<&str> = text.split('.').collect();
        matches!(parts.len(), 3 | 4 | 10) && parts.iter().all(|part| hex(part, 4))
    }
}

fn is_isbn10(text: &str) -> bool {
    let text = digits(text);
    let valid = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| byte.is_ascii_digit() || (at == 9 && byte == b'X'));
    let value = |byte: u8| if byte == b'X' { 10 } else { u32::from(byte - b'0') };
    valid && text.bytes().zip(1_u32..).map(|(byte, weight)| weight * value(byte)).sum::<u32>() % 11 == 0
}

fn is_isbn13(text: &str) -> bool {
    let text = digits(text);
    let valid = text.len() == 13 && text.bytes().all(|byte| byte.is_ascii_digit());
    let weighted = |(at, byte): (usize, u8)| u32::from(byte - b'0') * if at % 2 == 0 { 1 } else { 3 };
    valid && text.bytes().enumerate().map(weighted).sum::<u32>() % 10 == 0
}

fn is_credit_card(text: &str) -> bool {
    let text: String = text.chars().filter(char::is_ascii_digit).collect();
    if !CREDIT_CARD.is_match(&text) {
        return false;
    }
    let luhn = |(at, byte): (usize, u8)| {
        let digit = u32::from(byte - b'0');
        if at % 2 == 0 { digit } else { digit * 2 / 10 + digit * 2 % 10 }
    };
    text.bytes().rev().enumerate().map(luhn).sum::<u32>() % 10 == 0
}

fn is_duration(text: &str) -> bool {
    const UNITS: [&[&str]; 8] = [
        &["ns", "nano"],
        &["us", "µs", "micro"],
        &["ms", "milli"],
        &["s", "sec"],
        &["m", "min"],
        &["h", "hr", "hour"],
        &["d", "day"],
        &["w", "wk", "week"],
    ];
    if text.parse::<Duration>().is_ok() {
        return true;
    }
    SCALA_DURATION.captures_iter(text).any(|found| {
        let unit = found[2].to_lowercase();
        UNITS.iter().any(|variants| {
            let long = variants.last().is_some_and(|last| unit.starts_with(last));
            long || variants.contains(&unit.as_str())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_each_format_are_validated() {
        for (name, good, bad) in [
            ("uri", "http://a.example/b?c", "a b"),
            ("email", "a@b.example", "a.example"),
            ("hostname", "a.example", "-a-"),
            ("ipv4", "010.0.0.1", "10.0.0.256"),
            ("ipv6", "::1", "10.0.0.1"),
            ("cidr", "10.0.0.0/8", "10.0.0.0/33"),
            ("mac", "01:23:45:67:89:ab", "01:23"),
            ("uuid", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7"),
            ("uuid4", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "f47ac10b-58cc-1372-a567-0e02b2c3d479"),
            ("isbn10", "0321751043", "0321751044"),
            ("isbn13", "978-0321751041", "978-0321751042"),
            ("creditcard", "4012888888881881", "4012888888881882"),
            ("ssn", "111-22-3333", "111-22-33"),
            ("hexcolor", "#FFFFFF", "#GG"),
            ("rgbcolor", "rgb(1,2,3)", "rgb(1,2,300)"),
            ("byte", "aGVsbG8=", "a"),
            ("date", "2024-02-29", "2023-02-29"),
            ("date-time", "2014-12-15T19:30:20.000Z", "2014-12-15 19:30:20"),
            ("duration", "1h3m", "one hour"),
            ("duration", "22 ns", "22"),
            ("k8s-short-name", "a-b", "A"),
            ("k8s-long-name", "a.b", "a..b"),
            ("bsonobjectid", "507f1f77bcf86cd799439011", "507f"),
        ] {
            let Some(Format::Text(is)) = Format::known("string", name) else { panic!("{name}") };
            assert!(is(good), "{name} {good}");
            assert!(!is(bad), "{name} {bad}");
        }
        assert!(Format::known("string", "int32").is_none());
        assert!(matches!(Format::known("integer", "int32"), Some(Format::Int32)));
    }
}
