//! Keys of certificates.

use std::{fmt, io};

use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use super::keys::P256_INFO;
use super::pem;
use super::random::no_randomness;

/// A new key of P-256.
pub(crate) struct KeyPair {
    /// In PKCS #8.
    document: Vec<u8>,
    pair: EcdsaKeyPair,
}

impl KeyPair {
    pub(super) fn generate() -> io::Result<Self> {
        let (random, kind) = (SystemRandom::new(), &ECDSA_P256_SHA256_ASN1_SIGNING);
        let document = EcdsaKeyPair::generate_pkcs8(kind, &random).map_err(|_| no_randomness())?;
        let pair = EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random)
            .map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self { document: document.as_ref().to_vec(), pair })
    }

    /// The private key, in PEM.
    pub(crate) fn to_pem(&self) -> String {
        pem::write("PRIVATE KEY", &self.document)
    }

    /// The private key, in DER.
    pub(crate) fn to_der(&self) -> PrivateKeyDer<'static> {
        PrivatePkcs8KeyDer::from(self.document.clone()).into()
    }

    /// The public key as a `SubjectPublicKeyInfo`.
    pub(super) fn info(&self) -> Vec<u8> {
        [P256_INFO, self.pair.public_key().as_ref()].concat()
    }

    /// Signs with SHA-256.
    pub(super) fn sign(&self, text: &[u8]) -> io::Result<Vec<u8>> {
        let signature = self.pair.sign(&SystemRandom::new(), text).map_err(|_| no_randomness())?;
        Ok(signature.as_ref().to_vec())
    }
}

impl fmt::Debug for KeyPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyPair")
    }
}
