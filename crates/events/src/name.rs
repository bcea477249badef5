//! Names of events.

use client_rs_machinery::validation::{NameUse, name_is_dns_subdomain};
use client_rs_machinery::{Str, Time};

/// The name of an event: `<object>.<nanoseconds since 1970 in hexadecimal>`. If a server would refuse that name, because
/// objects of some kinds have other names, it is a random UUID.
///
/// ```
/// use client_rs_events::event_name;
/// use client_rs_machinery::Time;
///
/// let at = Time::new(1, 0).unwrap();
/// assert_eq!(event_name("web", at), "web.3b9aca00");
/// assert_eq!(event_name("not a name!", at).len(), 36);
/// ```
pub fn event_name(object: &str, at: Time) -> Str {
    let name = format!("{object}.{:x}", unix_nanos(at));
    match name_is_dns_subdomain(&name, NameUse::Name) {
        Ok(()) => name.into(),
        Err(_) => random_uuid().into(),
    }
}

/// Nanoseconds since 1970. Wraps around in the year 2262, as in Go.
fn unix_nanos(at: Time) -> i64 {
    at.seconds().wrapping_mul(1_000_000_000).wrapping_add(i64::from(at.nanos()))
}

/// A random UUID (version 4).
fn random_uuid() -> String {
    let bits = (fastrand::u128(..) & !(0xf << 76) & !(0b11 << 62)) | (0x4 << 76) | (0b10 << 62);
    let hex = format!("{bits:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t6_3_05_names() {
        let at = Time::new(105_999_103, 295_324_396).unwrap();
        assert_eq!(event_name("test-pod", at), "test-pod.178959f726d80ec");
        let long = "x".repeat(300);
        for bad in [&long, "test.POD", "test.pod/invalid!chars?", "--test.pod/invalid!chars?", ""] {
            let name = event_name(bad, at);
            assert_eq!(name.len(), 36, "{name}");
            assert_eq!((&name[14..15], name_is_dns_subdomain(&name, NameUse::Name)), ("4", Ok(())));
            assert!("89ab".contains(&name[19..20]), "{name}");
            assert_ne!(name, event_name(bad, at));
        }
    }
}
