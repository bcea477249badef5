//! URLs, by the rules of `net/url`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use client_rs_machinery::go_quoted;

use super::address;

/// The parts of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// In lower case; empty if the URL has none.
    pub scheme: String,
    /// The host with the port.
    pub host: String,
    /// The text behind the scheme, if no slash follows it.
    opaque: String,
    user: Option<String>,
    /// The path without escapes.
    path: Vec<u8>,
    /// The path with its original escapes.
    raw_path: String,
    query: String,
    fragment: String,
}

/// Parses the target of a request: an absolute URL, or a path.
pub fn request_uri(text: &str) -> Result<Url, String> {
    parse(text, true).map_err(|why| format!("parse {}: {why}", go_quoted(text)))
}

/// Parses a URL, with its fragment.
pub(crate) fn url(text: &str) -> Result<Url, String> {
    let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
    let mut url = parse(before, false).map_err(|why| format!("parse {}: {why}", go_quoted(before)))?;
    unescape(fragment, Part::Other).map_err(|why| format!("parse {}: {why}", go_quoted(text)))?;
    fragment.clone_into(&mut url.fragment);
    Ok(url)
}

impl Url {
    /// Returns the number of its bytes.
    pub(crate) fn len(&self) -> usize {
        let user = self.user.as_ref().map_or(0, String::len);
        let host = self.scheme.len() + self.opaque.len() + user + self.host.len();
        host + self.path.len() + self.raw_path.len() + self.query.len()
    }

    /// Returns the host without its port and brackets.
    pub(crate) fn hostname(&self) -> &str {
        let host = self.split().0;
        host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
    }

    /// Returns the port; empty if the URL has none.
    pub(crate) fn port(&self) -> &str {
        self.split().1
    }

    fn split(&self) -> (&str, &str) {
        match self.host.rfind(':') {
            Some(colon) if is_port(&self.host[colon..]) => (&self.host[..colon], &self.host[colon + 1..]),
            _ => (&self.host, ""),
        }
    }

    /// Returns the path; characters that are not allowed in a path are escaped.
    pub(crate) fn escaped_path(&self) -> String {
        let kept = |letter: u8| b"!$&'()*+,;=:@[]%".contains(&letter) || stands(letter, Part::Path);
        if self.raw_path.bytes().all(kept) {
            return self.raw_path.clone();
        }
        if self.path == b"*" {
            return "*".to_owned();
        }
        self.path.iter().fold(String::new(), |mut out, &letter| {
            if stands(letter, Part::Path) {
                out.push(char::from(letter));
            } else {
                let _ = write!(out, "%{letter:02X}");
            }
            out
        })
    }

    /// Returns each key of the query with its values, in the order of the keys.
    pub(crate) fn query(&self) -> Vec<(String, Vec<String>)> {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let pairs = self.query.split('&').filter(|pair| !pair.is_empty() && !pair.contains(';'));
        for pair in pairs {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            if let (Ok(key), Ok(value)) = (unescape(key, Part::Query), unescape(value, Part::Query)) {
                let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
                found.entry(text(key)).or_default().push(text(value));
            }
        }
        found.into_iter().collect()
    }
}

/// The part of the URL that a character is in: each part allows other characters without escapes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Host,
    Zone,
    Query,
    Other,
}

fn stands(letter: u8, part: Part) -> bool {
    letter.is_ascii_alphanumeric()
        || b"-_.~".contains(&letter)
        || match part {
            Part::Host | Part::Zone => b"!$&'()*+,;=:[]<>\"".contains(&letter),
            Part::Path => b"$&+,/:;=@".contains(&letter),
            Part::Query | Part::Other => false,
        }
}

fn unescape(text: &str, part: Part) -> Result<Vec<u8>, String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&letter) = bytes.get(at) {
        match letter {
            b'%' => {
                let escape = |to: usize| {
                    let shown = String::from_utf8_lossy(&bytes[at..bytes.len().min(to)]);
                    format!("invalid URL escape {}", go_quoted(&shown))
                };
                let digit = |at: usize| bytes.get(at).and_then(|&digit| char::from(digit).to_digit(16));
                let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) else {
                    return Err(escape(at + 3));
                };
                let value = u8::try_from(high * 16 + low).unwrap_or_default();
                let percent = &bytes[at..at + 3] == b"%25";
                if part == Part::Host && high < 8 && !percent {
                    return Err(escape(at + 3));
                }
                if part == Part::Zone && !percent && value != b' ' && !stands(value, Part::Host) {
                    return Err(escape(at + 3));
                }
                out.push(value);
                at += 3;
            }
            b'+' if part == Part::Query => {
                out.push(b' ');
                at += 1;
            }
            _ => {
                if matches!(part, Part::Host | Part::Zone) && letter < 0x80 && !stands(letter, part) {
                    let shown = go_quoted(&char::from(letter).to_string());
                    return Err(format!("invalid character {shown} in host name"));
                }
                out.push(letter);
                at += 1;
            }
        }
    }
    Ok(out)
}

fn parse(text: &str, request: bool) -> Result<Url, String> {
    if text.bytes().any(|letter| letter < b' ' || letter == 0x7f) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    if text.is_empty() && request {
        return Err("empty url".to_owned());
    }
    let mut url = Url {
        scheme: String::new(),
        host: String::new(),
        opaque: String::new(),
        user: None,
        path: Vec::new(),
        raw_path: String::new(),
        query: String::new(),
        fragment: String::new(),
    };
    if text == "*" {
        url.path = b"*".to_vec();
        "*".clone_into(&mut url.raw_path);
        return Ok(url);
    }
    let (scheme, rest) = scheme(text)?;
    url.scheme = scheme.to_ascii_lowercase();
    let (mut rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    query.clone_into(&mut url.query);
    if !rest.starts_with('/') {
        if !url.scheme.is_empty() {
            rest.clone_into(&mut url.opaque);
            return Ok(url);
        }
        if request {
            return Err("invalid URI for request".to_owned());
        }
        if rest.split('/').next().unwrap_or_default().contains(':') {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    if (!url.scheme.is_empty() || !request && !rest.starts_with("///"))
        && let Some(after) = rest.strip_prefix("//")
    {
        let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
        rest = path;
        let (user, shown) = match authority.rsplit_once('@') {
            Some((user, shown)) => (Some(user), shown),
            None => (None, authority),
        };
        url.host = host(&url.scheme, shown)?;
        if let Some(user) = user {
            let known =
                |letter: char| letter.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(letter);
            if !user.chars().all(known) {
                return Err("net/url: invalid userinfo".to_owned());
            }
            unescape(user, Part::Other)?;
            url.user = Some(user.to_owned());
        }
    }
    url.path = unescape(rest, Part::Path)?;
    rest.clone_into(&mut url.raw_path);
    Ok(url)
}

fn scheme(text: &str) -> Result<(&str, &str), String> {
    for (at, letter) in text.bytes().enumerate() {
        match letter {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok((&text[..at], &text[at + 1..])),
            _ => break,
        }
    }
    Ok(("", text))
}

fn host(scheme: &str, host: &str) -> Result<String, String> {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let port = |port: &str| format!("invalid port {} after host", go_quoted(port));
    match host.rfind('[') {
        Some(0) => {
            let close = host.rfind(']').ok_or("missing ']' in host")?;
            let (inner, after) = (&host[1..close], &host[close + 1..]);
            if !is_port(after) {
                return Err(port(after));
            }
            let name = match inner.find("%25") {
                Some(zone) => {
                    let before = text(unescape(&inner[..zone], Part::Host)?);
                    before + &text(unescape(&inner[zone..], Part::Zone)?)
                }
                None => text(unescape(inner, Part::Host)?),
            };
            let (found, _) = address(&name).map_err(|why| format!("invalid host: {why}"))?;
            if found.is_ipv4() {
                return Err("invalid IP-literal".to_owned());
            }
            return Ok(format!("[{name}]{after}"));
        }
        Some(_) => return Err("invalid IP-literal".to_owned()),
        None => {}
    }
    let colon = if matches!(scheme, "http" | "https") { host.find(':') } else { host.rfind(':') };
    if let Some(colon) = colon
        && !is_port(&host[colon..])
    {
        return Err(port(&host[colon..]));
    }
    Ok(text(unescape(host, Part::Host)?))
}

/// Whether a text is empty, or a colon and digits.
fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|at| at.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_split_into_its_parts() {
        let found = url("https://me:pw@[fe80::1%25eth0]:80/a%20b/ä?x=1&x=%zz&y=a+b#top").unwrap();
        assert_eq!((found.hostname(), found.port()), ("fe80::1%eth0", "80"));
        assert_eq!(found.escaped_path(), "/a%20b/%C3%A4");
        assert_eq!(
            found.query(),
            [("x".to_owned(), vec!["1".to_owned()]), ("y".to_owned(), vec!["a b".to_owned()])]
        );
        assert_eq!(
            request_uri("https://a%zz/").unwrap_err(),
            "parse \"https://a%zz/\": invalid URL escape \"%zz\""
        );
    }

    #[test]
    fn nothing_panics() {
        for text in [
            "[",
            "http://[",
            "http://]",
            "http://[]",
            "é://",
            "http://é:é",
            "http://a%",
            "//",
            "///",
            "?",
            "#",
            ":",
        ] {
            let _ = (url(text), request_uri(text));
        }
    }
}
