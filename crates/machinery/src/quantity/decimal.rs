//! [`Decimal`]: an exact decimal number of any size, fast while it is small.

use num_bigint::{BigInt, Sign};
use std::{cmp::Ordering, fmt, ops::Neg};

/// `mantissa × 10^exponent`. Several pairs can represent one number.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    mantissa: Mantissa,
    exponent: i64,
}

/// `Big` only where `Small` can't hold the number, so that equal mantissas have one form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mantissa {
    Small(i128),
    Big(BigInt),
}

/// How many decimal places an addition spans at most. Beyond it the finer operand is rounded away from zero
/// first: `1e2000000000` is a legal quantity, and adding one to it must not take two billion digits.
const MAX_SPAN: i64 = 1024;

impl Decimal {
    pub(super) const ZERO: Self = Self::new(0, 0);

    pub(super) const fn new(mantissa: i128, exponent: i64) -> Self {
        Self { mantissa: Mantissa::Small(mantissa), exponent }
    }

    /// From the ASCII digits before and after the point; no digits are zero.
    pub(super) fn from_digits(negative: bool, whole: &str, fraction: &str, exponent: i64) -> Self {
        let bytes = || whole.bytes().chain(fraction.bytes());
        // The number of digits that never overflows. Most numbers have few, and 64-bit arithmetic is faster.
        let magnitude = match whole.len() + fraction.len() {
            0..=19 => {
                Mantissa::Small(bytes().fold(0, |value, digit| value * 10 + u64::from(digit - b'0')).into())
            }
            20..=38 => Mantissa::Small(bytes().fold(0, |value, digit| value * 10 + i128::from(digit - b'0'))),
            _ => {
                let digits: Vec<u8> = bytes().collect();
                Mantissa::from(BigInt::parse_bytes(&digits, 10).unwrap_or_default())
            }
        };
        let mantissa = if negative { -magnitude } else { magnitude };
        Self { mantissa, exponent }
    }

    pub(super) fn sign(&self) -> i32 {
        match &self.mantissa {
            Mantissa::Small(value) => value.cmp(&0) as i32,
            Mantissa::Big(value) => {
                if value.sign() == Sign::Minus {
                    -1
                } else {
                    1
                }
            }
        }
    }

    pub(super) fn exponent(&self) -> i64 {
        self.exponent
    }

    pub(super) fn is_zero(&self) -> bool {
        self.sign() == 0
    }

    pub(super) fn abs(self) -> Self {
        if self.sign() < 0 { -self } else { self }
    }

    /// `self × 2^shift`.
    pub(super) fn shl(self, shift: u32) -> Self {
        self.times(&Mantissa::Small(1 << shift))
    }

    pub(super) fn times_i64(self, factor: i64) -> Self {
        self.times(&Mantissa::Small(factor.into()))
    }

    fn times(self, factor: &Mantissa) -> Self {
        Self { mantissa: self.mantissa.times(factor), exponent: self.exponent }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let (coarse, fine) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let fine = fine.round_up(coarse.exponent - MAX_SPAN);
        let coarse = coarse.mantissa.clone().times_pow10(coarse.exponent - fine.exponent);
        Self { mantissa: coarse.plus(&fine.mantissa), exponent: fine.exponent }
    }

    /// To a whole multiple of `10^exponent`, away from zero.
    pub(super) fn round_up(&self, exponent: i64) -> Self {
        let drop = exponent - self.exponent;
        if drop <= 0 {
            return self.clone();
        }
        if drop > self.mantissa.digits() {
            return Self::new(self.sign().into(), exponent);
        }
        let (quotient, exact) = self.mantissa.div_pow10(drop);
        let mantissa = if exact { quotient } else { quotient.plus(&Mantissa::Small(self.sign().into())) };
        Self { mantissa, exponent }
    }

    /// The number of `10^exponent` it takes to reach this number, rounded away from zero; saturates.
    pub(super) fn to_i64(&self, exponent: i64) -> i64 {
        let rounded = self.round_up(exponent);
        let limit = if self.sign() < 0 { i64::MIN } else { i64::MAX };
        if rounded.is_zero() {
            return 0;
        }
        let shift = rounded.exponent - exponent;
        // No mantissa but zero fits an i64 after a shift by 19 places.
        if shift > 19 {
            return limit;
        }
        match rounded.mantissa.times_pow10(shift) {
            Mantissa::Small(value) => i64::try_from(value).unwrap_or(limit),
            Mantissa::Big(_) => limit,
        }
    }

    pub(super) fn exceeds_i64(&self) -> bool {
        self.clone().abs() > Self::new(i64::MAX.into(), 0)
    }

    pub(super) fn is_multiple_of_pow10(&self, exponent: i64) -> bool {
        self.round_up(exponent).cmp(self).is_eq()
    }

    /// Returns the unique pair for this number: no trailing zeros in the mantissa.
    pub(super) fn normalized(mut self) -> (Mantissa, i64) {
        if self.is_zero() {
            return (Mantissa::Small(0), 0);
        }
        if let Mantissa::Big(_) = self.mantissa {
            // Halving steps: few divisions of the large number instead of one a digit.
            let mut step = self.mantissa.digits();
            while step > 0 {
                let (quotient, exact) = self.mantissa.div_pow10(step);
                if exact {
                    self = Self { mantissa: quotient, exponent: self.exponent + step };
                }
                step /= 2;
            }
        }
        while let (quotient, true) = self.mantissa.div_pow10(1) {
            self = Self { mantissa: quotient, exponent: self.exponent + 1 };
        }
        (self.mantissa, self.exponent)
    }

    /// The whole number this is, when writing it out takes no more than some thousand digits.
    pub(super) fn to_integer(&self) -> Option<Mantissa> {
        let whole = self.round_up(0);
        (whole.exponent <= 4 * MAX_SPAN).then(|| whole.mantissa.times_pow10(whole.exponent))
    }

    /// The nearest `f64`.
    pub(super) fn to_f64(&self) -> f64 {
        // The standard parser rounds correctly for any number of digits.
        format!("{}e{}", self.mantissa, self.exponent).parse().unwrap_or(f64::NAN)
    }

    /// Place of the first digit, counted from the decimal point.
    fn magnitude(&self) -> i64 {
        self.mantissa.digits() + self.exponent
    }
}

impl Neg for Decimal {
    type Output = Self;

    fn neg(self) -> Self {
        Self { mantissa: -self.mantissa, exponent: self.exponent }
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = self.sign();
        if sign != other.sign() || sign == 0 {
            return sign.cmp(&other.sign());
        }
        if self.exponent == other.exponent {
            return self.mantissa.compare(&other.mantissa);
        }
        let by_magnitude = self.magnitude().cmp(&other.magnitude());
        if by_magnitude.is_ne() {
            return if sign > 0 { by_magnitude } else { by_magnitude.reverse() };
        }
        // Equal magnitudes: the exponents differ by no more than the digits do, so this stays small.
        let shift = self.exponent - other.exponent;
        if shift > 0 {
            self.mantissa.clone().times_pow10(shift).compare(&other.mantissa)
        } else {
            self.mantissa.compare(&other.mantissa.clone().times_pow10(-shift))
        }
    }
}

impl Mantissa {
    fn to_big(&self) -> BigInt {
        match self {
            Self::Small(value) => BigInt::from(*value),
            Self::Big(value) => value.clone(),
        }
    }

    fn digits(&self) -> i64 {
        match self {
            Self::Small(value) => value.unsigned_abs().checked_ilog10().map_or(0, |log| i64::from(log) + 1),
            Self::Big(value) => i64::try_from(value.magnitude().to_string().len()).unwrap_or(i64::MAX),
        }
    }

    pub(super) fn times(self, factor: &Self) -> Self {
        if let (Self::Small(a), Self::Small(b)) = (&self, factor)
            && let Some(product) = a.checked_mul(*b)
        {
            return Self::Small(product);
        }
        Self::from(self.to_big() * factor.to_big())
    }

    pub(super) fn times_pow10(self, power: i64) -> Self {
        if power == 0 {
            return self;
        }
        self.times(&Self::pow10(power))
    }

    fn plus(&self, other: &Self) -> Self {
        if let (Self::Small(a), Self::Small(b)) = (self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            return Self::Small(sum);
        }
        Self::from(self.to_big() + other.to_big())
    }

    /// The quotient rounded towards zero, and whether nothing was lost.
    fn div_pow10(&self, power: i64) -> (Self, bool) {
        self.div_rem(&Self::pow10(power))
    }

    /// The quotient rounded towards zero, and whether nothing was lost. `divisor` is not zero.
    pub(super) fn div_rem(&self, divisor: &Self) -> (Self, bool) {
        if let (Self::Small(a), Self::Small(b)) = (self, divisor) {
            return match (i64::try_from(*a), i64::try_from(*b)) {
                (Ok(a), Ok(b)) if a != i64::MIN => (Self::Small((a / b).into()), a % b == 0),
                _ => (Self::Small(a / b), a % b == 0),
            };
        }
        let (value, divisor) = (self.to_big(), divisor.to_big());
        let quotient = &value / &divisor;
        let exact = &quotient * &divisor == value;
        (Self::from(quotient), exact)
    }

    /// `power` is not negative.
    fn pow10(power: i64) -> Self {
        let power = u32::try_from(power).unwrap_or(u32::MAX);
        10_i128.checked_pow(power).map_or_else(|| Self::Big(BigInt::from(10).pow(power)), Self::Small)
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(a), Self::Small(b)) => a.cmp(b),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl From<BigInt> for Mantissa {
    fn from(value: BigInt) -> Self {
        i128::try_from(&value).map_or(Self::Big(value), Self::Small)
    }
}

impl Neg for Mantissa {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Small(value) => {
                value.checked_neg().map_or_else(|| Self::Big(-BigInt::from(value)), Self::Small)
            }
            Self::Big(value) => Self::from(-value),
        }
    }
}

impl fmt::Display for Mantissa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small(value) => fmt::Display::fmt(value, f),
            Self::Big(value) => fmt::Display::fmt(value, f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decimal(text: &str) -> Decimal {
        let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let negative = digits.starts_with('-');
        Decimal::from_digits(negative, digits.trim_start_matches('-'), "", exponent.parse().unwrap())
    }

    #[test]
    fn compares_without_writing_numbers_out() {
        for (a, b, want) in [
            ("1e2147483647", "1", Ordering::Greater),
            ("-1e2147483647", "1", Ordering::Less),
            ("-1e2147483647", "-1e2147483646", Ordering::Less),
            ("1e-2147483648", "0", Ordering::Greater),
            ("1000", "1e3", Ordering::Equal),
            ("0e9", "0e-9", Ordering::Equal),
            ("99", "1e2", Ordering::Less),
            ("-99", "-1e2", Ordering::Greater),
            (
                "170141183460469231731687303715884105728",
                "170141183460469231731687303715884105727",
                Ordering::Greater,
            ),
            (
                "-170141183460469231731687303715884105728",
                "-170141183460469231731687303715884105729",
                Ordering::Greater,
            ),
            (
                "10000000000000000000000000000000000000000000001e-1",
                "1000000000000000000000000000000000000000000000",
                Ordering::Greater,
            ),
        ] {
            assert_eq!(decimal(a).cmp(&decimal(b)), want, "{a} {b}");
            assert_eq!(decimal(b).cmp(&decimal(a)), want.reverse(), "{b} {a}");
        }
    }

    #[test]
    fn far_apart_operands_add_in_bounded_space() {
        let sum = decimal("1e2147483647").plus(&decimal("1"));
        assert!(sum > decimal("1e2147483647"));
        let (mantissa, exponent) = sum.normalized();
        assert_eq!(mantissa.digits(), MAX_SPAN + 1);
        assert_eq!(exponent, 2_147_483_647 - MAX_SPAN);
        assert_eq!(decimal("1e2147483647").to_integer(), None);
        assert_eq!(decimal("1e2147483647").to_i64(0), i64::MAX);
        assert_eq!(decimal("-1e2147483647").to_i64(-9), i64::MIN);
        assert_eq!(decimal("1e-2147483648").to_i64(0), 1);
    }

    #[test]
    fn crosses_between_small_and_big() {
        let max = Decimal::new(i128::MAX, 0);
        let beyond = max.plus(&Decimal::new(1, 0));
        assert!(matches!(beyond.mantissa, Mantissa::Big(_)));
        assert_eq!(beyond.plus(&Decimal::new(-1, 0)), max);
        assert!(matches!(beyond.plus(&Decimal::new(-1, 0)).mantissa, Mantissa::Small(_)));
        let min = -beyond.clone();
        assert!(matches!(min.mantissa, Mantissa::Small(i128::MIN)));
        assert_eq!(-min, beyond);
        assert_eq!(Decimal::new(i128::MIN, 0).abs(), beyond);
        assert_eq!(decimal(&("5".to_owned() + &"0".repeat(300))).normalized(), (Mantissa::Small(5), 300));
        assert_eq!(Decimal::new(i64::MIN.into(), 0).to_i64(0), i64::MIN);
        assert_eq!(Decimal::new(i64::MIN.into(), 1).normalized(), (Mantissa::Small(i64::MIN.into()), 1));
    }

    proptest! {
        #[test]
        fn agrees_with_big_integers(a in any::<i128>(), b in any::<i128>(), ea in -30..30_i64, eb in -30..30_i64, at in -30..30_i64, k in any::<i64>()) {
            let whole = |m: i128, e: i64| BigInt::from(m) * BigInt::from(10).pow(u32::try_from(e + 30).unwrap());
            let read = |d: &Decimal| d.mantissa.to_big() * BigInt::from(10).pow(u32::try_from(d.exponent + 30).unwrap());
            let (x, y) = (Decimal::new(a, ea), Decimal::new(b, eb));
            let (bx, by) = (whole(a, ea), whole(b, eb));
            prop_assert_eq!(x.cmp(&y), bx.cmp(&by));
            prop_assert_eq!(read(&x.plus(&y)), &bx + &by);
            prop_assert_eq!(read(&x.clone().times_i64(k)), &bx * BigInt::from(k));
            prop_assert_eq!(read(&x.clone().shl(60)), &bx << 60);
            let unit = BigInt::from(10).pow(u32::try_from(at + 30).unwrap());
            let (quotient, rest) = (&bx / &unit, &bx % &unit);
            let up = if rest == BigInt::ZERO { quotient } else { quotient + BigInt::from(x.sign()) };
            prop_assert_eq!(read(&x.round_up(at)), &up * &unit);
            prop_assert_eq!(x.is_multiple_of_pow10(at), rest == BigInt::ZERO);
            let limit = if a < 0 { i64::MIN } else { i64::MAX };
            prop_assert_eq!(x.to_i64(at), i64::try_from(&up).unwrap_or(limit));
            let (mantissa, exponent) = x.clone().normalized();
            prop_assert_eq!(&Decimal { mantissa: mantissa.clone(), exponent }, &x);
            prop_assert!(a == 0 || !mantissa.div_pow10(1).1);
        }
    }
}
