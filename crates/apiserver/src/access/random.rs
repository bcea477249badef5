//! Secrets: tokens and keys, from the operating system's random number generator.
//!
//! Names, UIDs and random choices come from a fast generator instead. Its state can be computed from its output, so
//! no other file in this folder may generate random values. A test below checks that.

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client_rs_transport::Secret;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};

/// A new bearer token, of 256 random bits.
pub(crate) fn token() -> io::Result<Secret> {
    let mut bytes = [0; 32];
    SystemRandom::new().fill(&mut bytes).map_err(|_| no_randomness())?;
    Ok(Secret::new(URL_SAFE_NO_PAD.encode(bytes)))
}

/// A new key for signing tokens.
pub(super) fn signing_key() -> io::Result<EcdsaKeyPair> {
    let (random, kind) = (SystemRandom::new(), &ECDSA_P256_SHA256_FIXED_SIGNING);
    let document = EcdsaKeyPair::generate_pkcs8(kind, &random).map_err(|_| no_randomness())?;
    EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random)
        .map_err(|error| io::Error::other(error.to_string()))
}

/// A new serial number for a certificate: positive, so its highest bit is not set, and its first byte is not 0.
pub(super) fn serial() -> io::Result<[u8; 16]> {
    let mut bytes = [0; 16];
    SystemRandom::new().fill(&mut bytes).map_err(|_| no_randomness())?;
    bytes[0] = bytes[0] & 0x7f | 0x40;
    Ok(bytes)
}

/// Signs a text.
pub(super) fn sign(key: &EcdsaKeyPair, text: &[u8]) -> io::Result<Vec<u8>> {
    let signed = key.sign(&SystemRandom::new(), text).map_err(|_| no_randomness())?;
    Ok(signed.as_ref().to_vec())
}

pub(super) fn no_randomness() -> io::Error {
    io::Error::other("the random number generator of the operating system failed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_unique() {
        let (one, other) = (token().unwrap(), token().unwrap());
        assert_ne!(one.expose(), other.expose());
        assert_eq!(one.expose().len(), 43);
        assert_eq!(format!("{one:?}"), "[redacted]");
    }

    /// The fast generator is seeded with the time, and its output is public.
    #[test]
    fn no_credential_comes_from_the_fast_generator() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let own = std::fs::read_dir(folder.join("access")).unwrap().map(|file| file.unwrap().path());
        let own = own.filter(|path| path.is_file());
        let others = [
            "server/mod.rs",
            "server/tls.rs",
            "controllers/signing.rs",
            "http/subresources.rs",
            "kinds/core/service_account/token.rs",
        ];
        let mut looked_at = 0;
        for path in own.chain(others.map(|name| folder.join(name))) {
            let text = std::fs::read_to_string(&path).unwrap();
            // The identifier of a token is not a secret.
            let text = text.replace("\"jti\": crate::registry::new_uid()", "");
            let own = path.ends_with(file!().rsplit('/').next().unwrap_or_default());
            for quick in ["fastrand", "new_uid"].iter().filter(|_| !own) {
                assert!(!text.contains(quick), "{} uses {quick}", path.display());
            }
            looked_at += 1;
        }
        assert!(looked_at > 10, "{looked_at} files");
    }
}
