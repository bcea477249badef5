//! A minimal reader for certificates in DER: it walks the elements up to those that are needed.

/// The subject of a certificate or of a signing request: the attributes of a name, in their order.
///
/// ```
/// use client_rs_transport::tls_source::Subject;
///
/// # let mut params = rcgen::CertificateParams::default();
/// # params.distinguished_name.push(rcgen::DnType::CommonName, "system:node:worker");
/// # params.distinguished_name.push(rcgen::DnType::OrganizationName, "system:nodes");
/// # let certificate = params.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap();
/// let subject = Subject::of_certificate(certificate.der()).ok_or("not DER")?;
/// assert_eq!(subject.common_name(), Some("system:node:worker"));
/// assert_eq!(subject.organizations(), Some(vec!["system:nodes"]));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject<'a>(Vec<(&'a [u8], &'a [u8])>);

impl<'a> Subject<'a> {
    /// The subject of an X.509 certificate. `None` if the data is not DER.
    pub fn of_certificate(certificate: &'a [u8]) -> Option<Self> {
        Self::read(element(from_validity(certificate)?)?.2)
    }

    /// The subject in a certificate signing request. `None` if the data is not DER.
    pub fn of_request(request: &'a [u8]) -> Option<Self> {
        let (_, request, _) = element(request).filter(|(tag, ..)| *tag == SEQUENCE)?;
        let (_, info, _) = element(request).filter(|(tag, ..)| *tag == SEQUENCE)?;
        // The version comes before the subject.
        Self::read(element(info)?.2)
    }

    /// The common name, or the last one if there are several. `None` if it is missing or not valid UTF-8.
    pub fn common_name(&self) -> Option<&'a str> {
        self.texts(&[0x55, 0x04, 0x03])?.pop()
    }

    /// The organizations. `None` if one is not valid UTF-8.
    pub fn organizations(&self) -> Option<Vec<&'a str>> {
        self.texts(&[0x55, 0x04, 0x0a])
    }

    fn texts(&self, kind: &[u8]) -> Option<Vec<&'a str>> {
        let values = self.0.iter().filter(|(found, _)| *found == kind);
        values.map(|(_, value)| str::from_utf8(value).ok()).collect()
    }

    /// Reads the name at the start of the DER data.
    fn read(name: &'a [u8]) -> Option<Self> {
        const SET: u8 = 0x31;
        const OBJECT_ID: u8 = 0x06;
        let (_, mut names, _) = element(name).filter(|(tag, ..)| *tag == SEQUENCE)?;
        let mut attributes = Vec::new();
        while !names.is_empty() {
            let (_, mut set, rest) = element(names).filter(|(tag, ..)| *tag == SET)?;
            names = rest;
            while !set.is_empty() {
                let (_, attribute, rest) = element(set).filter(|(tag, ..)| *tag == SEQUENCE)?;
                set = rest;
                let (_, kind, value) = element(attribute).filter(|(tag, ..)| *tag == OBJECT_ID)?;
                attributes.push((kind, element(value)?.1));
            }
        }
        Some(Self(attributes))
    }
}

pub(super) const SEQUENCE: u8 = 0x30;

/// Whether an X.509 certificate belongs to an authority: its basic constraints say so. `None` if the data is not a
/// certificate in DER.
///
/// ```
/// use client_rs_transport::tls_source::is_authority;
///
/// # let mut params = rcgen::CertificateParams::default();
/// # let key = rcgen::KeyPair::generate().unwrap();
/// let leaf = params.clone().self_signed(&key).unwrap();
/// params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
/// let authority = params.self_signed(&key).unwrap();
/// assert_eq!(is_authority(authority.der()), Some(true));
/// assert_eq!(is_authority(leaf.der()), Some(false));
/// assert_eq!(is_authority(b"something else"), None);
/// ```
pub fn is_authority(certificate: &[u8]) -> Option<bool> {
    const BOOLEAN: u8 = 0x01;
    let constraints = extension(certificate, &[0x55, 0x1d, 0x13])?;
    if constraints.is_empty() {
        return Some(false);
    }
    let (_, constraints, _) = element(constraints).filter(|(tag, ..)| *tag == SEQUENCE)?;
    Some(element(constraints).is_some_and(|(tag, value, _)| tag == BOOLEAN && value != [0]))
}

/// Whether an X.509 certificate may be a server's: it is for servers, for anything, or does not limit its use.
pub(crate) fn may_serve(certificate: &[u8]) -> Option<bool> {
    const SERVER: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01];
    const ANYTHING: &[u8] = &[0x55, 0x1d, 0x25, 0x00];
    let uses = extension(certificate, &[0x55, 0x1d, 0x25])?;
    if uses.is_empty() {
        return Some(true);
    }
    let (_, mut uses, _) = element(uses).filter(|(tag, ..)| *tag == SEQUENCE)?;
    while !uses.is_empty() {
        let (_, found, rest) = element(uses)?;
        if found == SERVER || found == ANYTHING {
            return Some(true);
        }
        uses = rest;
    }
    Some(false)
}

/// The value of an extension; empty if the certificate does not have it. `None` if the data is not a certificate.
fn extension<'a>(certificate: &'a [u8], id: &[u8]) -> Option<&'a [u8]> {
    const EXTENSIONS: u8 = 0xa3;
    const OCTETS: u8 = 0x04;
    // Validity, subject, public key.
    let mut rest = from_validity(certificate)?;
    for _ in 0..3 {
        rest = element(rest).filter(|(tag, ..)| *tag == SEQUENCE)?.2;
    }
    while !rest.is_empty() {
        let (tag, content, after) = element(rest)?;
        rest = after;
        if tag != EXTENSIONS {
            continue;
        }
        let (_, mut all, _) = element(content).filter(|(tag, ..)| *tag == SEQUENCE)?;
        while !all.is_empty() {
            let (_, one, after) = element(all).filter(|(tag, ..)| *tag == SEQUENCE)?;
            all = after;
            let (_, found, mut value) = element(one)?;
            if found != id {
                continue;
            }
            // A flag before the value marks the extension as critical.
            loop {
                let (tag, content, after) = element(value)?;
                if tag == OCTETS {
                    return Some(content);
                }
                value = after;
            }
        }
    }
    Some(&[])
}

/// The part of an X.509 certificate that begins with its validity.
pub(super) fn from_validity(certificate: &[u8]) -> Option<&[u8]> {
    const VERSION: u8 = 0xa0;
    let (_, certificate, _) = element(certificate).filter(|(tag, ..)| *tag == SEQUENCE)?;
    let (_, mut rest, _) = element(certificate).filter(|(tag, ..)| *tag == SEQUENCE)?;
    if rest.first() == Some(&VERSION) {
        rest = element(rest)?.2;
    }
    // Serial number, signature algorithm, issuer.
    for _ in 0..3 {
        rest = element(rest)?.2;
    }
    Some(rest)
}

/// Splits off the first DER element: its tag, its content, and the rest of the data.
pub(super) fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = der.split_first()?;
    let (&first, mut rest) = rest.split_first()?;
    let mut length = usize::from(first);
    if first >= 0x80 {
        let count = usize::from(first & 0x7f);
        if count == 0 || count > 4 {
            return None;
        }
        let (digits, after) = rest.split_at_checked(count)?;
        length = digits.iter().fold(0, |sum, digit| (sum << 8) | usize::from(*digit));
        rest = after;
    }
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_certificates::self_signed;
    use crate::tls_source::ClientIdentity;

    /// Another parser would stop at the first element that is not an attribute, and see another subject.
    #[test]
    fn a_subject_with_something_else_than_attributes_is_none() {
        let (certificate, key) = self_signed("name");
        let identity = ClientIdentity::from_pem(&certificate.into(), &key.into()).unwrap();
        let der = identity.chain()[0].to_vec();
        assert!(Subject::of_certificate(&der).is_some());
        // The last name in it: SET, SEQUENCE, OBJECT IDENTIFIER of three bytes.
        let at = der.windows(4).rposition(|window| window == [0x06, 0x03, 0x55, 0x04]).unwrap();
        for (at, tag) in [(at, 0x04), (at - 2, 0x31)] {
            let mut other = der.clone();
            other[at] = tag;
            assert_eq!(Subject::of_certificate(&other), None, "byte {at}");
        }
    }
}
