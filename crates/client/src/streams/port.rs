//! A pair of a local and a remote port.

use std::fmt;
use std::str::FromStr;

/// A local port that forwards to a port of a pod, in kubectl's notation: `5000`, `8888:5000`, or `:5000` for any free local
/// port.
///
/// ```
/// use client_rs_client::streams::ForwardedPort;
///
/// let port: ForwardedPort = "8888:5000".parse()?;
/// assert_eq!((port.local, port.remote), (8888, 5000));
/// assert_eq!(ForwardedPort::from(80), "80".parse()?);
/// assert!("80:http".parse::<ForwardedPort>().is_err());
/// # Ok::<(), client_rs_client::streams::ParsePortError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ForwardedPort {
    /// The local port; 0 means any free one.
    pub local: u16,
    /// The port of the pod. Never 0.
    pub remote: u16,
}

/// A text is not a valid pair of ports.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a port to forward: {why}")]
pub struct ParsePortError {
    text: String,
    why: &'static str,
}

impl FromStr for ForwardedPort {
    type Err = ParsePortError;

    fn from_str(text: &str) -> Result<Self, ParsePortError> {
        let bad = |why| ParsePortError { text: text.chars().take(64).collect(), why };
        let number = |part: &str| part.parse::<u16>().map_err(|_| bad("a port must be a number up to 65535"));
        let (local, remote) = match text.split_once(':') {
            None => (number(text)?, number(text)?),
            Some((_, remote)) if remote.contains(':') => return Err(bad("expected at most two ports")),
            Some(("", remote)) => (0, number(remote)?),
            Some((local, remote)) => (number(local)?, number(remote)?),
        };
        if remote == 0 {
            return Err(bad("the pod's port can't be 0"));
        }
        Ok(Self { local, remote })
    }
}

impl fmt::Display for ForwardedPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.local, self.remote)
    }
}

impl From<u16> for ForwardedPort {
    /// The same port on both sides.
    fn from(port: u16) -> Self {
        Self { local: port, remote: port }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t8_2_01_ports_are_parsed_in_kubectls_notation() {
        for (text, local, remote) in [
            ("5000", 5000, 5000),
            ("6000:30", 6000, 30),
            (":80", 0, 80),
            ("0:80", 0, 80),
            ("65535", 65535, 65535),
        ] {
            assert_eq!(text.parse(), Ok(ForwardedPort { local, remote }), "{text}");
        }
        for text in
            ["", ":", "a:b", "1:2:3", "80:0", "0", "65536", "-1:80", "80:http", "5000:5000:5000", " 80"]
        {
            assert!(text.parse::<ForwardedPort>().is_err(), "{text:?}");
        }
    }
}
