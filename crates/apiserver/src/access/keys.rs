//! The keys of service account tokens: ECDSA with P-256, or RSA.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client_rs_machinery::{Json, json};
use ring::digest;
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey,
};
use rustls::pki_types::pem::{PemObject as _, SectionKind};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::ParsedCertificate;

use super::random;
use crate::pki::der::{BIT_STRING, INTEGER, OCTET_STRING, SEQUENCE, read, written};

/// A private key that signs tokens.
pub(super) enum SigningKey {
    Ecdsa(EcdsaKeyPair),
    Rsa(RsaKeyPair),
}

/// A public key that verifies tokens.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct PublicKey {
    /// The name of the key in tokens: the digest of its `SubjectPublicKeyInfo`, as the real server names it.
    pub(super) id: String,
    form: Form,
}

#[derive(Clone, PartialEq, Eq)]
enum Form {
    /// The uncompressed point: a tag and both coordinates.
    Ecdsa(Vec<u8>),
    /// An `RSAPublicKey`, and the modulus and the exponent in it.
    Rsa { der: Vec<u8>, modulus: Vec<u8>, exponent: Vec<u8> },
}

/// The public key of P-256 in `SubjectPublicKeyInfo` begins with these bytes.
pub(super) const P256_INFO: &[u8] = &[
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];
/// The algorithm of P-256 keys, in DER.
const P256: &[u8] = &[
    0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x03, 0x01, 0x07,
];
/// The algorithm of RSA keys, in DER.
const RSA: &[u8] =
    &[0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00];

impl SigningKey {
    /// Reads a private key in PEM. The error does not contain it.
    pub(super) fn from_pem(text: &[u8]) -> Result<Self, String> {
        let key = PrivateKeyDer::from_pem_slice(text).map_err(|error| format!("no private key: {error}"))?;
        Self::from_der(&key)
    }

    fn from_der(key: &PrivateKeyDer<'_>) -> Result<Self, String> {
        let unusable = "neither an ECDSA key of P-256 nor an RSA key of 2048 to 4096 bits".to_owned();
        let ecdsa = |der: &[u8]| {
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der, &SystemRandom::new()).ok()
        };
        let found = match key {
            PrivateKeyDer::Pkcs8(der) => {
                let der = der.secret_pkcs8_der();
                ecdsa(der).map(Self::Ecdsa).or_else(|| RsaKeyPair::from_pkcs8(der).ok().map(Self::Rsa))
            }
            PrivateKeyDer::Pkcs1(der) => RsaKeyPair::from_der(der.secret_pkcs1_der()).ok().map(Self::Rsa),
            PrivateKeyDer::Sec1(der) => {
                let inner = written(OCTET_STRING, der.secret_sec1_der());
                ecdsa(&written(SEQUENCE, &[&[INTEGER, 1, 0], P256, &inner].concat())).map(Self::Ecdsa)
            }
            _ => None,
        };
        found.ok_or(unusable)
    }

    /// The algorithm of its signatures, as tokens name it.
    pub(super) fn algorithm(&self) -> &'static str {
        match self {
            Self::Ecdsa(_) => "ES256",
            Self::Rsa(_) => "RS256",
        }
    }

    /// The key that verifies its signatures.
    pub(super) fn public(&self) -> PublicKey {
        match self {
            Self::Ecdsa(key) => PublicKey::new(Form::Ecdsa(key.public_key().as_ref().to_vec())),
            Self::Rsa(key) => {
                let parts: PublicKeyComponents<Vec<u8>> = key.public().into();
                let der = key.public().as_ref().to_vec();
                PublicKey::new(Form::Rsa { der, modulus: parts.n, exponent: parts.e })
            }
        }
    }

    /// Signs a text. It can only fail with the operating system's random number generator.
    pub(super) fn sign(&self, text: &[u8]) -> std::io::Result<Vec<u8>> {
        match self {
            Self::Ecdsa(key) => random::sign(key, text),
            Self::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text, &mut signature)
                    .map_err(|_| random::no_randomness())?;
                Ok(signature)
            }
        }
    }
}

impl PublicKey {
    /// Reads all keys in PEM: public keys, certificates, and private keys.
    pub(super) fn all_from_pem(text: &[u8]) -> Result<Vec<Self>, String> {
        let mut all = Vec::new();
        for section in <(SectionKind, Vec<u8>)>::pem_slice_iter(text) {
            let (kind, der) = section.map_err(|error| format!("malformed PEM: {error}"))?;
            let found = match kind {
                SectionKind::PublicKey => Self::from_info(&der),
                SectionKind::Certificate => {
                    let certificate = CertificateDer::from(der);
                    let parsed = ParsedCertificate::try_from(&certificate);
                    parsed.ok().and_then(|parsed| Self::from_info(parsed.subject_public_key_info().as_ref()))
                }
                SectionKind::PrivateKey | SectionKind::RsaPrivateKey | SectionKind::EcPrivateKey => {
                    let key = PrivateKeyDer::from_pem(kind, der);
                    key.and_then(|key| SigningKey::from_der(&key).ok()).map(|key| key.public())
                }
                _ => continue,
            };
            all.push(found.ok_or("a key is neither of P-256 nor of RSA")?);
        }
        if all.is_empty() { Err("no key found".to_owned()) } else { Ok(all) }
    }

    /// Reads a `SubjectPublicKeyInfo`.
    fn from_info(der: &[u8]) -> Option<Self> {
        if let Some(point) = der.strip_prefix(P256_INFO).filter(|point| point.len() == 65) {
            return Some(Self::new(Form::Ecdsa(point.to_vec())));
        }
        let (info, _) = read(SEQUENCE, der)?;
        let (key, _) = read(BIT_STRING, info.strip_prefix(RSA)?)?;
        let der = key.strip_prefix(&[0])?;
        let (numbers, _) = read(SEQUENCE, der)?;
        let (modulus, rest) = read(INTEGER, numbers)?;
        let (exponent, _) = read(INTEGER, rest)?;
        let positive = |number: &[u8]| number.strip_prefix(&[0]).unwrap_or(number).to_vec();
        let (modulus, exponent) = (positive(modulus), positive(exponent));
        Some(Self::new(Form::Rsa { der: der.to_vec(), modulus, exponent }))
    }

    fn new(form: Form) -> Self {
        let info = match &form {
            Form::Ecdsa(point) => [P256_INFO, point].concat(),
            Form::Rsa { der, .. } => {
                let key = written(BIT_STRING, &[&[0], der.as_slice()].concat());
                written(SEQUENCE, &[RSA, &key].concat())
            }
        };
        Self { id: URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, &info)), form }
    }

    /// The algorithm of the signatures, as tokens name it.
    pub(super) fn algorithm(&self) -> &'static str {
        match self.form {
            Form::Ecdsa(_) => "ES256",
            Form::Rsa { .. } => "RS256",
        }
    }

    /// Whether the signature of a text is by this key.
    pub(super) fn verifies(&self, text: &[u8], signature: &[u8]) -> bool {
        match &self.form {
            Form::Ecdsa(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(text, signature).is_ok()
            }
            Form::Rsa { der, .. } => {
                UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, der).verify(text, signature).is_ok()
            }
        }
    }

    /// The JSON Web Key.
    pub(super) fn to_json(&self) -> Json {
        let (id, algorithm) = (self.id.as_str(), self.algorithm());
        match &self.form {
            Form::Ecdsa(point) => {
                let (x, y) = point.get(1..).unwrap_or_default().split_at(point.len() / 2);
                json!({
                    "use": "sig", "kty": "EC", "kid": id, "crv": "P-256", "alg": algorithm,
                    "x": URL_SAFE_NO_PAD.encode(x), "y": URL_SAFE_NO_PAD.encode(y),
                })
            }
            Form::Rsa { modulus, exponent, .. } => json!({
                "use": "sig", "kty": "RSA", "kid": id, "alg": algorithm,
                "n": URL_SAFE_NO_PAD.encode(modulus), "e": URL_SAFE_NO_PAD.encode(exponent),
            }),
        }
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SigningKey").field(&self.algorithm()).finish()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("id", &self.id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, PublicKeyData as _};

    use super::*;

    #[test]
    fn a_certificate_and_a_public_key_verify_what_the_private_key_signed() {
        let pair = KeyPair::generate().unwrap();
        let certificate = CertificateParams::default().self_signed(&pair).unwrap();
        let key = SigningKey::from_pem(pair.serialize_pem().as_bytes()).unwrap();
        assert_eq!(key.algorithm(), "ES256");
        let signature = key.sign(b"text").unwrap();
        let given = [certificate.pem(), pair.public_key_pem(), pair.serialize_pem()].concat();
        let all = PublicKey::all_from_pem(given.as_bytes()).unwrap();
        assert_eq!(all.len(), 3);
        for public in &all {
            assert_eq!(*public, key.public());
            assert!(public.verifies(b"text", &signature) && !public.verifies(b"other", &signature));
        }
        assert_eq!(all[0], PublicKey::from_info(&pair.subject_public_key_info()).unwrap());
    }

    #[test]
    fn a_public_key_of_rsa_has_its_numbers_in_the_key_set() {
        // The smallest that has the form: the numbers of a real key are longer.
        let numbers = [written(INTEGER, &[0, 0xc5, 0x01]), written(INTEGER, &[1, 0, 1])].concat();
        let der = written(SEQUENCE, &numbers);
        let key = written(BIT_STRING, &[&[0], der.as_slice()].concat());
        let public = PublicKey::from_info(&written(SEQUENCE, &[RSA, &key].concat())).unwrap();
        let shown = public.to_json();
        assert_eq!((shown["n"].as_str(), shown["e"].as_str()), (Some("xQE"), Some("AQAB")));
        assert_eq!(public.algorithm(), "RS256");
    }

    #[test]
    fn malformed_keys_are_errors() {
        for text in ["", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "-----BEGIN"] {
            assert!(PublicKey::all_from_pem(text.as_bytes()).is_err(), "{text}");
            assert!(SigningKey::from_pem(text.as_bytes()).is_err(), "{text}");
        }
    }
}
