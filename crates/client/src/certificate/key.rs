//! Private and public keys, in PEM and in files.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use rcgen::PublicKeyData as _;
use x509_parser::pem::Pem;
use x509_parser::prelude::FromDer as _;
use x509_parser::x509::SubjectPublicKeyInfo;

use super::der::{self, element, elements};
use super::pair::encode;
use super::store::{failed, private};
use crate::certificate::CertificateError;

/// The algorithm of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyKind {
    /// ECDSA over P-256. The default: small and fast.
    #[default]
    EcdsaP256,
    /// ECDSA over P-384.
    EcdsaP384,
    /// Ed25519. Not every signer accepts it.
    Ed25519,
    /// RSA with 2048 bits. Such keys are generated with the feature `aws-lc-rs` only; ring can use them.
    Rsa2048,
    /// RSA with 3072 bits. Such keys are generated with the feature `aws-lc-rs` only; ring can use them.
    Rsa3072,
    /// RSA with 4096 bits. Such keys are generated with the feature `aws-lc-rs` only; ring can use them.
    Rsa4096,
}

/// A private key. `Debug` shows no part of it.
///
/// ```
/// use client_rs_client::certificate::{CertificateTemplate, KeyKind, PrivateKey};
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("pki").join("node.key");
/// let (key, generated) = PrivateKey::load_or_generate(&path, KeyKind::EcdsaP256)?;
/// assert!(generated);
/// let (again, generated) = PrivateKey::load_or_generate(&path, KeyKind::EcdsaP256)?;
/// assert!(!generated && again.pem() == key.pem());
///
/// let subject = CertificateTemplate::default().with_common_name("anna").with_organizations(["dev", "ops"]);
/// assert!(key.certificate_request(&subject)?.starts_with("-----BEGIN CERTIFICATE REQUEST-----"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PrivateKey(pub(super) rcgen::KeyPair);

impl PrivateKey {
    /// Generates a key. If the library of cryptography can't generate this kind, the result is [`CertificateError::Unsupported`].
    pub fn generate(kind: KeyKind) -> Result<Self, CertificateError> {
        let algorithm = match kind {
            KeyKind::EcdsaP256 => &rcgen::PKCS_ECDSA_P256_SHA256,
            KeyKind::EcdsaP384 => &rcgen::PKCS_ECDSA_P384_SHA384,
            KeyKind::Ed25519 => &rcgen::PKCS_ED25519,
            KeyKind::Rsa2048 | KeyKind::Rsa3072 | KeyKind::Rsa4096 => return generate_rsa(kind),
        };
        let key = rcgen::KeyPair::generate_for(algorithm)
            .map_err(|error| CertificateError::Csr(error.to_string()))?;
        Ok(Self(key))
    }

    /// Reads the first private key of a PEM text: a `PRIVATE KEY` (PKCS #8), an `RSA PRIVATE KEY` (PKCS #1) or an `EC PRIVATE KEY` (SEC 1).
    /// Other blocks, such as certificates and `EC PARAMETERS`, are skipped.
    pub fn from_pem(text: &str) -> Result<Self, CertificateError> {
        let mut blocks = Pem::iter_from_buffer(text.as_bytes()).filter_map(Result::ok);
        let Some(block) = blocks.find(|block| block.label.ends_with("PRIVATE KEY")) else {
            return Err(CertificateError::Key("no private key found in the PEM".to_owned()));
        };
        let bytes = match block.label.as_str() {
            "PRIVATE KEY" => Some(block.contents),
            "RSA PRIVATE KEY" => Some(pkcs8_of_rsa(&block.contents)),
            "EC PRIVATE KEY" => pkcs8_of_ec(&block.contents),
            label => {
                let what = format!("a key in the format {label}; only keys without a password can be read");
                return Err(CertificateError::Unsupported(what));
            }
        };
        let bad = || CertificateError::Key("the key can't be read".to_owned());
        rcgen::KeyPair::try_from(bytes.ok_or_else(bad)?).map(Self).map_err(|_| bad())
    }

    /// Reads a key from a file; see [`from_pem`](Self::from_pem).
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, CertificateError> {
        let path = path.as_ref();
        Self::from_pem(&fs::read_to_string(path).map_err(|error| failed(path, error))?)
    }

    /// Reads the key of a file, or generates one and writes it there. Also returns whether it was generated.
    ///
    /// A file that exists and has no usable key is an error: it is not replaced.
    pub fn load_or_generate(path: impl AsRef<Path>, kind: KeyKind) -> Result<(Self, bool), CertificateError> {
        let path = path.as_ref();
        match Self::from_file(path) {
            Err(CertificateError::File { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                let key = Self::generate(kind)?;
                key.write(path)?;
                Ok((key, true))
            }
            loaded => loaded.map(|key| (key, false)),
        }
    }

    /// Writes the key to a file that only its owner can read. Missing folders are created. An existing file is replaced in one step.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), CertificateError> {
        let path = path.as_ref();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let new = folder.join(format!(".{name}.{:016x}", fastrand::u64(..)));
        let written = private(&new).and_then(|mut file| {
            file.write_all(self.pem().as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, path)
        });
        written.map_err(|error| {
            let _ = fs::remove_file(&new); // It contains a part of the key at most.
            failed(path, error)
        })
    }

    /// The key as PEM (PKCS #8). It is a secret.
    pub fn pem(&self) -> String {
        self.0.serialize_pem()
    }

    /// The public key.
    pub fn public_key(&self) -> PublicKey {
        PublicKey(self.0.subject_public_key_info())
    }

    /// Returns a certificate request of this subject, signed with the key, as PEM: the content of `spec.request` of a
    /// `CertificateSigningRequest`.
    pub fn certificate_request(
        &self,
        subject: &super::CertificateTemplate,
    ) -> Result<String, CertificateError> {
        let bad = |error: rcgen::Error| CertificateError::Csr(error.to_string());
        let request = subject.params()?.serialize_request(&self.0).map_err(bad)?;
        let Some(name) = subject.several_organizations() else { return request.pem().map_err(bad) };
        let request = super::template::with_subject(request.der(), 1, &name, &self.0)?;
        Ok(encode("CERTIFICATE REQUEST", &request))
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PrivateKey").finish_non_exhaustive()
    }
}

#[cfg(feature = "aws-lc-rs")]
fn generate_rsa(kind: KeyKind) -> Result<PrivateKey, CertificateError> {
    let size = match kind {
        KeyKind::Rsa4096 => rcgen::RsaKeySize::_4096,
        KeyKind::Rsa3072 => rcgen::RsaKeySize::_3072,
        _ => rcgen::RsaKeySize::_2048,
    };
    rcgen::KeyPair::generate_rsa_for(&rcgen::PKCS_RSA_SHA256, size)
        .map(PrivateKey)
        .map_err(|error| CertificateError::Csr(error.to_string()))
}

#[cfg(not(feature = "aws-lc-rs"))]
fn generate_rsa(_: KeyKind) -> Result<PrivateKey, CertificateError> {
    let what = "the generation of RSA keys; enable the feature `aws-lc-rs`, or use an ECDSA key";
    Err(CertificateError::Unsupported(what.to_owned()))
}

/// Wraps an RSA key (PKCS #1) as PKCS #8.
fn pkcs8_of_rsa(key: &[u8]) -> Vec<u8> {
    // 1.2.840.113549.1.1.1
    let rsa = element(der::OID, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1]]);
    pkcs8(&[&rsa, &element(der::NULL, &[])], key)
}

/// Wraps an elliptic curve key (SEC 1) as PKCS #8. The key has to name its curve.
fn pkcs8_of_ec(key: &[u8]) -> Option<Vec<u8>> {
    let [outer] = elements(key)?[..] else { return None };
    let curve = elements(outer.content)?.into_iter().find(|part| part.tag == 0xa0)?;
    // 1.2.840.10045.2.1
    let ec = element(der::OID, &[&[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1]]);
    Some(pkcs8(&[&ec, curve.content], key))
}

fn pkcs8(algorithm: &[&[u8]], key: &[u8]) -> Vec<u8> {
    let version = element(der::INTEGER, &[&[0]]);
    let (algorithm, key) = (element(der::SEQUENCE, algorithm), element(der::OCTET_STRING, &[key]));
    element(der::SEQUENCE, &[&version, &algorithm, &key])
}

/// A public key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PublicKey(Vec<u8>);

impl PublicKey {
    /// Reads all keys of a PEM text, in its order: public keys, and those of certificates and of private keys.
    ///
    /// ```
    /// use client_rs_client::certificate::{KeyKind, PrivateKey, PublicKey};
    ///
    /// let key = PrivateKey::generate(KeyKind::EcdsaP384)?;
    /// let text = format!("{}{}", key.public_key().pem(), key.pem());
    /// assert_eq!(PublicKey::all_from_pem(&text)?, [key.public_key(), key.public_key()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_from_pem(text: &str) -> Result<Vec<Self>, CertificateError> {
        let bad = |what: &str| CertificateError::Key(format!("{what} can't be read"));
        let mut keys = Vec::new();
        for block in Pem::iter_from_buffer(text.as_bytes()) {
            let block = block.map_err(|_| bad("the PEM"))?;
            match block.label.as_str() {
                "PUBLIC KEY" => {
                    let (_, key) =
                        SubjectPublicKeyInfo::from_der(&block.contents).map_err(|_| bad("a public key"))?;
                    keys.push(Self(key.raw.to_vec()));
                }
                "CERTIFICATE" => {
                    let (_, parsed) = x509_parser::parse_x509_certificate(&block.contents)
                        .map_err(|_| bad("a certificate"))?;
                    keys.push(Self(parsed.public_key().raw.to_vec()));
                }
                label if label.ends_with("PRIVATE KEY") => {
                    let key = PrivateKey::from_pem(&encode(label, &block.contents))?;
                    keys.push(key.public_key());
                }
                _ => {}
            }
        }
        if keys.is_empty() {
            return Err(CertificateError::Key("no key found in the PEM".to_owned()));
        }
        Ok(keys)
    }

    /// Reads all keys of a file; see [`all_from_pem`](Self::all_from_pem).
    pub fn all_from_file(path: impl AsRef<Path>) -> Result<Vec<Self>, CertificateError> {
        let path = path.as_ref();
        Self::all_from_pem(&fs::read_to_string(path).map_err(|error| failed(path, error))?)
    }

    /// The key as PEM.
    pub fn pem(&self) -> String {
        encode("PUBLIC KEY", &self.0)
    }

    /// The key as DER: a `SubjectPublicKeyInfo`.
    pub fn der(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inner key of a PKCS #8 key, in the old format.
    fn old(label: &str, key: &PrivateKey) -> String {
        let outer = elements(key.0.serialized_der()).unwrap();
        let inner = elements(outer[0].content).unwrap()[2];
        encode(label, inner.content)
    }

    #[test]
    fn keys_are_read_in_each_format() {
        for kind in [KeyKind::EcdsaP256, KeyKind::EcdsaP384, KeyKind::Ed25519] {
            let key = PrivateKey::generate(kind).unwrap();
            let text = format!("# mine\n{}{}", encode("EC PARAMETERS", &[5, 0]), key.pem());
            assert_eq!(PrivateKey::from_pem(&text).unwrap().public_key(), key.public_key(), "{kind:?}");
            assert!(!format!("{key:?}").contains("PRIVATE KEY"));
        }
        // The library writes no curve into the inner key: OpenSSL and Go do.
        let key = PrivateKey::generate(KeyKind::EcdsaP256).unwrap();
        assert!(matches!(PrivateKey::from_pem(&old("EC PRIVATE KEY", &key)), Err(CertificateError::Key(_))));
        let outer = elements(key.0.serialized_der()).unwrap();
        let parts = elements(outer[0].content).unwrap();
        let curve = elements(parts[1].content).unwrap()[1];
        let inner = elements(parts[2].content).unwrap();
        let inner = elements(inner[0].content).unwrap();
        let named = element(0xa0, &[curve.whole]);
        let sec1 = element(der::SEQUENCE, &[inner[0].whole, inner[1].whole, &named, inner[2].whole]);
        let read = PrivateKey::from_pem(&encode("EC PRIVATE KEY", &sec1)).unwrap();
        assert_eq!(read.public_key(), key.public_key());
    }

    #[test]
    fn rsa_keys_are_generated_or_refused_and_always_read() {
        let key = PrivateKey::from_pem(include_str!("testdata/rsa.key")).unwrap();
        let read = PrivateKey::from_pem(&old("RSA PRIVATE KEY", &key)).unwrap();
        assert_eq!(read.public_key(), key.public_key());
        let generated = PrivateKey::generate(KeyKind::Rsa2048);
        assert_eq!(generated.is_ok(), cfg!(feature = "aws-lc-rs"));
        match generated {
            Ok(key) => assert_eq!(PrivateKey::from_pem(&key.pem()).unwrap().public_key(), key.public_key()),
            Err(CertificateError::Unsupported(what)) => assert!(what.contains("RSA"), "{what}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn invalid_keys_are_errors_without_their_content() {
        let secret = encode("PRIVATE KEY", b"s3cret");
        for text in
            ["", "garbage", &secret, &encode("EC PRIVATE KEY", &[0x30, 0x82]), &encode("PUBLIC KEY", b"x")]
        {
            let error = PrivateKey::from_pem(text).unwrap_err();
            assert!(matches!(error, CertificateError::Key(_)), "{error}");
            let body = text.lines().nth(1).unwrap_or("no body");
            assert!(!error.to_string().contains(body));
            assert!(PublicKey::all_from_pem(text).is_err());
        }
        let locked = PrivateKey::from_pem(&encode("ENCRYPTED PRIVATE KEY", b"x"));
        assert!(matches!(locked, Err(CertificateError::Unsupported(_))));
    }

    #[cfg(unix)]
    #[test]
    fn key_files_are_their_owners_only_and_are_not_replaced_by_mistake() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/tls.key");
        let (key, generated) = PrivateKey::load_or_generate(&path, KeyKind::default()).unwrap();
        assert!(generated);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(PublicKey::all_from_file(&path).unwrap(), [key.public_key()]);
        let other = PrivateKey::generate(KeyKind::default()).unwrap();
        other.write(&path).unwrap();
        assert_eq!(PrivateKey::from_file(&path).unwrap().public_key(), other.public_key());
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left over");
        fs::write(&path, "not a key").unwrap();
        let outcome = PrivateKey::load_or_generate(&path, KeyKind::default());
        assert!(matches!(outcome, Err(CertificateError::Key(_))), "{outcome:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "not a key");
    }
}
