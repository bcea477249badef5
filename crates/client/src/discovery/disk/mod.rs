//! What was learned, kept in files: for programs that run for a moment, such as command-line tools.

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
    /// Where a [`DiskCache`] keeps its files, and for how long.
    #[derive(Clone, Debug)]
    pub struct DiskCacheOptions {
        /// The folder of this server's files.
        pub dir: PathBuf => with_dir,
        /// How long a file is believed. Default: 6 hours, as kubectl's.
        pub ttl: Duration => with_ttl,
    }
}

impl DiskCacheOptions {
    /// In this folder, for 6 hours.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), ttl: Duration::from_hours(6) }
    }
}

/// Answers from files, and asks only for what is not there or too old.
///
/// The files are those of client-go (`servergroups.json`, and `serverresources.json` in a folder a version), so kubectl
/// and programs with this cache use each other's. They are replaced as a whole. What fails, or is empty, is not kept.
///
/// - After an [`invalidate`](Discovery::invalidate) only files that this cache has written since are believed.
/// - [`is_fresh`](Discovery::is_fresh) until a file of another process has been used: what is not found there is worth
///   another look.
/// - The groups come without their resources: each version has a file of its own.
#[derive(Debug)]
pub struct DiskCache {
    delegate: Arc<dyn Discovery>,
    options: DiskCacheOptions,
    now: fn() -> SystemTime,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Written by us, since the last invalidation.
    ours: HashSet<PathBuf>,
    invalidated: bool,
    fresh: bool,
}

impl DiskCache {
    /// Before another.
    pub fn new(delegate: Arc<dyn Discovery>, options: DiskCacheOptions) -> Self {
        let state = State { ours: HashSet::new(), invalidated: false, fresh: true };
        Self { delegate, options, now: SystemTime::now, state: Mutex::new(state) }
    }

    /// Files, before memory, before the server of a config: what a command-line tool wants. With `http`, answers are
    /// kept there too.
    pub fn from_config(
        config: &Config,
        options: DiskCacheOptions,
        http: Option<HttpCache>,
    ) -> Result<Self, Error> {
        let discovery = DiscoveryOptions { http_cache: http, ..DiscoveryOptions::default() };
        let client = DiscoveryClient::from_config_with(config, discovery)?;
        Ok(Self::new(Arc::new(MemoryCache::new(Arc::new(client))), options))
    }

    /// The folder for a server's files below `parent`: kubectl's rule, `127.0.0.1_6443` for `https://127.0.0.1:6443`.
    pub fn dir_for_server(parent: &Path, server: &str) -> PathBuf {
        let host = server.trim_start_matches("https://").trim_start_matches("http://");
        let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '.' | '(' | ')');
        let host: String = host.chars().map(|c| if safe(c) { c } else { '_' }).collect();
        let mut dir = parent.to_owned();
        dir.extend(host.split('/').filter(|segment| !matches!(*segment, "" | "." | "..")));
        dir
    }

    /// What a file holds, if it is to be believed.
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

    /// Keeps what was learned. Whoever asked has it already, so a disk that is full is no reason to fail.
    async fn keep(&self, file: PathBuf, bytes: Vec<u8>) {
        let path = file.clone();
        let written = blocking(move || write_whole(&path, &[&bytes])).await;
        match written {
            Ok(()) => {
                self.state.lock().unwrap_or_else(PoisonError::into_inner).ours.insert(file);
            }
            Err(error) => tracing::debug!(file = %file.display(), %error, "discovery could not be kept"),
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

    /// The file of a version; none where its name, which the server chose, would lead elsewhere.
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
