//! Connections that switch to another protocol.

use client_rs_streams::upgrade::Handshake;
use client_rs_transport::http::{Stream, upgraded};

use super::client::RestClient;
use super::execute::Answer;
use super::policy::Mode;
use crate::{Call, Error, Request};

/// A connection after the switch.
pub(crate) struct Upgraded {
    pub(crate) io: Stream,
    /// The protocol that the server has chosen.
    pub(crate) protocol: String,
    pub(crate) call: Call,
}

impl RestClient {
    /// Requests another protocol on a separate connection. The time limit of the request applies to the handshake.
    pub(crate) async fn upgrade(&self, request: Request, handshake: &Handshake) -> Result<Upgraded, Error> {
        let request = request.map_headers(|headers| handshake.ask(headers));
        let Answer { response, call, .. } = self.head(&request, Mode::Upgrade).await?;
        let protocol = match handshake.check(response.status(), response.headers()) {
            Ok(protocol) => protocol,
            Err(error) => return Err(Error::Upgrade { call, error }),
        };
        match upgraded(response, self.transport().target()).await {
            Ok(io) => Ok(Upgraded { io, protocol, call }),
            Err(error) => Err(Error::Transport { call, error, previous: None }),
        }
    }
}
