//! Where a command reads from and writes to.

use std::io::{self, Read, Write};

use crate::output::{Output, Printable, printable_line};

/// The input and output of a command, and whether they are terminals.
///
/// Colours, redrawing and progress are only for terminals, and colours only if `NO_COLOR` is not set.
#[expect(missing_debug_implementations, reason = "writers have none")]
pub struct Streams<'s> {
    /// The input of a process in a container. A thread reads it, and only if a command needs it.
    ///
    /// Files of objects named `-` are read from the process's own standard input, whatever this is.
    pub input: Box<dyn Read + Send>,
    /// The output of the command.
    pub out: Output<'s>,
    /// Errors, warnings and notes.
    pub err: Output<'s>,
    /// Is `input` the process's standard input, and that a terminal? Then a command may change its settings for a while.
    pub in_is_terminal: bool,
    /// Is `out` a terminal?
    pub out_is_terminal: bool,
    /// Is `err` a terminal?
    pub err_is_terminal: bool,
}

impl<'s> Streams<'s> {
    /// Streams without a terminal: files, pipes, memory. The input is empty.
    pub fn plain(out: &'s mut (dyn Write + Send), err: &'s mut (dyn Write + Send)) -> Self {
        let input = Box::new(io::empty());
        let (out, err) = (Printable::new(out), Printable::new(err));
        Self { input, out, err, in_is_terminal: false, out_is_terminal: false, err_is_terminal: false }
    }

    /// Takes the input; an empty one is left.
    pub(crate) fn take_input(&mut self) -> Box<dyn Read + Send> {
        std::mem::replace(&mut self.input, Box::new(io::empty()))
    }

    /// Is `out` to be in colour?
    pub(crate) fn colours(&self) -> bool {
        self.out_is_terminal && colours_wanted(std::env::var_os("NO_COLOR").as_deref())
    }

    /// Says how far long work has come, on one line of a terminal that the next call overwrites; an empty text takes it
    /// away.
    pub(crate) fn progress(&mut self, text: &str) -> io::Result<()> {
        if self.err_is_terminal {
            write!(self.err.raw(), "\r\x1b[2K{}", printable_line(text))?;
            self.err.flush()?;
        }
        Ok(())
    }
}

/// See <https://no-color.org>: any value but an empty one means none.
fn colours_wanted(no_color: Option<&std::ffi::OsStr>) -> bool {
    no_color.is_none_or(std::ffi::OsStr::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_progress_are_for_terminals() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut streams = Streams::plain(&mut out, &mut err);
        assert!(!streams.colours());
        streams.progress("half").unwrap();
        streams.err_is_terminal = true;
        streams.progress("whole").unwrap();
        assert_eq!(err, b"\r\x1b[2Kwhole");
        assert!(
            colours_wanted(None) && colours_wanted(Some("".as_ref())) && !colours_wanted(Some("1".as_ref()))
        );
    }
}
