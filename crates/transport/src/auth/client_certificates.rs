//! The client certificate, reloaded when its files change.

use std::{
    sync::{Arc, Mutex, PoisonError, Weak},
    time::{Duration, SystemTime},
};

use client_rs_machinery::Time;
use tokio::{sync::watch, time::Instant};

use super::{AuthError, exec::ExecAuthenticator};
use crate::task;
use crate::tls_source::{ClientIdentity, Material, TlsOptions};

/// The shortest time between two reads of the files, regardless of the number of new connections.
const AT_HANDSHAKE: Duration = Duration::from_secs(1);
/// The time between two reads without a new connection, so that old connections close.
const IN_BACKGROUND: Duration = Duration::from_mins(5);

/// Returns the client certificate for each handshake. A clone is a handle to the same source.
///
/// If certificate and key both come from files, the files are read again when a connection is made, at most once a second, and
/// every five minutes otherwise. If they can't be read or are not valid, the last valid certificate stays in use.
#[derive(Clone, Debug)]
pub struct ClientCertificates(Source);

#[derive(Clone, Debug)]
enum Source {
    None,
    Files(Arc<Files>),
    Exec(Arc<ExecAuthenticator>),
}

#[derive(Debug)]
struct Files {
    certificate: Material,
    key: Material,
    state: Mutex<State>,
    /// Only one task reads at a time; the others use its result.
    reading: tokio::sync::Mutex<()>,
    rotations: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    identity: Option<Arc<ClientIdentity>>,
    read_at: Option<Instant>,
    watched: bool,
}

impl ClientCertificates {
    /// No certificate at all.
    pub(crate) fn none() -> Self {
        Self(Source::None)
    }

    /// The certificate of a plugin.
    pub(crate) fn exec(authenticator: Arc<ExecAuthenticator>) -> Self {
        Self(Source::Exec(authenticator))
    }

    /// The certificate of these options. Nothing is read yet.
    pub(crate) fn of(tls: &TlsOptions) -> Result<Self, AuthError> {
        match (&tls.client_certificate, &tls.client_key) {
            (None, None) => Ok(Self::none()),
            (Some(certificate), Some(key)) => Ok(Self(Source::Files(Arc::new(Files {
                certificate: certificate.clone(),
                key: key.clone(),
                state: Mutex::default(),
                reading: tokio::sync::Mutex::default(),
                rotations: watch::Sender::new(0),
            })))),
            (Some(_), None) => {
                Err(AuthError::Certificate("there is a certificate, but no key for it".to_owned()))
            }
            (None, Some(_)) => {
                Err(AuthError::Certificate("there is a key, but no certificate for it".to_owned()))
            }
        }
    }

    /// Returns `true` if there can be no certificate.
    pub fn is_none(&self) -> bool {
        matches!(self.0, Source::None)
    }

    /// The certificate for a handshake that begins now. Equal certificates are the same `Arc`.
    pub async fn current(&self) -> Result<Option<Arc<ClientIdentity>>, AuthError> {
        match &self.0 {
            Source::None => Ok(None),
            Source::Exec(exec) => exec.get().await.map(|(credential, _)| credential.identity.clone()),
            Source::Files(files) => {
                files.watch();
                files.read_if_older_than(AT_HANDSHAKE).await.map(Some)
            }
        }
    }

    /// Returns a message if the certificate has expired, because a server that refuses it does not report the cause.
    pub(crate) async fn expired(&self) -> Option<String> {
        let identity = self.current().await.ok()??;
        let place = match &self.0 {
            Source::Files(files) => files.certificate.path().map(|path| path.display().to_string()),
            Source::None | Source::Exec(_) => None,
        };
        let place = place.map(|place| format!(" {place}")).unwrap_or_default();
        let end = identity.validity()?.not_after;
        let end = Time::try_from(end).ok().filter(|_| end < SystemTime::now())?;
        Some(format!("the client certificate{place} has expired at {end}: renew it"))
    }

    /// A counter that increases each time a certificate is replaced. Connections that were made before must close, so that the
    /// server no longer sees the old certificate. If the channel is closed, there will be no more replacements.
    pub fn rotations(&self) -> watch::Receiver<u64> {
        match &self.0 {
            Source::None => watch::channel(0).1,
            Source::Exec(exec) => exec.rotations(),
            Source::Files(files) => files.rotations.subscribe(),
        }
    }
}

impl Files {
    fn rotates(&self) -> bool {
        matches!((&self.certificate, &self.key), (Material::File(_), Material::File(_)))
    }

    /// Starts the task that checks the files periodically. It ends when the last handle is dropped.
    fn watch(self: &Arc<Self>) {
        if !self.rotates() || std::mem::replace(&mut self.lock().watched, true) {
            return;
        }
        let files = Arc::downgrade(self);
        task::spawn(async move {
            loop {
                tokio::time::sleep(IN_BACKGROUND).await;
                let Some(files) = Weak::upgrade(&files) else { return };
                // The error was logged, and the last valid certificate stays.
                let _ = files.read_if_older_than(AT_HANDSHAKE).await;
            }
        });
    }

    async fn read_if_older_than(self: &Arc<Self>, age: Duration) -> Result<Arc<ClientIdentity>, AuthError> {
        let fresh = |files: &Self| {
            let state = files.lock();
            let young = state.read_at.is_some_and(|read_at| !files.rotates() || read_at.elapsed() < age);
            state.identity.clone().filter(|_| young)
        };
        if let Some(identity) = fresh(self) {
            return Ok(identity);
        }
        let _reading = self.reading.lock().await;
        if let Some(identity) = fresh(self) {
            return Ok(identity);
        }
        let files = self.clone();
        let read = tokio::task::spawn_blocking(move || read(&files.certificate, &files.key));
        let read = read.await.map_err(|_| AuthError::Aborted)?;
        self.accept(read)
    }

    fn accept(&self, read: Result<ClientIdentity, AuthError>) -> Result<Arc<ClientIdentity>, AuthError> {
        let mut state = self.lock();
        state.read_at = Some(Instant::now());
        let identity = match (read, &state.identity) {
            (Ok(new), Some(old)) if new == **old => return Ok(old.clone()),
            (Ok(new), _) => Arc::new(new),
            (Err(error), Some(old)) => {
                tracing::warn!(%error, "keeping the last client certificate");
                return Ok(old.clone());
            }
            (Err(error), None) => return Err(error),
        };
        if let Some(validity) = identity.validity().filter(|validity| validity.not_after < SystemTime::now())
        {
            let path = self.certificate.path();
            tracing::warn!(?path, expired = ?validity.not_after, "the client certificate has expired");
        }
        let rotated = state.identity.replace(identity.clone()).is_some();
        drop(state);
        if rotated {
            tracing::info!(path = ?self.certificate.path(), "the client certificate was replaced");
            self.rotations.send_modify(|count| *count += 1);
        }
        Ok(identity)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(certificate: &Material, key: &Material) -> Result<ClientIdentity, AuthError> {
    let pem =
        |material: &Material| material.read().map_err(|error| AuthError::Certificate(error.to_string()));
    ClientIdentity::from_pem(&pem(certificate)?, &pem(key)?).map_err(|reason| {
        let place = [certificate, key].map(|material| material.path().map(|path| path.display().to_string()));
        let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
        AuthError::Certificate(if place.is_empty() { reason } else { format!("{reason} ({place})") })
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::test_certificates::self_signed;

    fn write(directory: &Path, name: &str) {
        let (certificate, key) = self_signed(name);
        std::fs::write(directory.join("tls.crt"), certificate).unwrap();
        std::fs::write(directory.join("tls.key"), key).unwrap();
    }

    fn in_files(directory: &Path) -> ClientCertificates {
        ClientCertificates::of(&TlsOptions {
            client_certificate: Some(Material::File(directory.join("tls.crt"))),
            client_key: Some(Material::File(directory.join("tls.key"))),
            ..TlsOptions::default()
        })
        .unwrap()
    }

    async fn current(certificates: &ClientCertificates) -> Arc<ClientIdentity> {
        certificates.current().await.unwrap().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn files_are_read_again_at_a_handshake_at_most_once_a_second() {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), "one");
        let certificates = in_files(directory.path());
        let rotations = certificates.rotations();
        let one = current(&certificates).await;
        write(directory.path(), "two");
        assert!(Arc::ptr_eq(&one, &current(&certificates).await), "less than a second ago");
        tokio::time::advance(AT_HANDSHAKE).await;
        let two = current(&certificates).await;
        assert_ne!(one, two);
        assert_eq!(*rotations.borrow(), 1);
        tokio::time::advance(AT_HANDSHAKE).await;
        assert!(Arc::ptr_eq(&two, &current(&certificates).await), "equal: the same one");
        assert_eq!(*rotations.borrow(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_is_noticed_without_a_handshake_so_that_old_connections_close() {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), "one");
        let certificates = in_files(directory.path());
        let mut rotations = certificates.rotations();
        let start = Instant::now();
        current(&certificates).await;
        write(directory.path(), "two");
        rotations.changed().await.unwrap();
        assert_eq!(start.elapsed().as_secs(), IN_BACKGROUND.as_secs());
        drop(certificates);
        assert!(rotations.changed().await.is_err(), "the task ends with the last handle");
    }

    #[tokio::test(start_paused = true)]
    async fn a_broken_replacement_keeps_the_last_certificate() {
        let directory = tempfile::tempdir().unwrap();
        let certificates = in_files(directory.path());
        let error = certificates.current().await.unwrap_err().to_string();
        assert!(error.contains("tls.crt"), "{error}");
        write(directory.path(), "one");
        let one = current(&certificates).await;
        for broken in ["", "hunter2"] {
            std::fs::write(directory.path().join("tls.crt"), broken).unwrap();
            tokio::time::advance(AT_HANDSHAKE).await;
            assert!(Arc::ptr_eq(&one, &current(&certificates).await));
        }
        std::fs::remove_file(directory.path().join("tls.key")).unwrap();
        tokio::time::advance(AT_HANDSHAKE).await;
        assert!(Arc::ptr_eq(&one, &current(&certificates).await));
        assert_eq!(*certificates.rotations().borrow(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn material_that_is_not_all_in_files_is_read_once() {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), "one");
        let certificates = ClientCertificates::of(&TlsOptions {
            client_certificate: Some(Material::Data(
                std::fs::read(directory.path().join("tls.crt")).unwrap().into(),
            )),
            client_key: Some(Material::File(directory.path().join("tls.key"))),
            ..TlsOptions::default()
        })
        .unwrap();
        let one = current(&certificates).await;
        write(directory.path(), "two");
        tokio::time::advance(IN_BACKGROUND * 2).await;
        assert!(Arc::ptr_eq(&one, &current(&certificates).await));
    }
}
