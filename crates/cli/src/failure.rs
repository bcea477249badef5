//! Errors, in kubectl's wording.

use std::fmt;
use std::io::{self, Write};

use client_rs_client::Error;
use client_rs_client::discovery::{DiscoveryError, MapError};
use client_rs_machinery::ApiError;

/// Several errors of a command that continued after each.
#[derive(Debug)]
pub(crate) struct Failures(pub(crate) Vec<anyhow::Error>);

impl Failures {
    /// `Ok` if there are no errors.
    pub(crate) fn into_result(mut self) -> anyhow::Result<()> {
        match self.0.len() {
            0 => Ok(()),
            1 => Err(self.0.remove(0)),
            _ => Err(self.into()),
        }
    }
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        write!(f, "[{}]", all.join(", "))
    }
}

impl std::error::Error for Failures {}

/// An end with a code of its own, such as that of a process in a container.
#[derive(Debug)]
pub(crate) struct Exit {
    pub(crate) code: u8,
    /// The message, unchanged; none if empty.
    pub(crate) said: String,
}

impl Exit {
    /// The end of a process that ended with this code: none if it ended well.
    pub(crate) fn of_process(code: u8) -> anyhow::Result<()> {
        match code {
            0 => Ok(()),
            code => Err(Self { code, said: format!("command terminated with exit code {code}") }.into()),
        }
    }

    /// The user interrupted the command. No message is needed.
    pub(crate) fn interrupted() -> anyhow::Error {
        Self { code: 1, said: String::new() }.into()
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said)
    }
}

impl std::error::Error for Exit {}

/// The code to end with.
pub(crate) fn code(error: &anyhow::Error) -> u8 {
    error.downcast_ref::<Exit>().map_or(1, |exit| exit.code)
}

/// Tells it, a line each.
pub(crate) fn tell(error: &anyhow::Error, err: &mut (dyn Write + Send)) -> io::Result<()> {
    if let Some(Exit { said, .. }) = error.downcast_ref() {
        return if said.is_empty() { Ok(()) } else { writeln!(err, "{said}") };
    }
    // The reader, such as `head`, has closed the pipe.
    if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return Ok(());
    }
    match error.downcast_ref::<Failures>() {
        Some(Failures(all)) => all.iter().try_for_each(|error| writeln!(err, "{}", message(error))),
        None => writeln!(err, "{}", message(error)),
    }
}

/// Is it that the server has no such object?
pub(crate) fn is_not_found(error: &anyhow::Error) -> bool {
    ApiError::find(error.as_ref()).is_some_and(ApiError::is_not_found)
}

fn message(error: &anyhow::Error) -> String {
    // The context precedes the server's message; only an error without context has its own form.
    let bare = error.chain().next().is_some_and(|top| top.is::<Error>() || top.is::<ApiError>());
    if let Some(api) = ApiError::find(error.as_ref()) {
        if bare && api.is_invalid() {
            return invalid(api);
        }
        let said = if bare { api.message().to_owned() } else { told(error) };
        return match api.reason().as_str() {
            "Unauthorized" => format!("error: You must be logged in to the server ({said})"),
            "" => format!("Error from server: {said}"),
            reason => format!("Error from server ({reason}): {said}"),
        };
    }
    if let Some(error @ Error::Transport { call, .. }) = error.chain().find_map(call_of)
        && error.is_connection_refused()
    {
        let url = call.url();
        let host = url.split_once("://").map_or(url, |(_, rest)| rest).split('/').next().unwrap_or(url);
        return format!(
            "The connection to the server {host} was refused - did you specify the right host or port?"
        );
    }
    format!("error: {error:#}")
}

/// The call that failed, if it was one.
fn call_of<'e>(cause: &'e (dyn std::error::Error + 'static)) -> Option<&'e Error> {
    if let Some(MapError::Discovery(error)) = cause.downcast_ref() {
        return error.request();
    }
    cause.downcast_ref::<DiscoveryError>().and_then(DiscoveryError::request).or_else(|| cause.downcast_ref())
}

/// The texts down to the server's own, which is the last: without the URL that was asked.
fn told(error: &anyhow::Error) -> String {
    let mut texts = Vec::new();
    for cause in error.chain() {
        if let Some(api) = ApiError::find(cause)
            && (cause.is::<Error>() || cause.is::<ApiError>())
        {
            texts.push(api.message().to_owned());
            break;
        }
        texts.push(cause.to_string());
    }
    texts.dedup();
    texts.join(": ")
}

fn invalid(api: &ApiError) -> String {
    let Some(details) = &api.status().details else {
        return format!("The request is invalid: {}", api.message());
    };
    let what = if details.kind.is_empty() && details.name.is_empty() {
        "The request is invalid".to_owned()
    } else {
        format!("The {} {:?} is invalid", details.kind, details.name.as_str())
    };
    let mut causes: Vec<String> = Vec::new();
    for cause in api.causes() {
        let text = format!("{}: {}", cause.field, cause.message);
        if !causes.contains(&text) {
            causes.push(text);
        }
    }
    match causes.as_slice() {
        [] => what,
        [one] => format!("{what}: {one}"),
        several => format!("{what}: \n* {}", several.join("\n* ")),
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;
    use client_rs_client::Call;
    use client_rs_machinery::GroupResource;

    use super::*;

    fn missing(name: &str) -> Error {
        let error = ApiError::not_found(&GroupResource::new("", "pods"), name);
        Error::Api { call: Call::new("GET", "http://s/pods"), error: error.into() }
    }

    #[test]
    fn a_server_error_is_printed_as_kubectl_prints_it() {
        let mut err = Vec::new();
        tell(&missing("a").into(), &mut err).unwrap();
        let failures = Failures(vec![missing("b").into(), anyhow!("x").context("y")]);
        tell(&failures.into_result().unwrap_err(), &mut err).unwrap();
        tell(&anyhow::Error::from(missing("c")).context("can't do it"), &mut err).unwrap();
        let expected = "Error from server (NotFound): pods \"a\" not found\n\
                        Error from server (NotFound): pods \"b\" not found\nerror: y: x\n\
                        Error from server (NotFound): can't do it: pods \"c\" not found\n";
        assert_eq!(String::from_utf8(err).unwrap(), expected);
        assert!(is_not_found(&missing("a").into()));
        assert!(Failures(Vec::new()).into_result().is_ok());
    }

    #[test]
    fn a_process_ends_with_its_own_code_and_words() {
        assert!(Exit::of_process(0).is_ok());
        let mut err = Vec::new();
        let ended = Exit::of_process(137).unwrap_err();
        tell(&ended, &mut err).unwrap();
        assert_eq!(code(&ended), 137);
        tell(&Exit::interrupted(), &mut err).unwrap();
        tell(&io::Error::from(io::ErrorKind::BrokenPipe).into(), &mut err).unwrap();
        assert_eq!(String::from_utf8(err).unwrap(), "command terminated with exit code 137\n");
        assert_eq!((code(&Exit::interrupted()), code(&anyhow!("x"))), (1, 1));
    }
}
