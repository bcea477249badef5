//! The headers of proxied requests and responses.

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};

use super::{Kind, Place};

impl Place {
    /// The redirect for a browser that requests the root of a backend without a trailing slash, because links in it
    /// are relative.
    pub(super) fn root_of(&self, parts: &http::request::Parts, upgrade: bool) -> Option<HeaderValue> {
        let reads = matches!(parts.method, Method::GET | Method::HEAD);
        if upgrade || !reads || !matches!(self.kind, Kind::Proxy { .. }) || self.path.starts_with('/') {
            return None;
        }
        HeaderValue::from_str(&format!("{}/{}", parts.uri.path(), self.path)).ok()
    }

    /// The end-to-end headers of a request, without the hop-by-hop ones.
    pub(super) fn asked(&self, headers: &HeaderMap, upgrade: bool) -> HeaderMap {
        let mut headers = end_to_end(headers, upgrade);
        let own: Vec<HeaderName> = headers
            .keys()
            .filter(|name| name.as_str().starts_with("impersonate-"))
            .cloned()
            .chain([header::HOST, header::AUTHORIZATION])
            .collect();
        for name in own {
            headers.remove(name);
        }
        if let Kind::Proxy { prefix } = &self.kind {
            let path = self.path.split('?').next().unwrap_or_default();
            if let Ok(uri) = HeaderValue::from_str(&format!("{prefix}{path}")) {
                headers.insert("x-forwarded-uri", uri);
            }
        }
        headers
    }

    /// The headers of a backend's response that are passed to the client.
    pub(super) fn answered(&self, headers: &HeaderMap, status: StatusCode) -> HeaderMap {
        let mut headers = end_to_end(headers, status == StatusCode::SWITCHING_PROTOCOLS);
        let Kind::Proxy { prefix } = &self.kind else { return headers };
        // A backend can't decide which origins may read the response, so its CORS headers are dropped.
        let origins: Vec<HeaderName> =
            headers.keys().filter(|name| name.as_str().starts_with("access-control-")).cloned().collect();
        for name in origins {
            headers.remove(name);
        }
        let location = headers.get(header::LOCATION).and_then(|location| location.to_str().ok());
        if let Some(there) = location.and_then(|location| self.rewritten(location, prefix)) {
            headers.insert(header::LOCATION, there);
        }
        headers
    }

    /// Rewrites a redirect to the backend, so that it leads through this server.
    fn rewritten(&self, location: &str, prefix: &str) -> Option<HeaderValue> {
        let uri: Uri = location.parse().ok()?;
        let host = self.origin.split_once("://").map_or("", |(_, host)| host);
        let elsewhere = uri.authority().is_some_and(|authority| authority.as_str() != host);
        let path = uri.path_and_query()?.as_str();
        if elsewhere || !location.contains('/') || (uri.authority().is_none() && !location.starts_with('/')) {
            return None;
        }
        HeaderValue::from_str(&format!("{prefix}{path}")).ok()
    }
}

/// The headers that are not for a single connection.
fn end_to_end(headers: &HeaderMap, upgrade: bool) -> HeaderMap {
    let named = headers.get_all(header::CONNECTION).iter().filter_map(|value| value.to_str().ok());
    let named = named.flat_map(|value| value.split(',')).filter_map(|name| name.trim().parse().ok());
    let mut hop: Vec<HeaderName> = named.filter(|name| *name != header::UPGRADE).collect();
    hop.extend([
        header::TRANSFER_ENCODING,
        header::TE,
        header::TRAILER,
        header::PROXY_AUTHENTICATE,
        header::PROXY_AUTHORIZATION,
        HeaderName::from_static("keep-alive"),
        HeaderName::from_static("proxy-connection"),
    ]);
    if !upgrade {
        hop.extend([header::CONNECTION, header::UPGRADE]);
    }
    let mut headers = headers.clone();
    for name in hop {
        headers.remove(name);
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::super::backend::tests::place;
    use super::*;

    #[test]
    fn a_redirect_to_the_backend_is_rewritten() {
        let place = place("/api/v1/nodes/n/proxy/a");
        for (location, expected) in [
            ("/b?c", Some("/api/v1/nodes/n/proxy/b?c")),
            ("http://10.0.0.1:80/b", Some("/api/v1/nodes/n/proxy/b")),
            ("http://example.com/b", None),
            ("b", None),
        ] {
            let there = place.rewritten(location, "/api/v1/nodes/n/proxy");
            assert_eq!(there.as_ref().map(|there| there.to_str().unwrap()), expected, "{location}");
        }
    }

    #[test]
    fn hop_by_hop_headers_are_not_forwarded() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "close, x-mine"),
            ("x-mine", "1"),
            ("keep-alive", "1"),
            ("te", "trailers"),
            ("authorization", "Bearer secret"),
            ("impersonate-user", "me"),
            ("x-theirs", "2"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let asked = place("/api/v1/nodes/n/proxy/a").asked(&headers, false);
        let names: Vec<&str> = asked.keys().map(HeaderName::as_str).collect();
        assert_eq!(names, ["x-theirs", "x-forwarded-uri"]);
        assert_eq!(asked["x-forwarded-uri"], "/api/v1/nodes/n/proxy/a");
    }
}
