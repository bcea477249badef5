//! Certificates of users and servers: the bytes that the authority signs.

use std::io;

use time::OffsetDateTime;

use super::der::{
    BIT_STRING, BOOLEAN, GENERALIZED_TIME, INTEGER, OBJECT_ID, OCTET_STRING, SEQUENCE, SET, UTC_TIME,
    UTF8_STRING, sequence, written,
};
use super::random;

/// 2.5.29.17
pub(super) const SUBJECT_ALT_NAME: &[u8] = &[0x55, 0x1d, 0x11];
const KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x0f];
const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];
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
pub(super) struct Leaf<'a> {
    /// The name of the authority, a `Name`.
    pub(super) issuer: &'a [u8],
    /// The identifier of the authority's key.
    pub(super) issuer_key: &'a [u8],
    /// A `Name`.
    pub(super) subject: &'a [u8],
    /// A `SubjectPublicKeyInfo`.
    pub(super) key: &'a [u8],
    /// A `GeneralNames`.
    pub(super) names: Option<&'a [u8]>,
    pub(super) usages: &'a Usages,
    pub(super) not_before: OffsetDateTime,
    pub(super) not_after: OffsetDateTime,
}

impl Leaf<'_> {
    /// The certificate. `sign` signs with ECDSA over P-256 and SHA-256.
    pub(super) fn signed(&self, sign: impl FnOnce(&[u8]) -> io::Result<Vec<u8>>) -> io::Result<Vec<u8>> {
        let info = self.to_be_signed()?;
        let signature = sign(&info)?;
        Ok(sequence(&[&info, SIGNATURE_ALGORITHM, &written(BIT_STRING, &[&[0], &*signature].concat())]))
    }

    fn to_be_signed(&self) -> io::Result<Vec<u8>> {
        const VERSION_3: &[u8] = &[0xa0, 3, INTEGER, 1, 2];
        const EXTENSIONS: u8 = 0xa3;
        let extensions = written(EXTENSIONS, &written(SEQUENCE, &self.extensions()));
        Ok(sequence(&[
            VERSION_3,
            &written(INTEGER, &random::serial()?),
            SIGNATURE_ALGORITHM,
            self.issuer,
            &sequence(&[&time(self.not_before), &time(self.not_after)]),
            self.subject,
            self.key,
            &extensions,
        ]))
    }

    fn extensions(&self) -> Vec<u8> {
        const KEY_IDENTIFIER: u8 = 0x80;
        let mut all = Vec::new();
        let Usages { bits, purposes } = self.usages;
        if *bits != 0 {
            let unused = u8::try_from(bits.trailing_zeros()).unwrap_or(0);
            all.extend(extension(KEY_USAGE, true, &written(BIT_STRING, &[unused, *bits])));
        }
        if !purposes.is_empty() {
            let purposes: Vec<u8> = purposes.iter().flat_map(|purpose| written(OBJECT_ID, purpose)).collect();
            all.extend(extension(EXTENDED_KEY_USAGE, false, &written(SEQUENCE, &purposes)));
        }
        // Not an authority.
        all.extend(extension(BASIC_CONSTRAINTS, true, &sequence(&[])));
        let identifier = written(KEY_IDENTIFIER, self.issuer_key);
        all.extend(extension(AUTHORITY_KEY, false, &sequence(&[&identifier])));
        if let Some(names) = self.names {
            // Without a subject, the names are all that identifies the owner.
            let critical = self.subject == sequence(&[]);
            all.extend(extension(SUBJECT_ALT_NAME, critical, names));
        }
        all
    }
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
fn time(at: OffsetDateTime) -> Vec<u8> {
    let (year, month, day) = (at.year(), u8::from(at.month()), at.day());
    let (hour, minute, second) = (at.hour(), at.minute(), at.second());
    let rest = format!("{month:02}{day:02}{hour:02}{minute:02}{second:02}Z");
    match year {
        1950..=2049 => written(UTC_TIME, format!("{:02}{rest}", year % 100).as_bytes()),
        _ => written(GENERALIZED_TIME, format!("{year:04}{rest}").as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_form_of_their_year() {
        let at = |seconds| time(OffsetDateTime::from_unix_timestamp(seconds).unwrap());
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
