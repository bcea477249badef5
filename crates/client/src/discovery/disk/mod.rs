//! A discovery cache in files, for programs with a short run time such as command-line tools.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use client_rs_machinery::meta::v1::{APIGroupList, APIResourceList};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{GroupVersion, validation};
use client_rs_transport::Config;

use super::BoxFuture;
use super::http_cache::{blocking, write_whole};
use super::{
    Discovery, DiscoveryClient, DiscoveryError, DiscoveryOptions, HttpCache, MemoryCache, ServerGroups,
};
use crate::Error;

client_rs_machinery::options! {
    /// The options of a [`DiskCache`].
    #[derive(Clone, Debug)]
    pub struct DiskCacheOptions {
        /// The folder of this server's files.
        pub dir: PathBuf => with_dir,
        /// The time after which a file expires. Default: 6 hours, like kubectl's.
        pub ttl: Duration => with_ttl,
    }
}

impl DiskCacheOptions {
    /// Uses this folder. Files expire after 6 hours.
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_client::discovery::DiskCacheOptions;
    ///
    /// let options = DiskCacheOptions::new("cache/discovery").with_ttl(Duration::from_secs(600));
    /// assert_eq!(options.ttl.as_secs(), 600);
    /// ```
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), ttl: Duration::from_hours(6) }
    }
}

/// Reads discovery data from files, and requests only what is missing or expired. For command-line tools: a process that runs longer
/// should use [`MemoryCache`].
///
/// The files have the format of client-go (`servergroups.json`, and `serverresources.json` in one folder per version), so kubectl and
/// programs with this cache share them. They are replaced atomically. Failures and empty results are not stored.
///
/// - After [`invalidate`](Discovery::invalidate) the cache uses only files that it has written itself since then.
/// - [`is_fresh`](Discovery::is_fresh) is false once it has used a file of another process: a missing resource may exist by now.
/// - The groups do not include their resources, because each version has its own file.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::sync::Arc;
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::discovery::{Discovery, DiscoveryClient, DiskCache, DiskCacheOptions};
///
/// # let server = Canned::new().with_discovery();
/// # let dir = tempfile::tempdir()?;
/// let open = || {
///     let client = DiscoveryClient::from_rest(server.client());
///     DiskCache::new(Arc::new(client), DiskCacheOptions::new(dir.path()))
/// };
/// open().server_resources().await?;
/// let requests = server.calls().len();
/// // The next run of the program reads the files.
/// let second = open();
/// assert_eq!(second.server_resources().await?.lists.len(), 3);
/// assert_eq!(server.calls().len(), requests);
/// assert!(!second.is_fresh());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DiskCache {
    delegate: Arc<dyn Discovery>,
    options: DiskCacheOptions,
    now: fn() -> SystemTime,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The files that this cache has written since the last invalidation.
    ours: HashSet<PathBuf>,
    invalidated: bool,
    fresh: bool,
}

impl DiskCache {
    /// Puts the cache in front of another source.
    pub fn new(delegate: Arc<dyn Discovery>, options: DiskCacheOptions) -> Self {
        let state = State { ours: HashSet::new(), invalidated: false, fresh: true };
        Self { delegate, options, now: SystemTime::now, state: Mutex::new(state) }
    }

    /// Stacks files, memory and the server of a config, which suits a command-line tool. With `http`, responses are cached there
    /// too.
    pub fn from_config(
        config: &Config,
        options: DiskCacheOptions,
        http: Option<HttpCache>,
    ) -> Result<Self, Error> {
        let discovery = DiscoveryOptions { http_cache: http, ..DiscoveryOptions::default() };
        let client = DiscoveryClient::from_config_with(config, discovery)?;
        Ok(Self::new(Arc::new(MemoryCache::new(Arc::new(client))), options))
    }

    /// The folder for the files of a server, below `parent`. It follows the rule of kubectl.
    ///
    /// ```
    /// use std::path::Path;
    /// use client_rs_client::discovery::DiskCache;
    ///
    /// let dir = DiskCache::dir_for_server(Path::new("/cache"), "https://127.0.0.1:6443");
    /// assert_eq!(dir, Path::new("/cache/127.0.0.1_6443"));
    /// ```
    pub fn dir_for_server(parent: &Path, server: &str) -> PathBuf {
        let host = server.trim_start_matches("https://").trim_start_matches("http://");
        let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '.' | '(' | ')');
        let host: String = host.chars().map(|c| if safe(c) { c } else { '_' }).collect();
        let mut dir = parent.to_owned();
        dir.extend(host.split('/').filter(|segment| !matches!(*segment, "" | "." | "..")));
        dir
    }

    /// The content of a file, if the file is valid.
    async fn kept<M: Message>(&self, file: &Path) -> Option<M> {
        let is_ours = {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let is_ours = state.ours.contains(file);
            if state.invalidated && !is_ours {
                return None;
            }
            is_ours
        };
        let (path, ttl, now) = (file.to_owned(), self.options.ttl, (self.now)());
        let read = blocking(move || {
            let written = std::fs::metadata(&path).ok()?.modified().ok()?;
            let expires = written.checked_add(ttl)?;
            if now > expires {
                return None;
            }
            M::from_json(&std::fs::read(&path).ok()?).ok()
        })
        .await?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.fresh &= is_ours;
        Some(read)
    }

    /// Writes a file. The caller has the data already, so that a full disk is not an error.
    async fn keep(&self, file: PathBuf, bytes: Vec<u8>) {
        let path = file.clone();
        let written = blocking(move || write_whole(&path, &[&bytes])).await;
        match written {
            Ok(()) => {
                self.state.lock().unwrap_or_else(PoisonError::into_inner).ours.insert(file);
            }
            Err(error) => {
                tracing::debug!(file = %file.display(), %error, "could not write discovery data to the cache");
            }
        }
    }

    async fn groups(&self) -> Result<ServerGroups, DiscoveryError> {
        let file = self.options.dir.join("servergroups.json");
        if let Some(list) = self.kept::<APIGroupList>(&file).await {
            return Ok(ServerGroups { groups: list.groups.into_vec(), ..ServerGroups::default() });
        }
        let groups = self.delegate.groups().await?.groups;
        if !groups.is_empty() {
            let list = APIGroupList { groups: groups.clone().into() };
            self.keep(file, list.to_json()).await;
        }
        Ok(ServerGroups { groups, ..ServerGroups::default() })
    }

    async fn resources_for(&self, version: &GroupVersion) -> Result<APIResourceList, DiscoveryError> {
        let file = self.file(version);
        if let Some(file) = &file
            && let Some(list) = self.kept::<APIResourceList>(file).await
        {
            return Ok(list);
        }
        let list = self.delegate.resources_for(version).await?;
        if let Some(file) = file.filter(|_| !list.resources.is_empty()) {
            self.keep(file, list.to_json()).await;
        }
        Ok(list)
    }

    /// The file of a version. `None` if its name, which the server chose, would leave the folder.
    fn file(&self, version: &GroupVersion) -> Option<PathBuf> {
        let mut file = self.options.dir.clone();
        for segment in [&version.group, &version.version] {
            if segment.is_empty() {
                continue;
            }
            let harmless = validation::path_segment_name(segment).is_ok()
                && segment.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
            if !harmless {
                return None;
            }
            file.push(segment.as_str());
        }
        Some(file.join("serverresources.json"))
    }
}

impl Discovery for DiskCache {
    fn groups(&self) -> BoxFuture<'_, Result<ServerGroups, DiscoveryError>> {
        Box::pin(self.groups())
    }

    fn resources_for<'a>(
        &'a self,
        version: &'a GroupVersion,
    ) -> BoxFuture<'a, Result<APIResourceList, DiscoveryError>> {
        Box::pin(self.resources_for(version))
    }

    fn is_fresh(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).fresh
    }

    fn invalidate(&self) {
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.ours.clear();
            state.invalidated = true;
            state.fresh = true;
        }
        self.delegate.invalidate();
    }
}

#[cfg(test)]
mod tests;
