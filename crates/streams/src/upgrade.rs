//! How an HTTP/1.1 connection becomes one of streams: the headers of both sides.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION,
    UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use sha1::{Digest, Sha1};
use std::hash::{BuildHasher, RandomState};

/// The prefix of a protocol's name when its SPDY is tunnelled through a WebSocket.
pub const TUNNEL_PREFIX: &str = "SPDY/3.1+";

const SPDY: &str = "SPDY/3.1";
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("x-stream-protocol-version");

/// A handshake that came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandshakeError {
    /// The answer was no.
    #[error("the server answered {0}")]
    Status(StatusCode),
    /// The answer does not fit the question.
    #[error("the server agreed to {0}")]
    Answer(String),
    /// The question is none: what it lacks.
    #[error("unable to upgrade: {0}")]
    Request(String),
    /// The two have no protocol in common.
    #[error("unable to upgrade: no protocol in common: {asked:?} was asked for, there is {supported:?}")]
    Protocol {
        /// The protocols that the client offered.
        asked: Vec<String>,
        /// The protocols that the server supports.
        supported: Vec<String>,
    },
}

/// A client's side of a handshake: what it sends, and what it then expects.
#[derive(Clone, Debug)]
pub struct Handshake {
    kind: Kind,
    protocols: Vec<String>,
}

#[derive(Clone, Debug)]
enum Kind {
    WebSocket { key: String },
    Spdy,
}

impl Handshake {
    /// For a WebSocket with one of these protocols, the best first. Goes with `GET`.
    pub fn websocket<P: Into<String>>(protocols: impl IntoIterator<Item = P>) -> Self {
        let halves = [0_u8, 1].map(|half| RandomState::new().hash_one(half).to_ne_bytes());
        let kind = Kind::WebSocket { key: STANDARD.encode(halves.concat()) };
        Self { kind, protocols: protocols.into_iter().map(Into::into).collect() }
    }

    /// For SPDY/3.1 with one of these protocols, the best first. Goes with `POST`.
    pub fn spdy<P: Into<String>>(protocols: impl IntoIterator<Item = P>) -> Self {
        Self { kind: Kind::Spdy, protocols: protocols.into_iter().map(Into::into).collect() }
    }

    /// Puts its headers into a request. A protocol that can't stand in a header is left out.
    pub fn ask(&self, headers: &mut HeaderMap) {
        headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        match &self.kind {
            Kind::WebSocket { key } => {
                headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
                headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
                if let Ok(key) = HeaderValue::from_str(key) {
                    headers.insert(SEC_WEBSOCKET_KEY, key);
                }
                if let Ok(protocols) = HeaderValue::from_str(&self.protocols.join(", ")) {
                    headers.insert(SEC_WEBSOCKET_PROTOCOL, protocols);
                }
            }
            Kind::Spdy => {
                headers.insert(UPGRADE, HeaderValue::from_static(SPDY));
                for protocol in &self.protocols {
                    if let Ok(protocol) = HeaderValue::from_str(protocol) {
                        headers.append(PROTOCOL_VERSION, protocol);
                    }
                }
            }
        }
    }

    /// The protocol that the server has chosen.
    ///
    /// A server that agrees to SPDY and names no protocol speaks the first there was, whose name is empty.
    pub fn check(&self, status: StatusCode, headers: &HeaderMap) -> Result<String, HandshakeError> {
        if status != StatusCode::SWITCHING_PROTOCOLS {
            return Err(HandshakeError::Status(status));
        }
        let (upgrade, protocol) = match &self.kind {
            Kind::WebSocket { key } => {
                if text(headers, &SEC_WEBSOCKET_ACCEPT) != accept_key(key) {
                    return Err(HandshakeError::Answer("another WebSocket than was asked for".to_owned()));
                }
                ("websocket", SEC_WEBSOCKET_PROTOCOL)
            }
            Kind::Spdy => (SPDY, PROTOCOL_VERSION),
        };
        let agreed = text(headers, &UPGRADE);
        if !agreed.eq_ignore_ascii_case(upgrade) || !has_upgrade(headers) {
            return Err(HandshakeError::Answer(format!("{agreed:?}, where {upgrade} was asked for")));
        }
        let chosen = text(headers, &protocol);
        let oldest = matches!(self.kind, Kind::Spdy) && chosen.is_empty();
        if oldest || self.protocols.contains(&chosen) {
            return Ok(chosen);
        }
        Err(HandshakeError::Answer(format!(
            "the protocol {chosen:?}, where {:?} was asked for",
            self.protocols
        )))
    }
}

/// The upgrade that a client requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A WebSocket.
    WebSocket,
    /// SPDY/3.1.
    Spdy,
}

/// Returns the upgrade that a request asks for, if any.
pub fn asked(headers: &HeaderMap) -> Option<Asked> {
    if !has_upgrade(headers) {
        return None;
    }
    let upgrade = text(headers, &UPGRADE);
    if upgrade.eq_ignore_ascii_case("websocket") {
        Some(Asked::WebSocket)
    } else {
        upgrade.eq_ignore_ascii_case(SPDY).then_some(Asked::Spdy)
    }
}

/// A server's answer: the headers of its 101, and the protocol, the client's first that is supported.
///
/// A WebSocket client may name none, which is answered with none: an empty text.
pub fn answer(headers: &HeaderMap, supported: &[&str]) -> Result<(HeaderMap, String), HandshakeError> {
    let mut answer = HeaderMap::new();
    answer.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    let Some(asked) = asked(headers) else {
        return Err(HandshakeError::Request(
            "the request has no Upgrade to websocket or SPDY/3.1".to_owned(),
        ));
    };
    let name = match asked {
        Asked::WebSocket => {
            let key = text(headers, &SEC_WEBSOCKET_KEY);
            if key.is_empty() || text(headers, &SEC_WEBSOCKET_VERSION) != "13" {
                return Err(HandshakeError::Request(
                    "it has no key, or not version 13 of WebSocket".to_owned(),
                ));
            }
            answer.insert(UPGRADE, HeaderValue::from_static("websocket"));
            if let Ok(accept) = HeaderValue::from_str(&accept_key(&key)) {
                answer.insert(SEC_WEBSOCKET_ACCEPT, accept);
            }
            SEC_WEBSOCKET_PROTOCOL
        }
        Asked::Spdy => {
            answer.insert(UPGRADE, HeaderValue::from_static(SPDY));
            PROTOCOL_VERSION
        }
    };
    let wanted: Vec<String> = headers
        .get_all(&name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','))
        .map(|protocol| protocol.trim().to_owned())
        .filter(|protocol| !protocol.is_empty())
        .collect();
    if wanted.is_empty() {
        return Ok((answer, String::new()));
    }
    let Some(chosen) = wanted.iter().find(|wanted| supported.contains(&wanted.as_str())) else {
        let supported = supported.iter().map(|name| (*name).to_owned()).collect();
        return Err(HandshakeError::Protocol { asked: wanted, supported });
    };
    if let Ok(value) = HeaderValue::from_str(chosen) {
        answer.insert(name, value);
    }
    Ok((answer, chosen.clone()))
}

fn has_upgrade(headers: &HeaderMap) -> bool {
    let values = headers.get_all(CONNECTION).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|list| list.split(',')).any(|token| token.trim().eq_ignore_ascii_case("upgrade"))
}

fn text(headers: &HeaderMap, name: &HeaderName) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().trim().to_owned()
}

/// The accept key that a server derives from a client's key (RFC 6455, section 4.2.2). It proves that the server understood the handshake.
fn accept_key(key: &str) -> String {
    const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    STANDARD.encode(Sha1::digest(format!("{key}{GUID}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreed(handshake: &Handshake, supported: &[&str]) -> Result<String, HandshakeError> {
        let mut request = HeaderMap::new();
        handshake.ask(&mut request);
        let (headers, chosen) = answer(&request, supported)?;
        assert_eq!(handshake.check(StatusCode::SWITCHING_PROTOCOLS, &headers)?, chosen);
        Ok(chosen)
    }

    #[test]
    fn the_example_of_the_rfc_holds() {
        assert_eq!(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    #[test]
    fn t8_1_01_both_sides_agree_on_the_clients_first_that_the_server_has() {
        let names = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
        for handshake in [Handshake::websocket(names), Handshake::spdy(names)] {
            assert_eq!(agreed(&handshake, &names).unwrap(), names[0]);
            assert_eq!(agreed(&handshake, &names[1..]).unwrap(), names[1]);
            assert!(matches!(agreed(&handshake, &["other"]), Err(HandshakeError::Protocol { .. })));
        }
        let none: [&str; 0] = [];
        assert_eq!(agreed(&Handshake::spdy(none), &names).unwrap(), "");
    }

    #[test]
    fn t8_1_01_an_answer_that_does_not_fit_is_refused() {
        let handshake = Handshake::websocket(["v5"]);
        let mut request = HeaderMap::new();
        handshake.ask(&mut request);
        let (headers, _) = answer(&request, &["v5"]).unwrap();
        let switching = StatusCode::SWITCHING_PROTOCOLS;
        assert_eq!(
            handshake.check(StatusCode::FORBIDDEN, &headers),
            Err(HandshakeError::Status(StatusCode::FORBIDDEN))
        );
        for (name, value) in [
            (SEC_WEBSOCKET_PROTOCOL, "v1"),
            (SEC_WEBSOCKET_ACCEPT, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
            (UPGRADE, "h2c"),
            (CONNECTION, "close"),
        ] {
            let mut other = headers.clone();
            other.insert(name, HeaderValue::from_static(value));
            assert!(matches!(handshake.check(switching, &other), Err(HandshakeError::Answer(_))), "{value}");
        }
        assert!(handshake.check(switching, &Handshake::websocket(["v5"]).answered()).is_err(), "another key");
    }

    impl Handshake {
        fn answered(&self) -> HeaderMap {
            let mut request = HeaderMap::new();
            self.ask(&mut request);
            answer(&request, &["v5"]).unwrap().0
        }
    }

    #[test]
    fn a_request_without_upgrade_is_none() {
        assert!(matches!(answer(&HeaderMap::new(), &["v5"]), Err(HandshakeError::Request(_))));
        assert_eq!(asked(&HeaderMap::new()), None);
    }
}
