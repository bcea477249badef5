//! The schemas that a server publishes.

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

/// Where a schema is to be had.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenApiPath {
    /// Path and query. The query has a hash of the content: another URL is another schema, and the same URL the same.
    #[serde(rename = "serverRelativeURL")]
    pub server_relative_url: String,
}

/// The `OpenAPI` v3 documents of a server, one a version. Cheap to clone; clones share what was learned.
///
/// The index and each document are asked for once. After [`invalidate`](Self::invalidate) the index is asked for
/// again, and only those documents whose URL, which has a hash of the content, has changed.
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
    /// Asks through this client.
    pub fn new(rest: RestClient) -> Self {
        Self {
            rest,
            #[cfg(feature = "disk-cache")]
            http: None,
            kept: Arc::default(),
        }
    }

    /// The same, with answers kept in files between runs.
    #[cfg(feature = "disk-cache")]
    #[must_use]
    pub fn with_http_cache(mut self, cache: HttpCache) -> Self {
        self.http = Some(cache);
        self
    }

    /// What there is: paths such as `api/v1`, `apis/apps/v1` and `version`.
    pub async fn paths(&self) -> Result<Arc<BTreeMap<String, OpenApiPath>>, DiscoveryError> {
        if let Some(paths) = &self.kept().paths {
            return Ok(paths.clone());
        }
        let body = self.get(Request::get().abs_path([ROOT]).header(ACCEPT, "application/json")).await?;
        let mut index: Index = serde_json::from_slice(&body).map_err(|why| document(ROOT, why))?;
        let base = self.rest.base_path();
        for path in index.paths.values_mut() {
            // The server's own prefix is put before every request, so it must not be there twice.
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

    /// The versions that there are documents of.
    pub async fn group_versions(&self) -> Result<Vec<GroupVersion>, DiscoveryError> {
        let paths = self.paths().await?;
        Ok(paths.keys().filter_map(|path| version_of(path)).collect())
    }

    /// The document of a version, as the server sends it in a format.
    pub async fn schema(&self, version: &GroupVersion, format: Format) -> Result<Bytes, DiscoveryError> {
        let root = if version.group.is_empty() { "api" } else { "apis" };
        let path = format!("{root}/{version}");
        let paths = self.paths().await?;
        let path = paths.get(&path).ok_or_else(|| DiscoveryError::NotFound(version.clone()))?;
        self.document(path, format).await
    }

    /// The document of a version, read.
    pub async fn schema_json(&self, version: &GroupVersion) -> Result<Json, DiscoveryError> {
        let body = self.schema(version, Format::Json).await?;
        Json::parse(&body).map_err(|why| document(&version.to_string(), why))
    }

    /// The document at one of the [`paths`](Self::paths).
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
        // A URL that is not below the index is not below the client's prefix either.
        let request = if path.server_relative_url.starts_with(ROOT) { request } else { request.at_root() };
        let schema = self.get(request).await?;
        self.kept().schemas.insert(key, schema.clone());
        Ok(schema)
    }

    /// The index is asked for anew, and what has changed since.
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

/// `api/v1` and `apis/apps/v1`; `apis/apps` and `version` are no versions.
fn version_of(path: &str) -> Option<GroupVersion> {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["api", version] => Some(GroupVersion::new("", version)),
        ["apis", group, version] => Some(GroupVersion::new(group, version)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
