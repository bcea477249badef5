//! The grammar: a sign, digits with at most one point, a suffix. What Go reads we read, to the letter.

use super::decimal::Decimal;
use super::{Format, QuantityError, Scale};

/// A text from outside longer than this is refused: no honest quantity has so many digits, and the cost of exact
/// arithmetic grows with their square.
const MAX_LEN: usize = 4096;

/// A text understood.
pub(super) struct Parsed {
    pub(super) value: Decimal,
    pub(super) format: Format,
    /// Go prints a quantity as it was written when it deems the text canonical (its test lets `1.500`, `+1` and
    /// `007Ki` pass); otherwise it prints the canonical form.
    pub(super) kept: bool,
}

pub(super) fn parse(text: &str) -> Result<Parsed, QuantityError> {
    if text.len() > MAX_LEN {
        return Err(QuantityError::TooLong);
    }
    parse_unbounded(text, Cap::I64Max)
}

/// How to handle a value with a binary suffix that an `i64` cannot hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cap {
    /// It is lowered to `i64::MAX`: the rule for all text from outside.
    I64Max,
    /// Keep it: a result of our own arithmetic.
    None,
}

/// Without the limit of length, for text that has passed it or that our own arithmetic has written.
pub(super) fn parse_unbounded(text: &str, cap: Cap) -> Result<Parsed, QuantityError> {
    if text.is_empty() {
        return Err(QuantityError::Format);
    }
    if text == "0" {
        return Ok(Parsed { value: Decimal::ZERO, format: Format::DecimalSi, kept: true });
    }
    let parts = Parts::split(text)?;
    let suffix = Suffix::parse(parts.suffix).ok_or(QuantityError::Suffix)?;
    if let Some(parsed) = parts.fast(suffix) {
        return Ok(parsed);
    }
    parts.slow(suffix, cap)
}

/// `-12.50Ki` is negative, `12`, `50`, `Ki`.
struct Parts<'a> {
    negative: bool,
    /// Without leading zeros; `0` when nothing is left.
    whole: &'a str,
    fraction: &'a str,
    suffix: &'a str,
    /// Whether there was any digit. Go parses `k` and `-` as zero, but not always.
    has_digits: bool,
}

impl<'a> Parts<'a> {
    fn split(text: &'a str) -> Result<Self, QuantityError> {
        let (negative, unsigned) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let (whole, rest) = take(unsigned, |b| b.is_ascii_digit());
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(rest) => take(rest, |b| b.is_ascii_digit()),
            None => ("", rest),
        };
        let (_, rest) = take(suffix, |b| b"eEinumkKMGTP".contains(&b));
        let rest = rest.strip_prefix(['-', '+']).unwrap_or(rest);
        if !take(rest, |b| b.is_ascii_digit()).1.is_empty() {
            return Err(QuantityError::Format);
        }
        let has_digits = !(whole.is_empty() && fraction.is_empty());
        let whole = match whole.trim_start_matches('0') {
            "" => "0",
            whole => whole,
        };
        Ok(Self { negative, whole, fraction, suffix, has_digits })
    }

    /// Numbers that Go holds in an `int64`; these alone can keep their text.
    fn fast(&self, suffix: Suffix) -> Option<Parsed> {
        const MAX_DIGITS: usize = 18;

        let digits = self.whole.len() + self.fraction.len();
        match suffix {
            Suffix::Decimal { exponent, format } => {
                let exponent = i64::from(exponent) - i64::try_from(self.fraction.len()).ok()?;
                if digits > MAX_DIGITS || exponent < i64::from(Scale::NANO.0) {
                    return None;
                }
                let zeros = |text: &str| text.bytes().rev().take_while(|&b| b == b'0').count();
                let mut trailing_zeros = zeros(self.fraction);
                if trailing_zeros == self.fraction.len() {
                    trailing_zeros += zeros(self.whole);
                }
                let kept = exponent % 3 == 0 && trailing_zeros < 3 && !self.whole.starts_with('0');
                let value = self.decimal(self.negative, exponent);
                Some(Parsed { value, format, kept })
            }
            Suffix::Binary { shift } => {
                if !self.fraction.is_empty() || self.whole.len() + (shift * 3 / 10) as usize + 1 > 15 {
                    return None;
                }
                let count: i64 = self.whole.parse().ok()?;
                let value = count.checked_mul(1 << shift)?;
                let value = if self.negative { -value } else { value };
                let kept = count & 7 != 0;
                Some(Parsed { value: Decimal::new(value.into(), 0), format: Format::BinarySi, kept })
            }
        }
    }

    fn slow(&self, suffix: Suffix, cap: Cap) -> Result<Parsed, QuantityError> {
        if !self.has_digits {
            return Err(QuantityError::Number);
        }
        let places = i64::try_from(self.fraction.len()).map_err(|_| QuantityError::Number)?;
        let (value, mut format) = match suffix {
            Suffix::Decimal { exponent, format } => {
                (self.decimal(false, i64::from(exponent) - places), format)
            }
            Suffix::Binary { shift } => (self.decimal(false, -places).shl(shift), Format::BinarySi),
        };
        // A request for a positive amount never becomes a request for zero: round up.
        let mut value = value.round_up(Scale::NANO.0.into());
        if format == Format::BinarySi {
            if cap == Cap::I64Max {
                value = value.min(Decimal::new(i64::MAX.into(), 0));
            }
            if !value.is_zero() && value < Decimal::new(1, 0) {
                format = Format::DecimalSi;
            }
        }
        let value = if self.negative { -value } else { value };
        Ok(Parsed { value, format, kept: false })
    }

    fn decimal(&self, negative: bool, exponent: i64) -> Decimal {
        Decimal::from_digits(negative, self.whole, self.fraction, exponent)
    }
}

fn take(text: &str, accept: impl Fn(u8) -> bool) -> (&str, &str) {
    text.split_at(text.bytes().position(|b| !accept(b)).unwrap_or(text.len()))
}

#[derive(Clone, Copy)]
enum Suffix {
    Decimal { exponent: i32, format: Format },
    Binary { shift: u32 },
}

impl Suffix {
    fn parse(text: &str) -> Option<Self> {
        let si = |exponent| Some(Self::Decimal { exponent, format: Format::DecimalSi });
        let binary = |shift| Some(Self::Binary { shift });
        match text {
            "" => si(0),
            "n" => si(-9),
            "u" => si(-6),
            "m" => si(-3),
            "k" => si(3),
            "M" => si(6),
            "G" => si(9),
            "T" => si(12),
            "P" => si(15),
            "E" => si(18),
            "Ki" => binary(10),
            "Mi" => binary(20),
            "Gi" => binary(30),
            "Ti" => binary(40),
            "Pi" => binary(50),
            "Ei" => binary(60),
            _ => {
                let exponent: i64 = text.strip_prefix(['e', 'E'])?.parse().ok()?;
                // Go keeps the low 32 bits: a server that stores `1e4294967296` means 1.
                #[expect(clippy::cast_possible_truncation, reason = "as said above")]
                let exponent = exponent as i32;
                Some(Self::Decimal { exponent, format: Format::DecimalExponent })
            }
        }
    }
}
