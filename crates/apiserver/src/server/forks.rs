//! The servers over forks that clients start.

use std::io;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use client_rs_machinery::collections::VecMap;
use futures_util::future::BoxFuture;

use super::storage::WeakStorage;
use super::{Server, ServerOptions};

/// Servers over forks of a storage. They stop when this is dropped.
#[derive(Debug)]
pub(super) struct ForkServers {
    /// The options of each server, except its port and storage.
    options: ServerOptions,
    storage: WeakStorage,
    running: Mutex<VecMap<u16, Server>>,
}

impl ForkServers {
    pub(super) fn new(options: &ServerOptions, storage: WeakStorage) -> Self {
        // The options may hold a shared storage, which this must not keep alive.
        let options = options.clone().with_storage(super::ServerStorage::default());
        Self { options, storage, running: Mutex::default() }
    }

    fn running(&self) -> MutexGuard<'_, VecMap<u16, Server>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl crate::http::Forks for ForkServers {
    fn start(&self) -> BoxFuture<'_, io::Result<String>> {
        Box::pin(async {
            let storage = self.storage.upgrade().ok_or_else(|| io::Error::other("the server has stopped"))?;
            let ip = self.options.listen.map(|address| address.ip());
            let address = ip.map(|ip| SocketAddr::new(ip, 0));
            let address = address.ok_or_else(|| io::Error::other("the server does not listen"))?;
            let options = self.options.clone().with_listen(address).with_storage(storage.fork().into());
            drop(storage);
            let server = Server::open(options).await?;
            let url = server.url().unwrap_or_default();
            if let Some(address) = server.address() {
                self.running().insert(address.port(), server);
            }
            Ok(url)
        })
    }

    fn urls(&self) -> Vec<String> {
        self.running().values().filter_map(Server::url).collect()
    }

    fn end(&self, port: u16) -> BoxFuture<'_, bool> {
        Box::pin(async move {
            let found = self.running().remove(&port);
            match found {
                Some(server) => {
                    server.shutdown().await;
                    true
                }
                None => false,
            }
        })
    }

    fn end_all(&self) -> BoxFuture<'static, ()> {
        let all = std::mem::take(&mut *self.running());
        Box::pin(async {
            for server in all.into_values() {
                server.shutdown().await;
            }
        })
    }
}
