//! Addresses and networks, by the strict rules of `net/netip`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use client_rs_machinery::go_quoted;

/// Parses an address, and its zone if it has one.
pub(crate) fn address(text: &str) -> Result<(IpAddr, Option<&str>), String> {
    match text.bytes().find(|letter| b".:%".contains(letter)) {
        Some(b'.') => fields(text, text).map(|fields| (IpAddr::from(fields), None)),
        Some(b':') => six(text).map(|(address, zone)| (IpAddr::V6(address), zone)),
        Some(_) => Err(wrong(text, "missing IPv6 address", "")),
        None => Err(wrong(text, "unable to parse IP", "")),
    }
}

/// Parses a network: an address in it, and the length of its prefix in bits.
pub(crate) fn network(text: &str) -> Result<(IpAddr, u8), String> {
    let wrong = |what: &str| format!("netip.ParsePrefix({}): {what}", go_quoted(text));
    let (before, bits) = text.rsplit_once('/').ok_or_else(|| wrong("no '/'"))?;
    let (address, zone) = address(before).map_err(|why| wrong(&why))?;
    if zone.is_some() {
        return Err(wrong("IPv6 zones cannot be present in a prefix"));
    }
    let bad = || wrong(&format!("bad bits after slash: {}", go_quoted(bits)));
    if bits.len() > 1 && !bits.starts_with(|first: char| ('1'..='9').contains(&first)) {
        return Err(bad());
    }
    let length: u64 = bits.parse().map_err(|_| bad())?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    match u8::try_from(length) {
        Ok(length) if length <= most => Ok((address, length)),
        _ => Err(wrong("prefix length out of range")),
    }
}

fn wrong(text: &str, what: &str, at: &str) -> String {
    let place = if at.is_empty() { String::new() } else { format!(" (at {})", go_quoted(at)) };
    format!("ParseAddr({}): {what}{place}", go_quoted(text))
}

/// Parses the four numbers of `part`, which is the end of `text` or all of it.
fn fields(text: &str, part: &str) -> Result<[u8; 4], String> {
    let mut found = [0; 4];
    let (mut at, mut value, mut digits) = (0, 0_u16, 0);
    let bytes = part.as_bytes();
    for (index, letter) in bytes.iter().enumerate() {
        match letter {
            b'0'..=b'9' => {
                if digits == 1 && value == 0 {
                    return Err(wrong(text, "IPv4 field has octet with leading zero", ""));
                }
                value = value * 10 + u16::from(letter - b'0');
                digits += 1;
                if value > 255 {
                    return Err(wrong(text, "IPv4 field has value >255", ""));
                }
            }
            b'.' => {
                if index == 0 || index == bytes.len() - 1 || bytes[index - 1] == b'.' {
                    let what = "IPv4 field must have at least one digit";
                    return Err(wrong(text, what, &part[index..]));
                }
                if at == 3 {
                    return Err(wrong(text, "IPv4 address too long", ""));
                }
                found[at] = u8::try_from(value).unwrap_or(u8::MAX);
                (at, value, digits) = (at + 1, 0, 0);
            }
            _ => {
                let rest = String::from_utf8_lossy(&bytes[index..]);
                return Err(wrong(text, "unexpected character", &rest));
            }
        }
    }
    if at < 3 {
        return Err(wrong(text, "IPv4 address too short", ""));
    }
    found[3] = u8::try_from(value).unwrap_or(u8::MAX);
    Ok(found)
}

fn six(text: &str) -> Result<(Ipv6Addr, Option<&str>), String> {
    let (mut rest, zone) = match text.split_once('%') {
        Some((_, "")) => return Err(wrong(text, "zone must be a non-empty string", "")),
        Some((address, zone)) => (address, Some(zone)),
        None => (text, None),
    };
    let mut groups: Vec<u16> = Vec::with_capacity(8);
    let mut gap = None;
    if let Some(after) = rest.strip_prefix("::") {
        gap = Some(0);
        rest = after;
        if rest.is_empty() {
            return Ok((Ipv6Addr::UNSPECIFIED, zone));
        }
    }
    while groups.len() < 8 {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits > 4 {
            return Err(wrong(text, "each group must have 4 or less digits", rest));
        }
        let Ok(group) = u16::from_str_radix(&rest[..digits], 16) else {
            return Err(wrong(text, "each colon-separated field must have at least one digit", rest));
        };
        if rest[digits..].starts_with('.') {
            if gap.is_none() && groups.len() != 6 {
                let what = "embedded IPv4 address must replace the final 2 fields of the address";
                return Err(wrong(text, what, rest));
            }
            if groups.len() > 6 {
                let what = "too many hex fields to fit an embedded IPv4 at the end of the address";
                return Err(wrong(text, what, rest));
            }
            let [a, b, c, d] = fields(text, rest)?;
            groups.extend([u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])]);
            rest = "";
            break;
        }
        groups.push(group);
        rest = &rest[digits..];
        if rest.is_empty() {
            break;
        }
        let Some(after) = rest.strip_prefix(':') else {
            return Err(wrong(text, "unexpected character, want colon", rest));
        };
        if after.is_empty() {
            return Err(wrong(text, "colon must be followed by more characters", rest));
        }
        rest = after;
        if let Some(after) = rest.strip_prefix(':') {
            if gap.is_some() {
                return Err(wrong(text, "multiple :: in address", rest));
            }
            gap = Some(groups.len());
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return Err(wrong(text, "trailing garbage after address", rest));
    }
    match gap {
        None if groups.len() < 8 => return Err(wrong(text, "address string too short", "")),
        Some(_) if groups.len() == 8 => {
            return Err(wrong(text, "the :: must expand to at least one field of zeros", ""));
        }
        Some(at) => drop(groups.splice(at..at, vec![0; 8 - groups.len()])),
        None => {}
    }
    let groups = <[u16; 8]>::try_from(groups).map_err(|_| wrong(text, "unable to parse IP", ""))?;
    Ok((Ipv6Addr::from(groups), zone))
}

/// Whether an address is an IPv4 address mapped to IPv6.
pub(crate) fn is_mapped(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(six) if six.to_ipv4_mapped().is_some())
}

/// Returns the address with the bits behind the prefix set to zero.
pub(crate) fn masked(address: IpAddr, length: u8) -> IpAddr {
    match address {
        IpAddr::V4(four) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(length)).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(four.to_bits() & mask))
        }
        IpAddr::V6(six) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(length)).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() & mask))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_address_has_the_error_of_go() {
        for (text, why) in [
            ("1.2.3.x", "unexpected character (at \"x\")"),
            ("1.2.3.é", "unexpected character (at \"é\")"),
            ("01.2.3.4", "IPv4 field has octet with leading zero"),
            ("1::2::3", "multiple :: in address (at \":3\")"),
            ("é", "unable to parse IP"),
            ("::é", "each colon-separated field must have at least one digit (at \"é\")"),
            ("1:2:3:4:5:6:7:8:9", "trailing garbage after address (at \"9\")"),
            (
                "::1:2:3:4:5:6:7:1.2.3.4",
                "too many hex fields to fit an embedded IPv4 at the end of the address (at \"1.2.3.4\")",
            ),
        ] {
            assert_eq!(address(text), Err(format!("ParseAddr({}): {why}", go_quoted(text))), "{text}");
        }
    }

    #[test]
    fn addresses_are_read_as_the_standard_library_does() {
        for text in ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "2001:DB8::1.2.3.4", "1:2:3::6:7:8", "10.0.0.1"] {
            assert_eq!(address(text), Ok((text.parse().unwrap(), None)), "{text}");
        }
        assert_eq!(address("fe80::1%eth0"), Ok(("fe80::1".parse().unwrap(), Some("eth0"))));
        assert_eq!(network("10.1.2.3/8"), Ok(("10.1.2.3".parse().unwrap(), 8)));
        assert_eq!(masked("10.1.2.3".parse().unwrap(), 0), IpAddr::from([0, 0, 0, 0]));
        assert_eq!(masked("10.1.2.3".parse().unwrap(), 32), IpAddr::from([10, 1, 2, 3]));
    }
}
