//! The backend of a proxied request: a pod, an endpoint of a service, or a node.

use client_rs_machinery::{ApiError, Json, Unstructured};
use http::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{Kind, Place, with_query};
use crate::http::{Api, not_implemented, percent_decoded};
use crate::kinds::ConnectTo;
use crate::outbound::Named;
use crate::registry::Served;
use crate::request::Target;

impl Api {
    /// `scheme://host:port` of the backend of a proxied request.
    pub(super) fn backend(
        &self,
        served: &Served,
        to: ConnectTo,
        target: &Target<'_>,
    ) -> Result<String, ApiError> {
        let kind = target.resource.trim_end_matches('s');
        let (scheme, name, port) = proxy_name(target.name)
            .ok_or_else(|| ApiError::bad_request(format!("invalid {kind} request {:?}", target.name)))?;
        match to {
            ConnectTo::Service => {
                let (address, port) = self.endpoint(target.namespace, name, port)?;
                self.outbound.check_host(&address, Named::ByObject).map_err(ApiError::bad_request)?;
                Ok(format!("{scheme}://{}:{port}", bracketed(&address)))
            }
            ConnectTo::Pod => {
                let pod = self.registry.get(served, target.namespace, name)?.stored;
                self.check_not_played(&pod.object, "pods/proxy")?;
                let ip = pod.object.nested_str(&["status", "podIP"]).ok().flatten().unwrap_or_default();
                if ip.is_empty() {
                    return Err(ApiError::bad_request("address not allowed"));
                }
                self.outbound.check_host(ip, Named::ByObject).map_err(ApiError::bad_request)?;
                let port = match (port, first_port(&pod.object)) {
                    ("", Some(port)) => format!(":{port}"),
                    ("", None) => String::new(),
                    (port, _) => format!(":{port}"),
                };
                Ok(format!("{scheme}://{}{port}", bracketed(ip)))
            }
            _ => {
                self.registry.get(served, "", name)?;
                let kubelet = self.kubelet_address(name, "nodes/proxy")?;
                let (address, own) = kubelet.ok_or_else(|| not_implemented("nodes/proxy"))?;
                if port.is_empty() || port == own.to_string() {
                    return Ok(format!("https://{address}:{own}"));
                }
                Ok(format!("{scheme}://{address}:{port}"))
            }
        }
    }
}

/// Scheme, name and port in a proxy path: `name`, `name:port`, `scheme:name:port`.
fn proxy_name(name: &str) -> Option<(&str, &str, &str)> {
    let (scheme, name, port) = match *name.split(':').collect::<Vec<_>>().as_slice() {
        [name] => ("http", name, ""),
        [name, port] | ["" | "http", name, port] => ("http", name, port),
        ["https", name, port] => ("https", name, port),
        _ => return None,
    };
    (!name.is_empty()).then_some((scheme, name, port))
}

fn first_port(pod: &Unstructured) -> Option<i64> {
    let containers = pod.nested_slice(&["spec", "containers"]).ok()??;
    let mut ports = containers.iter().filter_map(|container| container["ports"].as_list()).flatten();
    ports.find_map(|port: &Json| port["containerPort"].as_i64())
}

/// A place on a backend. Its path is the part after `proxy`, decoded and encoded again as the real server does: an
/// escaped slash becomes a slash.
pub(super) fn proxied(origin: String, target: &Target<'_>, uri: &Uri) -> Place {
    /// The characters that Go escapes in a path.
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'~')
        .remove(b'$')
        .remove(b'&')
        .remove(b'+')
        .remove(b',')
        .remove(b'/')
        .remove(b':')
        .remove(b';')
        .remove(b'=')
        .remove(b'@');
    // `/api/v1/nodes/NAME/proxy`, or `/api/v1/namespaces/NAMESPACE/RESOURCE/NAME/proxy`.
    let segments = if target.namespace.is_empty() { 5 } else { 7 };
    let path = uri.path();
    let end = path.match_indices('/').nth(segments).map_or(path.len(), |(at, _)| at);
    let (prefix, rest) = path.split_at(end);
    let decoded = percent_decoded(rest);
    let rest = utf8_percent_encode(&decoded, ESCAPED).to_string();
    let path = with_query(rest, uri.query().unwrap_or_default());
    Place { origin, path, kind: Kind::Proxy { prefix: prefix.to_owned() } }
}

pub(super) fn bracketed(address: &str) -> String {
    if address.contains(':') { format!("[{address}]") } else { address.to_owned() }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::request::Route;
    use http::Request;

    pub(in crate::http::relay) fn place(uri: &str) -> Place {
        let uri: Uri = uri.parse().unwrap();
        let path = percent_decoded(uri.path());
        let Route::Objects(target) = Route::of(&path) else { panic!("{path} is not the path of an object") };
        proxied("http://10.0.0.1:80".to_owned(), &target, &uri)
    }

    #[test]
    fn the_path_after_proxy_is_the_path_on_the_backend() {
        let pod = "/api/v1/namespaces/proxy-a/pods/proxy-b/proxy";
        for (uri, path) in [
            (format!("{pod}/a/b?c=d&c=%20"), "/a/b?c=d&c=%20"),
            (format!("{pod}/"), "/"),
            (format!("{pod}/proxy/"), "/proxy/"),
            (format!("{pod}/a%20b/%C3%BC!"), "/a%20b/%C3%BC%21"),
            (format!("{pod}/a%2Fb"), "/a/b"),
            ("/api/v1/nodes/n/proxy/metrics".to_owned(), "/metrics"),
        ] {
            assert_eq!(place(&uri).path, path, "{uri}");
        }
        assert_eq!(place(&format!("{pod}/x")).kind, Kind::Proxy { prefix: pod.to_owned() });
        let (parts, ()) = Request::get(format!("{pod}?x=1")).body(()).unwrap().into_parts();
        let there = place(&format!("{pod}?x=1")).root_of(&parts, false).unwrap();
        assert_eq!(there, format!("{pod}/?x=1").as_str());
    }

    #[test]
    fn names_of_backends_are_parsed_as_by_the_real_server() {
        assert_eq!(proxy_name("a"), Some(("http", "a", "")));
        assert_eq!(proxy_name("a:b"), Some(("http", "a", "b")));
        assert_eq!(proxy_name("https:a:b"), Some(("https", "a", "b")));
        assert_eq!(proxy_name("https:a:"), Some(("https", "a", "")));
        assert_eq!(proxy_name(":a:1"), Some(("http", "a", "1")));
        for bad in ["ftp:a:1", "a:b:c:d", ":1", "http::1"] {
            assert_eq!(proxy_name(bad), None, "{bad}");
        }
    }
}
