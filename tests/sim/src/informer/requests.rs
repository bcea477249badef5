//! The requests of the informer, and their responses.

use client_rs_cache::sim::Wants;
use client_rs_cache::{Incoming, Undecodable};
use client_rs_machinery::Str;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{DecodeError, DecodeErrorKind, ListSummary, WatchEvent};

use super::errors;
use super::world::{Trust, World};
use crate::content::{State, Thing, UNREADABLE, names, number, object_key, text};
use crate::history::{EventType, Fact, Fault, Phase, Verb};
use crate::server::{Response, Sent};

/// How many requests a client could send in a moment.
const MOMENT: u32 = 24;

impl World {
    pub(super) fn answer(&mut self) -> bool {
        match self.informer.wants().clone() {
            Wants::List(options) => self.answer_list(&options),
            Wants::Watch(options) => self.answer_watch(&options),
            Wants::Event | Wants::Time => false,
        }
    }

    fn request(&mut self, verb: Verb, options: &ListOptions) {
        let version = (!options.resource_version.is_empty()).then(|| number(&options.resource_version));
        self.record(1, Phase::Invoke, Fact::Request { verb, version });
    }

    fn answer_list(&mut self, options: &ListOptions) -> bool {
        let page = match self.server.list(self.route, options) {
            Response::Waits => return false,
            Response::Expired => return self.fail(Fault::Expired),
            Response::Done(page) => page,
        };
        self.request(Verb::List, options);
        for (key, state) in &page.objects {
            let item = self.incoming(*key, *state);
            self.informer.item(item);
        }
        let token = page.next.map(|next| format!("{}/{next}", page.version));
        self.record(
            1,
            Phase::Ok,
            Fact::Answer { verb: Verb::List, version: page.version, more: token.is_some() },
        );
        self.notice(page.version);
        self.doubt();
        let summary = ListSummary {
            resource_version: text(page.version),
            continue_token: token.map(Str::from).unwrap_or_default(),
            ..ListSummary::default()
        };
        self.informer.listed(Ok(summary), self.instant());
        true
    }

    fn answer_watch(&mut self, options: &ListOptions) -> bool {
        let watcher = match self.server.watch(self.route, options) {
            Response::Waits => return false,
            Response::Expired => return self.fail(Fault::Expired),
            Response::Done(watcher) => watcher,
        };
        let verb = verb_of(options);
        self.request(verb, options);
        self.record(1, Phase::Ok, Fact::Answer { verb, version: watcher.next, more: false });
        self.watcher = Some(watcher);
        self.informer.opened(Ok(()), self.instant());
        true
    }

    /// Fails the request.
    pub(super) fn fail(&mut self, fault: Fault) -> bool {
        let now = self.instant();
        match self.informer.wants().clone() {
            Wants::List(options) => {
                let listed = self.server.list(self.route, &options);
                if fault == Fault::TooLarge && !matches!(listed, Response::Waits) {
                    return false;
                }
                self.request(Verb::List, &options);
                if let Response::Done(page) = listed {
                    for (key, state) in &page.objects[..page.objects.len() / 2] {
                        let item = self.incoming(*key, *state);
                        self.informer.item(item);
                    }
                }
                self.record(1, Phase::Fail, Fact::Error { error: fault });
                if fault == Fault::TooLarge && !options.resource_version.is_empty() {
                    self.notice(0);
                }
                self.informer.listed(Err(errors::fetch(fault)), now);
            }
            Wants::Watch(options) => {
                let opened = self.server.watch(self.route, &options);
                if fault == Fault::TooLarge && !matches!(opened, Response::Waits) {
                    return false;
                }
                self.request(verb_of(&options), &options);
                self.record(1, Phase::Fail, Fact::Error { error: fault });
                if fault == Fault::TooLarge && !options.resource_version.is_empty() {
                    self.notice(0);
                }
                self.informer.opened(Err(errors::fetch(fault)), now);
            }
            Wants::Event | Wants::Time => return false,
        }
        true
    }

    /// For a moment every request fails, or every watch ends at once.
    pub(super) fn flap(&mut self, fault: Option<Fault>) -> bool {
        let mut any = false;
        for _ in 0..MOMENT {
            let done = match (self.informer.wants(), fault) {
                (Wants::Time, _) => false,
                (Wants::Event, _) => self.watcher.is_some() && self.close(Fault::Eof, false),
                (_, None) => self.answer(),
                (_, Some(fault)) => self.fail(fault),
            };
            self.after_step();
            if !done {
                break;
            }
            any = true;
        }
        any
    }

    /// A list older than the cache shows that the server was set back.
    fn notice(&mut self, version: u32) {
        if self.trust == Trust::Unsure && version < number(self.informer.last_version()) {
            self.trust = Trust::Noticed;
        }
    }

    /// The informer uses a response of a server that was set back unnoticed.
    fn doubt(&mut self) {
        if self.trust == Trust::Unsure {
            self.record(1, Phase::Info, Fact::Doubt);
        }
    }

    fn incoming(&self, key: u8, state: State) -> Incoming<Thing> {
        let (namespace, name) = names(key);
        let cached = self.informer.cached(namespace, name, &text(state.uid), &text(state.version));
        cached.unwrap_or_else(|| decoded(key, state))
    }

    pub(super) fn deliver(&mut self) -> bool {
        if !matches!(self.informer.wants(), Wants::Event) {
            return false;
        }
        let Some(watcher) = &mut self.watcher else { return false };
        let before = watcher.next;
        let Some(Sent { event, key, state }) = self.server.next_event(watcher) else {
            // It may have skipped events that the selector does not match.
            return watcher.next != before;
        };
        let streams = watcher.owes_bookmark;
        self.record(1, Phase::Info, Fact::Event { event, key: Some(key), version: state.version });
        if !streams {
            self.doubt();
        }
        let incoming = match event {
            EventType::Deleted if self.setup.readable_end => {
                decoded(key, State { content: state.content & !UNREADABLE, ..state })
            }
            EventType::Deleted => decoded(key, state),
            _ if streams => self.incoming(key, state),
            _ => decoded(key, state),
        };
        let event = match event {
            EventType::Added => WatchEvent::Added(incoming),
            EventType::Deleted => WatchEvent::Deleted(incoming),
            _ => WatchEvent::Modified(incoming),
        };
        self.informer.event(event, self.instant());
        true
    }

    pub(super) fn bookmark(&mut self) -> bool {
        let Some(watcher) = &mut self.watcher else { return false };
        if watcher.hangs {
            return false;
        }
        let ends = watcher.owes_bookmark && watcher.initial.is_empty();
        let version = if ends { Some(watcher.next) } else { self.server.bookmark(watcher) };
        let Some(version) = version.filter(|_| ends || !watcher.owes_bookmark) else { return false };
        if ends {
            watcher.owes_bookmark = false;
            self.notice(version);
            self.doubt();
        }
        let event = if ends { EventType::EndOfList } else { EventType::Bookmark };
        self.record(1, Phase::Info, Fact::Event { event, key: None, version });
        let event = WatchEvent::Bookmark { resource_version: text(version), initial_events_end: ends };
        self.informer.event(event, self.instant());
        true
    }

    /// Ends the watch: the connection, or the server with an error event.
    pub(super) fn close(&mut self, fault: Fault, by_server: bool) -> bool {
        self.watcher = None;
        self.record(1, Phase::Fail, Fact::Error { error: fault });
        let now = self.instant();
        match (by_server, errors::api(fault)) {
            (true, Some(error)) => self.informer.event(WatchEvent::Error(error), now),
            (true, None) => self.informer.closed(None, now),
            (false, _) => self.informer.closed(Some(errors::fetch(fault)), now),
        }
        true
    }
}

fn verb_of(options: &ListOptions) -> Verb {
    if options.send_initial_events == Some(true) { Verb::Stream } else { Verb::Watch }
}

fn decoded(key: u8, state: State) -> Incoming<Thing> {
    if state.content & UNREADABLE == 0 {
        return Incoming::Object(Thing::new(key, state.uid, state.version, state.content));
    }
    Incoming::Undecodable(Undecodable {
        key: object_key(key),
        resource_version: text(state.version),
        error: DecodeError::new(DecodeErrorKind::Invalid(String::new())),
    })
}
