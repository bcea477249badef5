//! The rules that decide when a credential is fetched again, without I/O and without a clock.
//!
//! A [`Refresh`] holds one credential. Call [`ask`](Refresh::ask) before every request, and [`refused`](Refresh::refused) after
//! the server refused the credential. Each call returns the next action. At most one fetch runs at a time.

use std::time::SystemTime;

use tokio::time::Instant;

/// Both clocks: certificates and tokens expire by wall-clock time, and files are read again by monotonic time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pub(crate) wall: SystemTime,
    pub(crate) monotonic: Instant,
}

/// The time at which a credential must be fetched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expiry {
    Never,
    /// Valid up to and including this wall-clock time.
    At(SystemTime),
    /// Valid until this monotonic time.
    After(Instant),
}

/// The number of a credential. Each fetch that succeeds increases it by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Serial(pub(crate) u64);

/// The next action.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Action<T> {
    /// Use this.
    Use(T, Serial),
    /// Begin to fetch, then wait for the result.
    Fetch,
    /// Another request is fetching: wait for its result.
    Wait,
}

/// The behavior after a failed fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The last valid credential stays in use, even after its expiry: a file that is being replaced will soon be readable again.
    Kept,
    /// The error is reported: no credential is better than an expired one.
    Reported,
}

#[derive(Debug)]
pub(crate) struct Refresh<T> {
    on_failure: Failure,
    current: Option<Held<T>>,
    fetching: bool,
    serial: Serial,
}

#[derive(Debug)]
struct Held<T> {
    value: T,
    expiry: Expiry,
}

impl<T: Clone> Refresh<T> {
    pub(crate) fn new(on_failure: Failure) -> Self {
        Self { on_failure, current: None, fetching: false, serial: Serial(0) }
    }

    /// Starts with an existing credential, which may have expired already.
    pub(crate) fn seeded(on_failure: Failure, value: T, expiry: Expiry) -> Self {
        Self { current: Some(Held { value, expiry }), ..Self::new(on_failure) }
    }

    /// A request is about to be made.
    pub(crate) fn ask(&mut self, now: Now) -> Action<T> {
        match &self.current {
            Some(held) if held.expiry.is_ahead_of(now) => Action::Use(held.value.clone(), self.serial),
            _ => self.fetch(),
        }
    }

    /// The server refused the credential with this serial. Fetches a new one, unless that has happened since.
    pub(crate) fn refused(&mut self, serial: Serial) -> Action<T> {
        match &self.current {
            Some(held) if serial != self.serial => Action::Use(held.value.clone(), self.serial),
            _ => self.fetch(),
        }
    }

    /// The fetch has ended with this result. Returns the result for all waiting requests.
    pub(crate) fn fetched<E>(&mut self, result: Result<(T, Expiry), E>) -> Result<(T, Serial), E> {
        self.fetching = false;
        match (result, &self.current) {
            (Ok((value, expiry)), _) => {
                self.serial.0 += 1;
                self.current = Some(Held { value: value.clone(), expiry });
                Ok((value, self.serial))
            }
            (Err(_), Some(held)) if self.on_failure == Failure::Kept => Ok((held.value.clone(), self.serial)),
            (Err(error), _) => Err(error),
        }
    }

    fn fetch(&mut self) -> Action<T> {
        if std::mem::replace(&mut self.fetching, true) { Action::Wait } else { Action::Fetch }
    }
}

impl Expiry {
    fn is_ahead_of(self, now: Now) -> bool {
        match self {
            Self::Never => true,
            Self::At(end) => now.wall <= end,
            Self::After(end) => now.monotonic < end,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const ERROR: Result<(&str, Expiry), &str> = Err("down");

    fn at(seconds: u64) -> Now {
        thread_local!(static START: Instant = Instant::now());
        let after = Duration::from_secs(seconds);
        Now { wall: SystemTime::UNIX_EPOCH + after, monotonic: START.with(|start| *start) + after }
    }

    fn until(seconds: u64) -> Expiry {
        Expiry::At(at(seconds).wall)
    }

    #[test]
    fn a_credential_is_used_up_to_its_end_and_fetched_after_it() {
        let mut refresh = Refresh::new(Failure::Reported);
        assert_eq!(refresh.ask(at(0)), Action::Fetch);
        assert_eq!(refresh.fetched(Ok::<_, ()>(("one", until(60)))), Ok(("one", Serial(1))));
        assert_eq!(refresh.ask(at(60)), Action::Use("one", Serial(1)), "no leeway: valid up to its expiry");
        assert_eq!(refresh.ask(at(61)), Action::Fetch);
        assert_eq!(refresh.fetched(Ok::<_, ()>(("two", Expiry::Never))), Ok(("two", Serial(2))));
        assert_eq!(refresh.ask(at(1 << 40)), Action::Use("two", Serial(2)));
    }

    #[test]
    fn only_one_fetch_runs() {
        let mut refresh = Refresh::new(Failure::Reported);
        assert_eq!(refresh.ask(at(0)), Action::<&str>::Fetch);
        assert_eq!(refresh.ask(at(0)), Action::Wait);
        assert_eq!(refresh.refused(Serial(0)), Action::Wait);
        assert_eq!(refresh.fetched(ERROR), Err("down"));
        assert_eq!(refresh.ask(at(0)), Action::Fetch, "the next one tries again");
    }

    #[test]
    fn a_refusal_counts_only_against_the_credential_that_was_refused() {
        let mut refresh = Refresh::new(Failure::Reported);
        refresh.ask(at(0));
        refresh.fetched(Ok::<_, ()>(("one", Expiry::Never))).unwrap();
        assert_eq!(refresh.refused(Serial(1)), Action::Fetch);
        refresh.fetched(Ok::<_, ()>(("two", Expiry::Never))).unwrap();
        assert_eq!(refresh.refused(Serial(1)), Action::Use("two", Serial(2)), "replaced already");
        assert_eq!(refresh.refused(Serial(2)), Action::Fetch);
        assert_eq!(refresh.fetched(ERROR), Err("down"));
        assert_eq!(refresh.ask(at(1)), Action::Use("two", Serial(2)), "not expired: better than nothing");
    }

    #[test]
    fn t3_8_10_caching_token_source_valid_near_expiry_expired_error_race() {
        let file = |seconds| Expiry::After(at(seconds).monotonic);
        let mut refresh = Refresh::seeded(Failure::Kept, "static", file(0));
        assert_eq!(refresh.ask(at(0)), Action::Fetch, "the file takes precedence over the static token");
        assert_eq!(refresh.fetched(ERROR), Ok(("static", Serial(0))), "unreadable: the one before");
        assert_eq!(refresh.ask(at(1)), Action::Fetch, "and the next request reads again");
        assert_eq!(refresh.fetched(Ok::<_, ()>(("one", file(51)))), Ok(("one", Serial(1))));
        assert_eq!(refresh.ask(at(50)), Action::Use("one", Serial(1)));
        assert_eq!(refresh.ask(at(51)), Action::Fetch);
        assert_eq!(refresh.ask(at(51)), Action::Wait, "a race reads once");
        assert_eq!(refresh.fetched(ERROR), Ok(("one", Serial(1))));

        let mut refresh = Refresh::new(Failure::Kept);
        assert_eq!(refresh.ask(at(0)), Action::Fetch);
        assert_eq!(refresh.fetched(ERROR), Err("down"), "there was none before");
    }
}
