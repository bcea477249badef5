//! Servers in this process, which configs reach by their URL.

use std::sync::{Mutex, MutexGuard, PoisonError};

use http::Uri;

use super::Transport;

/// The servers, with a number for each registration.
static SERVERS: Mutex<Vec<(u64, Uri, Transport)>> = Mutex::new(Vec::new());

fn servers() -> MutexGuard<'static, Vec<(u64, Uri, Transport)>> {
    SERVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The registration of a transport as the way to a URL: as long as it lives, [`Transport::from_config`] returns that transport for
/// configs with this server.
///
/// It is for tests of programs that take a [`Config`](crate::Config): they run against a server in the same process without a
/// socket, and so on a paused clock. Credentials, proxy and TLS of the config are not used. Of several registrations for one
/// URL, the last one counts. Dropping it ends it; transports that were made meanwhile keep working.
///
/// ```
/// use client_rs_transport::Config;
/// use client_rs_transport::http::{Body, BoxError, InProcess, Target, Transport};
/// use http::{Request, Response, Uri};
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let target = Target { host: "here".to_owned(), port: 80, tls: false, server_name: None };
/// let service = tower::service_fn(|_: Request<Body>| async { Ok::<_, BoxError>(Response::new(Body::from("hello"))) });
/// let uri = Uri::from_static("http://here");
/// let registration = InProcess::register(&uri, Transport::from_service(target, service));
///
/// let transport = Transport::from_config(&Config::new(uri))?;
/// let response = transport.oneshot(Request::new(Body::empty())).await?;
/// assert_eq!(response.status(), 200);
/// # drop(registration);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "dropping it ends the registration"]
pub struct InProcess(u64);

impl InProcess {
    /// Registers a transport for a URL.
    pub fn register(server: &Uri, transport: Transport) -> Self {
        let mut servers = servers();
        let number = servers.last().map_or(0, |(last, ..)| last + 1);
        servers.push((number, server.clone(), transport));
        Self(number)
    }

    pub(super) fn find(server: &Uri) -> Option<Transport> {
        let servers = servers();
        let found = servers.iter().rev().find(|(_, uri, _)| uri == server);
        found.map(|(_, _, transport)| transport.clone())
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        let mut servers = servers();
        let place = servers.iter().position(|(number, ..)| *number == self.0);
        let removed = place.map(|place| servers.remove(place));
        drop(servers);
        // Without the lock: the transport may be the last of its kind.
        drop(removed);
    }
}
