//! The rules for names, labels and annotations, with the API server's messages.
//!
//! Every check returns all violations at once, in the server's order. A [`Violation`] is a value to match on; its
//! text equals the server's, which tests and tools compare.
//!
//! ```
//! use client_rs_machinery::validation::{NameUse, dns1123_label, labels, name_is_dns_subdomain};
//!
//! assert!(name_is_dns_subdomain("web-0.shop", NameUse::Name).is_ok());
//! assert!(dns1123_label("web-0.shop").is_err());
//!
//! // A base for a generated name may end in a dash.
//! assert!(name_is_dns_subdomain("web-", NameUse::Name).is_err());
//! assert!(name_is_dns_subdomain("web-", NameUse::GenerateBase).is_ok());
//!
//! assert_eq!(labels([("app", "web"), ("-tier", "front")]).len(), 1);
//! ```

use crate::Str;
use std::fmt;

/// The maximum length of a DNS label.
pub const DNS1123_LABEL_MAX: usize = 63;
/// The maximum length of a DNS subdomain.
pub const DNS1123_SUBDOMAIN_MAX: usize = 253;
/// The maximum length of an RFC 1035 label.
pub const DNS1035_LABEL_MAX: usize = 63;
/// The maximum length of the name part of a label key.
pub const LABEL_KEY_NAME_MAX: usize = 63;
/// The maximum length of a label value.
pub const LABEL_VALUE_MAX: usize = 63;
/// The maximum length of a port name.
pub const PORT_NAME_MAX: usize = 15;
/// The maximum size of all annotations of an object together, keys and values, in bytes.
pub const TOTAL_ANNOTATION_SIZE_MAX: usize = 256 * 1024;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Violation {
    /// The value must not be empty.
    Empty,
    /// Longer than this many bytes, which the server calls characters.
    TooManyCharacters(usize),
    /// Longer than this many bytes.
    TooManyBytes(usize),
    /// Does not match a pattern.
    Pattern(&'static Pattern),
    /// Not a number from `min` to `max`.
    OutOfRange {
        /// The least allowed.
        min: i64,
        /// The greatest allowed.
        max: i64,
    },
    /// Breaks a rule that one sentence states.
    Rule(&'static str),
    /// Breaks a rule for one part of the value.
    Part(&'static str, Box<Violation>),
    /// A label key with more than one slash.
    LabelKeySlashes,
}

/// A form that a value must have.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The form in words.
    pub message: &'static str,
    /// The form as a regular expression, unanchored.
    pub regex: &'static str,
    /// Values that have it.
    pub examples: &'static [&'static str],
}

/// All rules that a value breaks; at least one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Violations(Vec<Violation>);

/// A label or annotation that breaks a rule, or annotations that are too large together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryViolation {
    /// The key breaks a rule.
    Key {
        /// The key.
        key: Str,
        /// The rule.
        violation: Violation,
    },
    /// The value breaks a rule.
    Value {
        /// The value's key.
        key: Str,
        /// The value.
        value: Str,
        /// The rule.
        violation: Violation,
    },
    /// All entries together exceed [`TOTAL_ANNOTATION_SIZE_MAX`].
    TotalSize(usize),
}

/// Valid, or all broken rules.
pub type Result = std::result::Result<(), Violations>;

/// Checks a DNS label (RFC 1123) in lower case: most names of parts of objects.
pub fn dns1123_label(value: &str) -> Result {
    check(dns1123_label_bytes(value.as_bytes()))
}

/// Checks a DNS subdomain (RFC 1123) in lower case: the names of most objects.
pub fn dns1123_subdomain(value: &str) -> Result {
    check(dns1123_subdomain_bytes(value.as_bytes(), Violation::TooManyCharacters))
}

/// Like [`dns1123_subdomain`], in lower or upper case.
pub fn dns1123_subdomain_caseless(value: &str) -> Result {
    let lower = value.to_ascii_lowercase();
    let mut found = too_long(value.as_bytes(), DNS1123_SUBDOMAIN_MAX, Violation::TooManyBytes);
    // The regular expression folds case beyond ASCII: these two letters fold into it.
    let folded = lower.replace('\u{17f}', "s").replace('\u{212a}', "k");
    found.extend(mismatch(is_subdomain(folded.as_bytes()), &SUBDOMAIN_CASELESS));
    check(found)
}

/// Like [`dns1123_subdomain`], with underscores inside labels and at their start.
pub fn dns1123_subdomain_with_underscore(value: &str) -> Result {
    let bytes = value.as_bytes();
    let mut found = too_long(bytes, DNS1123_SUBDOMAIN_MAX, Violation::TooManyCharacters);
    let label = |label: &[u8]| {
        let label = label.strip_prefix(b"_").unwrap_or(label);
        is_framed(label, is_lower_alnum, |b| is_lower_alnum(b) || b == b'-' || b == b'_')
    };
    found.extend(mismatch(bytes.split(|&b| b == b'.').all(label), &SUBDOMAIN_UNDERSCORE));
    check(found)
}

/// Checks a DNS label (RFC 1035), which starts with a letter: the names of Services.
pub fn dns1035_label(value: &str) -> Result {
    check(dns1035_label_bytes(value.as_bytes()))
}

/// Checks `*.` and a DNS subdomain.
pub fn wildcard_dns1123_subdomain(value: &str) -> Result {
    let mut found = too_long(value.as_bytes(), DNS1123_SUBDOMAIN_MAX, Violation::TooManyCharacters);
    let matches = value.strip_prefix("*.").is_some_and(|rest| is_subdomain(rest.as_bytes()));
    found.extend(mismatch(matches, &WILDCARD));
    check(found)
}

/// Checks a qualified name, the form of label keys, annotation keys and finalizers: an optional DNS subdomain and a
/// slash, then a name of letters, digits, `-`, `_` and `.`.
pub fn qualified_name(value: &str) -> Result {
    check(label_key(value))
}

/// Checks a [`qualified_name`] with a prefix.
pub fn prefixed_label_key(value: &str) -> Result {
    qualified_name(value)?;
    check(rule(value.contains('/'), "must include a prefix (e.g. 'example.com/key')"))
}

/// Checks the value of a label: empty, or letters, digits, `-`, `_` and `.` with a letter or digit at both ends.
pub fn label_value(value: &str) -> Result {
    let bytes = value.as_bytes();
    let mut found = too_long(bytes, LABEL_VALUE_MAX, Violation::TooManyBytes);
    found.extend(mismatch(bytes.is_empty() || is_label_name(bytes), &LABEL_VALUE));
    check(found)
}

/// Checks a subdomain of three labels or more.
pub fn fully_qualified_name(value: &str) -> Result {
    if value.is_empty() {
        return check(vec![Violation::Empty]);
    }
    dns1123_subdomain(value)?;
    let enough = value.split('.').count() >= 3;
    check(rule(enough, "should be a domain with at least three segments separated by dots"))
}

/// Checks a subdomain of two labels or more, with an optional dot at the end.
pub fn fully_qualified_domain_name(value: &str) -> Result {
    if value.is_empty() {
        return check(vec![Violation::Empty]);
    }
    let name = value.strip_suffix('.').unwrap_or(value);
    dns1123_subdomain(name)?;
    let labels = name.split('.');
    let enough = labels.clone().count() >= 2;
    check(rule(enough, "should be a domain with at least two segments separated by dots"))?;
    labels.map(dns1123_label).find(std::result::Result::is_err).unwrap_or(Ok(()))
}

/// Checks an identifier of the C language.
pub fn c_identifier(value: &str) -> Result {
    let is_start = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    let matches = value.bytes().next().is_some_and(is_start)
        && value.bytes().all(|b| is_start(b) || b.is_ascii_digit());
    check(mismatch(matches, &C_IDENTIFIER))
}

/// Checks the name of an environment variable, by the strict rule.
pub fn env_var_name(value: &str) -> Result {
    let is_start = |b: u8| b.is_ascii_alphabetic() || b"-._".contains(&b);
    let matches = value.bytes().next().is_some_and(is_start)
        && value.bytes().all(|b| is_start(b) || b.is_ascii_digit());
    let mut found = mismatch(matches, &ENV_VAR);
    found.extend(change_dir_prefix(value));
    check(found)
}

/// Checks the name of an environment variable, by the relaxed rule: printable ASCII without `=`.
pub fn relaxed_env_var_name(value: &str) -> Result {
    if value.is_empty() {
        return check(vec![Violation::Part("environment variable name", Box::new(Violation::Empty))]);
    }
    let printable = value.bytes().all(|b| (b' '..=b'~').contains(&b) && b != b'=');
    check(rule(
        printable,
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
    ))
}

/// Checks a key in a `ConfigMap` or Secret.
pub fn config_map_key(value: &str) -> Result {
    let mut found = too_long(value.as_bytes(), DNS1123_SUBDOMAIN_MAX, Violation::TooManyCharacters);
    let matches =
        !value.is_empty() && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b));
    found.extend(mismatch(matches, &CONFIG_MAP_KEY));
    found.extend(change_dir_prefix(value));
    check(found)
}

/// Checks the name of an HTTP header.
pub fn http_header_name(value: &str) -> Result {
    let matches = !value.is_empty() && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    check(mismatch(matches, &HTTP_HEADER))
}

/// Checks a port number; zero is not valid.
pub fn port_number(port: i64) -> Result {
    in_range(port, 1, 65_535)
}

/// Checks a number from `min` to `max`.
pub fn in_range(value: i64, min: i64, max: i64) -> Result {
    check(if (min..=max).contains(&value) { vec![] } else { vec![Violation::OutOfRange { min, max }] })
}

/// Checks a port name (RFC 6335) in lower case.
pub fn port_name(value: &str) -> Result {
    let mut found = too_long(value.as_bytes(), PORT_NAME_MAX, Violation::TooManyCharacters);
    let charset = !value.is_empty() && value.bytes().all(|b| is_lower_alnum(b) || b == b'-');
    found.extend(rule(charset, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"));
    found.extend(rule(
        value.bytes().any(|b| b.is_ascii_lowercase()),
        "must contain at least one letter (a-z)",
    ));
    found.extend(rule(!value.contains("--"), "must not contain consecutive hyphens"));
    let framed = !value.starts_with('-') && !value.ends_with('-');
    found.extend(rule(framed, "must not begin or end with a hyphen"));
    check(found)
}

/// Checks digits and a `%`.
pub fn percent(value: &str) -> Result {
    let digits = value.strip_suffix('%').unwrap_or("");
    let matches = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    check(mismatch(matches, &PERCENT))
}

/// Checks a whole number without leading zeros and without a plus sign.
pub fn decimal_integer(value: &str) -> Result {
    if value.is_empty() {
        return check(vec![Violation::Empty]);
    }
    let digits = value.strip_prefix('-').unwrap_or(value);
    let canonical = value == "0"
        || (digits.bytes().all(|b| b.is_ascii_digit()) && digits.bytes().next().is_some_and(|b| b != b'0'));
    check(rule(canonical, "must be a valid decimal integer in canonical form"))
}

/// Checks a name that can be one segment of a URL's path. The name of every object must meet at least this rule.
pub fn path_segment_name(name: &str) -> Result {
    match name {
        "." => check(vec![Violation::Rule("may not be '.'")]),
        ".." => check(vec![Violation::Rule("may not be '..'")]),
        _ => path_segment_prefix(name),
    }
}

/// Checks the start of a name that will be one segment of a URL's path.
pub fn path_segment_prefix(name: &str) -> Result {
    let mut found = rule(!name.contains('/'), "may not contain '/'");
    found.extend(rule(!name.contains('%'), "may not contain '%'"));
    check(found)
}

/// The use of a value: a name, or the base of a generated one. A base may end in a dash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameUse {
    /// `metadata.name`.
    Name,
    /// `metadata.generateName`.
    GenerateBase,
}

/// Checks the name of an object whose kind requires a DNS subdomain; the rule of most kinds.
pub fn name_is_dns_subdomain(name: &str, name_use: NameUse) -> Result {
    check(dns1123_subdomain_bytes(&masked(name, name_use), Violation::TooManyCharacters))
}

/// Checks the name of an object whose kind requires a DNS label, such as a Namespace.
pub fn name_is_dns_label(name: &str, name_use: NameUse) -> Result {
    check(dns1123_label_bytes(&masked(name, name_use)))
}

/// Checks the name of an object whose kind requires an RFC 1035 label, such as a Service.
pub fn name_is_dns1035_label(name: &str, name_use: NameUse) -> Result {
    check(dns1035_label_bytes(&masked(name, name_use)))
}

/// Checks the name of an object whose kind accepts any segment of a path, such as a Role.
pub fn name_is_path_segment(name: &str, name_use: NameUse) -> Result {
    match name_use {
        NameUse::Name => path_segment_name(name),
        NameUse::GenerateBase => path_segment_prefix(name),
    }
}

/// Checks the labels of an object.
pub fn labels<'a>(entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<EntryViolation> {
    let mut found = Vec::new();
    for (key, value) in entries {
        for violation in label_key(key) {
            found.push(EntryViolation::Key { key: key.into(), violation });
        }
        for violation in label_value(value).err().into_iter().flatten() {
            found.push(EntryViolation::Value { key: key.into(), value: value.into(), violation });
        }
    }
    found
}

/// Checks the annotations of an object: keys as for labels but in lower or upper case, any values, a total size.
pub fn annotations<'a>(entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<EntryViolation> {
    let mut found = Vec::new();
    let mut size = 0_usize;
    for (key, value) in entries {
        size += key.len() + value.len();
        // If the lower case of a letter has several characters, Go takes the first.
        let lower: String = key.chars().filter_map(|c| c.to_lowercase().next()).collect();
        for violation in label_key(&lower) {
            found.push(EntryViolation::Key { key: key.into(), violation });
        }
    }
    if size > TOTAL_ANNOTATION_SIZE_MAX {
        found.push(EntryViolation::TotalSize(size));
    }
    found
}

impl Violations {
    /// Returns the broken rules, in the server's order.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.0.iter()
    }
}

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = std::vec::IntoIter<Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Violations {
    type Item = &'a Violation;
    type IntoIter = std::slice::Iter<'a, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl std::error::Error for Violations {}

/// Prints all of them, joined by `; `.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, violation) in self.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            fmt::Display::fmt(violation, f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("must be non-empty"),
            Self::TooManyCharacters(max) => write!(f, "must be no more than {max} characters"),
            Self::TooManyBytes(max) => write!(f, "must be no more than {max} bytes"),
            Self::Pattern(pattern) => fmt::Display::fmt(pattern, f),
            Self::OutOfRange { min, max } => write!(f, "must be between {min} and {max}, inclusive"),
            Self::Rule(sentence) => f.write_str(sentence),
            Self::Part(part, violation) => write!(f, "{part} {violation}"),
            Self::LabelKeySlashes => {
                write!(f, "a valid label key {LABEL_KEY_NAME}")?;
                f.write_str(" with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')")
            }
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)?;
        f.write_str(" (")?;
        for (i, example) in self.examples.iter().enumerate() {
            write!(f, "{}'{example}', ", if i == 0 { "e.g. " } else { " or " })?;
        }
        write!(f, "regex used for validation is '{}')", self.regex)
    }
}

impl std::error::Error for EntryViolation {}

impl fmt::Display for EntryViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { violation, .. } | Self::Value { violation, .. } => fmt::Display::fmt(violation, f),
            Self::TotalSize(size) => {
                write!(f, "annotations size {size} is larger than limit {TOTAL_ANNOTATION_SIZE_MAX}")
            }
        }
    }
}

macro_rules! label {
    () => {
        "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
    };
}
macro_rules! subdomain {
    () => {
        concat!(label!(), r"(\.", label!(), ")*")
    };
}
macro_rules! label_with_underscore {
    () => {
        "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
    };
}
macro_rules! label_name {
    () => {
        "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
    };
}

static LABEL: Pattern = Pattern {
    message: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start \
              and end with an alphanumeric character",
    regex: label!(),
    examples: &["my-name", "123-abc"],
};
static SUBDOMAIN: Pattern = Pattern {
    message: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and \
              must start and end with an alphanumeric character",
    regex: subdomain!(),
    examples: &["example.com"],
};
static SUBDOMAIN_CASELESS: Pattern = Pattern {
    message: "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end \
              with an alphanumeric character",
    regex: subdomain!(),
    examples: &["Example.com"],
};
static SUBDOMAIN_UNDERSCORE: Pattern = Pattern {
    message: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', \
              and must start and end with an alphanumeric character",
    regex: concat!(label_with_underscore!(), r"(\.", label_with_underscore!(), ")*"),
    examples: &["example.com"],
};
static LABEL_1035: Pattern = Pattern {
    message: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
              character, and end with an alphanumeric character",
    regex: "[a-z]([-a-z0-9]*[a-z0-9])?",
    examples: &["my-name", "abc-123"],
};
static WILDCARD: Pattern = Pattern {
    message: "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must \
              consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    regex: concat!(r"\*\.", subdomain!()),
    examples: &["*.example.com"],
};
static LABEL_KEY_NAME: Pattern = Pattern {
    message: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
              alphanumeric character",
    regex: label_name!(),
    examples: &["MyName", "my.name", "123-abc"],
};
static LABEL_VALUE: Pattern = Pattern {
    message: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and \
              must start and end with an alphanumeric character",
    regex: concat!("(", label_name!(), ")?"),
    examples: &["MyValue", "my_value", "12345"],
};
static C_IDENTIFIER: Pattern = Pattern {
    message: "a valid C identifier must start with alphabetic character or '_', followed by a string of \
              alphanumeric characters or '_'",
    regex: "[A-Za-z_][A-Za-z0-9_]*",
    examples: &["my_name", "MY_NAME", "MyName"],
};
static ENV_VAR: Pattern = Pattern {
    message: "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', \
              and must not start with a digit",
    regex: "[-._a-zA-Z][-._a-zA-Z0-9]*",
    examples: &["my.env-name", "MY_ENV.NAME", "MyEnvName1"],
};
static CONFIG_MAP_KEY: Pattern = Pattern {
    message: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    regex: "[-._a-zA-Z0-9]+",
    examples: &["key.name", "KEY_NAME", "key-name"],
};
static HTTP_HEADER: Pattern = Pattern {
    message: "a valid HTTP header must consist of alphanumeric characters or '-'",
    regex: "[-A-Za-z0-9]+",
    examples: &["X-Header-Name"],
};
static PERCENT: Pattern = Pattern {
    message: "a valid percent string must be a numeric string followed by an ending '%'",
    regex: "[0-9]+%",
    examples: &["1%", "93%"],
};

fn check(found: Vec<Violation>) -> Result {
    if found.is_empty() { Ok(()) } else { Err(Violations(found)) }
}

fn too_long(value: &[u8], max: usize, violation: fn(usize) -> Violation) -> Vec<Violation> {
    if value.len() > max { vec![violation(max)] } else { vec![] }
}

fn mismatch(matches: bool, pattern: &'static Pattern) -> Vec<Violation> {
    if matches { vec![] } else { vec![Violation::Pattern(pattern)] }
}

fn rule(kept: bool, sentence: &'static str) -> Vec<Violation> {
    if kept { vec![] } else { vec![Violation::Rule(sentence)] }
}

fn change_dir_prefix(value: &str) -> Vec<Violation> {
    match value {
        "." => rule(false, "must not be '.'"),
        ".." => rule(false, "must not be '..'"),
        _ => rule(!value.starts_with(".."), "must not start with '..'"),
    }
}

fn dns1123_label_bytes(value: &[u8]) -> Vec<Violation> {
    let mut found = too_long(value, DNS1123_LABEL_MAX, Violation::TooManyCharacters);
    if !is_label(value) {
        // A subdomain that is not a label contains dots: the simpler message.
        found.extend(if is_subdomain(value) {
            rule(false, "must not contain dots")
        } else {
            mismatch(false, &LABEL)
        });
    }
    found
}

fn dns1123_subdomain_bytes(value: &[u8], length: fn(usize) -> Violation) -> Vec<Violation> {
    let mut found = too_long(value, DNS1123_SUBDOMAIN_MAX, length);
    found.extend(mismatch(is_subdomain(value), &SUBDOMAIN));
    found
}

fn dns1035_label_bytes(value: &[u8]) -> Vec<Violation> {
    let mut found = too_long(value, DNS1035_LABEL_MAX, Violation::TooManyCharacters);
    let matches = is_label(value) && value.first().is_some_and(u8::is_ascii_lowercase);
    found.extend(mismatch(matches, &LABEL_1035));
    found
}

fn label_key(value: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut part = |part: &'static str, violations: Vec<Violation>| {
        found.extend(violations.into_iter().map(|violation| Violation::Part(part, Box::new(violation))));
    };
    let name = match value.split_once('/') {
        None => value,
        Some((_, name)) if name.contains('/') => return vec![Violation::LabelKeySlashes],
        Some(("", name)) => {
            part("prefix part", vec![Violation::Empty]);
            name
        }
        Some((prefix, name)) => {
            part("prefix part", dns1123_subdomain_bytes(prefix.as_bytes(), Violation::TooManyBytes));
            name
        }
    };
    let name = name.as_bytes();
    if name.is_empty() {
        part("name part", vec![Violation::Empty]);
    }
    part("name part", too_long(name, LABEL_KEY_NAME_MAX, Violation::TooManyBytes));
    part("name part", mismatch(is_label_name(name), &LABEL_KEY_NAME));
    found
}

/// A base that ends in a dash is checked as if a generated suffix followed: Go replaces the last two bytes by an `a`.
fn masked(name: &str, name_use: NameUse) -> Vec<u8> {
    let mut bytes = name.as_bytes().to_vec();
    if name_use == NameUse::GenerateBase && bytes.len() > 1 && bytes.ends_with(b"-") {
        bytes.truncate(bytes.len() - 2);
        bytes.push(b'a');
    }
    bytes
}

fn is_lower_alnum(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Not empty, all bytes `inner`, the first and the last `outer`.
fn is_framed(value: &[u8], outer: impl Fn(u8) -> bool, inner: impl Fn(u8) -> bool) -> bool {
    match (value.first(), value.last()) {
        (Some(&first), Some(&last)) => outer(first) && outer(last) && value.iter().all(|&b| inner(b)),
        _ => false,
    }
}

fn is_label(value: &[u8]) -> bool {
    is_framed(value, is_lower_alnum, |b| is_lower_alnum(b) || b == b'-')
}

fn is_subdomain(value: &[u8]) -> bool {
    value.split(|&b| b == b'.').all(is_label)
}

fn is_label_name(value: &[u8]) -> bool {
    is_framed(value, |b| b.is_ascii_alphanumeric(), |b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}

#[cfg(test)]
mod tests;
