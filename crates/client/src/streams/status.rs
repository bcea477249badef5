//! The exit status of a process in a container.

use std::io;

use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_machinery::{ApiError, ServerAnswer};
use client_rs_streams::ConnectionEnd;

/// The exit status of a process.
///
/// ```
/// use client_rs_client::streams::ExitStatus;
///
/// assert!(ExitStatus::SUCCESS.is_success());
/// assert_eq!(ExitStatus::SUCCESS.code(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExitStatus {
    code: u8,
}

impl ExitStatus {
    /// The status of success: zero.
    pub const SUCCESS: Self = Self { code: 0 };

    /// The exit code of the process, or 128 plus the number of the signal that ended it (137 for SIGKILL).
    pub fn code(self) -> u8 {
        self.code
    }

    /// Returns `true` if the code is zero.
    pub fn is_success(self) -> bool {
        self.code == 0
    }
}

/// The exit status of a process is unknown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// The server reports an error, for example that the program or the container does not exist.
    #[error("{}", .0.0)]
    Failed(#[source] ServerAnswer),
    /// The server's exit status is malformed.
    #[error("the server sent a malformed exit status: {0}")]
    Status(String),
    /// The connection was lost before the process ended. The process may still run.
    #[error(transparent)]
    Connection(#[from] ConnectionEnd),
    /// A stream of the process failed.
    #[error("a stream of the process failed: {0}")]
    Stream(io::Error),
    /// The output is larger than the limit.
    #[error("the process wrote more than {0} bytes")]
    TooMuch(usize),
}

// Not a source: the message contains its text.
impl From<io::Error> for ProcessError {
    fn from(error: io::Error) -> Self {
        Self::Stream(error)
    }
}

/// Converts the error of a stream.
pub(super) fn stream_error(error: io::Error) -> ProcessError {
    match error.downcast::<ConnectionEnd>() {
        Ok(end) => ProcessError::Connection(end),
        Err(error) => ProcessError::Stream(error),
    }
}

/// Parses the last message on the error channel. An empty message means success.
pub(super) fn read(message: &[u8]) -> Result<ExitStatus, ProcessError> {
    if message.is_empty() {
        return Ok(ExitStatus::SUCCESS);
    }
    let nonsense = |why: &str| {
        let message: String = String::from_utf8_lossy(message).chars().take(256).collect();
        ProcessError::Status(format!("{why} in {message:?}"))
    };
    let status = Status::decode(Format::Json, message, &mut Decoding::new())
        .map_err(|error| nonsense(&error.to_string()))?;
    match (status.status.as_str(), status.reason.as_str()) {
        ("Success", _) => Ok(ExitStatus::SUCCESS),
        ("Failure", "NonZeroExitCode") => {
            let causes = status.details.iter().flat_map(|details| details.causes.iter());
            let code =
                causes.filter(|cause| cause.reason == "ExitCode").map(|cause| cause.message.parse()).next();
            match code {
                Some(Ok(code)) => Ok(ExitStatus { code }),
                Some(Err(_)) => Err(nonsense("the exit code is not a number")),
                None => Err(nonsense("the exit code is missing")),
            }
        }
        ("Failure", _) => Err(ProcessError::Failed(ApiError::from(&status).into())),
        _ => Err(nonsense("neither success nor failure")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(details: &str) -> String {
        format!(r#"{{"status":"Failure","reason":"NonZeroExitCode","message":"m"{details}}}"#)
    }

    fn exit(code: &str) -> String {
        failure(&format!(
            r#","details":{{"causes":[{{"reason":"Other"}},{{"reason":"ExitCode","message":"{code}"}}]}}"#
        ))
    }

    #[test]
    fn t8_1_05_success_and_exit_codes() {
        assert_eq!(read(b"").unwrap(), ExitStatus::SUCCESS);
        assert_eq!(read(br#"{"metadata":{},"status":"Success"}"#).unwrap(), ExitStatus::SUCCESS);
        for code in [0, 1, 137, 255] {
            assert_eq!(read(exit(&code.to_string()).as_bytes()).unwrap().code(), code);
        }
    }

    #[test]
    fn t8_1_05_a_malformed_status_has_its_own_error() {
        let bad = [
            exit("256"),
            exit("-1"),
            exit("soon"),
            failure(""),
            failure(r#","details":{"causes":[]}"#),
            r#"{"status":"Perhaps"}"#.to_owned(),
            "command terminated".to_owned(),
            "{".to_owned(),
        ];
        for message in bad {
            let outcome = read(message.as_bytes());
            assert!(matches!(outcome, Err(ProcessError::Status(_))), "{message}: {outcome:?}");
        }
    }

    #[test]
    fn t8_1_05_a_plain_failure_is_the_servers_error() {
        let message = br#"{"status":"Failure","message":"no such container","reason":"NotFound","code":404}"#;
        let failure = read(message).unwrap_err();
        let ProcessError::Failed(answer) = &failure else { panic!("not the server's error") };
        assert!(answer.is_not_found());
        assert!(failure.to_string().contains("no such container"), "{failure}");
    }
}
