//! Public keys, and signatures with them.

use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA384_ASN1, ECDSA_P384_SHA256_ASN1, ECDSA_P384_SHA384_ASN1, ED25519,
    RSA_PKCS1_1024_8192_SHA1_FOR_LEGACY_USE_ONLY, RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY,
    RSA_PKCS1_1024_8192_SHA512_FOR_LEGACY_USE_ONLY, RSA_PKCS1_2048_8192_SHA384, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, UnparsedPublicKey, VerificationAlgorithm,
};
use rustls::pki_types::alg_id::{RSA_PSS_SHA256, RSA_PSS_SHA384, RSA_PSS_SHA512};

use super::der::{BIT_STRING, INTEGER, OBJECT_ID, SEQUENCE, read};

/// The result of checking a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Signature {
    Valid,
    /// Go verifies signatures of this algorithm, but the cryptography under this server does not.
    Unverified,
    /// It is wrong, or of an algorithm that Go does not verify either.
    Invalid(String),
}

/// A public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key<'a> {
    /// The bits of the modulus, and an `RSAPublicKey`.
    Rsa(usize, &'a [u8]),
    /// An uncompressed point.
    Ecdsa(Curve, &'a [u8]),
    Ed25519(&'a [u8]),
    /// A key that can't verify.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Curve {
    P224,
    P256,
    P384,
    P521,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hash {
    Md5,
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {
    Rsa(Hash),
    RsaPss(Hash),
    Ecdsa(Hash),
    Ed25519,
    Other,
}

/// 1.2.840.113549.1.1, the arc of RSA.
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01];
/// 1.2.840.10045.2.1
const EC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
/// 1.2.840.10045.4, the arc of ECDSA signatures.
const ECDSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04];
/// 1.3.101.112, of keys and of signatures.
const ED25519_ID: &[u8] = &[0x2b, 0x65, 0x70];

const UNIMPLEMENTED: &str = "x509: cannot verify signature: algorithm unimplemented";

impl<'a> Key<'a> {
    /// Reads a `SubjectPublicKeyInfo`.
    pub(crate) fn read(info: &'a [u8]) -> Result<Self, &'static str> {
        let parts = || {
            let (info, end) = read(SEQUENCE, info)?;
            let (kind, rest) = read(SEQUENCE, info)?;
            let (id, parameters) = read(OBJECT_ID, kind)?;
            let (bits, rest) = read(BIT_STRING, rest)?;
            let whole = end.is_empty() && rest.is_empty();
            Some((id, parameters, bits.strip_prefix(&[0]).filter(|_| whole)?))
        };
        let (id, parameters, key) = parts().ok_or("asn1: structure error: malformed public key")?;
        if id.strip_prefix(RSA) == Some(&[1]) {
            if parameters != [5, 0] {
                return Err("x509: RSA key missing NULL parameters");
            }
            let bits = modulus_bits(key).ok_or("x509: invalid RSA public key")?;
            return Ok(Self::Rsa(bits, key));
        }
        match id {
            EC_KEY => match read(OBJECT_ID, parameters) {
                Some(([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07], _)) => {
                    Ok(Self::Ecdsa(Curve::P256, key))
                }
                Some(([0x2b, 0x81, 0x04, 0x00, 0x21], _)) => Ok(Self::Ecdsa(Curve::P224, key)),
                Some(([0x2b, 0x81, 0x04, 0x00, 0x22], _)) => Ok(Self::Ecdsa(Curve::P384, key)),
                Some(([0x2b, 0x81, 0x04, 0x00, 0x23], _)) => Ok(Self::Ecdsa(Curve::P521, key)),
                Some(_) => Err("x509: unsupported elliptic curve"),
                None => Err("x509: invalid ECDSA parameters"),
            },
            ED25519_ID if !parameters.is_empty() => Err("x509: Ed25519 key encoded with illegal parameters"),
            ED25519_ID if key.len() != 32 => Err("x509: wrong Ed25519 public key size"),
            ED25519_ID => Ok(Self::Ed25519(key)),
            _ => Ok(Self::Other),
        }
    }

    /// Checks a signature. `algorithm` is the content of an `AlgorithmIdentifier`.
    pub(crate) fn check(&self, algorithm: &[u8], signed: &[u8], signature: &[u8]) -> Signature {
        let algorithm = Algorithm::read(algorithm);
        let invalid = |why: &str| Signature::Invalid(why.to_owned());
        let verified = |with: Option<&'static dyn VerificationAlgorithm>, key: &[u8], why: &str| match with {
            None => Signature::Unverified,
            Some(with) if UnparsedPublicKey::new(with, key).verify(signed, signature).is_ok() => {
                Signature::Valid
            }
            Some(_) => invalid(why),
        };
        match (*self, algorithm) {
            (_, Algorithm::Rsa(Hash::Md5)) => {
                invalid("x509: cannot verify signature: insecure algorithm MD5-RSA")
            }
            (Self::Other, _) | (_, Algorithm::Other) => invalid(UNIMPLEMENTED),
            (Self::Rsa(bits, _), Algorithm::Rsa(_) | Algorithm::RsaPss(_)) if bits < 1024 => {
                Signature::Invalid(format!(
                    "crypto/rsa: {bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)"
                ))
            }
            (Self::Rsa(bits, key), Algorithm::Rsa(_) | Algorithm::RsaPss(_)) => {
                verified(algorithm.with_rsa(bits), key, "crypto/rsa: verification error")
            }
            (Self::Ecdsa(curve, key), Algorithm::Ecdsa(hash)) => {
                verified(with_ecdsa(curve, hash), key, "x509: ECDSA verification failure")
            }
            (Self::Ed25519(key), Algorithm::Ed25519) => {
                verified(Some(&ED25519), key, "x509: Ed25519 verification failure")
            }
            (key, algorithm) => Signature::Invalid(format!(
                "x509: signature algorithm specifies an {} public key, but have public key of type {}",
                algorithm.key_name(),
                key.go_type(),
            )),
        }
    }

    fn go_type(&self) -> &'static str {
        match self {
            Self::Rsa(..) => "*rsa.PublicKey",
            Self::Ecdsa(..) => "*ecdsa.PublicKey",
            Self::Ed25519(_) => "ed25519.PublicKey",
            Self::Other => "any",
        }
    }
}

impl Algorithm {
    fn read(identifier: &[u8]) -> Self {
        let Some((id, parameters)) = read(OBJECT_ID, identifier) else { return Self::Other };
        if let Some(rest) = id.strip_prefix(RSA) {
            return match rest {
                [4] => Self::Rsa(Hash::Md5),
                [5] => Self::Rsa(Hash::Sha1),
                [11] => Self::Rsa(Hash::Sha256),
                [12] => Self::Rsa(Hash::Sha384),
                [13] => Self::Rsa(Hash::Sha512),
                [10] if identifier == RSA_PSS_SHA256.as_ref() => Self::RsaPss(Hash::Sha256),
                [10] if identifier == RSA_PSS_SHA384.as_ref() => Self::RsaPss(Hash::Sha384),
                [10] if identifier == RSA_PSS_SHA512.as_ref() => Self::RsaPss(Hash::Sha512),
                _ => Self::Other,
            };
        }
        match id.strip_prefix(ECDSA) {
            Some([1]) => Self::Ecdsa(Hash::Sha1),
            Some([3, 2]) => Self::Ecdsa(Hash::Sha256),
            Some([3, 3]) => Self::Ecdsa(Hash::Sha384),
            Some([3, 4]) => Self::Ecdsa(Hash::Sha512),
            _ if id == ED25519_ID && parameters.is_empty() => Self::Ed25519,
            _ => Self::Other,
        }
    }

    fn with_rsa(self, bits: usize) -> Option<&'static dyn VerificationAlgorithm> {
        let long = (2048..=8192).contains(&bits);
        Some(match self {
            _ if bits > 8192 => return None,
            Self::Rsa(Hash::Sha1) => &RSA_PKCS1_1024_8192_SHA1_FOR_LEGACY_USE_ONLY,
            Self::Rsa(Hash::Sha256) => &RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY,
            Self::Rsa(Hash::Sha512) => &RSA_PKCS1_1024_8192_SHA512_FOR_LEGACY_USE_ONLY,
            Self::Rsa(Hash::Sha384) if long => &RSA_PKCS1_2048_8192_SHA384,
            Self::RsaPss(Hash::Sha256) if long => &RSA_PSS_2048_8192_SHA256,
            Self::RsaPss(Hash::Sha384) if long => &RSA_PSS_2048_8192_SHA384,
            Self::RsaPss(Hash::Sha512) if long => &RSA_PSS_2048_8192_SHA512,
            _ => return None,
        })
    }

    fn key_name(self) -> &'static str {
        match self {
            Self::Rsa(_) | Self::RsaPss(_) => "RSA",
            Self::Ecdsa(_) => "ECDSA",
            Self::Ed25519 => "Ed25519",
            Self::Other => "unknown",
        }
    }
}

fn with_ecdsa(curve: Curve, hash: Hash) -> Option<&'static dyn VerificationAlgorithm> {
    Some(match (curve, hash) {
        (Curve::P256, Hash::Sha256) => &ECDSA_P256_SHA256_ASN1,
        (Curve::P256, Hash::Sha384) => &ECDSA_P256_SHA384_ASN1,
        (Curve::P384, Hash::Sha256) => &ECDSA_P384_SHA256_ASN1,
        (Curve::P384, Hash::Sha384) => &ECDSA_P384_SHA384_ASN1,
        _ => return None,
    })
}

/// The bits of the modulus of an `RSAPublicKey`; `None` if it is malformed.
fn modulus_bits(key: &[u8]) -> Option<usize> {
    let (content, end) = read(SEQUENCE, key)?;
    let (modulus, rest) = read(INTEGER, content)?;
    let (exponent, rest) = read(INTEGER, rest)?;
    let positive = |number: &[u8]| number.first().is_some_and(|first| *first < 0x80);
    let significant = &modulus[modulus.iter().position(|byte| *byte != 0)?..];
    let unused = usize::try_from(significant.first()?.leading_zeros()).ok()?;
    let whole = end.is_empty() && rest.is_empty() && positive(modulus) && positive(exponent);
    whole.then_some(significant.len() * 8 - unused)
}
