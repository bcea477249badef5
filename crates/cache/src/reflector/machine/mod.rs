//! The state machine of a reflector, without objects, sockets or a clock.
//!
//! ```text
//!             ┌────────────── no streamed list available ────────────────────┐
//!   Resting ──┤                                                              ▼
//!      ▲      └─▶ OpeningStream ─▶ Streaming ─▶ Committing ◀──────────── Listing
//!      │                                            │
//!      │                                            ▼
//!      └──────── everything that needs a relist ─── Watching ◀─▶ OpeningWatch
//! ```
//!
//! A round goes from `Resting` to `Resting`; the backoff chooses the pause between two rounds. A wait within a
//! round (the server is busy or unreachable) is a [`Paused`](State::Paused).

use std::time::{Duration, Instant};

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::WatchEventType;
use client_rs_machinery::{Str, canary};

use super::backoff::{ExponentialBackoff, RetryBackoff};
pub(crate) use super::steps::{Actions, Disposal, Event, Next, Note};
use crate::FetchError;
use crate::random::Random;
use crate::store::versions::Numeric;

/// A watch without events that ends sooner is an error.
const VERY_SHORT: Duration = Duration::from_secs(1);
/// The number of watches in a row that may end that soon, with events, before a pause.
const SHORT_IN_A_ROW: u32 = 3;
/// The time without an event after which a stream is reported as quiet.
const QUIET: Duration = Duration::from_secs(10);
/// How long a server may take to end a watch after its timeout.
const OVERTIME: Duration = Duration::from_secs(30);
/// Internal errors that are this far apart are unrelated.
const INTERNAL_ERRORS_APART: Duration = Duration::from_mins(1);
/// The lower bound of the minimum watch timeout.
const MIN_WATCH_TIMEOUT: Duration = Duration::from_mins(5);
/// The upper bound of the minimum watch timeout: some 34 years.
const MAX_WATCH_TIMEOUT: Duration = Duration::from_secs(1 << 30);
/// The time without an event after which a plain list replaces a streamed one.
const STREAM_STALLS: Duration = Duration::from_mins(1);
/// The number of streamed lists in a row that may end incomplete before a plain list is tried.
const CUT_IN_A_ROW: u32 = 2;
/// The default number of items per page.
const DEFAULT_PAGE_SIZE: i64 = 500;

/// The options of a [`Machine`].
pub(crate) struct MachineOptions {
    /// Try to get the list as a stream of watch events.
    pub(crate) watch_list: bool,
    /// The number of items per page; 0 applies the default rules.
    pub(crate) page_size: i64,
    /// The minimum duration to request for a watch, at most twice as long; at least five minutes.
    pub(crate) min_watch_timeout: Duration,
    /// How long a watch is reopened at once after internal errors.
    pub(crate) max_internal_error_retry: Duration,
    /// The resync period; `None` for never.
    pub(crate) resync_period: Option<Duration>,
    /// Compare a streamed list with a plain list at its version.
    pub(crate) check_consistency: bool,
    /// The waits between attempts.
    pub(crate) backoff: Box<dyn RetryBackoff>,
    /// The randomness for watch timeouts.
    pub(crate) random: Random,
}

impl Default for MachineOptions {
    fn default() -> Self {
        Self {
            watch_list: true,
            page_size: 0,
            min_watch_timeout: MIN_WATCH_TIMEOUT,
            max_internal_error_retry: Duration::ZERO,
            resync_period: None,
            check_consistency: false,
            backoff: Box::new(ExponentialBackoff::default()),
            random: Random::default(),
        }
    }
}

/// The state of a [`Machine`].
#[derive(Debug)]
enum State {
    /// Between two rounds, or before the first; the next one starts at this time.
    Resting { until: Option<Instant> },
    /// A wait within a round; `then` follows.
    Paused { until: Option<Instant>, then: Then },
    /// A streamed list has been requested.
    OpeningStream { overdue: Instant },
    /// A list is being streamed.
    Streaming(Watch),
    /// A page has been requested.
    Listing(Listing),
    /// The store applies the list; `stream` is the watch of a streamed list.
    Committing { resource_version: Str, stream: Option<Watch> },
    /// A watch has been requested.
    OpeningWatch { overdue: Instant },
    /// The watch is open.
    Watching(Watch),
}

#[derive(Clone, Copy, Debug)]
enum Then {
    Stream,
    Watch,
}

/// An open watch.
#[derive(Debug)]
struct Watch {
    opened: Instant,
    events: u64,
    last_event: Instant,
    /// Whether only synthetic additions have arrived so far. They do not show the version that was reached; the first other event ends them.
    synthetic: bool,
    /// The version that the stream has reached.
    resource_version: Str,
    /// The time of the next report that the stream is quiet; for streamed lists.
    quiet_at: Option<Instant>,
    overdue: Instant,
}

/// A list in progress.
#[derive(Debug)]
struct Listing {
    /// The version requested with the first page.
    requested: Str,
    limit: i64,
    continue_token: Str,
    /// The version of the first page.
    resource_version: Option<Str>,
    /// Whether this is the second attempt, without a version.
    again: bool,
}

/// The state machine of a reflector.
pub(crate) struct Machine {
    options: MachineOptions,
    state: State,
    last: Str,
    /// Whether the server does not have the last version: the next list accepts any version.
    unavailable: bool,
    /// Whether the server was behind the cache since the last list. It may have been restored from a backup, and then
    /// reuses versions that the cache knows for other content.
    rewound: bool,
    /// Whether a list at version 0 came in pages, which shows that the server has no watch cache.
    paginated: bool,
    internal_errors: Option<InternalErrors>,
    short_watches: u32,
    /// The number of streamed lists in a row that ended incomplete.
    cut_streams: u32,
    resync_at: Option<Instant>,
}

/// Internal errors of watches in short succession.
#[derive(Clone, Copy, Debug)]
struct InternalErrors {
    first: Instant,
    last: Instant,
}

impl Machine {
    pub(crate) fn new(options: MachineOptions) -> Self {
        Self {
            options,
            state: State::Resting { until: None },
            last: Str::EMPTY,
            unavailable: false,
            rewound: false,
            paginated: false,
            internal_errors: None,
            short_watches: 0,
            cut_streams: 0,
            resync_at: None,
        }
    }

    /// Handles an event and returns the actions to perform.
    pub(crate) fn step(&mut self, event: Event, now: Instant) -> Actions {
        match event {
            Event::Start => self.begin(now),
            Event::Tick => self.tick(now),
            Event::Listed { resource_version, continue_token } => {
                self.listed(resource_version, continue_token)
            }
            Event::ListFailed(error) => self.list_failed(error, now),
            Event::Opened => self.opened(now),
            Event::OpenFailed(error) => self.open_failed(error, now),
            Event::Object { kind, resource_version } => self.object(&kind, resource_version, now),
            Event::Bookmark { resource_version, initial_events_end } => {
                self.bookmark(resource_version, initial_events_end, now)
            }
            Event::Skipped => self.skipped(now),
            Event::Closed => self.closed(now),
            Event::Broken(error) => self.broken(error, now),
            Event::Committed => self.committed(now),
            Event::CommitFailed(error) => self.commit_failed(error, now),
        }
    }

    /// Returns the time of the next [`Event::Tick`].
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let own = match &self.state {
            State::Resting { until } | State::Paused { until, .. } => *until,
            State::OpeningStream { overdue } | State::OpeningWatch { overdue } => Some(*overdue),
            State::Streaming(watch) | State::Watching(watch) => earlier(watch.quiet_at, Some(watch.overdue)),
            State::Listing(_) | State::Committing { .. } => None,
        };
        earlier(own, self.resync_at)
    }

    /// Returns the version that the store has reached.
    pub(crate) fn last_resource_version(&self) -> &Str {
        &self.last
    }

    /// Returns whether versions of the cache can be compared with those of the server. If not, every listed object counts as new.
    pub(crate) fn trusts_versions(&self) -> bool {
        !self.rewound || canary!(8)
    }

    /// Returns the phase, for the status.
    pub(crate) fn phase(&self) -> &'static str {
        match &self.state {
            State::Resting { .. } => "resting",
            State::Paused { .. } => "paused",
            State::OpeningStream { .. } | State::Streaming(_) => "streaming",
            State::Listing(_) => "listing",
            State::Committing { .. } => "committing",
            State::OpeningWatch { .. } => "opening",
            State::Watching(_) => "watching",
        }
    }

    /// Returns the position of the state in the table of a simulation.
    #[cfg(feature = "sim")]
    pub(crate) fn number(&self) -> u8 {
        match &self.state {
            State::Resting { .. } => 0,
            State::Paused { .. } => 1,
            State::OpeningStream { .. } => 2,
            State::Streaming(_) => 3,
            State::Listing(_) => 4,
            State::Committing { .. } => 5,
            State::OpeningWatch { .. } => 6,
            State::Watching(_) => 7,
        }
    }

    /// Writes the state, to recognize it.
    #[cfg(feature = "sim")]
    pub(crate) fn fingerprint(&self, out: &mut dyn std::fmt::Write) -> std::fmt::Result {
        let Self { state, last, unavailable, rewound, paginated, internal_errors, .. } = self;
        write!(out, "{state:?}{last:?}{unavailable}{rewound}{paginated}{internal_errors:?}")?;
        write!(out, "{}{}{:?}", self.short_watches, self.cut_streams, self.resync_at)
    }

    // Rounds.

    fn begin(&mut self, now: Instant) -> Actions {
        if self.options.watch_list { self.open_stream(now) } else { self.list() }
    }

    /// Ends a round.
    fn rest(&mut self, now: Instant) -> Actions {
        self.resync_at = None;
        // A delay too long to express is `None`, which rests forever.
        self.state = State::Resting { until: now.checked_add(self.options.backoff.next_delay(now)) };
        Actions::then(Next::Rest)
    }

    fn pause(&mut self, then: Then, error: FetchError, now: Instant) -> Actions {
        let delay = self.options.backoff.next_delay(now);
        self.state = State::Paused { until: now.checked_add(delay), then };
        Actions::then(Next::Rest).noting(Note::Waits(delay, error))
    }

    fn tick(&mut self, now: Instant) -> Actions {
        let mut resync = false;
        if self.resync_at.is_some_and(|at| at <= now) {
            self.resync_at = self.next_resync(now);
            resync = true;
        }
        let mut actions = match &mut self.state {
            State::Resting { until: Some(until) } if *until <= now => self.begin(now),
            State::Paused { until: Some(until), then } if *until <= now => match then {
                Then::Stream => self.open_stream(now),
                Then::Watch => self.open_watch(now),
            },
            State::OpeningStream { overdue } if *overdue <= now => {
                self.open_stream(now).noting(Note::Overdue)
            }
            State::OpeningWatch { overdue } if *overdue <= now => self.open_watch(now).noting(Note::Overdue),
            State::Streaming(watch) | State::Watching(watch) if watch.overdue <= now && !canary!(17) => {
                self.closed(now).noting(Note::Overdue)
            }
            State::Streaming(watch) if watch.quiet_at.is_some_and(|at| at <= now) => {
                watch.quiet_at = Some(now + QUIET);
                let idle = now.saturating_duration_since(watch.last_event);
                if idle >= STREAM_STALLS {
                    // A server without support for streamed lists handles the request as a watch.
                    return self.give_up_stream(FetchError::other("the streamed list has stalled"), resync);
                }
                let quiet = Note::Quiet { events: watch.events, idle };
                Actions { note: (idle >= QUIET).then_some(quiet), ..Actions::then(Next::Continue) }
            }
            _ => Actions::then(Next::Continue),
        };
        actions.resync = resync;
        actions
    }

    // Streamed lists.

    fn open_stream(&mut self, now: Instant) -> Actions {
        let (mut options, overdue) = self.watch_options(now);
        if self.unavailable {
            options.resource_version = Str::EMPTY;
        }
        options.send_initial_events = Some(true);
        options.resource_version_match = "NotOlderThan".into();
        self.state = State::OpeningStream { overdue };
        Actions::then(Next::Watch { options: Box::new(options), stream: true })
    }

    fn stream_failed(&mut self, error: FetchError, now: Instant) -> Actions {
        if is_busy(&error) {
            return self.pause(Then::Stream, error, now);
        }
        // A request without a version cannot fail because of the version: do not retry it in a loop if the server
        // reports that anyway.
        let asked_for_one = !self.unavailable && !self.last.is_empty();
        self.rewound |= asked_for_one && error.is_too_large_resource_version();
        if asked_for_one && (error.is_expired() || error.is_too_large_resource_version()) {
            self.unavailable = !canary!(3);
            return self.open_stream(now);
        }
        self.list().noting(Note::FallsBack(error))
    }

    /// Tries a plain list instead of a streamed one.
    fn give_up_stream(&mut self, error: FetchError, resync: bool) -> Actions {
        self.cut_streams = 0;
        Actions { resync, ..self.list().noting(Note::FallsBack(error)) }
    }

    // Plain lists.

    fn list(&mut self) -> Actions {
        let requested = match () {
            () if self.unavailable => Str::EMPTY,
            () if self.last.is_empty() => "0".into(),
            () => self.last.clone(),
        };
        self.list_at(requested, false)
    }

    fn list_at(&mut self, requested: Str, again: bool) -> Actions {
        let limit = match self.options.page_size {
            // At a specific version, only a list without pages comes from the watch cache of the server.
            0 if self.paginated || requested.is_empty() || requested == "0" => DEFAULT_PAGE_SIZE,
            size => size,
        };
        self.page(Listing { requested, limit, continue_token: Str::EMPTY, resource_version: None, again })
    }

    fn page(&mut self, listing: Listing) -> Actions {
        let first_page = listing.continue_token.is_empty();
        let options = ListOptions {
            resource_version: if first_page { listing.requested.clone() } else { Str::EMPTY },
            limit: listing.limit,
            continue_: listing.continue_token.clone(),
            ..ListOptions::EMPTY
        };
        self.state = State::Listing(listing);
        Actions::then(Next::List { options: Box::new(options), first_page })
    }

    fn listed(&mut self, resource_version: Str, continue_token: Str) -> Actions {
        let State::Listing(listing) = &mut self.state else { return Actions::then(Next::Continue) };
        let version = listing.resource_version.get_or_insert(resource_version).clone();
        if self.goes_back(&version) {
            return self.list_rewound();
        }
        let State::Listing(listing) = &mut self.state else { return Actions::then(Next::Continue) };
        if continue_token.is_empty() {
            self.state = State::Committing { resource_version: version.clone(), stream: None };
            return Actions::then(Next::Commit { resource_version: version, check: false });
        }
        self.paginated |= listing.requested == "0";
        let listing = Listing {
            requested: listing.requested.clone(),
            limit: listing.limit,
            continue_token,
            resource_version: Some(version),
            again: listing.again,
        };
        self.page(listing)
    }

    fn list_failed(&mut self, error: FetchError, now: Instant) -> Actions {
        let State::Listing(listing) = &self.state else { return self.rest(now).reporting(error) };
        if !listing.continue_token.is_empty() && error.is_expired() {
            // The server no longer has the other pages: request the whole list in one piece.
            let (requested, again) = (listing.requested.clone(), listing.again);
            return self.page(Listing {
                requested,
                limit: 0,
                continue_token: Str::EMPTY,
                resource_version: None,
                again,
            });
        }
        if !listing.again && (error.is_expired() || error.is_too_large_resource_version()) {
            self.rewound |= error.is_too_large_resource_version();
            self.unavailable = true;
            return self.list_at(Str::EMPTY, true);
        }
        self.rest(now).reporting(error)
    }

    /// Returns whether a list is older than the cache. Once that is known, it returns false.
    fn goes_back(&self, listed: &str) -> bool {
        let (last, listed) = (Numeric::parse(&self.last), Numeric::parse(listed));
        !self.rewound && !canary!(7) && last.zip(listed).is_some_and(|(last, listed)| listed < last)
    }

    /// Lists again, without objects from the cache.
    fn list_rewound(&mut self) -> Actions {
        self.rewound = true;
        self.unavailable = true;
        self.list_at(Str::EMPTY, true).noting(Note::Rewound)
    }

    // The store applies a list.

    fn committed(&mut self, now: Instant) -> Actions {
        let state = std::mem::replace(&mut self.state, State::Resting { until: None });
        let State::Committing { resource_version, stream } = state else {
            self.state = state;
            return Actions::then(Next::Continue);
        };
        self.unavailable = canary!(18);
        self.rewound = false;
        self.last = resource_version.clone();
        self.resync_at = self.next_resync(now);
        let actions = match stream {
            None => self.open_watch(now),
            Some(watch) => {
                self.state = State::Watching(Watch { synthetic: false, quiet_at: None, ..watch });
                Actions::then(Next::Read)
            }
        };
        Actions { resource_version: Some(resource_version), ..actions }
    }

    fn commit_failed(&mut self, error: FetchError, now: Instant) -> Actions {
        match &self.state {
            State::Committing { stream: Some(_), .. } => {
                let report = matches!(error, FetchError::Inconsistent(_)).then(|| error.clone());
                Actions { report, ..self.list().noting(Note::FallsBack(error)) }
            }
            _ => self.rest(now).reporting(error),
        }
    }

    // Watches.

    fn watch_options(&mut self, now: Instant) -> (ListOptions, Instant) {
        let min = self.options.min_watch_timeout.clamp(MIN_WATCH_TIMEOUT, MAX_WATCH_TIMEOUT).as_secs();
        // Whole seconds in [min, 2 min): watches that were opened together do not end together.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let extra = (self.options.random.next_unit() * min as f64) as u64;
        let seconds = min + extra;
        let options = ListOptions {
            watch: true,
            allow_watch_bookmarks: true,
            resource_version: self.last.clone(),
            timeout_seconds: Some(i64::try_from(seconds).unwrap_or(i64::MAX)),
            ..ListOptions::EMPTY
        };
        (options, now + Duration::from_secs(seconds) + OVERTIME)
    }

    fn next_resync(&self, now: Instant) -> Option<Instant> {
        self.options.resync_period.and_then(|period| now.checked_add(period))
    }

    fn open_watch(&mut self, now: Instant) -> Actions {
        let (options, overdue) = self.watch_options(now);
        self.state = State::OpeningWatch { overdue };
        Actions::then(Next::Watch { options: Box::new(options), stream: false })
    }

    fn opened(&mut self, now: Instant) -> Actions {
        let watch = |overdue, synthetic, quiet_at| Watch {
            opened: now,
            events: 0,
            last_event: now,
            synthetic,
            resource_version: Str::EMPTY,
            quiet_at,
            overdue,
        };
        self.state = match self.state {
            State::OpeningStream { overdue } => State::Streaming(watch(overdue, true, Some(now + QUIET))),
            State::OpeningWatch { overdue } => {
                let synthetic = self.last.is_empty() || self.last == "0";
                State::Watching(watch(overdue, synthetic, None))
            }
            _ => return Actions::then(Next::Continue),
        };
        Actions::then(Next::Read)
    }

    fn open_failed(&mut self, error: FetchError, now: Instant) -> Actions {
        match &self.state {
            State::OpeningStream { .. } => self.stream_failed(error, now),
            _ if is_busy(&error) => self.pause(Then::Watch, error, now),
            _ => self.rest(now).reporting(error),
        }
    }

    fn skipped(&mut self, now: Instant) -> Actions {
        let (State::Streaming(watch) | State::Watching(watch)) = &mut self.state else {
            return Actions::then(Next::Continue);
        };
        watch.events += 1;
        watch.last_event = now;
        Actions::then(Next::Read)
    }

    fn object(&mut self, kind: &WatchEventType, resource_version: Str, now: Instant) -> Actions {
        let mut actions = self.received(kind == &WatchEventType::Added, resource_version, now);
        actions.object = match &self.state {
            State::Streaming(_) => Disposal::Stage,
            State::Watching(_) => Disposal::Apply,
            _ => Disposal::None,
        };
        actions
    }

    fn bookmark(&mut self, resource_version: Str, initial_events_end: bool, now: Instant) -> Actions {
        let actions = self.received(false, resource_version, now);
        match &self.state {
            State::Streaming(_) if initial_events_end => self.streamed(),
            _ => actions,
        }
    }

    /// Records an event of the watch and the version that it reaches.
    fn received(&mut self, is_addition: bool, resource_version: Str, now: Instant) -> Actions {
        let (State::Streaming(watch) | State::Watching(watch)) = &mut self.state else {
            return Actions::then(Next::Continue);
        };
        watch.events += 1;
        watch.last_event = now;
        watch.synthetic &= is_addition || canary!(4);
        let mut actions = Actions::then(Next::Read);
        if !watch.synthetic && !resource_version.is_empty() {
            watch.resource_version = resource_version.clone();
            if let State::Watching(_) = &self.state {
                self.last = resource_version.clone();
                actions.resource_version = Some(resource_version);
            }
        }
        actions
    }

    /// Handles the end of a streamed list.
    fn streamed(&mut self) -> Actions {
        let state = std::mem::replace(&mut self.state, State::Resting { until: None });
        let State::Streaming(watch) = state else {
            self.state = state;
            return Actions::then(Next::Continue);
        };
        self.cut_streams = 0;
        let resource_version = watch.resource_version.clone();
        if self.goes_back(&resource_version) {
            return self.list_rewound();
        }
        self.state = State::Committing { resource_version: resource_version.clone(), stream: Some(watch) };
        let check = self.options.check_consistency && resource_version != "0";
        Actions::then(Next::Commit { resource_version, check })
    }

    fn closed(&mut self, now: Instant) -> Actions {
        let (State::Streaming(watch) | State::Watching(watch)) = &self.state else {
            return Actions::then(Next::Continue);
        };
        let streaming = matches!(self.state, State::Streaming(_));
        let short = now.saturating_duration_since(watch.opened) < VERY_SHORT;
        let empty = short && watch.events == 0 && !canary!(16);
        if streaming {
            // Do not request the whole list again in a tight loop.
            self.cut_streams += 1;
            return match empty {
                true => self.give_up_stream(FetchError::VeryShortWatch, false),
                false if self.cut_streams >= CUT_IN_A_ROW => self.give_up_stream(FetchError::Eof, false),
                false => self.pause(Then::Stream, FetchError::Eof, now),
            };
        }
        if empty {
            return self.rest(now).noting(Note::WatchEnded(FetchError::VeryShortWatch));
        }
        // Do not reopen in a tight loop if the server repeatedly closes the watch after a few events.
        self.short_watches = if short && !canary!(16) { self.short_watches + 1 } else { 0 };
        if self.short_watches >= SHORT_IN_A_ROW {
            return self.pause(Then::Watch, FetchError::Eof, now);
        }
        self.open_watch(now)
    }

    fn broken(&mut self, error: FetchError, now: Instant) -> Actions {
        if matches!(error, FetchError::Eof | FetchError::Disconnected(_)) {
            // The events until then count; the next watch resumes after them.
            return self.closed(now);
        }
        if matches!(self.state, State::Streaming(_)) {
            return self.stream_failed(error, now);
        }
        if is_busy(&error) {
            return self.pause(Then::Watch, error, now);
        }
        if error.is_internal_error() && self.retries_internal_error(now) {
            return self.open_watch(now).noting(Note::Waits(Duration::ZERO, error));
        }
        // Also if the version has expired: the next list requests it, and the response of the server to that
        // decides whether it is available.
        self.rest(now).noting(Note::WatchEnded(error))
    }

    fn retries_internal_error(&mut self, now: Instant) -> bool {
        let errors = self
            .internal_errors
            .filter(|errors| now.saturating_duration_since(errors.last) < INTERNAL_ERRORS_APART)
            .unwrap_or(InternalErrors { first: now, last: now });
        self.internal_errors = Some(InternalErrors { last: now, ..errors });
        let max = self.options.max_internal_error_retry;
        !max.is_zero() && now.saturating_duration_since(errors.first) <= max
    }
}

/// Returns whether the server is busy or unreachable. Then a list would not succeed either.
fn is_busy(error: &FetchError) -> bool {
    error.is_connection_refused() || error.is_too_many_requests()
}

fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests;
