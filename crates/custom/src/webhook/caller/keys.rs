//! The public keys of an issuer, and signatures.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client_rs_machinery::Json;
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::pki_types::{AlgorithmIdentifier, alg_id};

/// The number of keys that are kept of a set.
const MOST_KEYS: usize = 64;

/// An algorithm of signatures, as tokens name it: the algorithm of the key, that of the signature, and for ECDSA the length of a coordinate.
struct Algorithm {
    name: &'static str,
    key: AlgorithmIdentifier,
    signature: AlgorithmIdentifier,
    coordinate: Option<usize>,
}

/// Those that API servers sign with. Symmetric algorithms and `none` are never accepted.
const ALGORITHMS: [Algorithm; 6] = [
    rsa("RS256", alg_id::RSA_PKCS1_SHA256),
    rsa("RS384", alg_id::RSA_PKCS1_SHA384),
    rsa("RS512", alg_id::RSA_PKCS1_SHA512),
    ecdsa("ES256", alg_id::ECDSA_P256, alg_id::ECDSA_SHA256, 32),
    ecdsa("ES384", alg_id::ECDSA_P384, alg_id::ECDSA_SHA384, 48),
    ecdsa("ES512", alg_id::ECDSA_P521, alg_id::ECDSA_SHA512, 66),
];

const fn rsa(name: &'static str, signature: AlgorithmIdentifier) -> Algorithm {
    Algorithm { name, key: alg_id::RSA_ENCRYPTION, signature, coordinate: None }
}

const fn ecdsa(
    name: &'static str,
    key: AlgorithmIdentifier,
    signature: AlgorithmIdentifier,
    coordinate: usize,
) -> Algorithm {
    Algorithm { name, key, signature, coordinate: Some(coordinate) }
}

/// The keys of an issuer: a JSON Web Key Set.
pub(super) struct KeySet {
    keys: Vec<Key>,
    provider: Arc<CryptoProvider>,
}

struct Key {
    id: Option<String>,
    algorithm: AlgorithmIdentifier,
    /// The content of `subjectPublicKey` of a certificate: an `RSAPublicKey`, or an uncompressed point.
    public: Vec<u8>,
}

/// The result of a look for the key of a signature.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Signature {
    Valid,
    Invalid,
    /// No key has the id: the issuer may have a new one.
    UnknownKey,
}

impl KeySet {
    /// Reads a key set. Keys of an unknown type are skipped.
    pub(super) fn parse(text: &[u8], provider: Arc<CryptoProvider>) -> Result<Self, String> {
        let set = Json::parse(text).map_err(|error| format!("the key set is not JSON: {error}"))?;
        let keys = set["keys"].as_list().ok_or("the key set has no `keys`")?;
        let keys: Vec<Key> = keys.iter().filter_map(Key::read).take(MOST_KEYS).collect();
        if keys.is_empty() {
            return Err("the key set has no RSA or ECDSA key".to_owned());
        }
        Ok(Self { keys, provider })
    }

    /// Checks a signature with the keys of this id, or with all if the token names none.
    pub(super) fn check(
        &self,
        algorithm: &str,
        id: Option<&str>,
        text: &[u8],
        signature: &[u8],
    ) -> Signature {
        let Some(algorithm) = ALGORITHMS.iter().find(|known| known.name == algorithm) else {
            return Signature::Invalid;
        };
        let der = match algorithm.coordinate {
            None => signature.to_vec(),
            // Tokens have two numbers of a fixed length, certificates a structure.
            Some(length) if signature.len() == 2 * length => {
                integers(&[&signature[..length], &signature[length..]])
            }
            Some(_) => return Signature::Invalid,
        };
        let fits = |key: &&Key| id.is_none() || key.id.is_none() || key.id.as_deref() == id;
        let mut found = false;
        for key in self.keys.iter().filter(fits).filter(|key| key.algorithm == algorithm.key) {
            found = true;
            let verifies = self.provider.signature_verification_algorithms.all.iter().any(|known| {
                known.public_key_alg_id() == algorithm.key
                    && known.signature_alg_id() == algorithm.signature
                    && known.verify_signature(&key.public, text, &der).is_ok()
            });
            if verifies {
                return Signature::Valid;
            }
        }
        if found { Signature::Invalid } else { Signature::UnknownKey }
    }
}

impl Key {
    fn read(key: &Json) -> Option<Self> {
        if key.get("use").and_then(Json::as_str).is_some_and(|usage| usage != "sig") {
            return None;
        }
        let number = |name: &str| URL_SAFE_NO_PAD.decode(key[name].as_str()?).ok();
        let (algorithm, public) = match key["kty"].as_str()? {
            "RSA" => (alg_id::RSA_ENCRYPTION, integers(&[&number("n")?, &number("e")?])),
            "EC" => {
                let (algorithm, length) = match key["crv"].as_str()? {
                    "P-256" => (alg_id::ECDSA_P256, 32),
                    "P-384" => (alg_id::ECDSA_P384, 48),
                    "P-521" => (alg_id::ECDSA_P521, 66),
                    _ => return None,
                };
                let (x, y) = (number("x")?, number("y")?);
                (algorithm, (x.len() == length && y.len() == length).then(|| [&[4], &*x, &*y].concat())?)
            }
            _ => return None,
        };
        Some(Self { id: key["kid"].as_str().map(str::to_owned), algorithm, public })
    }
}

/// A DER sequence of positive integers.
fn integers(numbers: &[&[u8]]) -> Vec<u8> {
    let mut content = Vec::new();
    for number in numbers {
        let mut number = *number;
        while let [0, rest @ ..] = number
            && !rest.is_empty()
        {
            number = rest;
        }
        let sign: &[u8] = if number.first().is_none_or(|first| *first >= 0x80) { &[0] } else { &[] };
        content.push(2);
        put_length(&mut content, sign.len() + number.len());
        content.extend_from_slice(sign);
        content.extend_from_slice(number);
    }
    let mut sequence = vec![0x30];
    put_length(&mut sequence, content.len());
    sequence.extend(content);
    sequence
}

fn put_length(into: &mut Vec<u8>, length: usize) {
    if let Ok(short @ ..0x80) = u8::try_from(length) {
        return into.push(short);
    }
    let bytes = length.to_be_bytes();
    let used: Vec<u8> = bytes.into_iter().skip_while(|byte| *byte == 0).collect();
    // At most eight bytes.
    into.push(0x80 | u8::try_from(used.len()).unwrap_or(8));
    into.extend(used);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_the_shortest_positive_ones() {
        assert_eq!(integers(&[&[0, 0, 1], &[0x80]]), [0x30, 7, 2, 1, 1, 2, 2, 0, 0x80]);
        assert_eq!(integers(&[&[0], &[]]), [0x30, 6, 2, 1, 0, 2, 1, 0]);
        let long = integers(&[&[1; 200]]);
        assert_eq!(long[..6], [0x30, 0x81, 203, 2, 0x81, 200]);
        let longer = integers(&[&[1; 300]]);
        assert_eq!(longer[..8], [0x30, 0x82, 1, 48, 2, 0x82, 1, 44]);
    }

    #[test]
    fn malformed_key_sets_are_errors() {
        let provider = || Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        for text in [
            "",
            "[]",
            r#"{"keys": []}"#,
            r#"{"keys": [{"kty": "oct", "k": "AA"}, 7, {"kty": "RSA", "n": "!"}]}"#,
        ] {
            assert!(KeySet::parse(text.as_bytes(), provider()).is_err(), "{text}");
        }
        let odd = r#"{"keys": [{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}]}"#;
        assert!(KeySet::parse(odd.as_bytes(), provider()).is_err(), "a point has a fixed length");
    }
}
