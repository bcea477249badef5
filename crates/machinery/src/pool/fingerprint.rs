//! Distinguishes contents without keeping them.
//!
//! The pool keeps the decoded spec of an object, not the bytes that it was decoded from, which would take half as
//! much memory again. To find out that an update has the same spec, the pool could compare the old spec field by
//! field, but that spec lies in a hundred places of cold memory. So the pool keeps a [`Fingerprint`] of 127 bits, and
//! compares that.
//!
//! # Why a fingerprint is enough
//! Tenants choose the content, and would choose two specs with the same hash if they could. Here they cannot, and
//! this needs no assumption about a hash function. The bytes, cut into blocks `m₁ … mₙ` of 120 bits and followed by
//! their length `l`, are the coefficients of a polynomial `m₁rⁿ⁺¹ + … + mₙr² + lr` over the field of `p = 2¹²⁷ − 1`
//! elements. The fingerprint is its value at a secret `r`. Two different contents are two different polynomials: if
//! their lengths are equal, some block differs; else `l` differs. So their difference is not zero and has a degree of
//! at most `n + 1`. It has at most `n + 1` roots, and `r` is one of them with a chance of at most `(n + 1) / p`: for
//! a spec of 10 KB less than 1 in 10³⁵.
//!
//! `r` comes from the process's random keys, one per [`Secret`]. Neither `r` nor a fingerprint ever leaves the pool,
//! so no choice of content can depend on it. An attacker learns at most that a pair has different fingerprints, which
//! rules out its few roots: `q` tries succeed with a chance of at most `q(n + 1) / p`. An attacker who can read `r`
//! from the memory of the process can also read all specs there.

use std::hash::{BuildHasher, RandomState};

/// The value of a content's polynomial.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint(u128);

/// Where polynomials are evaluated: `r` and `r²`.
pub(super) struct Secret {
    r: u128,
    square: u128,
}

/// 2¹²⁷ − 1, a prime.
const P: u128 = (1 << 127) - 1;

/// Bytes of a block: every value of 120 bits is less than `P`.
const BLOCK: usize = 15;

impl Secret {
    fn new(r: u128) -> Self {
        let r = r & P;
        Self { r, square: multiply(r, r) }
    }

    /// The fingerprint of a content.
    pub(super) fn fingerprint(&self, bytes: &[u8]) -> Fingerprint {
        let (pairs, rest) = bytes.as_chunks::<{ 2 * BLOCK }>();
        let mut value = 0;
        for pair in pairs {
            // Horner's rule, two blocks a step: their products do not wait for each other.
            let (first, second) = pair.split_at(BLOCK);
            value = fold(multiply(fold(value + block(first)), self.square) + multiply(block(second), self.r));
        }
        for part in rest.chunks(BLOCK) {
            value = multiply(fold(value + block(part)), self.r);
        }
        value = multiply(fold(value + bytes.len() as u128), self.r);
        // Zero has two forms.
        Fingerprint(value % P)
    }
}

impl Default for Secret {
    fn default() -> Self {
        let keys = RandomState::new();
        Self::new(u128::from(keys.hash_one(0)) << 64 | u128::from(keys.hash_one(1)))
    }
}

/// At most [`BLOCK`] bytes as a number; missing ones are zero.
#[inline]
fn block(bytes: &[u8]) -> u128 {
    let mut number = [0; 16];
    number[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(number)
}

/// The same modulo `P`, and at most 2¹²⁷.
#[inline]
fn fold(number: u128) -> u128 {
    (number & P) + (number >> 127)
}

/// Returns the product modulo `P`, at most 2¹²⁷ − 1. Both factors are at most 2¹²⁷, and the second is less than that.
#[inline]
fn multiply(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a0, a1, b0, b1) = (a & LOW, a >> 64, b & LOW, b >> 64);
    // a·b = high·2¹²⁸ + middle·2⁶⁴ + low. As b1 < 2⁶³ ≥ a1, `middle` does not overflow.
    let (low, middle, high) = (a0 * b0, a0 * b1 + a1 * b0, a1 * b1);
    // 2¹²⁷ is 1: `high` counts twice, and of `middle` what is above 63 bits counts once.
    let sum = fold(2 * high + ((middle & (LOW >> 1)) << 64));
    fold(fold(sum + (low & P)) + (low >> 127) + (middle >> 63))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    /// The value of the polynomial by its definition.
    fn plain(r: u128, bytes: &[u8]) -> u128 {
        let length = (bytes.len() as u128).to_le_bytes();
        let value = bytes.chunks(BLOCK).chain([&length[..]]).fold(BigUint::ZERO, |value, block| {
            (value + BigUint::from_bytes_le(block)) * BigUint::from(r) % BigUint::from(P)
        });
        u128::try_from(value).unwrap()
    }

    fn number() -> impl Strategy<Value = u128> {
        prop_oneof![
            any::<u128>().prop_map(|number| number & P),
            (0..4_u128).prop_map(|less| P - less),
            0..4_u128,
            (0..128_u32).prop_map(|bit| (1 << bit) & P),
        ]
    }

    proptest! {
        #[test]
        fn it_is_the_value_of_the_polynomial(
            r in number(),
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0), Just(255)], 0..200),
        ) {
            prop_assert_eq!(Secret::new(r).fingerprint(&bytes).0, plain(r, &bytes));
        }

        #[test]
        fn a_product_is_one(a in prop_oneof![number(), Just(P + 1)], b in number()) {
            let product = multiply(a, b);
            prop_assert!(product <= P);
            let expected = BigUint::from(a) * BigUint::from(b) % BigUint::from(P);
            prop_assert_eq!(BigUint::from(product % P), expected);
        }
    }

    #[test]
    fn contents_that_are_nearly_equal_differ() {
        let secret = Secret::default();
        let zeros = [0; 64];
        let mut seen = std::collections::BTreeSet::new();
        for length in 0..=zeros.len() {
            assert!(seen.insert(secret.fingerprint(&zeros[..length]).0), "{length} zeros");
        }
        for bit in 0..8 * zeros.len() {
            let mut bytes = zeros;
            bytes[bit / 8] = 1 << (bit % 8);
            assert!(seen.insert(secret.fingerprint(&bytes).0), "bit {bit}");
        }
    }

    #[test]
    fn no_two_secrets_are_one() {
        assert_ne!(Secret::default().r, Secret::default().r);
    }
}
