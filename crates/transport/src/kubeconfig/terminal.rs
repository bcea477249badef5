//! Prompts at a terminal.

use std::io::{self, BufRead, IsTerminal, Write, stderr, stdin};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::Prompt;

/// Asks on standard error and reads a line of standard input. A secret is not shown while the user types it.
///
/// Standard output stays free for the output of the program. If standard input is not a terminal but, for example, a pipe,
/// lines are read from it too. A program that is killed while it waits for a secret leaves the terminal without echo
/// (`stty echo` restores it).
///
/// ```no_run
/// use std::sync::Arc;
/// use client_rs_transport::kubeconfig::{DeferredConfig, LoadingRules, Overrides, TerminalPrompt};
///
/// let rules = LoadingRules::from_env();
/// let config = DeferredConfig::new(rules, Overrides::default()).with_prompt(Arc::new(TerminalPrompt));
/// let config = config.client_config()?;
/// # Ok::<(), client_rs_transport::kubeconfig::KubeconfigError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TerminalPrompt;

impl Prompt for TerminalPrompt {
    fn ask(&self, what: &str, secret: bool) -> io::Result<String> {
        let input = stdin();
        let silence = (secret && input.is_terminal()).then(|| Silence::over(input.as_fd())).transpose()?;
        let answer = ask(&mut input.lock(), &mut stderr(), what);
        if silence.is_some() {
            // The terminal did not echo the line end either.
            let _ = writeln!(stderr());
        }
        answer
    }
}

fn ask(input: &mut impl BufRead, output: &mut impl Write, what: &str) -> io::Result<String> {
    write!(output, "Please enter {what}: ")?;
    output.flush()?;
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "standard input is closed"));
    }
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Turns off the echo of a terminal, until dropped.
struct Silence<'a> {
    terminal: BorrowedFd<'a>,
    before: Termios,
}

impl<'a> Silence<'a> {
    fn over(terminal: BorrowedFd<'a>) -> io::Result<Self> {
        let before = tcgetattr(terminal)?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(terminal, OptionalActions::Flush, &silent)?;
        Ok(Self { terminal, before })
    }
}

impl Drop for Silence<'_> {
    fn drop(&mut self) {
        // If the terminal is gone, there is nothing to restore.
        let _ = tcsetattr(self.terminal, OptionalActions::Now, &self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_printed_and_a_line_is_the_answer() {
        let mut output = Vec::new();
        let mut input = &b"alice\r\n secret \nlast"[..];
        assert_eq!(ask(&mut input, &mut output, "Username").unwrap(), "alice");
        assert_eq!(ask(&mut input, &mut output, "Password").unwrap(), " secret ");
        assert_eq!(ask(&mut input, &mut output, "Password").unwrap(), "last");
        let error = ask(&mut input, &mut output, "Password").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        let questions = "Please enter Username: Please enter Password: Please enter Password: ";
        assert!(output.starts_with(questions.as_bytes()));
    }

    #[test]
    fn a_terminal_shows_no_secret_and_everything_afterwards() {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let name = ptsname(&controller, Vec::new()).unwrap();
        let terminal =
            std::fs::OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let shows = || tcgetattr(&terminal).unwrap().local_modes.contains(LocalModes::ECHO);
        assert!(shows());
        let silence = Silence::over(terminal.as_fd()).unwrap();
        assert!(!shows());
        drop(silence);
        assert!(shows());
    }
}
