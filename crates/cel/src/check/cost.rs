//! An upper bound for the cost of an expression, in the real server's units, from the maximum sizes of its variables.

use super::overloads::{Overload, Pattern};
use super::types::Type;
use super::{Found, Limits};

/// The cost of scanning a text, per character.
const TEXT: f64 = 0.1;
/// The cost of a pattern, per character.
const PATTERN: f64 = 0.25;
/// The cost of creating a list.
pub(super) const LIST: u64 = 10;
/// The cost of creating a map.
pub(super) const MAP: u64 = 30;
/// The cost of creating an object.
pub(super) const STRUCT: u64 = 40;
/// The length of the longest pattern of a named format.
const NAMED_PATTERN: f64 = 128.0;
/// The maximum length of the name of a format.
const FORMAT_NAME: u64 = 64;

/// The possible sizes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) min: u64,
    pub(super) max: u64,
}

/// The possible sizes of the keys and values of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) is_list: bool,
    pub(super) key: Size,
    pub(super) value: Size,
}

/// The cost of a call without that of its arguments, and the size of its result.
pub(super) struct Estimate {
    pub(super) cost: u64,
    pub(super) size: Option<Size>,
    pub(super) entry: Option<Entry>,
}

impl Size {
    pub(super) const UNKNOWN: Self = Self { min: 0, max: u64::MAX };

    pub(super) const fn fixed(size: u64) -> Self {
        Self { min: size, max: size }
    }

    /// The empty range: a union with it returns the other size.
    pub(super) const NONE: Self = Self { min: u64::MAX, max: 0 };

    fn plus(self, other: Self) -> Self {
        Self { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }

    fn times(self, other: Self) -> Self {
        Self { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the cost of scanning a value of this size.
    fn by(self, factor: f64) -> u64 {
        scaled(self.max, factor)
    }
}

impl Entry {
    pub(super) fn or(self, other: Self) -> Self {
        Self { is_list: self.is_list, key: self.key.or(other.key), value: self.value.or(other.value) }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]
fn scaled(size: u64, factor: f64) -> u64 {
    // A result that is too large saturates.
    (size as f64 * factor).ceil() as u64
}

impl Limits {
    /// Returns the possible sizes of the value at a path. The variable at its start does not count. This is so in
    /// cel-go, for variables of any type.
    pub(super) fn size(&self, path: &[String]) -> Option<Size> {
        let (_, steps) = path.split_first()?;
        let mut at = self;
        for step in steps {
            at = match step.as_str() {
                "@items" | "@values" => at.items.as_deref()?,
                "@keys" => at.keys.as_deref()?,
                field => at.fields.get(field).or_else(|| at.fields.get(&super::types::unescaped(field)))?,
            };
        }
        Some(Size { min: 0, max: at.max })
    }
}

/// Returns the size of a type whose values all have the same size.
pub(super) fn scalar(of: &Type) -> Option<Size> {
    match of {
        Type::Bool | Type::Double | Type::Duration | Type::Int | Type::Timestamp | Type::Uint => {
            Some(Size::fixed(1))
        }
        Type::Optional(of) => scalar(of),
        _ => None,
    }
}

/// Estimates a call of one of the functions of a name; the target of a method is the first argument.
pub(super) fn call(
    name: &str,
    method: bool,
    overload: &Overload,
    args: &[Found],
    limits: &Limits,
) -> Estimate {
    let call = Call { name, method, overload, args, limits };
    call.texts().or_else(|| call.lists()).or_else(|| call.operators()).unwrap_or_else(|| call.libraries())
}

struct Call<'a> {
    name: &'a str,
    method: bool,
    overload: &'a Overload,
    args: &'a [Found],
    limits: &'a Limits,
}

/// Returns an estimate whose result has an unknown size.
fn cost(cost: u64) -> Estimate {
    Estimate { cost, size: None, entry: None }
}

fn sized(cost: u64, size: Size) -> Estimate {
    Estimate { cost, size: Some(size), entry: None }
}

/// Returns an estimate for a new list, whose items are scanned `factor` times.
fn made(factor: f64, size: Size) -> Estimate {
    sized(size.by(factor).saturating_add(1 + LIST), size)
}

impl Call<'_> {
    fn size(&self, at: usize) -> Size {
        self.args.get(at).and_then(|arg| arg.size).unwrap_or(Size::UNKNOWN)
    }

    /// Returns the cost of scanning a text argument.
    fn text(&self, at: usize) -> u64 {
        self.size(at).by(TEXT)
    }

    fn takes(&self, at: usize, of: &Type) -> bool {
        matches!(self.overload.params.get(at), Some(Pattern::Exact(known)) if known == of)
    }

    fn takes_list(&self, at: usize) -> bool {
        matches!(self.overload.params.get(at), Some(Pattern::List(_)))
    }

    /// Returns the number of a literal argument; negative ones do not count.
    fn literal(&self, at: usize) -> Option<u64> {
        Some(u64::try_from(self.args.get(at)?.literal?).unwrap_or(0))
    }

    /// Returns the size of the items of the first argument, which is a list.
    fn item(&self) -> Size {
        let mut path = self.args[0].path.clone();
        if !path.is_empty() {
            path.push("@items".to_owned());
        }
        self.limits.size(&path).unwrap_or(Size::UNKNOWN)
    }

    fn texts(&self) -> Option<Estimate> {
        let of_text = || self.size(0).plus(Size::fixed(1)).by(TEXT).saturating_mul(self.size(1).by(PATTERN));
        Some(match self.name {
            "url" | "jsonpatch.escapeKey" | "lowerAscii" | "upperAscii" | "substring" | "trim" => {
                sized(self.text(0), self.size(0))
            }
            "replace" => {
                sized(self.size(0).by(2.0 * TEXT), replaced(self.size(0), self.size(1), self.size(2)))
            }
            "split" => {
                let most = match self.args.get(2).and_then(|limit| limit.literal) {
                    // The real server converts a negative number in this way.
                    Some(limit) => limit.cast_unsigned(),
                    None => self.size(0).max,
                };
                sized(self.size(0).by(2.0 * TEXT), Size { min: 0, max: most })
            }
            "find" | "findAll" => sized(of_text(), Size { min: 0, max: self.size(0).max }),
            "matches" => cost(of_text()),
            "startsWith" | "endsWith" => cost(self.text(1)),
            "contains" => cost(self.text(0).saturating_mul(self.text(1))),
            "format" => cost(self.text(0)),
            // An overflow yields a small number, as in cel-go.
            "strings.quote" => {
                let Size { min, max } = self.size(0);
                let quoted = Size { min: min.wrapping_add(2), max: max.wrapping_mul(2).wrapping_add(2) };
                sized(self.text(0), quoted)
            }
            "bytes" if self.takes(0, &Type::Text) => {
                let Size { min, max } = self.size(0);
                sized(self.text(0), Size { min, max: max.wrapping_mul(4) })
            }
            "string" if self.takes(0, &Type::Bytes) => {
                let Size { min, max } = self.size(0);
                sized(self.text(0), Size { min: min / 4, max })
            }
            _ => return None,
        })
    }

    fn lists(&self) -> Option<Estimate> {
        let product = || self.size(0).times(self.size(1));
        Some(match self.name {
            "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => match &self.args[0].of {
                Type::List(of) => {
                    let texts = matches!(**of, Type::Text | Type::Bytes);
                    let item = if texts { self.item().by(TEXT).saturating_add(1) } else { 1 };
                    cost(self.size(0).max.saturating_mul(item))
                }
                _ => cost(self.text(0)),
            },
            "join" => {
                let size = self.size(0);
                let mut joined = match self.args[0].of {
                    Type::List(_) => size.times(self.item()),
                    _ => Size::fixed(0),
                };
                if self.args.len() > 1 {
                    let between = Size { min: size.min.saturating_sub(1), max: size.max.saturating_sub(1) };
                    joined = joined.plus(self.size(1).times(between));
                }
                sized(joined.by(TEXT), joined)
            }
            "sets.contains" | "sets.intersects" => cost(product().by(1.0).saturating_add(1)),
            "sets.equivalent" => cost(product().by(2.0).saturating_add(1)),
            "slice" => {
                let end = self.literal(2).unwrap_or(self.size(0).max);
                made(1.0, Size::fixed(end.wrapping_sub(self.literal(1).unwrap_or(0))))
            }
            "lists.range" => made(1.0, Size::fixed(self.literal(0).unwrap_or(u64::MAX))),
            "reverse" => made(1.0, self.size(0)),
            "flatten" => {
                let depth = if self.args.len() > 1 { self.literal(1).unwrap_or(u64::MAX) } else { 1 };
                #[allow(clippy::cast_precision_loss)]
                let depth = depth as f64;
                made(depth, self.size(0))
            }
            "distinct" => made(2.0, self.size(0).times(self.size(0))),
            "sort" => sorted(&self.args[0].of, self.size(0)),
            _ => return None,
        })
    }

    fn operators(&self) -> Option<Estimate> {
        let of_texts = || self.takes(0, &Type::Text) || self.takes(0, &Type::Bytes);
        let smaller = || cost(scaled(self.size(0).max.min(self.size(1).max), TEXT));
        let sum = || self.size(0).plus(self.size(1));
        Some(match self.name {
            "_==_" if self.args[0].of == self.args[1].of => match self.args[0].of {
                Type::Library("net.IP" | "net.CIDR" | "kubernetes.Quantity" | "kubernetes.Semver") => cost(1),
                Type::Library("kubernetes.NamedFormat") => cost(scaled(FORMAT_NAME, TEXT)),
                Type::Library("kubernetes.URL") => {
                    cost(scaled(self.args[1].size.map_or(1, |size| size.max), TEXT))
                }
                _ => smaller(),
            },
            "_==_" | "_!=_" => smaller(),
            "_<_" | "_<=_" | "_>_" | "_>=_" if of_texts() => smaller(),
            "@in" if self.takes_list(1) => cost(self.size(1).max),
            "_+_" if of_texts() => {
                Estimate { cost: sum().by(TEXT), size: Some(sum()), entry: both(self.args) }
            }
            "_+_" if self.takes_list(0) => Estimate { cost: 1, size: Some(sum()), entry: both(self.args) },
            _ => return None,
        })
    }

    fn libraries(&self) -> Estimate {
        match self.name {
            // An expression can ask the authorizer twice.
            "check" => cost(350_000),
            "ip" if self.method => cost(1),
            "cidr" | "isIP" | "isCIDR" | "ip" | "quantity" | "isQuantity" | "semver" | "isSemver" => {
                cost(self.text(0))
            }
            "ip.isCanonical" => cost(self.size(0).by(2.0 * TEXT)),
            "containsIP" | "containsCIDR" => {
                let address = Size { min: 4, max: 16 };
                let mut compared = address.plus(address).by(TEXT);
                if self.name == "containsCIDR" {
                    compared += address.by(TEXT) + 1;
                }
                if self.takes(1, &Type::Text) {
                    compared = compared.saturating_add(self.text(1));
                }
                cost(compared)
            }
            "validate" => cost(scaled(self.text(1), NAMED_PATTERN * PATTERN)),
            _ => cost(1),
        }
    }
}

/// The comparison of the items of a list with each other, by their type.
pub(super) fn sorted(list: &Type, size: Size) -> Estimate {
    let texts = match list {
        Type::List(of) => matches!(**of, Type::Text | Type::Bytes | Type::Dyn),
        _ => true,
    };
    let pairs = size.times(size);
    let cost = pairs.by(if texts { 2.0 + TEXT } else { 2.0 }).saturating_add(1 + LIST);
    Estimate { cost, size: Some(pairs), entry: None }
}

/// The entries of two lists or maps that are combined.
fn both(args: &[Found]) -> Option<Entry> {
    Some(args.first()?.entry?.or(args.get(1)?.entry?))
}

/// Returns the size of a text after a replacement.
fn replaced(text: Size, part: Size, by: Size) -> Size {
    let divided = |size: u64, by: u64| {
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]
        let count = (size as f64 / by as f64).ceil() as u64;
        count
    };
    let (mut count, mut kept) = (Size::fixed(0), Size::fixed(0));
    if part.min == 0 {
        count.max = text.max.saturating_add(1);
        kept.max = text.max;
    } else if by.max <= part.min {
        kept.max = text.max;
    } else {
        count.max = divided(text.max, part.min);
    }
    if part.max == 0 {
        count.min = text.min.saturating_add(1);
        kept.min = text.min;
    } else if part.max <= by.min {
        kept.min = text.min;
    } else {
        count.min = divided(text.min, part.max);
    }
    count.times(by).plus(kept)
}
