//! X.509 certificates of the authority, users and servers: the bytes that the authority signs.

use std::io;
use std::net::IpAddr;

use client_rs_machinery::Time;

use super::random;
use crate::pki::SUBJECT_ALT_NAME;
use crate::pki::der::{
    BIT_STRING, BOOLEAN, GENERALIZED_TIME, INTEGER, OBJECT_ID, OCTET_STRING, SEQUENCE, SET, UTC_TIME,
    UTF8_STRING, sequence, written,
};

const KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x0f];
const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];
const SUBJECT_KEY: &[u8] = &[0x55, 0x1d, 0x0e];
const AUTHORITY_KEY: &[u8] = &[0x55, 0x1d, 0x23];
const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x25];
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
const ORGANIZATION: &[u8] = &[0x55, 0x04, 0x0a];
/// ecdsa-with-SHA256, the algorithm of the authority.
const SIGNATURE_ALGORITHM: &[u8] = &[0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

/// The purposes of a certificate.
#[derive(Debug, Default, Clone)]
pub(super) struct Usages {
    /// The bits of the extension "key usage", the first one in the highest bit.
    bits: u8,
    /// The object identifiers of the extension "extended key usage".
    purposes: Vec<&'static [u8]>,
}

impl Usages {
    /// Reads usages as the API spells them.
    pub(super) fn read(names: &[&str]) -> Result<Self, String> {
        let mut usages = Self::default();
        for name in names {
            match *name {
                "signing" | "digital signature" => usages.bits |= 0x80,
                "key encipherment" => usages.bits |= 0x20,
                "client auth" => usages.purposes.push(&[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02]),
                "server auth" => usages.purposes.push(&[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]),
                other => return Err(format!("the signer does not support the usage {other:?}")),
            }
        }
        Ok(usages)
    }
}

/// A certificate to be signed. All parts are DER.
#[derive(Debug)]
pub(super) struct Certificate<'a> {
    /// The name of the authority, a `Name`.
    pub(super) issuer: &'a [u8],
    /// A `Name`.
    pub(super) subject: &'a [u8],
    /// A `SubjectPublicKeyInfo`.
    pub(super) key: &'a [u8],
    pub(super) role: Role<'a>,
    pub(super) not_before: Time,
    pub(super) not_after: Time,
}

/// The purpose of a certificate.
#[derive(Debug)]
pub(super) enum Role<'a> {
    /// An authority.
    Authority {
        /// The identifier of its own key.
        key: &'a [u8],
    },
    /// A user or a server.
    Leaf {
        /// The identifier of the authority's key.
        issuer_key: &'a [u8],
        /// The names and addresses, a `GeneralNames`.
        names: Option<&'a [u8]>,
        usages: &'a Usages,
    },
}

impl Certificate<'_> {
    /// The certificate with its signature. `sign` signs with ECDSA over P-256 and SHA-256.
    pub(super) fn signed(&self, sign: impl FnOnce(&[u8]) -> io::Result<Vec<u8>>) -> io::Result<Vec<u8>> {
        let info = self.to_be_signed()?;
        let signature = sign(&info)?;
        Ok(sequence(&[&info, SIGNATURE_ALGORITHM, &written(BIT_STRING, &[&[0], &*signature].concat())]))
    }

    fn to_be_signed(&self) -> io::Result<Vec<u8>> {
        const VERSION_3: &[u8] = &[0xa0, 3, INTEGER, 1, 2];
        const EXTENSIONS: u8 = 0xa3;
        let extensions = match &self.role {
            Role::Authority { key } => authority_extensions(key),
            Role::Leaf { issuer_key, names, usages } => self.leaf_extensions(issuer_key, *names, usages),
        };
        Ok(sequence(&[
            VERSION_3,
            &written(INTEGER, &random::serial()?),
            SIGNATURE_ALGORITHM,
            self.issuer,
            &sequence(&[&time(self.not_before), &time(self.not_after)]),
            self.subject,
            self.key,
            &written(EXTENSIONS, &written(SEQUENCE, &extensions)),
        ]))
    }

    fn leaf_extensions(&self, issuer_key: &[u8], names: Option<&[u8]>, usages: &Usages) -> Vec<u8> {
        const KEY_IDENTIFIER: u8 = 0x80;
        let mut all = Vec::new();
        if usages.bits != 0 {
            all.extend(key_usage(usages.bits));
        }
        if !usages.purposes.is_empty() {
            let purposes: Vec<u8> =
                usages.purposes.iter().flat_map(|purpose| written(OBJECT_ID, purpose)).collect();
            all.extend(extension(EXTENDED_KEY_USAGE, false, &written(SEQUENCE, &purposes)));
        }
        // Not an authority.
        all.extend(extension(BASIC_CONSTRAINTS, true, &sequence(&[])));
        let identifier = written(KEY_IDENTIFIER, issuer_key);
        all.extend(extension(AUTHORITY_KEY, false, &sequence(&[&identifier])));
        if let Some(names) = names {
            // Without a subject, the names are all that identifies the owner.
            let critical = self.subject == sequence(&[]);
            all.extend(extension(SUBJECT_ALT_NAME, critical, names));
        }
        all
    }
}

fn authority_extensions(key: &[u8]) -> Vec<u8> {
    /// Signs certificates and lists of revoked ones.
    const SIGNS: u8 = 0x06;
    let mut all = key_usage(SIGNS);
    all.extend(extension(BASIC_CONSTRAINTS, true, &sequence(&[&[BOOLEAN, 1, 0xff]])));
    all.extend(extension(SUBJECT_KEY, false, &written(OCTET_STRING, key)));
    all
}

fn key_usage(bits: u8) -> Vec<u8> {
    let unused = u8::try_from(bits.trailing_zeros()).unwrap_or(0);
    extension(KEY_USAGE, true, &written(BIT_STRING, &[unused, bits]))
}

/// The `GeneralNames` of these host names and IP addresses.
pub(super) fn alternative_names(names: &[&str]) -> Vec<u8> {
    const DNS_NAME: u8 = 0x82;
    const IP_ADDRESS: u8 = 0x87;
    let one = |name: &&str| match name.parse() {
        Ok(IpAddr::V4(address)) => written(IP_ADDRESS, &address.octets()),
        Ok(IpAddr::V6(address)) => written(IP_ADDRESS, &address.octets()),
        Err(_) => written(DNS_NAME, name.as_bytes()),
    };
    written(SEQUENCE, &names.iter().flat_map(one).collect::<Vec<u8>>())
}

/// The name of a user: its groups, then its own name.
pub(super) fn user_name(name: &str, groups: &[String]) -> Vec<u8> {
    let attribute = |kind: &[u8], text: &str| {
        let pair = sequence(&[&written(OBJECT_ID, kind), &written(UTF8_STRING, text.as_bytes())]);
        written(SET, &pair)
    };
    let mut attributes: Vec<u8> = groups.iter().flat_map(|group| attribute(ORGANIZATION, group)).collect();
    attributes.extend(attribute(COMMON_NAME, name));
    written(SEQUENCE, &attributes)
}

fn extension(id: &[u8], critical: bool, value: &[u8]) -> Vec<u8> {
    let critical: &[u8] = if critical { &[BOOLEAN, 1, 0xff] } else { &[] };
    sequence(&[&written(OBJECT_ID, id), critical, &written(OCTET_STRING, value)])
}

/// A time: until 2049 with two digits for the year, as X.509 demands.
fn time(at: Time) -> Vec<u8> {
    let digits: String = at.to_string().chars().filter(char::is_ascii_digit).collect();
    match digits.get(2..).filter(|_| ("1950".."2050").contains(&digits.as_str())) {
        Some(short) => written(UTC_TIME, format!("{short}Z").as_bytes()),
        None => written(GENERALIZED_TIME, format!("{digits}Z").as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_form_of_their_year() {
        let at = |seconds| time(Time::new(seconds, 0).unwrap());
        assert_eq!(at(0), [&[UTC_TIME, 13], b"700101000000Z".as_slice()].concat());
        assert_eq!(at(2_524_608_000), [&[GENERALIZED_TIME, 15], b"20500101000000Z".as_slice()].concat());
    }

    #[test]
    fn usages_are_those_of_the_api() {
        let usages = Usages::read(&["digital signature", "key encipherment", "client auth"]).unwrap();
        assert_eq!((usages.bits, usages.purposes.len()), (0xa0, 1));
        assert_eq!(
            Usages::read(&["ocsp signing"]).unwrap_err(),
            "the signer does not support the usage \"ocsp signing\""
        );
    }
}
