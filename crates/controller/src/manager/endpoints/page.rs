//! The response with the page of the debug listener, and the check of the host.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::Full;

use super::answers::text;
use crate::debug_page::{CONTENT_SECURITY_POLICY, HTML};

/// The page, with headers that let a browser do nothing else with it.
pub(super) fn page() -> Response<Full<Bytes>> {
    let mut answer = text(StatusCode::OK, HTML);
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_SECURITY_POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// Whether the `Host` of a request is an address or `localhost`, and no name that somebody's DNS may resolve to this machine: a page
/// of another site could read the answers under such a name.
pub(super) fn is_local_host(host: Option<&str>) -> bool {
    let Some(host) = host else { return true };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<std::net::IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_comes_with_its_policy() {
        let answer = page();
        assert_eq!(answer.headers().get(header::CONTENT_TYPE).unwrap(), "text/html; charset=utf-8");
        assert_eq!(answer.headers().get(header::CONTENT_SECURITY_POLICY).unwrap(), CONTENT_SECURITY_POLICY);
    }

    #[test]
    fn only_addresses_and_localhost_are_local() {
        for host in ["localhost:8082", "LOCALHOST", "127.0.0.1:1", "[::1]:8082", "10.0.0.1"] {
            assert!(is_local_host(Some(host)), "{host}");
        }
        assert!(is_local_host(None));
        for host in
            ["evil.example", "evil.example:8082", "127.0.0.1.evil.example", "localhost.evil.example:80"]
        {
            assert!(!is_local_host(Some(host)), "{host}");
        }
    }
}
