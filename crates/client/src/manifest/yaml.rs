//! YAML, byte for byte as kubectl prints it, which is the format of Go's `yaml.v2`: keys in natural order, lists without
//! indentation, quotes only around text that would be read as another type, lines folded after column 80.

use std::cmp::Ordering;

use client_rs_machinery::{Json, Map, Str, go_float};

/// After this column a line is folded at the next space.
const BEST_WIDTH: usize = 80;
/// A longer key is written after a `?`.
const LONGEST_SIMPLE_KEY: usize = 128;

/// Formats a document as YAML, byte for byte like `kubectl get -o yaml` and `controller-gen`.
///
/// ```
/// use client_rs_client::manifest;
/// use client_rs_machinery::json;
///
/// let map = json!({"kind": "ConfigMap", "apiVersion": "v1", "data": {"a": "1", "b": ["x"]}});
/// let text = manifest::to_yaml(&map);
/// assert_eq!(text, "apiVersion: v1\ndata:\n  a: \"1\"\n  b:\n  - x\nkind: ConfigMap\n");
/// ```
pub fn to_yaml(value: &Json) -> String {
    let mut writer = Writer::default();
    writer.any(value, 0);
    writer.new_line();
    writer.out
}

#[derive(Default)]
struct Writer {
    out: String,
    column: usize,
}

impl Writer {
    fn put(&mut self, text: &str) {
        for c in text.chars() {
            self.put_char(c);
        }
    }

    fn put_char(&mut self, c: char) {
        self.out.push(c);
        self.column = if c == '\n' { 0 } else { self.column + 1 };
    }

    fn new_line(&mut self) {
        if self.column > 0 {
            self.put_char('\n');
        }
    }

    /// Moves to the beginning of the next entry. An entry that has just begun (`- `) continues on the same line.
    fn begin(&mut self, indent: usize) {
        if self.column != indent {
            self.new_line();
            self.put(&" ".repeat(indent));
        }
    }

    fn break_line(&mut self, indent: usize) {
        self.put_char('\n');
        self.put(&" ".repeat(indent));
    }

    fn map(&mut self, map: &Map<Json>, indent: usize) {
        let mut entries: Vec<(&Str, &Json)> = map.iter().collect();
        entries.sort_by(|(one, _), (other, _)| natural(one, other));
        for (at, (key, value)) in entries.into_iter().enumerate() {
            if at > 0 {
                self.new_line();
            }
            self.begin(indent);
            if key.len() > LONGEST_SIMPLE_KEY || key.contains(is_break) {
                self.put("? ");
                self.text(key, indent + 2, false);
                self.new_line();
                self.put(&" ".repeat(indent));
                self.put(":");
                self.put(" ");
                self.any(value, indent + 2);
                continue;
            }
            self.text(key, indent, true);
            self.put(":");
            match value {
                Json::Map(map) if !map.is_empty() => {
                    self.new_line();
                    self.map(map, indent + 2);
                }
                Json::List(list) if !list.is_empty() => {
                    self.new_line();
                    self.list(list, indent);
                }
                scalar => {
                    self.put(" ");
                    self.scalar(scalar, indent + 2);
                }
            }
        }
    }

    fn list(&mut self, list: &[Json], indent: usize) {
        for (at, value) in list.iter().enumerate() {
            if at > 0 {
                self.new_line();
            }
            self.begin(indent);
            self.put("-");
            self.put(" ");
            self.any(value, indent + 2);
        }
    }

    fn any(&mut self, value: &Json, indent: usize) {
        match value {
            Json::Map(map) if !map.is_empty() => self.map(map, indent),
            Json::List(list) if !list.is_empty() => self.list(list, indent),
            scalar => self.scalar(scalar, indent),
        }
    }

    fn scalar(&mut self, scalar: &Json, indent: usize) {
        match scalar {
            Json::Str(text) => self.text(text, indent, false),
            Json::Map(_) => self.put("{}"),
            Json::List(_) => self.put("[]"),
            Json::Float(value) => self.put(&go_float(*value, -4..6)),
            other => self.put(&other.to_string()),
        }
    }

    fn text(&mut self, text: &str, indent: usize, is_key: bool) {
        let traits = Traits::of(text);
        if text.contains('\n') {
            if traits.block && !is_key {
                return self.literal(text, indent);
            }
            return self.double_quoted(text, indent, !is_key);
        }
        if reads_as_other(text) {
            return self.double_quoted(text, indent, !is_key);
        }
        if traits.plain && !text.is_empty() {
            return self.folded(text, indent, !is_key, false);
        }
        if traits.single_quoted {
            self.put_char('\'');
            self.folded(text, indent, !is_key, true);
            self.put_char('\'');
            return;
        }
        self.double_quoted(text, indent, !is_key);
    }

    /// Writes a text without line feeds, unchanged except for doubled quotes.
    fn folded(&mut self, text: &str, indent: usize, may_break: bool, quoted: bool) {
        let chars: Vec<char> = text.chars().collect();
        let mut spaces = false;
        for (at, &c) in chars.iter().enumerate() {
            if c == ' ' {
                let inside = !quoted || (at > 0 && at + 1 < chars.len());
                let next_is_space = chars.get(at + 1) == Some(&' ');
                if may_break && !spaces && self.column > BEST_WIDTH && inside && !next_is_space {
                    self.break_line(indent);
                } else {
                    self.put_char(' ');
                }
                spaces = true;
                continue;
            }
            if quoted && c == '\'' {
                self.put_char('\'');
            }
            self.put_char(c);
            spaces = false;
        }
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.put("|");
        if text.starts_with([' ', '\n']) {
            self.put("2");
        }
        if !text.ends_with('\n') {
            self.put("-");
        } else if text == "\n" || text.ends_with("\n\n") {
            self.put("+");
        }
        self.put_char('\n');
        for line in text.split_inclusive('\n') {
            if line != "\n" {
                self.put(&" ".repeat(indent));
            }
            self.put(line);
        }
    }

    fn double_quoted(&mut self, text: &str, indent: usize, may_break: bool) {
        self.put_char('"');
        let chars: Vec<char> = text.chars().collect();
        let mut spaces = false;
        for (at, &c) in chars.iter().enumerate() {
            if !is_printable(c) || is_break(c) || matches!(c, '"' | '\\') {
                self.put(&escaped(c));
                spaces = false;
            } else if c == ' ' {
                if may_break && !spaces && self.column > BEST_WIDTH && at > 0 && at + 1 < chars.len() {
                    self.break_line(indent);
                    if chars.get(at + 1) == Some(&' ') {
                        self.put_char('\\');
                    }
                } else {
                    self.put_char(' ');
                }
                spaces = true;
            } else {
                self.put_char(c);
                spaces = false;
            }
        }
        self.put_char('"');
    }
}

fn escaped(c: char) -> String {
    match c {
        '\0' => "\\0".into(),
        '\u{7}' => "\\a".into(),
        '\u{8}' => "\\b".into(),
        '\t' => "\\t".into(),
        '\n' => "\\n".into(),
        '\u{b}' => "\\v".into(),
        '\u{c}' => "\\f".into(),
        '\r' => "\\r".into(),
        '\u{1b}' => "\\e".into(),
        '"' => "\\\"".into(),
        '\\' => "\\\\".into(),
        '\u{85}' => "\\N".into(),
        '\u{a0}' => "\\_".into(),
        '\u{2028}' => "\\L".into(),
        '\u{2029}' => "\\P".into(),
        c if u32::from(c) <= 0xff => format!("\\x{:02X}", u32::from(c)),
        c if u32::from(c) <= 0xffff => format!("\\u{:04X}", u32::from(c)),
        c => format!("\\U{:08X}", u32::from(c)),
    }
}

fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether Go's writer prints the character: none beyond the first plane.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && c != '\u{feff}'
}

/// The styles that a text can have.
struct Traits {
    plain: bool,
    single_quoted: bool,
    block: bool,
}

impl Traits {
    fn of(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let Some((&first, &last)) = chars.first().zip(chars.last()) else {
            return Self { plain: true, single_quoted: true, block: false };
        };
        let mut indicators = text.starts_with("---") || text.starts_with("...");
        let (mut special, mut breaks, mut break_space, mut space_break) = (false, false, false, false);
        let mut previous = None;
        for (at, &c) in chars.iter().enumerate() {
            let blank_follows = chars.get(at + 1).is_none_or(|next| matches!(next, ' ' | '\t'));
            let blank_before = previous.is_none_or(|c: char| matches!(c, ' ' | '\t' | '\0') || is_break(c));
            indicators |= match c {
                '#' if at > 0 => blank_before,
                '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@'
                | '`' => at == 0,
                '?' | '-' => at == 0 && blank_follows,
                ':' => blank_follows,
                _ => false,
            };
            special |= !is_printable(c);
            if c == ' ' {
                break_space |= previous.is_some_and(is_break);
            } else if is_break(c) {
                breaks = true;
                space_break |= previous == Some(' ');
            }
            previous = Some(c);
        }
        let edges = |c: char| c == ' ' || is_break(c);
        let hard = space_break || special;
        Self {
            plain: !(edges(first) || edges(last) || break_space || hard || breaks || indicators),
            single_quoted: !(break_space || hard),
            block: last != ' ' && !hard,
        }
    }
}

/// Whether a reader, also one of YAML 1.1, would not read it as text.
fn reads_as_other(text: &str) -> bool {
    const WORDS: [&str; 37] = [
        "", "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON", "n", "N", "no", "No",
        "NO", "false", "False", "FALSE", "off", "Off", "OFF", "~", "null", "Null", "NULL", ".nan", ".NaN",
        ".NAN", ".inf", ".Inf", ".INF", "+.inf", "-.inf", "+.Inf", "-.Inf",
    ];
    if WORDS.contains(&text) || matches!(text, "+.INF" | "-.INF") || is_base_60(text) {
        return true;
    }
    match text.as_bytes()[0] {
        b'.' => is_float(text),
        b'0'..=b'9' | b'+' | b'-' => {
            let plain = text.replace('_', "");
            is_time(text) || is_integer(&plain) || is_float(&plain)
        }
        _ => false,
    }
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`
fn is_base_60(text: &str) -> bool {
    let mut parts = unsigned(text).split(':');
    let first = parts.next().unwrap_or_default();
    let begins = first.starts_with(|c: char| c.is_ascii_digit());
    if !begins || !first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        return false;
    }
    let rest: Vec<&str> = parts.collect();
    let Some((last, middle)) = rest.split_last() else { return false };
    let (last, fraction) = last.split_once('.').unwrap_or((last, ""));
    let sixtieth =
        |part: &str| all_digits(part) && part.len() <= 2 && (part.len() == 1 || part.as_bytes()[0] <= b'5');
    middle.iter().all(|part| sixtieth(part))
        && sixtieth(last)
        && fraction.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}

/// Whether Go's `ParseInt` with base 0 accepts it.
fn is_integer(text: &str) -> bool {
    let (negative, digits) = (text.starts_with('-'), unsigned(text));
    let lower = digits.to_ascii_lowercase();
    let (digits, base) = match lower.get(..2) {
        Some("0x") => (&lower[2..], 16),
        Some("0o") => (&lower[2..], 8),
        Some("0b") => (&lower[2..], 2),
        _ if lower.len() > 1 && lower.starts_with('0') => (&lower[1..], 8),
        _ => (lower.as_str(), 10),
    };
    if digits.is_empty() || digits.starts_with(['+', '-']) {
        return false;
    }
    match u64::from_str_radix(digits, base) {
        Ok(value) if negative => value <= i64::MIN.unsigned_abs(),
        Ok(_) => !text.starts_with('+') || i64::from_str_radix(digits, base).is_ok(),
        Err(_) => false,
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_float(text: &str) -> bool {
    let text = unsigned(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let shape = match (whole, mantissa.contains('.')) {
        ("", true) => all_digits(fraction),
        (whole, _) => all_digits(whole) && (fraction.is_empty() || all_digits(fraction)),
    };
    shape && exponent.is_none_or(|exponent| all_digits(unsigned(exponent)))
}

/// A date, or a date with a time.
fn is_time(text: &str) -> bool {
    let number = |text: &str, range: std::ops::RangeInclusive<u32>| {
        all_digits(text) && text.len() <= 2 && text.parse().is_ok_and(|number| range.contains(&number))
    };
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], Some((&text[at..=at], &text[at + 1..]))),
        None => (text, None),
    };
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let days = |year: u32, month: u32| match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    };
    let dated = year.len() == 4
        && all_digits(year)
        && number(month, 1..=12)
        && number(day, 1..=days(year.parse().unwrap_or(0), month.parse().unwrap_or(0)));
    if !dated {
        return false;
    }
    let Some((divider, time)) = time else { return true };
    let clock = if divider == " " {
        Some(time)
    } else if let Some(clock) = time.strip_suffix('Z') {
        Some(clock)
    } else {
        time.rfind(['+', '-']).and_then(|at| {
            let (hours, minutes) = time[at + 1..].split_once(':')?;
            let zone =
                hours.len() == 2 && minutes.len() == 2 && number(hours, 0..=24) && number(minutes, 0..=60);
            zone.then_some(&time[..at])
        })
    };
    let Some(clock) = clock else { return false };
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = parts.as_slice() else { return false };
    let (second, fraction) = second.split_once(['.', ',']).unwrap_or((second, "0"));
    number(hour, 0..=23) && number(minute, 0..=59) && number(second, 0..=59) && all_digits(fraction)
}

/// The order of keys: letters after all other characters, numbers by value.
fn natural(one: &str, other: &str) -> Ordering {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let Some(at) = (0..a.len().min(b.len())).find(|&at| a[at] != b[at]) else {
        return a.len().cmp(&b.len());
    };
    match (a[at].is_alphabetic(), b[at].is_alphabetic()) {
        (true, true) => return a[at].cmp(&b[at]),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    // Digits before this position belong to the number, so that a leading zero counts.
    let begun = (a[at] == '0' || b[at] == '0')
        && a[..at].iter().rev().take_while(|c| c.is_ascii_digit()).any(|c| *c != '0');
    let value = |chars: &[char]| {
        let digits: Vec<u32> = chars[at..].iter().map_while(|c| c.to_digit(10)).collect();
        let value = digits
            .iter()
            .fold(i64::from(begun), |value, digit| value.wrapping_mul(10).wrapping_add(i64::from(*digit)));
        (value, digits.len())
    };
    value(&a).cmp(&value(&b)).then_with(|| a[at].cmp(&b[at]))
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn reads_like_kubectl() {
        let value = json!({
            "kind": "List", "apiVersion": "v1", "empty": "", "none": null, "yes": true,
            "items": [{"name": "nodes", "shortNames": ["no", "n1"], "verbs": []}, {"a": {"b": 1}}, "x", {}, [[1], 2]],
        });
        let expected = "apiVersion: v1\nempty: \"\"\nitems:\n- name: nodes\n  shortNames:\n  - \"no\"\n  - n1\n  verbs: []\n\
                        - a:\n    b: 1\n- x\n- {}\n- - - 1\n  - 2\nkind: List\nnone: null\n\"yes\": true\n";
        assert_eq!(to_yaml(&value), expected);
        assert_eq!(to_yaml(&json!("a: b")), "'a: b'\n");
        assert_eq!(to_yaml(&json!({})), "{}\n");
    }

    #[test]
    fn a_text_is_quoted_where_it_would_be_something_else() {
        for (text, expected) in [
            ("apps/v1", "apps/v1"),
            ("2things", "2things"),
            ("12", "\"12\""),
            ("1e3", "\"1e3\""),
            ("0x1f", "\"0x1f\""),
            ("0x1g", "0x1g"),
            ("08", "\"08\""),
            ("1_000", "\"1_000\""),
            ("12:30", "\"12:30\""),
            ("12:61", "12:61"),
            ("2001-01-01", "\"2001-01-01\""),
            ("2001-02-30", "2001-02-30"),
            ("2026-11-15T15:00:00Z", "\"2026-11-15T15:00:00Z\""),
            ("1.28.0", "1.28.0"),
            ("10.0.0.1", "10.0.0.1"),
            (".5", "\".5\""),
            (".", "."),
            ("-", "'-'"),
            ("-a", "-a"),
            ("- a", "'- a'"),
            ("No", "\"No\""),
            ("nO", "nO"),
            ("a b", "a b"),
            ("a: b", "'a: b'"),
            ("a:b", "a:b"),
            ("a #b", "'a #b'"),
            ("a#b", "a#b"),
            ("it's", "it's"),
            ("'it", "'''it'"),
            (" a", "' a'"),
            ("a\tb", "\"a\\tb\""),
            ("{}", "'{}'"),
            ("a{}", "a{}"),
            ("%a", "'%a'"),
            ("---", "'---'"),
            ("ü", "ü"),
            ("😀", "\"\\U0001F600\""),
            ("a\nb", "|-\n  a\n  b"),
            ("a\nb\n", "|\n  a\n  b"),
            ("a\n\n", "|+\n  a\n"),
            (" a\nb", "|2-\n   a\n  b"),
            ("a \nb", "\"a \\nb\""),
            ("<<", "<<"),
        ] {
            assert_eq!(to_yaml(&json!({"k": text})), format!("k: {expected}\n"), "{text:?}");
        }
    }

    #[test]
    fn long_lines_are_folded_at_the_next_space() {
        let words = "word ".repeat(20);
        let text = words.trim_end();
        let expected = format!("k: {}\n  word word word word\n", "word ".repeat(16).trim_end());
        assert_eq!(to_yaml(&json!({"k": text})), expected);
        let quoted = format!("a: {text}");
        let folded = to_yaml(&json!({"k": quoted}));
        assert!(folded.starts_with("k: 'a: word") && folded.contains("\n  word"), "{folded}");
    }

    #[test]
    fn keys_are_in_their_natural_order() {
        let mut keys = vec!["b", "a10", "a9", "B", "a-b", "a/b", "ab", "a", "1", "f:x", "f:.", "."];
        keys.sort_by(|one, other| natural(one, other));
        assert_eq!(keys, [".", "1", "B", "a", "a-b", "a/b", "a9", "a10", "ab", "b", "f:.", "f:x"]);
    }
}
