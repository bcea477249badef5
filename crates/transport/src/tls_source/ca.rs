//! The authorities that may sign the server's certificate, reloaded when their file changes.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use client_rs_machinery::features::{Feature, FeatureGates};
use rustls_pki_types::{CertificateDer, pem::PemObject};
use tokio::time::Instant;

use super::{Material, MaterialError, TlsOptions};
use crate::metrics::{CaReload, CredentialMetrics};

/// The shortest time between two reads of a CA file.
const CHECK: Duration = Duration::from_mins(5);

/// Returns the current authorities to trust. A clone is a handle to the same source.
///
/// A CA file is read again on use, at most every five minutes. If it can't be read, is empty, or is not PEM, the last valid
/// authorities stay in use. With the feature gate `ClientsAllowCARotation` off, it is read only once.
#[derive(Clone)]
pub struct CaSource(Arc<Inner>);

struct Inner {
    material: Option<Material>,
    rotates: bool,
    metrics: Arc<dyn CredentialMetrics>,
    state: Mutex<Option<State>>,
    reading: tokio::sync::Mutex<()>,
}

#[derive(Clone)]
struct State {
    pem: Bytes,
    roots: Roots,
    checked_at: Instant,
}

/// The authorities to trust. A higher generation replaces a lower one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Roots {
    /// The number of replacements so far.
    pub generation: u64,
    /// The authorities. `None` means those of the operating system, and an empty list means that no server is trusted.
    pub certificates: Option<Arc<[CertificateDer<'static>]>>,
}

impl CaSource {
    /// The authorities of these options. Nothing is read yet.
    pub fn new(tls: &TlsOptions, gates: &FeatureGates, metrics: Arc<dyn CredentialMetrics>) -> Self {
        let rotates =
            matches!(tls.ca, Some(Material::File(_))) && gates.enabled(Feature::ClientsAllowCaRotation);
        Self(Arc::new(Inner {
            material: tls.ca.clone(),
            rotates,
            metrics,
            state: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
        }))
    }

    /// Returns `true` if changes of the file will be noticed.
    pub fn rotates(&self) -> bool {
        self.0.rotates
    }

    /// The authorities to trust now. Fails only if they could not be read the first time. It is safe to drop the future.
    pub async fn current(&self) -> Result<Roots, MaterialError> {
        let Some(material) = &self.0.material else { return Ok(Roots { generation: 0, certificates: None }) };
        if let Some(roots) = self.fresh() {
            return Ok(roots);
        }
        let _reading = self.0.reading.lock().await;
        if let Some(roots) = self.fresh() {
            return Ok(roots);
        }
        let file = material.clone();
        let read = tokio::task::spawn_blocking(move || file.read()).await.unwrap_or_else(|error| {
            let path = material.path().unwrap_or_else(|| "".as_ref()).to_owned();
            Err(MaterialError { path, error: Arc::new(std::io::Error::other(error)) })
        });
        let last = self.lock().clone();
        match last {
            None => self.begin(read),
            Some(last) => Ok(self.follow(last, read)),
        }
    }

    fn fresh(&self) -> Option<Roots> {
        let state = self.lock();
        let state = state.as_ref()?;
        (!self.0.rotates || state.checked_at.elapsed() < CHECK).then(|| state.roots.clone())
    }

    fn begin(&self, read: Result<Bytes, MaterialError>) -> Result<Roots, MaterialError> {
        let pem = read?;
        let certificates = match parse(&pem) {
            // An empty file that may be filled later trusts no server until then.
            None if pem.is_empty() && !self.0.rotates => None,
            None if pem.is_empty() => Some([].into()),
            None => {
                let path = self
                    .0
                    .material
                    .as_ref()
                    .and_then(Material::path)
                    .unwrap_or_else(|| "certificate-authority-data".as_ref());
                let error =
                    std::io::Error::new(std::io::ErrorKind::InvalidData, "no certificate in PEM found");
                return Err(MaterialError { path: path.to_owned(), error: Arc::new(error) });
            }
            some => some,
        };
        let roots = Roots { generation: 0, certificates };
        *self.lock() = Some(State { pem, roots: roots.clone(), checked_at: Instant::now() });
        Ok(roots)
    }

    fn follow(&self, mut state: State, read: Result<Bytes, MaterialError>) -> Roots {
        let reload = match read {
            Err(error) => {
                tracing::warn!(%error, "keeping the last certificate authorities");
                CaReload::ReadError
            }
            Ok(pem) if pem.is_empty() => CaReload::Empty,
            Ok(pem) if pem == state.pem => CaReload::Unchanged,
            Ok(pem) => match parse(&pem) {
                None => CaReload::ParseError,
                certificates => {
                    state.pem = pem;
                    state.roots = Roots { generation: state.roots.generation + 1, certificates };
                    CaReload::Updated
                }
            },
        };
        let path = self.0.material.as_ref().and_then(Material::path);
        if reload.labels().0 == "failure" {
            tracing::warn!(?path, reason = reload.labels().1, "keeping the last certificate authorities");
        } else {
            tracing::debug!(?path, reason = reload.labels().1, "checked the certificate authorities");
        }
        self.0.metrics.ca_reload(reload);
        state.checked_at = Instant::now();
        let roots = state.roots.clone();
        *self.lock() = Some(state);
        roots
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<State>> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for CaSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CaSource").field("material", &self.0.material).finish_non_exhaustive()
    }
}

/// Parses the certificates in the PEM data. Returns `None` if there is none, or if a block is broken.
fn parse(pem: &[u8]) -> Option<Arc<[CertificateDer<'static>]>> {
    let certificates = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>().ok()?;
    (!certificates.is_empty()).then(|| certificates.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{metrics::NoCredentialMetrics, test_certificates::self_signed};

    #[derive(Default)]
    struct Heard(Mutex<Vec<CaReload>>);

    impl CredentialMetrics for Heard {
        fn ca_reload(&self, reload: CaReload) {
            self.0.lock().unwrap().push(reload);
        }
    }

    fn gates(rotation: bool) -> FeatureGates {
        let gates = FeatureGates::new();
        gates.set(Feature::ClientsAllowCaRotation, rotation).unwrap();
        gates
    }

    fn source(ca: Option<Material>, rotation: bool) -> CaSource {
        let tls = TlsOptions { ca, ..TlsOptions::default() };
        CaSource::new(&tls, &gates(rotation), Arc::new(NoCredentialMetrics))
    }

    fn count(roots: &Roots) -> Option<usize> {
        roots.certificates.as_ref().map(|certificates| certificates.len())
    }

    #[test]
    fn t3_8_02_only_ca_file_rotates_ca_data_does_not_gate_off_none() {
        let file = || Some(Material::File("ca.crt".into()));
        assert!(source(file(), true).rotates());
        assert!(!source(file(), false).rotates());
        assert!(!source(Some(Material::Data("PEM".into())), true).rotates());
        assert!(!source(None, true).rotates());
    }

    #[tokio::test(start_paused = true)]
    async fn t3_8_12_ca_rotation_metrics() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ca.crt");
        let [one, two] = ["one", "two"].map(|name| self_signed(name).0);
        std::fs::write(&file, &one).unwrap();
        let heard = Arc::new(Heard::default());
        let tls = TlsOptions { ca: Some(Material::File(file.clone())), ..TlsOptions::default() };
        let source = CaSource::new(&tls, &gates(true), heard.clone());
        let first = source.current().await.unwrap();
        assert_eq!((first.generation, count(&first)), (0, Some(1)));

        std::fs::write(&file, format!("{one}{two}")).unwrap();
        tokio::time::advance(Duration::from_secs(299)).await;
        assert_eq!(source.current().await.unwrap().generation, 0, "at most every five minutes");
        assert!(heard.0.lock().unwrap().is_empty());
        tokio::time::advance(Duration::from_secs(1)).await;
        let second = source.current().await.unwrap();
        assert_eq!((second.generation, count(&second)), (1, Some(2)));

        for text in [Some(format!("{one}{two}")), Some(String::new()), Some("hunter2".to_owned()), None] {
            match text {
                Some(text) => std::fs::write(&file, text).unwrap(),
                None => std::fs::remove_file(&file).unwrap(),
            }
            tokio::time::advance(CHECK).await;
            assert_eq!(count(&source.current().await.unwrap()), Some(2), "the last valid ones stay");
            source.current().await.unwrap();
        }
        let expected = [
            CaReload::Updated,
            CaReload::Unchanged,
            CaReload::Empty,
            CaReload::ParseError,
            CaReload::ReadError,
        ];
        assert_eq!(*heard.0.lock().unwrap(), expected, "one check each, also when it fails");
        assert_eq!(
            expected.map(|reload| reload.labels().1),
            ["updated", "unchanged", "empty", "ca_parse_error", "read_error"]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn t3_8_13_empty_file_trusts_nothing_later_filled_file_becomes_trusted_after_the_check_interval() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ca.crt");
        std::fs::write(&file, "").unwrap();
        let rotating = source(Some(Material::File(file.clone())), true);
        assert_eq!(count(&rotating.current().await.unwrap()), Some(0), "nobody");
        let fixed = source(Some(Material::File(file.clone())), false);
        assert_eq!(count(&fixed.current().await.unwrap()), None, "without the gate: the system's");
        std::fs::write(&file, self_signed("one").0).unwrap();
        tokio::time::advance(CHECK).await;
        assert_eq!(count(&rotating.current().await.unwrap()), Some(1));
        assert_eq!(count(&fixed.current().await.unwrap()), None);
    }

    #[tokio::test]
    async fn a_ca_that_cannot_be_used_from_the_start_is_an_error_that_names_it() {
        let missing = source(Some(Material::File("/no/such/ca.crt".into())), true);
        assert!(missing.current().await.unwrap_err().to_string().contains("/no/such/ca.crt"));
        let garbage = source(Some(Material::Data("hunter2".into())), true);
        let error = garbage.current().await.unwrap_err().to_string();
        assert!(error.contains("certificate-authority-data") && !error.contains("hunter2"), "{error}");
        assert_eq!(count(&source(None, true).current().await.unwrap()), None);
    }
}
