//! The user's terminal while a process elsewhere has it, and the way back.
//!
//! In raw mode keys go where the process is, as they are; a terminal left in that mode is useless. So it is restored
//! by [`TerminalGuard`] when that is dropped, which is every return and every unwinding; by a panic's hook, before the panic
//! is printed; and when a signal asks the process to end.

use client_rs_client::streams::TerminalSize;

#[cfg(unix)]
pub(crate) use unix::{EndSignal, Resizes, TerminalGuard, size};

#[cfg(not(unix))]
pub(crate) use other::{EndSignal, Resizes, TerminalGuard, size};

/// Can keys be read one by one here?
pub(crate) const RAW: bool = cfg!(unix);

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::fd::{AsFd, OwnedFd};
    use std::sync::{Arc, Mutex, Once, PoisonError};
    use std::task::Poll;
    use std::time::Duration;

    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
    use tokio::signal::unix::{Signal, SignalKind, signal};
    use tokio::sync::oneshot;
    use tokio::task::JoinHandle;

    use super::TerminalSize;

    /// How long an orderly end may take once a signal has come.
    const GRACE: Duration = Duration::from_secs(2);

    /// The terminal to restore after a panic: there is one standard input.
    static LENT: Mutex<Option<Arc<Lent>>> = Mutex::new(None);

    /// A terminal, and how it was.
    #[derive(Debug)]
    struct Lent {
        terminal: OwnedFd,
        before: Mutex<Option<Termios>>,
    }

    impl Lent {
        fn borrow(terminal: OwnedFd, raw: bool) -> io::Result<Self> {
            let before = tcgetattr(&terminal)?;
            let mut during = before.clone();
            if raw {
                during.make_raw();
                tcsetattr(&terminal, OptionalActions::Now, &during)?;
            }
            Ok(Self { terminal, before: Mutex::new(Some(before)) })
        }

        /// Puts it back, once. Not when output has drained: that may be never.
        fn give_back(&self) {
            let before = self.before.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(before) = before {
                // A terminal that is gone has no settings.
                let _ = tcsetattr(&self.terminal, OptionalActions::Now, &before);
            }
        }
    }

    /// The terminal of standard input, as a process elsewhere needs it; put back when this is dropped.
    ///
    /// While it is there, signals that ask the process to end put the terminal back and do no more than an [`EndSignal`] does.
    #[derive(Debug)]
    pub(crate) struct TerminalGuard {
        lent: Arc<Lent>,
        signal: EndSignal,
    }

    impl TerminalGuard {
        /// Takes the terminal of standard input. Must be called inside a tokio runtime.
        pub(crate) fn take(raw: bool) -> io::Result<Self> {
            Self::over(std::io::stdin().as_fd().try_clone_to_owned()?, raw)
        }

        fn over(terminal: OwnedFd, raw: bool) -> io::Result<Self> {
            // Before anything is changed: from here on nothing ends the process in between.
            let signals = Signals::new(&TO_END)?;
            let lent = Arc::new(Lent::borrow(terminal, raw)?);
            *LENT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&lent));
            hook();
            let heard = Arc::clone(&lent);
            let signal = EndSignal::watch(signals, move || heard.give_back());
            Ok(Self { lent, signal })
        }

        /// Waits for a signal that asks the process to end.
        pub(crate) async fn interrupted(&mut self) {
            self.signal.heard().await;
        }
    }

    impl Drop for TerminalGuard {
        fn drop(&mut self) {
            self.lent.give_back();
            LENT.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }

    /// Restores the terminal before a panic is printed.
    fn hook() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                // Its owner restores it anyway.
                if let Some(lent) = LENT.try_lock().ok().and_then(|lent| lent.clone()) {
                    lent.give_back();
                }
                before(panic);
            }));
        });
    }

    /// A signal that asks the process to end.
    const TO_END: [SignalKind; 4] =
        [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup(), SignalKind::quit()];

    /// Signals that ask the process to end, and do not end it while this is there: they are [heard](Self::heard), and a
    /// command ends in order. They are listened for from the moment that this is made, whether or not somebody waits. A
    /// process that is still there two seconds later, or at the next signal, is ended with 1, for it may hang in a write that
    /// nobody reads.
    #[derive(Debug)]
    pub(crate) struct EndSignal {
        watcher: JoinHandle<()>,
        told: oneshot::Receiver<()>,
    }

    impl EndSignal {
        /// SIGINT, SIGTERM, SIGHUP and SIGQUIT. Must be called inside a tokio runtime.
        pub(crate) fn any() -> io::Result<Self> {
            Ok(Self::watch(Signals::new(&TO_END)?, || {}))
        }

        /// Control-C alone.
        pub(crate) fn interrupt() -> io::Result<Self> {
            Ok(Self::watch(Signals::new(&[SignalKind::interrupt()])?, || {}))
        }

        fn watch(mut signals: Signals, first: impl FnOnce() + Send + 'static) -> Self {
            let (tell, told) = oneshot::channel();
            let watcher = tokio::spawn(async move {
                signals.next().await;
                first();
                // The waiting task ends the command, and this task with it.
                let _ = tell.send(());
                // Gone with the wait: the next signal, or time.
                let _ = tokio::time::timeout(GRACE, signals.next()).await;
                std::process::exit(1);
            });
            Self { watcher, told }
        }

        /// Waits for one.
        pub(crate) async fn heard(&mut self) {
            // The sender lives as long as the watcher, and that as long as this.
            let _ = (&mut self.told).await;
        }
    }

    impl Drop for EndSignal {
        fn drop(&mut self) {
            self.watcher.abort();
        }
    }

    struct Signals(Vec<Signal>);

    impl Signals {
        fn new(kinds: &[SignalKind]) -> io::Result<Self> {
            Ok(Self(kinds.iter().map(|kind| signal(*kind)).collect::<io::Result<_>>()?))
        }

        async fn next(&mut self) {
            std::future::poll_fn(|cx| {
                let ready = self.0.iter_mut().any(|signal| signal.poll_recv(cx).is_ready());
                if ready { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        }
    }

    /// The size of the terminal that is written to, or else read from.
    pub(crate) fn size() -> Option<TerminalSize> {
        let size = tcgetwinsize(std::io::stdout()).or_else(|_| tcgetwinsize(std::io::stdin())).ok()?;
        Some(TerminalSize { width: size.ws_col, height: size.ws_row })
    }

    /// Notifies of changes of the terminal's size.
    #[derive(Debug)]
    pub(crate) struct Resizes(Signal);

    impl Resizes {
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self(signal(SignalKind::window_change())?))
        }

        /// The next size.
        pub(crate) async fn next(&mut self) -> Option<TerminalSize> {
            self.0.recv().await?;
            size()
        }
    }

    #[cfg(test)]
    mod tests {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        use rustix::termios::LocalModes;

        use super::*;

        /// A terminal, and its other end.
        fn terminal() -> (OwnedFd, std::fs::File) {
            let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
            grantpt(&controller).unwrap();
            unlockpt(&controller).unwrap();
            let name = ptsname(&controller, Vec::new()).unwrap();
            let file =
                std::fs::OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
            (controller, file)
        }

        // One test: there is one slot for panics, and one process for signals.
        #[tokio::test]
        async fn a_terminal_is_put_back_on_every_way_out() {
            let (_controller, terminal) = terminal();
            let lent =
                |raw| TerminalGuard::over(terminal.as_fd().try_clone_to_owned().unwrap(), raw).unwrap();
            let modes = || tcgetattr(&terminal).unwrap().local_modes;
            let before = modes();
            let is_raw = || !modes().intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
            assert!(!is_raw());

            let guard = lent(true);
            assert!(is_raw());
            drop(guard);
            assert_eq!(modes(), before, "when it is dropped");

            let guard = lent(false);
            assert_eq!(modes(), before, "nothing is changed where nothing was asked for");
            drop(guard);

            // A panic in another thread unwinds none of ours.
            let guard = lent(true);
            assert!(is_raw());
            std::thread::spawn(|| panic!("on purpose")).join().unwrap_err();
            assert_eq!(modes(), before, "when something panics");
            drop(guard);

            let outcome = std::panic::catch_unwind(|| {
                let _guard = lent(true);
                assert!(is_raw());
                panic!("on purpose");
            });
            assert!(outcome.is_err());
            assert_eq!(modes(), before, "when its own thread panics");

            let mut guard = lent(true);
            assert!(is_raw());
            let own = rustix::process::getpid();
            rustix::process::kill_process(own, rustix::process::Signal::HUP).unwrap();
            guard.interrupted().await;
            assert_eq!(modes(), before, "when a signal asks for the end");
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;

    use super::TerminalSize;

    /// Raw mode is not supported here, so there is nothing to restore.
    #[derive(Debug)]
    pub(crate) struct TerminalGuard;

    impl TerminalGuard {
        pub(crate) fn take(_raw: bool) -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) async fn interrupted(&mut self) {
            std::future::pending::<()>().await;
        }
    }

    /// Control-C, the only signal here.
    #[derive(Debug)]
    pub(crate) struct EndSignal;

    impl EndSignal {
        pub(crate) fn any() -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) fn interrupt() -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) async fn heard(&mut self) {
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    pub(crate) fn size() -> Option<TerminalSize> {
        None
    }

    #[derive(Debug)]
    pub(crate) struct Resizes;

    impl Resizes {
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) async fn next(&mut self) -> Option<TerminalSize> {
            None
        }
    }
}
