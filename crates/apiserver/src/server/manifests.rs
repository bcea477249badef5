//! Objects from manifest files.

use std::io;
use std::path::Path;
use std::time::Duration;

use client_rs_client::wait::conditions;
use client_rs_client::{DynamicClient, manifest};
use client_rs_machinery::Unstructured;
use futures_util::future::BoxFuture;

use super::Server;

/// The timeout for serving a definition.
const SERVED_MAX: Duration = Duration::from_secs(30);

impl Server {
    /// Applies the objects of a YAML or JSON file, or of all such files in a folder in the order of their names, as
    /// an administrator: like `kubectl apply --server-side -f PATH`. Use it to test with the manifests of a real
    /// cluster. When it returns, custom resource definitions are served.
    ///
    /// Namespaced objects without a namespace go to `default`. Reads files with blocking calls. It fails at the
    /// first object that the server refuses; the error has the file and the line. Objects before it stay applied,
    /// also if the future is dropped.
    ///
    /// ```
    /// use client_rs_api::core::v1::ConfigMap;
    /// use client_rs_apiserver::Server;
    /// use client_rs_client::Api;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = std::env::temp_dir().join(format!("client-rs-apply-path-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// std::fs::write(folder.join("settings.yaml"), "
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: settings
    /// data:
    ///   colour: blue
    /// ")?;
    /// let server = Server::start().await?;
    /// server.apply_path(&folder).await?;
    ///
    /// let client = server.rest_client()?;
    /// let found = Api::<ConfigMap, _>::within(&client, "default").get("settings").await?;
    /// assert_eq!(found.data.get("colour").map(|colour| &**colour), Some("blue"));
    /// # server.shutdown().await;
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn apply_path(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.apply_files(path.as_ref()).await
    }

    /// Boxed, so that this crate compiles it, and not each caller's.
    fn apply_files<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, io::Result<()>> {
        Box::pin(async move {
            let manifests = manifest::read_path(path).map_err(io::Error::other)?;
            let client = self.dynamic_client()?;
            for manifest in manifests {
                let (object, file) = (manifest.object, manifest.file.unwrap_or_default());
                apply(&client, &object).await.map_err(|error| {
                    let (kind, name) = (object.kind(), object.name());
                    io::Error::other(format!(
                        "{}:{}: {kind} {name:?}: {error}",
                        file.display(),
                        manifest.line
                    ))
                })?;
            }
            Ok(())
        })
    }

    pub(super) fn dynamic_client(&self) -> io::Result<DynamicClient> {
        Ok(DynamicClient::from_rest(self.rest_client().map_err(io::Error::other)?))
    }
}

/// Applies an object, and waits until a definition is served.
pub(super) async fn apply(client: &DynamicClient, object: &Unstructured) -> io::Result<()> {
    let api = client.of_object(object, "default").await.map_err(io::Error::other)?;
    api.apply(object, "client-rs-apiserver").force().await.map_err(io::Error::other)?;
    if object.kind() == "CustomResourceDefinition" {
        let established = conditions::condition("Established", "True");
        api.wait_for(object.name(), established, SERVED_MAX).await.map_err(io::Error::other)?;
    }
    Ok(())
}
