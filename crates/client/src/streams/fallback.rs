//! WebSocket first, then SPDY.

use client_rs_streams::upgrade::Handshake;

use crate::rest::Upgraded;
use crate::{Error, Request, RestClient, Verb};

/// The protocol that a server has agreed to.
pub(super) enum Agreed {
    WebSocket(Upgraded),
    Spdy(Upgraded),
}

/// Requests a WebSocket with one of the first protocols and, if the server refuses, SPDY with one of the second.
pub(super) async fn agree(
    rest: &RestClient,
    request: Request,
    websocket: &[String],
    spdy: &[&str],
) -> Result<Agreed, Error> {
    // A WebSocket begins with GET (RFC 6455); SPDY has always used POST.
    let get = request.clone().with_verb(Verb::Get);
    let first = match rest.upgrade(get, &Handshake::websocket(websocket)).await {
        Ok(upgraded) => return Ok(Agreed::WebSocket(upgraded)),
        Err(error) if is_refusal(&error) => error,
        Err(error) => return Err(error),
    };
    tracing::debug!(error = %first, "no WebSocket: trying SPDY");
    match rest.upgrade(request.with_verb(Verb::Post), &Handshake::spdy(spdy.iter().copied())).await {
        Ok(upgraded) => Ok(Agreed::Spdy(upgraded)),
        // The server refuses both: the first response is more useful.
        Err(error) if is_refusal(&error) => Err(first),
        Err(error) => Err(error),
    }
}

/// Requests a WebSocket with this protocol.
pub(super) async fn only_websocket(
    rest: &RestClient,
    request: Request,
    protocol: &str,
) -> Result<Agreed, Error> {
    let handshake = Handshake::websocket([protocol]);
    rest.upgrade(request.with_verb(Verb::Get), &handshake).await.map(Agreed::WebSocket)
}

/// Returns `true` if another protocol may succeed.
///
/// This includes 403: old servers respond with it to unknown protocols, and a role that permits only `create` of `pods/exec`
/// permits `POST`, not `GET`. A missing pod is missing for SPDY too.
pub(super) fn is_refusal(error: &Error) -> bool {
    match error {
        Error::Upgrade { .. } => true,
        Error::Api { error, .. } => {
            matches!(error.code(), 200..=206 | 400 | 403 | 405 | 406 | 426 | 501 | 502 | 505)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use client_rs_transport::http::Body;
    use http::Response;

    use super::*;
    use crate::fake_api::FakeApi;

    async fn asked(websocket: u16, spdy: u16) -> (Vec<String>, u16) {
        let server = FakeApi::new(move |heard| {
            let code = if heard.header("upgrade") == "websocket" { websocket } else { spdy };
            Ok(Response::builder().status(code).body(Body::from("no")).unwrap())
        });
        let request =
            Request::post().api("", "v1").namespace("a").resource("pods").name("b").subresource(["exec"]);
        let outcome = agree(&server.client(), request, &["v5.channel.k8s.io".to_owned()], &["v4"]).await;
        let code = match outcome.err().unwrap() {
            Error::Api { error, .. } => u16::try_from(error.code()).unwrap(),
            _ => 101,
        };
        let heard = server.heard();
        let calls = heard.iter().map(|heard| format!("{} {}", heard.method, heard.header("upgrade")));
        (calls.collect(), code)
    }

    #[tokio::test]
    async fn t8_1_02_spdy_is_tried_where_it_may_fare_better() {
        let both = ["GET websocket", "POST SPDY/3.1"];
        for (websocket, spdy, told) in
            [(403, 404, 404), (400, 403, 400), (403, 500, 500), (501, 501, 501), (101, 404, 404)]
        {
            let (calls, code) = asked(websocket, spdy).await;
            assert_eq!((calls.as_slice(), code), (&both.map(str::to_owned)[..], told), "{websocket} {spdy}");
        }
        for websocket in [401, 404, 409, 429, 500] {
            let (calls, code) = asked(websocket, 200).await;
            assert_eq!((calls.as_slice(), code), (&["GET websocket".to_owned()][..], websocket));
        }
    }
}
