//! Objects from files, as a cluster gets them.

use std::io;
use std::path::Path;
use std::time::Duration;

use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::wait::conditions;
use client_rs_client::{Api, DynamicClient, manifest};

use super::Server;

/// How long a definition may take until its kind is served.
const SERVED_MAX: Duration = Duration::from_secs(30);

impl Server {
    /// Applies the objects of a YAML or JSON file, or of those of a folder in the order of their names, as a user who may do
    /// everything: as `kubectl apply --server-side -f PATH` does. Definitions of custom resources are served when this
    /// returns. So a test uses the manifests that a cluster gets. Blocks on files.
    ///
    /// Objects that need a namespace and name none are in `default`. The first that is refused ends it with an error that
    /// names the file.
    pub async fn apply_path(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let manifests = manifest::read_path(path.as_ref()).map_err(io::Error::other)?;
        let rest = self.rest_client().map_err(io::Error::other)?;
        let (client, definitions) =
            (DynamicClient::new(rest.clone()), Api::<CustomResourceDefinition>::cluster(&rest));
        for manifest in manifests {
            let (object, file) = (manifest.object, manifest.file.unwrap_or_default());
            let failed = |error: &dyn std::fmt::Display| {
                let (kind, name) = (object.kind(), object.name());
                io::Error::other(format!("{}:{}: {kind} {name:?}: {error}", file.display(), manifest.line))
            };
            let api = client.of_object(&object, "default").await.map_err(|error| failed(&error))?;
            api.apply(&object, "client-rs-apiserver").force().await.map_err(|error| failed(&error))?;
            if object.kind() == "CustomResourceDefinition" {
                let established = conditions::condition("Established", "True");
                let served = definitions.wait_for(object.name(), established, SERVED_MAX).await;
                served.map_err(|error| failed(&error))?;
            }
        }
        Ok(())
    }
}
