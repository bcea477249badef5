//! A bearer token in a file that another program keeps fresh.

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

/// The time until a token file is read again: a minute minus some leeway.
const REREAD_AFTER: Duration = Duration::from_secs(50);

/// The `Authorization` header from a token file. Until the file can be read, `token` is used, if given.
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

/// Reads the token in the file, without surrounding white space.
pub(crate) fn read_token(path: &Path) -> Result<Secret, AuthError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| AuthError::TokenFile { path: path.to_owned(), error: Arc::new(error) })?;
    match text.trim() {
        "" => Err(AuthError::EmptyTokenFile { path: path.to_owned() }),
        token => Ok(Secret::from(token)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn token(flight: &SingleFlight<HeaderValue>) -> String {
        flight.get().await.unwrap().0.to_str().unwrap().to_owned()
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_file_is_read_again_and_a_missing_or_empty_one_keeps_the_last_token() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("token");
        std::fs::write(&file, " one\n").unwrap();
        let flight = token_file(file.clone(), Some(&"static".into()), Clock::paused()).unwrap();
        assert_eq!(token(&flight).await, "Bearer one", "the file takes precedence over the static token");
        std::fs::write(&file, "two").unwrap();
        tokio::time::advance(Duration::from_secs(49)).await;
        assert_eq!(token(&flight).await, "Bearer one");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(token(&flight).await, "Bearer two");
        for broken in [Some(" \n"), None] {
            match broken {
                Some(text) => std::fs::write(&file, text).unwrap(),
                None => std::fs::remove_file(&file).unwrap(),
            }
            tokio::time::advance(REREAD_AFTER).await;
            assert_eq!(token(&flight).await, "Bearer two", "{broken:?}");
        }
        std::fs::write(&file, "three").unwrap();
        assert_eq!(token(&flight).await, "Bearer three", "and the next request reads again");
    }

    #[tokio::test(start_paused = true)]
    async fn a_bad_file_is_an_error_if_there_is_no_earlier_token() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("token");
        let flight = token_file(file.clone(), None, Clock::paused()).unwrap();
        assert!(matches!(flight.get().await, Err(AuthError::TokenFile { .. })));
        std::fs::write(&file, "\n").unwrap();
        assert!(matches!(flight.get().await, Err(AuthError::EmptyTokenFile { .. })));
        let flight =
            token_file(directory.path().join("none"), Some(&"static".into()), Clock::paused()).unwrap();
        assert_eq!(token(&flight).await, "Bearer static");
    }
}
