//! The `OpenAPI` schemas of a server.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use client_rs_machinery::wire::Format;
use client_rs_machinery::{GroupVersion, Json};
use http::header::ACCEPT;
use serde::Deserialize;

use super::DiscoveryError;
#[cfg(feature = "disk-cache")]
use super::HttpCache;
use super::client::document;
use crate::{Request, RestClient};

/// The location of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OpenApiPath {
    /// Path and query. The query has a hash of the content, so that the same URL always has the same schema.
    #[serde(rename = "serverRelativeURL")]
    pub server_relative_url: String,
}

/// Reads the `OpenAPI` v3 documents of a server, one per version. Clones are cheap and share the cache.
///
/// The index and each document are requested once. After [`invalidate`](Self::invalidate) the client requests the index again, and
/// only those documents whose URL has changed, because the URL has a hash of the content.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::discovery::OpenApiClient;
/// use client_rs_machinery::GroupVersion;
///
/// # let server = Canned::new()
/// #     .on("GET /openapi/v3", r#"{"paths": {"apis/apps/v1": {"serverRelativeURL": "/openapi/v3/apis/apps/v1?hash=12"}}}"#)
/// #     .on("GET /openapi/v3/apis/apps/v1?hash=12", r#"{"openapi": "3.0.0"}"#);
/// let schemas = OpenApiClient::new(server.client());
/// let apps = schemas.schema_json(&GroupVersion::new("apps", "v1")).await?;
/// assert_eq!(apps.get("openapi").unwrap().as_str(), Some("3.0.0"));
/// // From the cache, without a request.
/// schemas.schema_json(&GroupVersion::new("apps", "v1")).await?;
/// assert_eq!(server.calls().len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct OpenApiClient {
    rest: RestClient,
    #[cfg(feature = "disk-cache")]
    http: Option<HttpCache>,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    paths: Option<Arc<BTreeMap<String, OpenApiPath>>>,
    schemas: HashMap<(String, Format), Bytes>,
}

#[derive(Deserialize)]
struct Index {
    #[serde(default)]
    paths: BTreeMap<String, OpenApiPath>,
}

const ROOT: &str = "/openapi/v3";

impl OpenApiClient {
    /// Uses an existing client.
    pub fn new(rest: RestClient) -> Self {
        Self {
            rest,
            #[cfg(feature = "disk-cache")]
            http: None,
            kept: Arc::default(),
        }
    }

    /// Caches responses in files, for the next run of the program.
    #[cfg(feature = "disk-cache")]
    #[must_use]
    pub fn with_http_cache(mut self, cache: HttpCache) -> Self {
        self.http = Some(cache);
        self
    }

    /// Reads the index: paths such as `api/v1`, `apis/apps/v1` and `version`.
    pub async fn paths(&self) -> Result<Arc<BTreeMap<String, OpenApiPath>>, DiscoveryError> {
        if let Some(paths) = &self.kept().paths {
            return Ok(paths.clone());
        }
        let body = self.get(Request::get().abs_path([ROOT]).header(ACCEPT, "application/json")).await?;
        let mut index: Index = serde_json::from_slice(&body).map_err(|why| document(ROOT, why))?;
        let base = self.rest.base_path();
        for path in index.paths.values_mut() {
            // The client puts the base path before every request, so remove it here.
            if let Some(below) = path.server_relative_url.strip_prefix(base) {
                path.server_relative_url = below.to_owned();
            }
        }
        let paths = Arc::new(index.paths);
        let mut kept = self.kept();
        kept.schemas.retain(|(url, _), _| paths.values().any(|path| path.server_relative_url == *url));
        kept.paths = Some(paths.clone());
        Ok(paths)
    }

    /// Reads the versions that have a document.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{discovery::OpenApiClient, testing::Canned};
    /// # let server = Canned::new().on("GET /openapi/v3", r#"{"paths": {"version": {"serverRelativeURL": "/x"},
    /// #     "api/v1": {"serverRelativeURL": "/y"}, "apis/apps/v1": {"serverRelativeURL": "/z"}}}"#);
    /// let versions = OpenApiClient::new(server.client()).group_versions().await?;
    /// assert_eq!(versions.iter().map(ToString::to_string).collect::<Vec<_>>(), ["v1", "apps/v1"]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn group_versions(&self) -> Result<Vec<GroupVersion>, DiscoveryError> {
        let paths = self.paths().await?;
        Ok(paths.keys().filter_map(|path| version_of(path)).collect())
    }

    /// Reads the document of a version, in the given format.
    ///
    /// # Errors
    ///
    /// [`DiscoveryError::NotFound`] if the index does not have the version.
    pub async fn schema(&self, version: &GroupVersion, format: Format) -> Result<Bytes, DiscoveryError> {
        let root = if version.group.is_empty() { "api" } else { "apis" };
        let path = format!("{root}/{version}");
        let paths = self.paths().await?;
        let path = paths.get(&path).ok_or_else(|| DiscoveryError::NotFound(version.clone()))?;
        self.document(path, format).await
    }

    /// Reads and parses the document of a version.
    pub async fn schema_json(&self, version: &GroupVersion) -> Result<Json, DiscoveryError> {
        let body = self.schema(version, Format::Json).await?;
        Json::parse(&body).map_err(|why| document(&version.to_string(), why))
    }

    /// Reads the document at one of the [`paths`](Self::paths).
    pub async fn document(&self, path: &OpenApiPath, format: Format) -> Result<Bytes, DiscoveryError> {
        let key = (path.server_relative_url.clone(), format);
        if let Some(schema) = self.kept().schemas.get(&key) {
            return Ok(schema.clone());
        }
        let accept = match format {
            Format::Json => "application/json",
            Format::Protobuf => "application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
        };
        let request = Request::get().request_uri(&path.server_relative_url).header(ACCEPT, accept);
        // A URL that is not below the index is not below the client's base path either.
        let request = if path.server_relative_url.starts_with(ROOT) { request } else { request.at_root() };
        let schema = self.get(request).await?;
        self.kept().schemas.insert(key, schema.clone());
        Ok(schema)
    }

    /// Drops the cached index. The next call requests it, and the documents that have changed.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{discovery::OpenApiClient, testing::Canned};
    /// # let server = Canned::new().on("GET /openapi/v3", r#"{"paths": {}}"#);
    /// let schemas = OpenApiClient::new(server.client());
    /// schemas.paths().await?;
    /// schemas.invalidate();
    /// schemas.paths().await?;
    /// assert_eq!(server.calls(), ["GET /openapi/v3", "GET /openapi/v3"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn invalidate(&self) {
        self.kept().paths = None;
    }

    async fn get(&self, request: Request) -> Result<Bytes, DiscoveryError> {
        #[cfg(feature = "disk-cache")]
        if let Some(http) = &self.http {
            return Ok(http.get(&self.rest, request).await?.1);
        }
        Ok(self.rest.send_raw(request).await?.body)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parses `api/v1` and `apis/apps/v1`. `apis/apps` and `version` are not versions.
fn version_of(path: &str) -> Option<GroupVersion> {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["api", version] => Some(GroupVersion::new("", version)),
        ["apis", group, version] => Some(GroupVersion::new(group, version)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
