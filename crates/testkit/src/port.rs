//! Free ports, and retries if another process takes one first.

use std::io;
use std::net::{Ipv4Addr, TcpListener};

use crate::error::{Context, Error, Result};

/// How many free ports are tried.
const ATTEMPTS: u32 = 8;

/// The result of using a port.
pub(crate) enum Attempt<T> {
    Done(T),
    /// Another process had it.
    Taken,
}

/// Calls `start` with a loopback port: the requested one, or free ones until one is not taken meanwhile.
///
/// A port is free if we can bind it. Until the program binds it, another process may take it, so `start` reports that
/// and gets another port.
pub(crate) fn with_port<T>(
    asked: Option<u16>,
    mut start: impl FnMut(u16) -> Result<Attempt<T>>,
) -> Result<T> {
    if let Some(port) = asked {
        let free = is_free(port).context(|| format!("bind port {port} of 127.0.0.1"))?;
        if free && let Attempt::Done(done) = start(port)? {
            return Ok(done);
        }
        return Err(Error::PortTaken { port });
    }
    let mut last = 0;
    for _ in 0..ATTEMPTS {
        last = free().context(|| "find a free port of 127.0.0.1".into())?;
        if let Attempt::Done(done) = start(last)? {
            return Ok(done);
        }
    }
    Err(Error::PortTaken { port: last })
}

fn free() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn is_free(port: u16) -> io::Result<bool> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_port_can_be_bound() {
        let bound = with_port(None, |port| {
            Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_or(Attempt::Taken, |_| Attempt::Done(port)))
        });
        assert_ne!(bound.unwrap(), 0);
    }

    #[test]
    fn another_one_is_tried_when_somebody_was_quicker() {
        let mut tried = Vec::new();
        let port = with_port(None, |port| {
            tried.push(port);
            Ok(if tried.len() < 3 { Attempt::Taken } else { Attempt::Done(port) })
        });
        assert_eq!(port.unwrap(), tried[2]);
    }

    #[test]
    fn bad_luck_ends() {
        let mut tried = 0;
        let outcome: Result<()> = with_port(None, |_| {
            tried += 1;
            Ok(Attempt::Taken)
        });
        assert!(matches!(outcome, Err(Error::PortTaken { .. })));
        assert_eq!(tried, ATTEMPTS);
    }

    #[test]
    fn an_explicit_port_that_is_taken_is_an_error_that_names_it() {
        let holder = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = holder.local_addr().unwrap().port();
        let error = with_port::<()>(Some(port), |_| panic!("it is taken")).unwrap_err();
        assert!(error.to_string().contains(&port.to_string()), "{error}");
    }

    #[test]
    fn an_error_is_no_reason_to_try_again() {
        let mut tried = 0;
        let outcome: Result<()> = with_port(None, |_| {
            tried += 1;
            Err(Error::Build { detail: String::new() })
        });
        assert!(outcome.is_err());
        assert_eq!(tried, 1);
    }
}
