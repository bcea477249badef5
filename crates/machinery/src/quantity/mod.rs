//! [`Quantity`]: an exact amount of a resource, such as `100m` of CPU or `1.5Gi` of memory.

mod canonical;
mod decimal;
mod parse;
#[cfg(test)]
mod tests;

use crate::Str;
use decimal::Decimal;
use parse::Cap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    iter::Sum,
    ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign},
    str::FromStr,
};

/// An exact amount of a resource: a decimal number with one of three kinds of suffix.
///
/// ```
/// use client_rs_machinery::Quantity;
///
/// let limit = Quantity::parse("1.5Gi")?;
/// let used = Quantity::parse("512Mi")?;
/// assert!(used < limit);
/// assert_eq!(limit.value(), 1_610_612_736);
/// assert_eq!((&limit - &used).to_string(), "1Gi");
///
/// // Equality is by value; the text stays.
/// let cpu = Quantity::parse("100m")?;
/// assert_eq!(cpu.milli_value(), 100);
/// assert_eq!(cpu, Quantity::parse("0.1")?);
///
/// assert!(Quantity::parse("1.5GiB").is_err());
/// # Ok::<(), client_rs_machinery::quantity::QuantityError>(())
/// ```
///
/// A quantity is one word wide, because it *is* its text: the text from the server goes back byte for byte, and a
/// quantity without arithmetic costs only its check. Arithmetic parses the text and writes a new one. To add many
/// quantities, use [`Sum`], which parses each once and writes once.
///
/// Comparison, equality and hash are by value: `1000m`, `1` and `1e0` are equal. The number is exact, of any size,
/// never a float. Parsing rounds parts finer than a billionth (`n`) away from zero. It caps values with a binary
/// suffix at 2^63 - 1, as the API server does.
///
/// Results keep the [`Format`] of the left operand, or of the right one if the left is zero. They are written in
/// canonical form: no fraction, and the largest suffix that allows this. This is Go's `resource.Quantity`, with these
/// deliberate differences: [`value`](Self::value) and its variants saturate instead of wrapping, and always round
/// negative numbers away from zero. A decimal amount beyond the largest suffix is written with an exponent (Go drops
/// the suffix: `1000E` becomes `1`). If the operands of an addition are more than 1024 decimal places apart, the
/// lesser is rounded up.
#[derive(Clone, Default)]
pub struct Quantity {
    /// Always valid. Empty is zero. May end in a [`Marker`].
    text: Str,
}

/// The notation of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// With an exponent: `12e6`.
    DecimalExponent,
    /// With a power of 1024: `12Mi`.
    BinarySi,
    /// With a power of 1000: `12M`.
    DecimalSi,
}

/// A power of ten, for values in other units than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scale(pub i32);

impl Scale {
    /// Billionths: the finest unit.
    pub const NANO: Self = Self(-9);
    /// Millionths.
    pub const MICRO: Self = Self(-6);
    /// Thousandths.
    pub const MILLI: Self = Self(-3);
    /// Ones.
    pub const ONE: Self = Self(0);
    /// Thousands.
    pub const KILO: Self = Self(3);
    /// Millions.
    pub const MEGA: Self = Self(6);
    /// Thousand millions.
    pub const GIGA: Self = Self(9);
    /// Million millions.
    pub const TERA: Self = Self(12);
    /// Powers of 10^15.
    pub const PETA: Self = Self(15);
    /// Powers of 10^18.
    pub const EXA: Self = Self(18);
}

/// A malformed quantity. The first three texts are the API server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuantityError {
    /// Not a number followed by a suffix.
    #[error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")]
    Format,
    /// No number before the suffix.
    #[error("unable to parse numeric part of quantity")]
    Number,
    /// An unknown suffix.
    #[error("unable to parse quantity's suffix")]
    Suffix,
    /// More than 4096 bytes. Go has no such limit.
    #[error("quantities have at most 4096 bytes")]
    TooLong,
}

impl Quantity {
    /// Zero.
    pub const ZERO: Self = Self { text: Str::EMPTY };

    /// Parses a quantity. The result prints like Go's: in canonical form, unless the text already counts as
    /// canonical.
    ///
    /// # Errors
    ///
    /// [`QuantityError`] if the text is not a number with a known suffix, or is longer than 4096 bytes.
    pub fn parse(text: &str) -> Result<Self, QuantityError> {
        let parsed = parse::parse(text)?;
        if parsed.kept {
            return Ok(Self { text: text.into() });
        }
        Ok(Self::from_decimal(&parsed.value, parsed.format))
    }

    /// Takes a quantity in its form on the wire: checked, but not converted to canonical form.
    pub fn from_wire(text: Str) -> Result<Self, QuantityError> {
        parse::parse(&text)?;
        Ok(Self { text })
    }

    /// Creates a quantity of `value` ones, written in `format`.
    ///
    /// ```
    /// use client_rs_machinery::quantity::{Format, Quantity};
    ///
    /// assert_eq!(Quantity::new(2048, Format::BinarySi).to_string(), "2Ki");
    /// assert_eq!(Quantity::new(2000, Format::DecimalSi).to_string(), "2k");
    /// assert_eq!(Quantity::from_milli(1500, Format::DecimalSi).to_string(), "1500m");
    /// ```
    pub fn new(value: i64, format: Format) -> Self {
        Self::from_decimal(&Decimal::new(value.into(), 0), format)
    }

    /// Creates a quantity of `value` thousandths, written in `format`.
    pub fn from_milli(value: i64, format: Format) -> Self {
        Self::from_decimal(&Decimal::new(value.into(), -3), format)
    }

    /// Creates a quantity of `value` units of `scale`. Parts finer than a billionth are rounded away from zero.
    pub fn from_scaled(value: i64, scale: Scale) -> Self {
        let value = Decimal::new(value.into(), scale.0.into()).round_up(Scale::NANO.0.into());
        Self::from_decimal(&value, Format::DecimalSi)
    }

    /// Returns the text: unchanged for a quantity off the wire, else as Go prints it.
    pub fn as_str(&self) -> &str {
        match Marker::split(&self.text).0 {
            "" => "0",
            text => text,
        }
    }

    /// Returns the notation. Zero has no suffix and counts as [`Format::DecimalSi`].
    pub fn format(&self) -> Format {
        self.read().1
    }

    /// Returns the same amount in canonical form, in `format` if that can hold it.
    #[must_use]
    pub fn with_format(&self, format: Format) -> Self {
        Self::from_decimal(&self.read().0, format)
    }

    /// Returns the same amount in canonical form.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let (value, format) = self.read();
        Self::from_decimal(&value, format)
    }

    /// Whether the amount is zero.
    pub fn is_zero(&self) -> bool {
        self.sign() == 0
    }

    /// Returns -1, 0 or 1.
    pub fn sign(&self) -> i32 {
        self.read().0.sign()
    }

    /// Returns the amount as a whole number, rounded away from zero; saturates.
    pub fn value(&self) -> i64 {
        self.scaled_value(Scale::ONE)
    }

    /// Returns the amount in thousandths, rounded away from zero; saturates.
    pub fn milli_value(&self) -> i64 {
        self.scaled_value(Scale::MILLI)
    }

    /// Returns the amount in units of `scale`, rounded away from zero; saturates.
    pub fn scaled_value(&self, scale: Scale) -> i64 {
        self.read().0.to_i64(scale.0.into())
    }

    /// Returns the amount, if it is a whole number that fits.
    pub fn as_i64(&self) -> Option<i64> {
        let value = self.read().0;
        let whole = value.to_i64(0);
        (value == Decimal::new(whole.into(), 0)).then_some(whole)
    }

    /// Returns the nearest `f64`; infinite beyond its range.
    pub fn as_f64(&self) -> f64 {
        self.read().0.to_f64()
    }

    /// Rounds away from zero to a multiple of `scale`. The text stays if no rounding is needed.
    #[must_use]
    pub fn round_up(&self, scale: Scale) -> Self {
        let (value, format) = self.read();
        if value.exponent() >= scale.0.into() {
            return self.clone();
        }
        Self::from_decimal(&value.round_up(scale.0.into()), format)
    }

    fn read(&self) -> (Decimal, Format) {
        let (text, marked) = Marker::split(&self.text);
        if text.is_empty() {
            return (Decimal::ZERO, Format::DecimalSi);
        }
        let cap = if marked.is_some() { Cap::None } else { Cap::I64Max };
        match parse::parse_unbounded(text, cap) {
            Ok(parsed) => (parsed.value, marked.unwrap_or(parsed.format)),
            // Unreachable: each constructor checks or writes the text.
            Err(_) => (Decimal::ZERO, Format::DecimalSi),
        }
    }

    fn from_decimal(value: &Decimal, format: Format) -> Self {
        if value.is_zero() {
            return Self::ZERO;
        }
        let (mut text, seen) = canonical::write(value, format);
        if seen != format || (seen == Format::BinarySi && value.exceeds_i64()) {
            text.push(Marker::of(format));
        }
        Self { text: text.into() }
    }

    fn combine(&self, other: &Self, add: impl Fn(&Decimal, Decimal) -> Decimal) -> Self {
        let ((left, left_format), (right, right_format)) = (self.read(), other.read());
        let format = if left.is_zero() { right_format } else { left_format };
        Self::from_decimal(&add(&left, right), format)
    }
}

/// A byte after the text that names the format if the text alone does not: 512 of a `BinarySi` sum is written `512`,
/// yet must become `1Ki` when doubled. It also distinguishes a sum of `16Ei`, which stays, from a text of `16Ei` off
/// the wire, which is capped. It is never on the wire itself: [`Quantity::as_str`] leaves it out.
struct Marker;

impl Marker {
    const FORMATS: [Format; 3] = [Format::DecimalExponent, Format::BinarySi, Format::DecimalSi];

    fn of(format: Format) -> char {
        match format {
            Format::DecimalExponent => '\u{0}',
            Format::BinarySi => '\u{1}',
            Format::DecimalSi => '\u{2}',
        }
    }

    fn split(text: &str) -> (&str, Option<Format>) {
        let format = text.as_bytes().last().and_then(|&last| Self::FORMATS.get(usize::from(last)));
        match format {
            Some(&format) => (&text[..text.len() - 1], Some(format)),
            None => (text, None),
        }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str() || self.read().0 == other.read().0
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.read().0.cmp(&other.read().0)
    }
}

impl PartialEq<i64> for Quantity {
    fn eq(&self, other: &i64) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd<i64> for Quantity {
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        Some(self.read().0.cmp(&Decimal::new((*other).into(), 0)))
    }
}

impl Hash for Quantity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.read().0.normalized().hash(state);
    }
}

impl Add for &Quantity {
    type Output = Quantity;

    fn add(self, other: &Quantity) -> Quantity {
        self.combine(other, |left, right| left.plus(&right))
    }
}

impl Sub for &Quantity {
    type Output = Quantity;

    fn sub(self, other: &Quantity) -> Quantity {
        self.combine(other, |left, right| left.plus(&-right))
    }
}

impl Neg for &Quantity {
    type Output = Quantity;

    fn neg(self) -> Quantity {
        let (value, format) = self.read();
        Quantity::from_decimal(&-value, format)
    }
}

impl Mul<i64> for &Quantity {
    type Output = Quantity;

    fn mul(self, factor: i64) -> Quantity {
        let (value, format) = self.read();
        Quantity::from_decimal(&value.times_i64(factor), format)
    }
}

impl Add for Quantity {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        &self + &other
    }
}

impl Sub for Quantity {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        &self - &other
    }
}

impl Neg for Quantity {
    type Output = Self;

    fn neg(self) -> Self {
        -&self
    }
}

impl Mul<i64> for Quantity {
    type Output = Self;

    fn mul(self, factor: i64) -> Self {
        &self * factor
    }
}

impl AddAssign<&Quantity> for Quantity {
    fn add_assign(&mut self, other: &Quantity) {
        *self = &*self + other;
    }
}

impl SubAssign<&Quantity> for Quantity {
    fn sub_assign(&mut self, other: &Quantity) {
        *self = &*self - other;
    }
}

impl MulAssign<i64> for Quantity {
    fn mul_assign(&mut self, factor: i64) {
        *self = &*self * factor;
    }
}

/// The same result as adding one by one, but each is parsed once and only the result is written.
impl<'a> Sum<&'a Quantity> for Quantity {
    fn sum<I: Iterator<Item = &'a Quantity>>(quantities: I) -> Self {
        let (value, format) =
            quantities.map(Quantity::read).fold((Decimal::ZERO, Format::DecimalSi), |sum, item| {
                let format = if sum.0.is_zero() { item.1 } else { sum.1 };
                (sum.0.plus(&item.0), format)
            });
        Self::from_decimal(&value, format)
    }
}

impl Sum for Quantity {
    fn sum<I: Iterator<Item = Quantity>>(quantities: I) -> Self {
        let all: Vec<_> = quantities.collect();
        all.iter().sum()
    }
}

impl From<i64> for Quantity {
    fn from(value: i64) -> Self {
        Self::new(value, Format::DecimalSi)
    }
}

impl From<i32> for Quantity {
    fn from(value: i32) -> Self {
        i64::from(value).into()
    }
}

impl FromStr for Quantity {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        Self::parse(text)
    }
}

impl TryFrom<&str> for Quantity {
    type Error = QuantityError;

    fn try_from(text: &str) -> Result<Self, QuantityError> {
        Self::parse(text)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A string, kept unchanged except for spaces around it; also a number; `null` is zero.
impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Quantity;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a quantity such as \"100m\" or 2")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Quantity, E> {
                Quantity::from_wire(text.trim().into()).map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Quantity, E> {
                Ok(value.into())
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Quantity, E> {
                Ok(Quantity::from_decimal(&Decimal::new(value.into(), 0), Format::DecimalSi))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Quantity, E> {
                // The shortest text that parses to this float is the original one, or an equal one.
                Quantity::parse(&value.to_string()).map_err(E::custom)
            }

            fn visit_unit<E: de::Error>(self) -> Result<Quantity, E> {
                Ok(Quantity::ZERO)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}
