//! Addresses and networks.

use std::net::IpAddr;

use client_rs_machinery::go_quoted;

use super::Outcome;
use crate::value::{Kind, Library};
use crate::{EvalError, Value, go};

pub(super) const GLOBAL: [&str; 5] = ["ip", "isIP", "ip.isCanonical", "cidr", "isCIDR"];
pub(super) const METHODS: [&str; 11] = [
    "family",
    "isUnspecified",
    "isLoopback",
    "isLinkLocalMulticast",
    "isLinkLocalUnicast",
    "isGlobalUnicast",
    "containsIP",
    "containsCIDR",
    "ip",
    "masked",
    "prefixLength",
];

pub(super) fn global(function: &str, text: &str) -> Outcome {
    Ok(match function {
        "ip" => Kind::Ip(address(text)?).into(),
        "isIP" => Value::Bool(address(text).is_ok()),
        "ip.isCanonical" => Value::Bool(address(text)?.to_string() == text),
        "cidr" => network(text)?,
        _ => Value::Bool(network(text).is_ok()),
    })
}

fn address(text: &str) -> Result<IpAddr, EvalError> {
    let (address, zone) = go::address(text).map_err(|why| {
        let shown = go_quoted(text);
        EvalError::failed(format!("IP Address {shown} parse error during conversion from string: {why}"))
    })?;
    if zone.is_some() {
        let what = format!("IP address {} with zone value is not allowed", go_quoted(text));
        return Err(EvalError::failed(what));
    }
    if go::is_mapped(address) {
        return Err(EvalError::failed(mapped(text)));
    }
    Ok(address)
}

fn mapped(text: &str) -> String {
    format!("IPv4-mapped IPv6 address {} is not allowed", go_quoted(text))
}

fn network(text: &str) -> Outcome {
    const WRONG: &str = "network address parse error during conversion from string";
    let (address, length) =
        go::network(text).map_err(|why| EvalError::failed(format!("{WRONG}: {WRONG}: {why}")))?;
    if go::is_mapped(address) {
        return Err(EvalError::failed(format!("{WRONG}: {}", mapped(text))));
    }
    Ok(Kind::Cidr(address, length).into())
}

pub(super) fn of_address(address: IpAddr, function: &str, args: &[Value]) -> Option<Outcome> {
    if !args.is_empty() {
        return None;
    }
    let link_local = match address {
        IpAddr::V4(four) => four.is_link_local(),
        IpAddr::V6(six) => six.is_unicast_link_local(),
    };
    Some(Ok(match function {
        "family" => Value::Int(if address.is_ipv4() { 4 } else { 6 }),
        "isUnspecified" => Value::Bool(address.is_unspecified()),
        "isLoopback" => Value::Bool(address.is_loopback()),
        "isLinkLocalMulticast" => Value::Bool(match address {
            IpAddr::V4(four) => four.octets()[..3] == [224, 0, 0],
            IpAddr::V6(six) => six.segments()[0] & 0xff0f == 0xff02,
        }),
        "isLinkLocalUnicast" => Value::Bool(link_local),
        "isGlobalUnicast" => {
            let broadcast = matches!(address, IpAddr::V4(four) if four.is_broadcast());
            let other = address.is_unspecified() || address.is_loopback() || address.is_multicast();
            Value::Bool(!(other || broadcast || link_local))
        }
        _ => return None,
    }))
}

pub(super) fn of_network(address: IpAddr, length: u8, function: &str, args: &[Value]) -> Option<Outcome> {
    let contains = |other: IpAddr, bits: u8| {
        let same = address.is_ipv4() == other.is_ipv4() && length <= bits;
        Value::Bool(same && go::masked(address, length) == go::masked(other, length))
    };
    let one = |other: IpAddr| contains(other, if other.is_ipv4() { 32 } else { 128 });
    Some(Ok(match (function, args) {
        // A malformed address is not in any network.
        ("containsIP", [Value::Text(text)]) => match self::address(text) {
            Ok(other) => one(other),
            Err(_) => return Some(Err(EvalError::overload())),
        },
        ("containsIP", [Value::Library(Library(Kind::Ip(other)))]) => one(*other),
        ("containsCIDR", [Value::Text(text)]) => match network(text) {
            Ok(Value::Library(Library(Kind::Cidr(other, bits)))) => contains(other, bits),
            other => return Some(other),
        },
        ("containsCIDR", [Value::Library(Library(Kind::Cidr(other, bits)))]) => contains(*other, *bits),
        ("ip", []) => Kind::Ip(address).into(),
        ("masked", []) => Kind::Cidr(go::masked(address, length), length).into(),
        ("prefixLength", []) => Value::Int(length.into()),
        _ => return None,
    }))
}
