//! A bearer token in a file that someone else keeps fresh.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use http::HeaderValue;
use tokio::time::Instant;

use super::{
    AuthError,
    credentials::bearer,
    refresh::{Expiry, Failure, Refresh},
    single_flight::{Clock, SingleFlight},
};
use crate::Secret;

/// A token read is used for a minute less this much leeway.
const REREAD_AFTER: Duration = Duration::from_secs(50);

/// The `Authorization` header from a token file. Until the file can be read, `token` is used, if there is one.
pub(super) fn token_file(
    path: PathBuf,
    token: Option<&Secret>,
    clock: Clock,
) -> Result<SingleFlight<HeaderValue>, AuthError> {
    let refresh = match token {
        Some(token) => Refresh::seeded(Failure::Kept, bearer(token)?, Expiry::After(Instant::now())),
        None => Refresh::new(Failure::Kept),
    };
    let path = Arc::new(path);
    Ok(SingleFlight::new(refresh, clock, move || {
        let path = path.clone();
        Box::pin(async move {
            let read = tokio::task::spawn_blocking(move || read_token(&path));
            let token = read.await.map_err(|_| AuthError::Aborted)??;
            Ok((bearer(&token)?, Expiry::After(Instant::now() + REREAD_AFTER)))
        })
    }))
}

/// The token in the file, without white space around it.
pub(crate) fn read_token(path: &Path) -> Result<Secret, AuthError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| AuthError::TokenFile { path: path.to_owned(), error: Arc::new(error) })?;
    match text.trim() {
        "" => Err(AuthError::EmptyTokenFile { path: path.to_owned() }),
        token => Ok(Secret::from(token)),
    }
}
