//! IP addresses and address ranges, in the canonical form that newer kinds require.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use super::checks::{CIDR, IP};

/// Parses an address. The error is the real server's text.
pub(crate) fn canonical_ip(text: &str) -> Result<IpAddr, String> {
    let Some(address) = lenient(text) else { return Err(IP.to_owned()) };
    if text.parse::<IpAddr>().is_err() {
        return Err("must not have leading 0s".to_owned());
    }
    if is_mapped(address) {
        return Err("must not be an IPv4-mapped IPv6 address".to_owned());
    }
    match address.to_string() {
        canonical if canonical == text => Ok(address),
        canonical => Err(format!("must be in canonical form ({canonical:?})")),
    }
}

/// An address range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AddressRange {
    first: IpAddr,
    bits: u8,
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

impl AddressRange {
    /// The default range of cluster IPs. That of the real server is 10.0.0.0/24; a larger one leaves room for large
    /// tests.
    pub(crate) const SERVICES: Self = Self { first: IpAddr::V4(Ipv4Addr::new(10, 0, 0, 0)), bits: 16 };

    /// Parses a range. The error is the real server's text.
    pub(crate) fn canonical(text: &str) -> Result<Self, String> {
        let parsed = || {
            let (address, bits) = text.split_once('/')?;
            let first = lenient(address)?;
            let digits = !bits.is_empty() && bits.bytes().all(|digit| digit.is_ascii_digit());
            let most = if first.is_ipv4() { 32 } else { 128 };
            let number: u8 = bits.parse().ok().filter(|number| digits && *number <= most)?;
            let zeros = address.parse::<IpAddr>().is_err() || number.to_string() != bits;
            Some((Self { first, bits: number }, zeros))
        };
        let Some((range, zeros)) = parsed() else { return Err(CIDR.to_owned()) };
        if zeros {
            return Err("must not have leading 0s in IP or prefix length".to_owned());
        }
        if is_mapped(range.first) {
            return Err("must not have an IPv4-mapped IPv6 address".to_owned());
        }
        let (first, last) = range.bounds();
        if first & !range.mask() != 0 || last < first {
            return Err("must not have bits set beyond the prefix length".to_owned());
        }
        match format!("{}/{}", range.first, range.bits) {
            canonical if canonical == text => Ok(range),
            canonical => Err(format!("must be in canonical form ({canonical:?})")),
        }
    }

    pub(crate) fn is_ipv4(&self) -> bool {
        self.first.is_ipv4()
    }

    /// Whether a service can have this address: one of the range, except the first and the last of IPv4, and the
    /// first of IPv6.
    pub(crate) fn serves(&self, address: IpAddr) -> bool {
        let (first, last) = self.usable();
        address.is_ipv4() == self.is_ipv4() && (first..=last).contains(&number(address))
    }

    /// The number of addresses for services; at most 2^32.
    pub(crate) fn count(&self) -> u64 {
        let (first, last) = self.usable();
        let count = last.checked_sub(first).map_or(0, |count| count.saturating_add(1));
        u64::try_from(count).unwrap_or(u64::MAX).min(1 << 32)
    }

    /// The address for services at an offset.
    pub(crate) fn at(&self, offset: u64) -> IpAddr {
        let number = self.usable().0.saturating_add(u128::from(offset));
        match self.first {
            IpAddr::V4(_) => IpAddr::from(u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes()),
            IpAddr::V6(_) => IpAddr::from(number.to_be_bytes()),
        }
    }

    fn usable(&self) -> (u128, u128) {
        let (first, last) = self.bounds();
        let last = if self.is_ipv4() { last.saturating_sub(1) } else { last };
        (first.saturating_add(1), last)
    }

    fn bounds(&self) -> (u128, u128) {
        let first = number(self.first);
        (first, first | !self.mask())
    }

    /// The fixed bits of an address.
    fn mask(&self) -> u128 {
        let width: u32 = if self.is_ipv4() { 32 } else { 128 };
        let free = width - u32::from(self.bits);
        1_u128.checked_shl(free).map_or(0, |size| !(size - 1))
    }
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(u32::from(address)),
        IpAddr::V6(address) => u128::from(address),
    }
}

/// Parses an address whose IPv4 parts may have leading zeros.
fn lenient(text: &str) -> Option<IpAddr> {
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    let parts: Vec<&str> = text.split('.').collect();
    let plain = |part: &&str| part.trim_start_matches('0').is_empty() && !part.is_empty();
    let trimmed: Vec<&str> =
        parts.iter().map(|part| if plain(part) { "0" } else { part.trim_start_matches('0') }).collect();
    trimmed.join(".").parse().ok()
}

fn is_mapped(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_canonical() {
        for (text, good) in [
            ("10.0.0.1", true),
            ("fe80::42:1", true),
            ("010.1.1.1", false),
            ("FE80::1", false),
            ("::ffff:1.2.3.4", false),
            ("x", false),
            ("", false),
        ] {
            assert_eq!(canonical_ip(text).is_ok(), good, "{text}");
        }
        assert_eq!(canonical_ip("010.1.1.1"), Err("must not have leading 0s".to_owned()));
        assert_eq!(canonical_ip("FE80::1"), Err("must be in canonical form (\"fe80::1\")".to_owned()));
    }

    #[test]
    fn ranges_are_canonical_and_contain_their_inner_addresses() {
        for (text, why) in [
            ("bogus", CIDR),
            ("10.0.0.0/33", CIDR),
            ("010.5.0.0/24", "must not have leading 0s in IP or prefix length"),
            ("10.5.0.0/08", "must not have leading 0s in IP or prefix length"),
            ("10.5.0.7/24", "must not have bits set beyond the prefix length"),
            ("FD00::/112", "must be in canonical form (\"fd00::/112\")"),
        ] {
            assert_eq!(AddressRange::canonical(text), Err(why.to_owned()), "{text}");
        }
        let range = AddressRange::canonical("10.0.0.0/16").unwrap();
        let serves = |text: &str| range.serves(text.parse().unwrap());
        assert!(serves("10.0.0.1") && serves("10.0.255.254"));
        assert!(!serves("10.0.0.0") && !serves("10.0.255.255") && !serves("10.1.0.1") && !serves("fd00::1"));
        assert_eq!((range.count(), range.at(0).to_string()), (65_534, "10.0.0.1".to_owned()));
        let range = AddressRange::canonical("fd00::/112").unwrap();
        assert!(range.serves("fd00::ffff".parse().unwrap()) && !range.serves("fd00::".parse().unwrap()));
        assert_eq!(AddressRange::canonical("::/0").unwrap().count(), 1 << 32);
        assert_eq!(AddressRange::canonical("10.0.0.0/32").unwrap().count(), 0);
    }
}
