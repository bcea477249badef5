//! Warnings that a server sends with a response.
//!
//! An API server warns about deprecated versions and unknown fields in a `Warning` header. The client logs them by default; set
//! another [`WarningHandler`] in [`RestClientOptions`](crate::RestClientOptions).

use std::collections::HashSet;
use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use http::HeaderMap;
use http::header::WARNING;

/// Receives the warnings of API servers, such as a deprecated version or an unknown field.
///
/// It is called on the task of the request, before the response is returned: it must not block.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use client_rs_client::{Request, RestClientOptions, testing::Canned, warning::WarningHandler};
///
/// #[derive(Debug, Default)]
/// struct Collect(Mutex<Vec<String>>);
///
/// impl WarningHandler for Collect {
///     fn handle(&self, _code: u16, _agent: &str, text: &str) {
///         self.0.lock().unwrap().push(text.to_owned());
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_client::Error> {
/// let response = http::Response::builder().header("warning", r#"299 - "v1beta1 is deprecated""#).body("{}").unwrap();
/// let warnings = Arc::new(Collect::default());
/// let options = RestClientOptions::default().with_warnings(warnings.clone());
/// let client = Canned::new().respond("GET /apis", response).client_with(options);
/// client.send_raw(Request::get().abs_path(["apis"])).await?;
/// assert_eq!(*warnings.0.lock().unwrap(), ["v1beta1 is deprecated"]);
/// # Ok(())
/// # }
/// ```
pub trait WarningHandler: Send + Sync + fmt::Debug + 'static {
    /// Receives a warning: its code, the agent that issued it, and its text.
    fn handle(&self, code: u16, agent: &str, text: &str);
}

/// Ignores all warnings.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWarnings;

impl WarningHandler for NoWarnings {
    fn handle(&self, _: u16, _: &str, _: &str) {}
}

/// Logs each warning, as a `tracing` event of level WARN.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogWarnings;

impl WarningHandler for LogWarnings {
    fn handle(&self, code: u16, _: &str, text: &str) {
        if code == CODE && !text.is_empty() {
            tracing::warn!("{text}");
        }
    }
}

/// Logs each warning once. Use it in a program that sends the same requests again and again.
///
/// It remembers up to a thousand warnings. After that, it logs every new one.
#[derive(Debug, Default)]
pub struct LogWarningsOnce(Mutex<HashSet<String>>);

impl WarningHandler for LogWarningsOnce {
    fn handle(&self, code: u16, agent: &str, text: &str) {
        if is_new(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), text) {
            LogWarnings.handle(code, agent, text);
        }
    }
}

/// Returns `true` if a text was not seen before. When the set is full, all other texts count as new.
fn is_new(seen: &mut HashSet<String>, text: &str) -> bool {
    const MOST: usize = 1000;
    !seen.contains(text) && (seen.len() >= MOST || seen.insert(text.to_owned()))
}

/// Writes warnings for users, for example to standard error.
///
/// ```
/// use client_rs_client::warning::{WarningHandler, WarningWriter};
///
/// let mut writer = WarningWriter::new(std::io::stderr());
/// writer.deduplicate = true;
/// writer.handle(299, "-", "v1beta1 is deprecated");
/// writer.handle(299, "-", "v1beta1 is deprecated");
/// assert_eq!(writer.count(), 1);
/// ```
#[derive(Clone)]
pub struct WarningWriter {
    inner: Arc<Mutex<Writer>>,
    /// Write each warning only once, for up to a thousand warnings. Default: false.
    pub deduplicate: bool,
    /// Write in color, for a terminal. Default: false.
    pub color: bool,
}

struct Writer {
    out: Box<dyn Write + Send>,
    written: HashSet<String>,
    count: usize,
}

impl WarningWriter {
    /// A writer to `out`.
    pub fn new(out: impl Write + Send + 'static) -> Self {
        let writer = Writer { out: Box::new(out), written: HashSet::new(), count: 0 };
        Self { inner: Arc::new(Mutex::new(writer)), deduplicate: false, color: false }
    }

    /// The number of written warnings.
    pub fn count(&self) -> usize {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).count
    }
}

impl WarningHandler for WarningWriter {
    fn handle(&self, code: u16, _: &str, text: &str) {
        if code != CODE || text.is_empty() {
            return;
        }
        let mut writer = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if self.deduplicate && !is_new(&mut writer.written, text) {
            return;
        }
        writer.count += 1;
        let (yellow, plain) = if self.color { ("\x1b[33;1m", "\x1b[0m") } else { ("", "") };
        // If the output is closed, there is no reader for an error either.
        let _ = writeln!(writer.out, "{yellow}Warning:{plain} {text}");
    }
}

impl fmt::Debug for WarningWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WarningWriter").field("count", &self.count()).finish_non_exhaustive()
    }
}

/// The code of a warning for users.
const CODE: u16 = 299;

/// Passes the warnings in the headers to the handler.
pub(crate) fn report(headers: &HeaderMap, handler: &dyn WarningHandler) {
    for value in headers.get_all(WARNING) {
        // A header that can't be decoded contains no readable warning.
        let Ok(text) = std::str::from_utf8(value.as_bytes()) else { continue };
        for warning in parse(text) {
            handler.handle(warning.code, &warning.agent, &warning.text);
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Warning {
    code: u16,
    agent: String,
    text: String,
}

/// Parses the warnings of one header: `code agent "text" ["date"]`, separated by commas. Stops at a malformed one.
fn parse(mut rest: &str) -> Vec<Warning> {
    let mut warnings = Vec::new();
    while let Some((warning, after)) = parse_one(rest.trim_start_matches([' ', '\t', ','])) {
        warnings.push(warning);
        rest = after;
    }
    warnings
}

fn parse_one(text: &str) -> Option<(Warning, &str)> {
    let (code, rest) = text.split_once(' ')?;
    if code.len() != 3 {
        return None;
    }
    let code = code.parse().ok()?;
    let (agent, rest) = rest.split_once(' ')?;
    let (text, rest) = quoted(rest)?;
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('"') {
        Some(_) => quoted(rest)?.1.trim_start(),
        None => rest,
    };
    let text: String = text.chars().filter(|c| !c.is_control() && !is_unseen(*c)).collect();
    (rest.is_empty() || rest.starts_with(','))
        .then(|| (Warning { code, agent: agent.to_owned(), text }, rest))
}

/// Returns `true` if a character is invisible or changes the direction of the text: with such characters, a text reads as
/// something else than it is.
fn is_unseen(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A quoted text, and the rest after it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut chars = text.strip_prefix('"')?.chars();
    let mut unquoted = String::new();
    loop {
        match chars.next()? {
            '"' => return Some((unquoted, chars.as_str())),
            '\\' => unquoted.push(chars.next()?),
            other => unquoted.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t3_5_06_malformed_and_multiple_headers() {
        let one = |text: &str| Warning { code: 299, agent: "-".into(), text: text.into() };
        for (header, expected) in [
            (r#"299 - "deprecated""#, vec![one("deprecated")]),
            (r#"299 - "a", 299 - "b""#, vec![one("a"), one("b")]),
            (r#"299 - "say \"hi\" \\ there""#, vec![one(r#"say "hi" \ there"#)]),
            ("299 - \"a\u{202e}b\u{200b}c\u{7f}\u{9b}\u{feff}\u{e0041}d\"", vec![one("abcd")]),
            (r#"299 - "a, b" "Wed, 21 Oct 2026 07:28:00 GMT""#, vec![one("a, b")]),
            (r#"299 - "a", nonsense"#, vec![one("a")]),
            (r#"29 - "short""#, vec![]),
            (r#"299 "no agent""#, vec![]),
            ("299 - unquoted", vec![]),
            (r#"299 - "open"#, vec![]),
            (r#"299 - "a" behind"#, vec![]),
            ("", vec![]),
        ] {
            assert_eq!(parse(header), expected, "{header}");
        }
    }

    #[derive(Clone, Debug, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_writer_counts_and_can_skip_repeated_warnings() {
        let mut headers = HeaderMap::new();
        for value in [r#"299 - "a""#, r#"299 - "a""#, r#"199 - "not for people""#, r#"299 - """#] {
            headers.append(WARNING, value.parse().unwrap());
        }
        for (deduplicate, color, text) in
            [(false, false, "Warning: a\nWarning: a\n"), (true, true, "\x1b[33;1mWarning:\x1b[0m a\n")]
        {
            let buffer = Buffer::default();
            let writer = WarningWriter { deduplicate, color, ..WarningWriter::new(buffer.clone()) };
            report(&headers, &writer);
            assert_eq!(String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap(), text);
            assert_eq!(writer.count(), text.lines().count());
        }
    }

    #[test]
    fn the_memory_of_seen_warnings_is_bounded() {
        let writer = WarningWriter { deduplicate: true, ..WarningWriter::new(std::io::sink()) };
        for round in 0..2 {
            for number in 0..1500 {
                writer.handle(299, "-", &number.to_string());
            }
            assert_eq!(writer.inner.lock().unwrap().written.len(), 1000);
            assert_eq!(writer.count(), 1500 + 500 * round);
        }
    }

    #[test]
    fn once_is_once() {
        let once = LogWarningsOnce::default();
        for _ in 0..3 {
            once.handle(299, "-", "a");
        }
        assert_eq!(once.0.lock().unwrap().len(), 1);
    }
}
