//! Configs to look at or to hand on.

use bytes::Bytes;

use super::{Kubeconfig, KubeconfigError, loading::base_of, path::resolve};
use crate::Secret;

impl Kubeconfig {
    /// Keeps only what the current context uses. A part that is missing is an error.
    pub fn minify(&mut self) -> Result<(), KubeconfigError> {
        let missing = |what: &str, name: &str| KubeconfigError::View(format!("cannot locate {what} {name}"));
        if self.current_context.is_empty() {
            let reason = "current-context must exist in order to minify";
            return Err(KubeconfigError::View(reason.to_owned()));
        }
        let name = self.current_context.clone();
        let context = self.contexts.get(&name).ok_or_else(|| missing("context", &name))?.clone();
        for (what, wanted, exists) in [
            ("cluster", &context.cluster, self.clusters.contains_key(&context.cluster)),
            ("user", &context.user, self.users.contains_key(&context.user)),
        ] {
            if !wanted.is_empty() && !exists {
                return Err(missing(what, wanted));
            }
        }
        self.clusters.retain(|name, _| !name.is_empty() && *name == context.cluster);
        self.users.retain(|name, _| !name.is_empty() && *name == context.user);
        self.contexts.retain(|entry, _| *entry == name);
        Ok(())
    }

    /// Reads certificates and keys from their files into the config, so that it needs no files beside it. Token files stay:
    /// they are to be read again and again.
    pub fn flatten(&mut self) -> Result<(), KubeconfigError> {
        for user in self.users.values_mut() {
            let base = base_of(user.origin.as_deref())?.unwrap_or_default();
            inline(&mut user.client_certificate, &mut user.client_certificate_data, &base)?;
            inline(&mut user.client_key, &mut user.client_key_data, &base)?;
        }
        for cluster in self.clusters.values_mut() {
            let base = base_of(cluster.origin.as_deref())?.unwrap_or_default();
            inline(&mut cluster.certificate_authority, &mut cluster.certificate_authority_data, &base)?;
        }
        Ok(())
    }

    /// Replaces secrets, so that the config can be shown to anyone.
    pub fn redact(&mut self) {
        for user in self.users.values_mut() {
            for secret in [&mut user.token, &mut user.password] {
                if !secret.is_empty() {
                    *secret = Secret::from("REDACTED");
                }
            }
            if !user.client_key_data.is_empty() {
                user.client_key_data = Bytes::from_static(b"REDACTED");
            }
        }
    }

    /// Replaces secrets and long data, so that people can read the config.
    pub fn shorten(&mut self) {
        // What base64 makes of this reads DATA+OMITTED.
        const OMITTED: &[u8] = &[0x0c, 0x04, 0xc0, 0xf8, 0xe3, 0x08, 0x4d, 0x31, 0x03];
        let shorten = |data: &mut Bytes| {
            if !data.is_empty() {
                *data = Bytes::from_static(OMITTED);
            }
        };
        for user in self.users.values_mut() {
            shorten(&mut user.client_key_data);
            shorten(&mut user.client_certificate_data);
            for secret in [&mut user.token, &mut user.password] {
                if !secret.is_empty() {
                    *secret = Secret::from("REDACTED");
                }
            }
        }
        self.clusters.values_mut().for_each(|cluster| shorten(&mut cluster.certificate_authority_data));
    }
}

fn inline(path: &mut String, data: &mut Bytes, base: &std::path::Path) -> Result<(), KubeconfigError> {
    if path.is_empty() {
        return Ok(());
    }
    if !data.is_empty() {
        return Err(KubeconfigError::View("cannot have values for both path and contents".to_owned()));
    }
    let file = resolve(path, base);
    *data = std::fs::read(&file).map_err(|error| KubeconfigError::read(file.as_ref(), error))?.into();
    path.clear();
    Ok(())
}
