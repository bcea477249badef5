//! Protects a listener from requests that a web page sends without the user's knowledge.
//!
//! A browser can reach every port of its machine, and lets every page send requests there. Three signs reveal such
//! a request:
//!
//! - A page whose own host name resolves to this machine (DNS rebinding) sends that name in `Host`. So a plain
//!   listener accepts only its own names and addresses. With TLS no check is needed, because browsers do not accept
//!   our certificate for such a name.
//! - A page of another origin has that origin in `Origin`, or its browser reports it in `Sec-Fetch-Site`. The
//!   server's own URL as `Origin` is accepted, because some WebSocket libraries outside of browsers send it.
//! - A page can send a body without `Content-Type` without a CORS preflight. The real server reads such a body as
//!   JSON, and `kubectl create --raw` relies on it. So does this one, unless the request has a header that browsers
//!   send and that pages can't remove or change in such a request: the two above, `Referer`, or a browser's
//!   `User-Agent`.

use std::net::IpAddr;

use client_rs_machinery::{ApiError, StatusReason};
use http::uri::Authority;
use http::{HeaderMap, Request, header};
use http_body::Body;

use crate::http::generic;

/// The rules of a listener.
#[derive(Debug, Default)]
pub(crate) struct WebPages {
    /// Additional host names; `*` for any.
    pub(crate) hosts: Vec<String>,
    /// Origins of pages that may use the server; `*` for any.
    pub(crate) origins: Vec<String>,
}

/// The listener of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listener {
    /// The local address.
    pub(crate) address: Option<IpAddr>,
    pub(crate) tls: bool,
}

impl WebPages {
    /// Refuses a request that a web page may have sent.
    pub(crate) fn check<B: Body>(&self, request: &Request<B>, listener: Listener) -> Result<(), ApiError> {
        let hosts = hosts(request);
        if !listener.tls
            && let Some(host) = hosts.iter().find(|host| !self.is_own(host, listener))
        {
            let why = format!(
                "host {host:?} is refused: plain HTTP requests must be for localhost, for the server's own address or \
                 for a name in ServerOptions::accept_hosts"
            );
            return Err(forbidden(&why));
        }
        self.check_origin(request.headers(), &hosts)?;
        let untyped =
            !request.headers().contains_key(header::CONTENT_TYPE) && !request.body().is_end_stream();
        if untyped && is_browsers(request.headers()) {
            let why = "the request needs a Content-Type: without one, any web page could have sent it";
            return Err(generic(415, StatusReason::UnsupportedMediaType, why));
        }
        Ok(())
    }

    fn check_origin(&self, headers: &HeaderMap, hosts: &[String]) -> Result<(), ApiError> {
        if self.origins.iter().any(|one| one == "*") {
            return Ok(());
        }
        let mut known = false;
        for origin in headers.get_all(header::ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let place = origin.split_once("://").map_or("", |(_, place)| place);
            let own = hosts.iter().any(|host| host.eq_ignore_ascii_case(place));
            if !own && !self.origins.iter().any(|one| one == origin) {
                let why = format!(
                    "requests from web pages of {origin:?} are refused: allow them with ServerOptions::accept_origins"
                );
                return Err(forbidden(&why));
            }
            known = true;
        }
        // A page's GET requests may have no `Origin`, but browsers add `Sec-Fetch-Site`.
        let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok()).unwrap_or("none");
        if !known && !matches!(site, "none" | "same-origin") {
            return Err(forbidden("requests from web pages of other sites are refused"));
        }
        Ok(())
    }

    fn is_own(&self, host: &str, listener: Listener) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        let name = authority.host();
        let name = name.strip_suffix('.').unwrap_or(name);
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let address = address.parse::<IpAddr>().ok().map(|address| address.to_canonical());
        name.eq_ignore_ascii_case("localhost")
            || address.is_some_and(|address| {
                address.is_loopback() || Some(address) == listener.address.map(|own| own.to_canonical())
            })
            || self.hosts.iter().any(|own| own == "*" || own.eq_ignore_ascii_case(name))
    }
}

/// The hosts of a request, with the port, from the URI and from every `Host` header.
fn hosts<B>(request: &Request<B>) -> Vec<String> {
    let headers = request.headers().get_all(header::HOST).iter();
    // A header that is not text can't be a host: `?` matches no name.
    let headers = headers.map(|host| host.to_str().unwrap_or("?").to_owned());
    request.uri().authority().map(ToString::to_string).into_iter().chain(headers).collect()
}

/// Whether a browser sent a request.
fn is_browsers(headers: &HeaderMap) -> bool {
    let agent = headers.get(header::USER_AGENT).map(http::HeaderValue::as_bytes);
    agent.is_some_and(|agent| agent.starts_with(b"Mozilla/"))
        || headers.keys().any(|name| {
            *name == header::ORIGIN || *name == header::REFERER || name.as_str().starts_with("sec-fetch-")
        })
}

fn forbidden(why: &str) -> ApiError {
    generic(403, StatusReason::Forbidden, why)
}

#[cfg(test)]
mod tests {
    use http_body_util::{Empty, Full};

    use super::*;

    const PLAIN: Listener =
        Listener { address: Some(IpAddr::V4(std::net::Ipv4Addr::new(10, 1, 1, 1))), tls: false };
    const TLS: Listener = Listener { tls: true, ..PLAIN };

    fn verdict(
        web_pages: &WebPages,
        listener: Listener,
        headers: &[(&str, &str)],
        body: &'static str,
    ) -> u16 {
        let mut request = Request::post("/api/v1/namespaces");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let checked = if body.is_empty() {
            web_pages.check(&request.body(Empty::<bytes::Bytes>::new()).unwrap(), listener)
        } else {
            web_pages.check(&request.body(Full::<bytes::Bytes>::from(body)).unwrap(), listener)
        };
        checked.map_or_else(|error| u16::try_from(error.code()).unwrap(), |()| 200)
    }

    #[test]
    fn requests_for_other_hosts_are_refused() {
        let web_pages = WebPages { hosts: vec!["box.lan".to_owned()], ..WebPages::default() };
        for (host, expected) in [
            ("localhost", 200),
            ("LocalHost.:8080", 200),
            ("127.0.0.1:8080", 200),
            ("127.9.9.9", 200),
            ("[::1]:8080", 200),
            ("10.1.1.1:8080", 200),
            ("box.lan:1", 200),
            ("10.1.1.2", 403),
            ("evil.example", 403),
            ("evil.example:8080", 403),
            ("localhost.evil.example", 403),
            ("127.0.0.1.evil.example", 403),
            ("not a host", 403),
        ] {
            assert_eq!(verdict(&web_pages, PLAIN, &[("host", host)], ""), expected, "{host}");
        }
        assert_eq!(verdict(&web_pages, TLS, &[("host", "evil.example")], ""), 200);
        assert_eq!(verdict(&web_pages, PLAIN, &[("host", "localhost"), ("host", "evil.example")], ""), 403);
        let any = WebPages { hosts: vec!["*".to_owned()], ..WebPages::default() };
        assert_eq!(verdict(&any, PLAIN, &[("host", "evil.example")], ""), 200);
        let request = Request::get("http://evil.example/api").header("host", "localhost");
        let request = request.body(Empty::<bytes::Bytes>::new()).unwrap();
        assert!(web_pages.check(&request, PLAIN).unwrap_err().is_forbidden());
    }

    #[test]
    fn pages_of_other_origins_are_refused_and_the_servers_own_are_not() {
        let web_pages =
            WebPages { origins: vec!["https://console.example".to_owned()], ..WebPages::default() };
        for (headers, expected) in [
            (&[("origin", "http://evil.example")][..], 403),
            (&[("origin", "null")], 403),
            (&[("origin", "http://localhost:3000")], 403),
            (&[("origin", "http://localhost:8080")], 200),
            (&[("origin", "https://console.example"), ("sec-fetch-site", "cross-site")], 200),
            (&[("sec-fetch-site", "cross-site")], 403),
            (&[("sec-fetch-site", "same-site")], 403),
            (&[("sec-fetch-site", "same-origin")], 200),
            (&[("sec-fetch-site", "none")], 200),
            (&[], 200),
        ] {
            let headers = [&[("host", "localhost:8080")], headers].concat();
            assert_eq!(verdict(&web_pages, PLAIN, &headers, ""), expected, "{headers:?}");
            assert_eq!(verdict(&web_pages, TLS, &headers, ""), expected, "{headers:?}");
        }
    }

    #[test]
    fn a_body_without_a_type_is_refused_where_a_page_could_have_sent_it() {
        let (web_pages, host) = (WebPages::default(), ("host", "localhost"));
        for listener in [PLAIN, TLS] {
            // JSON, as in the real server.
            assert_eq!(verdict(&web_pages, listener, &[host, ("user-agent", "kubectl/v1.37.1")], "{}"), 200);
            assert_eq!(verdict(&web_pages, listener, &[host], "{}"), 200);
            for of_browsers in [
                ("user-agent", "Mozilla/5.0 (X11; Linux x86_64)"),
                ("referer", "https://localhost/"),
                ("sec-fetch-site", "same-origin"),
                ("origin", "http://localhost"),
            ] {
                assert_eq!(verdict(&web_pages, listener, &[host, of_browsers], "{}"), 415, "{of_browsers:?}");
                assert_eq!(verdict(&web_pages, listener, &[host, of_browsers], ""), 200, "{of_browsers:?}");
                let typed = [host, of_browsers, ("content-type", "application/json")];
                assert_eq!(verdict(&web_pages, listener, &typed, "{}"), 200, "{of_browsers:?}");
            }
        }
    }
}
