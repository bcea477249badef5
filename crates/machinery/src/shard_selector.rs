//! Shards of lists and watches that the server selects (KEP-5866).

use std::fmt;

use crate::Object;

/// The number of hashes: one more than the largest.
const END: u128 = 1 << 64;
/// The deepest nesting of parentheses.
const DEPTH: usize = 32;

/// The field whose hash decides about the shard of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShardField {
    /// The UID: objects are spread evenly.
    Uid,
    /// The namespace: all objects of a namespace are in one shard.
    Namespace,
}

impl ShardField {
    const fn path(self) -> &'static str {
        match self {
            Self::Uid => "object.metadata.uid",
            Self::Namespace => "object.metadata.namespace",
        }
    }

    fn of(self, object: &dyn Object) -> &str {
        match self {
            Self::Uid => object.uid(),
            Self::Namespace => object.namespace(),
        }
    }
}

/// Selects a part of the objects of a list or a watch by the hash of a field: the value of `shardSelector` in
/// [`ListOptions`](crate::meta::v1::ListOptions).
///
/// Servers support it from Kubernetes 1.36 with the feature gate `ShardedListAndWatch`, which is off by default. Others ignore it:
/// `metadata.shardInfo` of a response shows whether it was applied, and [`matches`](Self::matches) checks an object.
///
/// ```
/// use client_rs_machinery::{ShardField, ShardSelector};
///
/// // The second of four shards.
/// let shard = ShardSelector::part(ShardField::Uid, 1, 4).unwrap();
/// assert_eq!(shard.to_string(), "shardRange(object.metadata.uid, '0x4000000000000000', '0x8000000000000000')");
/// assert_eq!(ShardSelector::parse(&shard.to_string()), Ok(shard));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShardSelector {
    field: ShardField,
    /// The first hash, and the one after the last.
    ranges: Vec<(u128, u128)>,
}

/// A text is not a shard selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShardSelectorError(String);

impl ShardSelector {
    /// Selects one of several equal parts. `None` if there is no such part: they are numbered from 0.
    pub fn part(field: ShardField, number: u32, parts: u32) -> Option<Self> {
        let at = |number: u32| END * u128::from(number) / u128::from(parts);
        (number < parts).then(|| Self { field, ranges: vec![(at(number), at(number + 1))] })
    }

    /// Selects the objects of several parts. `None` if a part does not exist, or if there is none.
    pub fn parts(field: ShardField, numbers: impl IntoIterator<Item = u32>, parts: u32) -> Option<Self> {
        let ranges = numbers.into_iter().map(|number| Some(Self::part(field, number, parts)?.ranges[0]));
        let ranges: Vec<_> = ranges.collect::<Option<_>>()?;
        (!ranges.is_empty()).then_some(Self { field, ranges })
    }

    /// The number of the [part](Self::part) that a UID or a namespace is in. `parts` of 0 counts as 1.
    ///
    /// ```
    /// use client_rs_machinery::ShardSelector;
    ///
    /// assert_eq!(ShardSelector::part_of("default", 4), 3);
    /// ```
    pub fn part_of(value: &str, parts: u32) -> u32 {
        // The largest number whose first hash is not larger: the bounds of parts are rounded down.
        let number = ((u128::from(hash(value)) + 1) * u128::from(parts.max(1)) - 1) / END;
        // Less than `parts`, so it fits.
        u32::try_from(number).unwrap_or(0)
    }

    /// Parses the text of a request: one or several `shardRange(FIELD, 'START', 'END')`, joined by `||`.
    pub fn parse(text: &str) -> Result<Self, ShardSelectorError> {
        if text.trim().is_empty() {
            let why = "empty shard selector is not allowed; omit the parameter for unfiltered lists";
            return Err(ShardSelectorError(why.to_owned()));
        }
        let mut parser = Parser { rest: text };
        let mut ranges = Vec::new();
        parser.any(&mut ranges, 0)?;
        if !parser.skip_space().rest.is_empty() {
            return Err(parser.unexpected("||"));
        }
        let first = ranges.first().map(|(field, ..)| *field);
        let field = first.ok_or_else(|| parser.unexpected("shardRange"))?;
        if let Some((other, ..)) = ranges.iter().find(|(other, ..)| *other != field) {
            let (one, two) = (field.path(), other.path());
            let why = format!("all shard ranges must use the same field, got {one:?} and {two:?}");
            return Err(ShardSelectorError(why));
        }
        Ok(Self { field, ranges: ranges.into_iter().map(|(_, start, end)| (start, end)).collect() })
    }

    /// Returns `true` if the object is in the shard.
    pub fn matches(&self, object: &dyn Object) -> bool {
        let hash = u128::from(hash(self.field.of(object)));
        self.ranges.iter().any(|(start, end)| (*start..*end).contains(&hash))
    }
}

/// FNV-1a with 64 bits.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

impl fmt::Display for ShardSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (start, end)) in self.ranges.iter().enumerate() {
            let or = if number == 0 { "" } else { " || " };
            write!(f, "{or}shardRange({}, '0x{start:016x}', '0x{end:016x}')", self.field.path())?;
        }
        Ok(())
    }
}

struct Parser<'t> {
    rest: &'t str,
}

impl<'t> Parser<'t> {
    /// Ranges joined by `||`.
    fn any(
        &mut self,
        ranges: &mut Vec<(ShardField, u128, u128)>,
        depth: usize,
    ) -> Result<(), ShardSelectorError> {
        loop {
            if self.take("(") {
                if depth == DEPTH {
                    return Err(ShardSelectorError("too many parentheses".to_owned()));
                }
                self.any(ranges, depth + 1)?;
                self.expect(")")?;
            } else {
                ranges.push(self.range()?);
            }
            if !self.take("||") {
                return Ok(());
            }
        }
    }

    fn range(&mut self) -> Result<(ShardField, u128, u128), ShardSelectorError> {
        let name = self.word();
        if name != "shardRange" {
            let why = format!("unsupported function {name:?}; only shardRange() and || are allowed");
            return Err(ShardSelectorError(why));
        }
        self.expect("(")?;
        let field = self.field()?;
        self.expect(",")?;
        let start = self.bound("hexStart")?;
        self.expect(",")?;
        let end = self.bound("hexEnd")?;
        self.expect(")")?;
        if start >= end {
            let why = format!("shard range start 0x{start:016x} must be less than end 0x{end:016x}");
            return Err(ShardSelectorError(why));
        }
        Ok((field, start, end))
    }

    fn field(&mut self) -> Result<ShardField, ShardSelectorError> {
        let mut path = self.word().to_owned();
        while self.take(".") {
            path = format!("{path}.{}", self.word());
        }
        [ShardField::Uid, ShardField::Namespace].into_iter().find(|field| field.path() == path).ok_or_else(
            || {
                let supported = "supported: object.metadata.uid, object.metadata.namespace";
                ShardSelectorError(format!("unsupported field path {path:?}; {supported}"))
            },
        )
    }

    /// A literal of 16 hexadecimal digits, or 2 to the power of 64.
    fn bound(&mut self, name: &str) -> Result<u128, ShardSelectorError> {
        let bad = |why: String| ShardSelectorError(format!("{name}: {why}"));
        let quote = match () {
            () if self.take("'") => '\'',
            () if self.take("\"") => '"',
            () => return Err(ShardSelectorError(format!("{name} must be a string literal (e.g. '0xff')"))),
        };
        let (text, rest) =
            self.rest.split_once(quote).ok_or_else(|| bad("the literal has no end".to_owned()))?;
        self.rest = rest;
        let digits = text.strip_prefix("0x").ok_or_else(|| bad(format!("no '0x' prefix in {text:?}")))?;
        let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        if !digits.chars().all(is_hex) || !(digits.len() == 16 || text == "0x10000000000000000") {
            return Err(bad(format!("must be a 0x-prefixed 16-digit hex value, got {text:?}")));
        }
        u128::from_str_radix(digits, 16).map_err(|error| bad(error.to_string()))
    }

    fn word(&mut self) -> &'t str {
        let rest = self.skip_space().rest;
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word
    }

    fn take(&mut self, token: &str) -> bool {
        let rest = self.skip_space().rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), ShardSelectorError> {
        if self.take(token) { Ok(()) } else { Err(self.unexpected(token)) }
    }

    fn unexpected(&self, wanted: &str) -> ShardSelectorError {
        let found: String = self.rest.chars().take(20).collect();
        ShardSelectorError(format!("CEL parse error: expected {wanted:?}, found {found:?}"))
    }

    fn skip_space(&mut self) -> &mut Self {
        self.rest = self.rest.trim_start();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta::v1::PartialObjectMetadata;

    fn object(uid: &str, namespace: &str) -> PartialObjectMetadata {
        let mut object = PartialObjectMetadata::default();
        object.metadata.uid = uid.into();
        object.metadata.namespace = namespace.into();
        object
    }

    #[test]
    fn parts_cover_everything_once() {
        for parts in [1, 2, 3, 7, 1000] {
            let all: Vec<_> = (0..parts)
                .map(|number| ShardSelector::part(ShardField::Uid, number, parts).unwrap())
                .collect();
            for number in 0..200 {
                let object = object(&format!("uid-{number}"), "");
                assert_eq!(all.iter().filter(|part| part.matches(&object)).count(), 1, "{parts}");
                let part = ShardSelector::part_of(object.uid(), parts);
                assert!(all[part as usize].matches(&object), "{parts}");
            }
        }
        assert_eq!(ShardSelector::part_of("a", 0), 0);
        assert_eq!(ShardSelector::part(ShardField::Uid, 2, 2), None);
        assert_eq!(ShardSelector::part(ShardField::Uid, 0, 0), None);
        assert_eq!(ShardSelector::parts(ShardField::Uid, [], 2), None);
        let most = ShardSelector::part(ShardField::Uid, u32::MAX - 1, u32::MAX).unwrap();
        assert!(most.to_string().ends_with("'0x10000000000000000')"), "{most}");
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
        let shard = "shardRange(object.metadata.namespace, '0xaf63dc4c8601ec8c', '0xaf63dc4c8601ec8d')";
        let shard = ShardSelector::parse(shard).unwrap();
        assert!(shard.matches(&object("x", "a")) && !shard.matches(&object("a", "x")));
    }

    #[test]
    fn selectors_are_read_as_the_server_reads_them() {
        let two = ShardSelector::parts(ShardField::Namespace, [0, 3], 4).unwrap();
        for text in
            [two.to_string(), format!(" ( {two} ) "), two.to_string().replace('\'', "\"").replace(", ", ",")]
        {
            assert_eq!(ShardSelector::parse(&text), Ok(two.clone()), "{text}");
        }
    }

    #[test]
    fn invalid_selectors_are_refused() {
        let uid = |start: &str, end: &str| format!("shardRange(object.metadata.uid, {start}, {end})");
        let (low, high) = ("'0x0000000000000000'", "'0x8000000000000000'");
        let fine = uid(low, high);
        let mixed = format!("{fine} || {}", fine.replace("uid", "namespace"));
        let deep = format!("{}{fine}{}", "(".repeat(100), ")".repeat(100));
        for (text, why) in [
            (String::new(), "empty shard selector"),
            ("  ".to_owned(), "empty shard selector"),
            (uid(high, low), "must be less than"),
            (uid(low, low), "must be less than"),
            (uid("'0x0'", high), "16-digit"),
            (uid(low, "'0x20000000000000000'"), "16-digit"),
            (uid(low, "'0xABCDABCDABCDABCD'"), "16-digit"),
            (uid(low, "'8000000000000000'"), "prefix"),
            (uid(low, "'0x8000"), "no end"),
            (uid(low, "8"), "string literal"),
            (fine.replace("uid", "name"), "unsupported field path \"object.metadata.name\""),
            (fine.replace("shardRange", "size"), "unsupported function \"size\""),
            (format!("{fine} &&"), "CEL parse error"),
            (format!("{fine} ||"), "unsupported function \"\""),
            (fine.replace(')', ""), "CEL parse error"),
            (mixed, "must use the same field"),
            (deep, "too many parentheses"),
        ] {
            let error = ShardSelector::parse(&text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
