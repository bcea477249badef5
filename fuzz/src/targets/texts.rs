//! Short texts that clients, servers and people send: paths, selectors, times, names, addresses.

use std::collections::BTreeMap;

use client_rs_machinery::jsonpath::JsonPath;
use client_rs_machinery::{
    Duration, GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource, IntOrString,
    Json, MicroTime, ObjectKey, Str, Time, fields, go_quoted, labels, validation,
};
use client_rs_schema::{first_match, parse_path};
use client_rs_transport::ProxyUrl;
use client_rs_transport::config::{parse_server, parse_timeout};
use client_rs_transport::http::{Proxy, ProxyEnv, Target};

use super::{json, sections, text};

/// A template is refused, or finds and prints something or an error.
pub fn jsonpath(data: &[u8]) {
    let [template, document] = sections(data);
    let template = text(template);
    let document = json(document).unwrap_or(Json::Null);
    for parsed in [JsonPath::parse(&template), JsonPath::parse_relaxed(&template)] {
        let Ok(path) = parsed.map_err(|error| error.to_string()) else { continue };
        for path in [path.clone(), path.allow_missing_keys(true)] {
            match (path.find(&document), path.render(&document)) {
                (Ok(found), Ok(_)) => drop(found),
                (found, rendered) => {
                    drop((found.map_err(|e| e.to_string()), rendered.map_err(|e| e.to_string())))
                }
            }
        }
    }
    if let Some(path) = parse_path(&template) {
        let _ = first_match(&path, &document);
    }
}

/// Two selectors and a set of labels: both together select what each selects, their text and their parts mean the same.
pub fn selector_pair(data: &[u8]) {
    let [first, second, pairs] = sections(data).map(text);
    let set: BTreeMap<Str, Str> = pairs
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.into(), value.into()))
        .collect();
    let lookup = labels::from_fn(|key| set.get(key).map(Str::as_str));
    if let (Ok(first), Ok(second)) = (labels::Selector::parse(&first), labels::Selector::parse(&second)) {
        let both = first.and(&second);
        assert_eq!(
            both.matches(&lookup),
            first.matches(&lookup) && second.matches(&lookup),
            "{first} and {second}"
        );
        let again = labels::Selector::parse(&both.to_string()).expect("what is written can be read");
        assert_eq!(again.to_string(), both.to_string());
        assert_eq!(again.matches(&lookup), both.matches(&lookup), "{both}");
        if let Ok(parts) = both.to_label_selector() {
            let expressions = parts.match_expressions.iter();
            let expressions =
                expressions.map(|one| (one.key.clone(), one.operator.as_str(), one.values.iter().cloned()));
            let labels = parts.match_labels.iter().map(|(key, value)| (key.clone(), value.clone()));
            let made = labels::Selector::from_label_selector(labels, expressions);
            let made = made.unwrap_or_else(|error| panic!("{error}: {both}"));
            assert_eq!(made.matches(&lookup), both.matches(&lookup), "{both} and {made}");
        }
    }
    if let (Ok(first), Ok(second)) = (fields::Selector::parse(&first), fields::Selector::parse(&second)) {
        let both = first.and(&second);
        assert_eq!(
            both.matches(&lookup),
            first.matches(&lookup) && second.matches(&lookup),
            "{first} and {second}"
        );
        let again = fields::Selector::parse(&both.to_string()).expect("what is written can be read");
        assert_eq!(again.matches(&lookup), both.matches(&lookup), "{both}");
    }
    assert_eq!(fields::unescape_value(&fields::escape_value(&pairs)).as_deref(), Ok(pairs.as_str()));
}

/// Times, spans, names and kinds: what is read is written, and read again as the same.
pub fn scalars(data: &[u8]) {
    let source = text(data);
    if let Ok(time) = Time::parse(&source) {
        // It is printed to the second.
        let printed = time.to_string();
        assert_eq!(Time::parse(&printed).map(|again| again.to_string()), Ok(printed));
    }
    if let Ok(time) = MicroTime::parse(&source) {
        let printed = time.to_string();
        assert_eq!(MicroTime::parse(&printed).map(|again| again.to_string()), Ok(printed));
    }
    if let Ok(span) = Duration::parse(&source) {
        assert_eq!(Duration::parse(&span.to_string()), Ok(span));
    }
    let number = IntOrString::parse(&source);
    assert_eq!(IntOrString::parse(&number.to_string()), number);
    if let Ok(key) = ObjectKey::parse(&source) {
        assert_eq!(ObjectKey::parse(&key.to_string()), Ok(key));
    }
    if let Ok(version) = GroupVersion::parse(&source) {
        assert_eq!(GroupVersion::parse(&version.to_string()), Ok(version));
    }
    let _ = (source.parse::<GroupVersionKind>(), source.parse::<GroupVersionResource>());
    let _ = (source.parse::<GroupKind>(), source.parse::<GroupResource>());
    let _ = (
        validation::qualified_name(&source),
        validation::label_value(&source),
        validation::port_name(&source),
    );
    let _ = (validation::dns1123_subdomain(&source), validation::fully_qualified_domain_name(&source));
    let _ = (
        validation::env_var_name(&source),
        validation::http_header_name(&source),
        validation::percent(&source),
    );
    let quoted = go_quoted(&source).to_string();
    assert!(!quoted.chars().any(char::is_control), "{quoted:?}");
}

/// Addresses of servers and proxies, and the proxy variables of the environment: no text and no error shows a password.
pub fn addresses(data: &[u8]) {
    const PASSWORD: &str = "PASSWORD";
    let [server, proxy, none] = sections(data).map(text);
    let mut shown = Vec::new();
    for tls in [false, true] {
        match parse_server(&server, tls) {
            Ok(uri) => match Target::from_uri(&uri) {
                Ok(target) => {
                    let environment = ProxyEnv::from_env(|name| match name {
                        "HTTPS_PROXY" | "HTTP_PROXY" => Some(proxy.clone()),
                        "NO_PROXY" => Some(none.clone()),
                        _ => None,
                    });
                    let found = environment.proxy_for(target.tls, &target.host, target.port);
                    if let Some(Ok(proxy)) = found.map(|url| Proxy::parse(&url)) {
                        shown.push(format!("{proxy:?} {proxy}"));
                    }
                    shown.push(format!("{target:?} {environment:?}"));
                }
                Err(error) => shown.push(error.to_string()),
            },
            Err(error) => shown.push(error.to_string()),
        }
    }
    match proxy.parse::<ProxyUrl>() {
        Ok(proxy) => shown.push(format!("{proxy} {proxy:?}")),
        Err(error) => shown.push(error.to_string()),
    }
    match Proxy::parse(&proxy) {
        Ok(proxy) => shown.push(format!("{proxy} {proxy:?}")),
        Err(error) => shown.push(error),
    }
    // The password is where URLs have one: in the authority, once.
    let is_password = |url: &str| {
        let Some((before, after)) = url.split_once(":PASSWORD@") else { return !url.contains(PASSWORD) };
        let user = before.split_once("://").map_or(before, |(_, user)| user);
        !user.contains(['/', '?', '#']) && !before.contains(PASSWORD) && !after.contains(PASSWORD)
    };
    if is_password(&server) && is_password(&proxy) && !none.contains(PASSWORD) {
        assert!(!shown.iter().any(|text| text.contains(PASSWORD)), "{shown:?}");
    }
    let _ = parse_timeout(&server);
}
