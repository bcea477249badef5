//! A local port, and the port that it stands for.

use std::fmt;
use std::str::FromStr;

/// A local port that stands for one of a pod's, written as `kubectl` takes it: `5000`, `8888:5000`, or `:5000` for a local
/// port that is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ForwardedPort {
    /// Here; 0 is any that is free.
    pub local: u16,
    /// There. Never 0.
    pub remote: u16,
}

/// A text that names no ports.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no port to forward: {why}")]
pub struct ParsePortError {
    text: String,
    why: &'static str,
}

impl FromStr for ForwardedPort {
    type Err = ParsePortError;

    fn from_str(text: &str) -> Result<Self, ParsePortError> {
        let bad = |why| ParsePortError { text: text.chars().take(64).collect(), why };
        let number = |part: &str| part.parse::<u16>().map_err(|_| bad("a port is a number up to 65535"));
        let (local, remote) = match text.split_once(':') {
            None => (number(text)?, number(text)?),
            Some((_, remote)) if remote.contains(':') => return Err(bad("there are two ports at most")),
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
    fn t8_2_01_ports_are_written_as_kubectl_takes_them() {
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
