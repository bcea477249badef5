//! The page of the debug listener: one file without any other resource. It reads `/debug/state` and `/debug/why`.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::Full;

use super::answers::text;

const PAGE: &str = include_str!("page.html");

/// The page may run its own script and style, named by their hashes, and talk to its own listener. Nothing else.
const POLICY: &str = "default-src 'none'; script-src 'sha256-LMDNgmoj7eDD6sJDQ9eV1+CqPihYjk4txP8O3x8g38g='; style-src 'sha256-3WazVdxcvTJUENEdeo14JgquYXkiuoZ3DmM/AzFmTEM='; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page, with headers that let a browser do nothing else with it.
pub(super) fn page() -> Response<Full<Bytes>> {
    let mut answer = text(StatusCode::OK, PAGE);
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
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
    use base64::Engine as _;
    use sha2::Digest as _;

    use super::*;

    /// The text of the only element with this tag.
    fn element(tag: &str) -> &'static str {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        assert_eq!(PAGE.matches(&open).count(), 1);
        PAGE.split_once(&open).unwrap().1.split_once(&close).unwrap().0
    }

    #[test]
    fn the_policy_names_the_script_and_the_style_of_the_page() {
        for (tag, source) in [("script", "script-src"), ("style", "style-src")] {
            let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(element(tag)));
            let wanted = format!("{source} 'sha256-{hash}'");
            assert!(POLICY.contains(&wanted), "write {wanted} into the policy");
        }
    }

    #[test]
    fn the_page_refers_to_nothing_outside_of_it() {
        // The one address is the name of a namespace of XML, which nobody fetches.
        let page = PAGE.replace("http://www.w3.org/2000/svg", "");
        for word in [
            "http:",
            "https:",
            "//cdn",
            "src=",
            "@import",
            "url(",
            "innerHTML",
            "eval(",
            "style=\"",
            "onclick",
        ] {
            assert!(!page.contains(word), "{word}");
        }
        let answer = page_headers();
        assert_eq!(answer.get(header::CONTENT_TYPE).unwrap(), "text/html; charset=utf-8");
        assert!(answer.contains_key(header::CONTENT_SECURITY_POLICY));
    }

    fn page_headers() -> http::HeaderMap {
        page().headers().clone()
    }

    #[test]
    fn every_input_has_a_label_and_every_table_a_caption() {
        assert_eq!(PAGE.matches("<table>").count(), PAGE.matches("<caption>").count());
        for id in ["controller", "key"] {
            let place = PAGE.find(&format!("id=\"{id}\"")).unwrap();
            let label = PAGE[..place].rfind("<label>").unwrap();
            assert!(!PAGE[label..place].contains("</label>"), "{id} is outside of a label");
        }
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
