//! Requests that are for somebody behind the server.

use std::time::Duration;

use client_rs_transport::http::{Body, Stream, TransportError, upgraded};
use http::Response;
use tokio::time::Instant;

use super::client::RestClient;
use super::execute::Answer;
use super::policy::Mode;
use super::response;
use crate::proxy::sort_out;
use crate::{Error, Request};

impl RestClient {
    /// The answer as it arrives, whatever its status; what the server itself says is an error, unless `every` answer is
    /// asked for.
    pub(crate) async fn pass_on(
        &self,
        request: Request,
        limit: Option<Duration>,
        every: bool,
    ) -> Result<Response<Body>, Error> {
        request.check()?;
        // A limit of the request itself would be told the server, and so the backend, in the query.
        let deadline = match limit {
            Some(limit) => Instant::now().checked_add(limit).map(|at| (at, limit)),
            None => self.deadline(&request),
        };
        let Answer { response, call } = self.execute(&request, Mode::Stream, deadline).await?;
        let response = match deadline {
            Some((deadline, limit)) => response.map(|body| response::until(body, deadline, limit)),
            None => response,
        };
        if every || response::is_success(response.status()) {
            return Ok(response);
        }
        match sort_out(response).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(Error::Api { call, error }),
            Err(error) => Err(Error::Transport { call, error, previous: None }),
        }
    }

    /// The connection of an answer that agrees to another protocol.
    pub(crate) async fn switched(&self, response: Response<Body>) -> Result<Stream, TransportError> {
        upgraded(response, self.transport().target()).await
    }
}
