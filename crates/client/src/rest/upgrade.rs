//! Connections that become something else.

use client_rs_streams::upgrade::Handshake;
use client_rs_transport::http::{Stream, upgraded};

use super::client::RestClient;
use super::execute::Answer;
use super::policy::Mode;
use crate::{Call, Error, Request};

/// A connection that speaks what was agreed on.
pub(crate) struct Upgraded {
    pub(crate) io: Stream,
    /// The protocol that the server has chosen.
    pub(crate) protocol: String,
    pub(crate) call: Call,
}

impl RestClient {
    /// Asks for another protocol, on a connection of its own. The time that a request may take is that of the agreement.
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
