//! An observer of the server: the current objects, and the number of events.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use bench_controller::{App, config_map, status};
use client_rs::api::core::v1::{ConfigMap, Service};
use client_rs::machinery::wire::{Payload, WatchEvent};
use client_rs::machinery::{Namespaced, verbs};
use client_rs::prelude::*;

use crate::NAMESPACE;
use crate::users::{self, Users};

pub(crate) struct Observer {
    state: Arc<Mutex<State>>,
}

struct State {
    apps: Vec<Option<App>>,
    maps: Vec<Option<ConfigMap>>,
    services: Vec<Option<Service>>,
    /// Events of objects of the benchmark in this phase.
    events: u64,
}

impl Observer {
    /// Watches all three kinds. A watch that ends is an error of the whole program.
    pub(crate) async fn start(rest: &RestClient, objects: usize) -> Result<Self> {
        let state = State {
            apps: vec![None; objects],
            maps: vec![None; objects],
            services: vec![None; objects],
            events: 0,
        };
        let state = Arc::new(Mutex::new(state));
        watch(Api::<App>::namespaced(rest, NAMESPACE), &state, |state| &mut state.apps).await?;
        watch(Api::<ConfigMap>::namespaced(rest, NAMESPACE), &state, |state| &mut state.maps).await?;
        watch(Api::<Service>::namespaced(rest, NAMESPACE), &state, |state| &mut state.services).await?;
        Ok(Self { state })
    }

    pub(crate) fn begin(&self) {
        self.state().events = 0;
    }

    pub(crate) fn events(&self) -> u64 {
        self.state().events
    }

    /// The number of Apps that do not have the users' last spec, a status from it, or children from it.
    pub(crate) fn unfinished(&self, users: &Users) -> usize {
        let state = self.state();
        let finished = |(number, app): (usize, &Option<App>)| {
            let Some(app) = app else { return false };
            let map = state.maps[number].as_ref();
            users.is_current(number, app)
                && app.status == Some(status(app))
                && map.zip(config_map(app).ok()).is_some_and(|(map, desired)| map.data == desired.data)
                && state.services[number].is_some()
        };
        state.apps.len() - state.apps.iter().enumerate().filter(|app| finished(*app)).count()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn watch<K>(
    api: Api<K>,
    state: &Arc<Mutex<State>>,
    place: fn(&mut State) -> &mut Vec<Option<K>>,
) -> Result<()>
where
    K: Resource<Scope = Namespaced> + Payload + verbs::List + verbs::Watch,
{
    let from = api.list().await?.metadata.resource_version.to_string();
    let mut watch = api.watch().resource_version(from).await?;
    let state = Arc::clone(state);
    tokio::spawn(async move {
        let ended = loop {
            let object = match watch.next().await {
                Some(Ok(WatchEvent::Added(object) | WatchEvent::Modified(object))) => object,
                Some(Ok(WatchEvent::Bookmark { .. })) => continue,
                Some(Ok(WatchEvent::Deleted(object))) => break format!("{} was deleted", object.name()),
                Some(Ok(WatchEvent::Error(error))) => break error.to_string(),
                Some(Err(error)) => break error.to_string(),
                None => break "the watch ended".to_owned(),
            };
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let number = users::number(object.name().as_bytes());
            if let Some(slot) = number.and_then(|number| place(&mut state).get_mut(number)) {
                *slot = Some(object);
                state.events += 1;
            }
        };
        eprintln!("observer of {}: {ended}", K::INFO.plural);
        std::process::exit(1);
    });
    Ok(())
}
