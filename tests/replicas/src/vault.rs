//! The tokens of the replicas: where they come from, and which of them the servers accept.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use anyhow::Result;
use bytes::Bytes;
use client_rs_transport::auth::{
    AuthOptions, AuthProviderConfig, Credentials, CredentialsOptions, Providers, Token, TokenProvider,
};
use client_rs_transport::http::{Body, BoxError, Transport};
use client_rs_transport::{Config, Secret};
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

/// The time that a token says it is valid, by the wall clock of the process that gets it.
const LIFETIME: Duration = Duration::from_mins(2);
const NAME: &str = "vault";

/// The tokens. They are numbers; the newest one is issued.
#[derive(Clone, Debug, Default)]
pub struct Vault(Arc<Mutex<Tokens>>);

#[derive(Debug, Default)]
struct Tokens {
    newest: u32,
    oldest: u32,
    hidden: bool,
}

impl Vault {
    fn tokens(&self) -> MutexGuard<'_, Tokens> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a new token. With `only`, all others are invalid from now on.
    pub fn rotate(&self, only: bool) {
        let mut tokens = self.tokens();
        tokens.newest += 1;
        if only {
            tokens.oldest = tokens.newest;
        }
    }

    /// Lets nobody get a token, or everybody again.
    pub fn hide(&self, hidden: bool) {
        self.tokens().hidden = hidden;
    }

    fn accepts(&self, header: Option<&HeaderValue>) -> bool {
        let token =
            header.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer ")?.parse::<u32>().ok());
        let tokens = self.tokens();
        token.is_some_and(|token| (tokens.oldest..=tokens.newest).contains(&token))
    }

    /// The credentials of a process.
    pub fn credentials(&self) -> Result<Credentials> {
        let mut providers = Providers::default();
        let vault = self.clone();
        providers.register(NAME, move |_| Ok(Arc::new(vault.clone())))?;
        let auth = AuthOptions::default().with_provider(AuthProviderConfig::default().with_name(NAME));
        let config = Config::new("https://sim".parse()?).with_auth(auth);
        Ok(Credentials::new(&config, &CredentialsOptions::default().with_providers(providers))?)
    }

    /// A server that accepts only valid tokens.
    pub fn guard(&self, server: Transport) -> Transport {
        let (vault, target) = (self.clone(), server.target().clone());
        let guarded = tower::service_fn(move |mut request: Request<Body>| {
            let (accepted, server) =
                (vault.accepts(request.headers().get(header::AUTHORIZATION)), server.clone());
            async move {
                if !accepted {
                    return Ok(unauthorized());
                }
                request.headers_mut().remove(header::AUTHORIZATION);
                server.oneshot(request).await
            }
        });
        Transport::from_service(target, guarded)
    }
}

impl TokenProvider for Vault {
    fn fetch(&self) -> Pin<Box<dyn Future<Output = Result<Token, String>> + Send>> {
        let vault = self.clone();
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let tokens = vault.tokens();
            if tokens.hidden {
                return Err("the vault is closed".to_owned());
            }
            let token = Secret::from(tokens.newest.to_string());
            Ok(Token { token, expiry: Some(SystemTime::now() + LIFETIME) })
        })
    }
}

fn unauthorized() -> Response<Body> {
    let text = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","code":401,"reason":"Unauthorized","message":"Unauthorized"}"#;
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Sends a request with a token, and once more if the token was refused and there is another one, as a transport does.
pub async fn send(
    credentials: &Credentials,
    inner: Transport,
    request: Request<Body>,
) -> Result<Response<Body>, BoxError> {
    let (parts, body) = request.into_parts();
    let bytes: Bytes = body.collect().await?.to_bytes();
    let mut again = true;
    loop {
        let mut parts = parts.clone();
        let stamp = credentials.apply(&mut parts.headers).await?;
        let response = inner.clone().oneshot(Request::from_parts(parts, Body::from(bytes.clone()))).await?;
        if response.status() != StatusCode::UNAUTHORIZED || !again || !credentials.refused(&stamp).await {
            return Ok(response);
        }
        again = false;
    }
}
