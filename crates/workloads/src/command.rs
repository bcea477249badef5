//! The effect of a container's command, if it is plain: `sleep 30`, `true`, `sh -c 'echo hello; exit 3'`.
//!
//! Nothing is run here. A command that is not understood has no effect, and the node decides what becomes of the pod.

use std::time::Duration;

use client_rs_api::core::v1::Container;

/// How a container ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// How long it runs; `None` is forever.
    pub(crate) after: Option<Duration>,
    pub(crate) code: i32,
}

/// The end of a container, if its command or image tells.
pub(crate) fn end_of(container: &Container) -> Option<End> {
    let words: Vec<&str> = container.command.iter().chain(&container.args).map(|word| &**word).collect();
    if container.command.is_empty() {
        // The command of an image is not known, but that of one image is known to everybody.
        let name = container.image.rsplit('/').next()?.split([':', '@']).next()?;
        return (words.is_empty() && name == "pause").then_some(End { after: None, code: 0 });
    }
    match words.as_slice() {
        [shell, "-c", script, ..] if ["sh", "bash", "ash", "dash"].contains(&base(shell)) => {
            of_script(script)
        }
        words => of_command(words, 0).map(|(time, code, _)| End { after: time, code }),
    }
}

/// The end of a script of plain commands, joined by `;`, `&&`, `||` or line breaks.
fn of_script(script: &str) -> Option<End> {
    let (mut after, mut code) = (Duration::ZERO, 0);
    // `&&` and `||` become lines that begin with them.
    let script = script.replace("&&", "\n&&").replace("||", "\n||").replace(';', "\n");
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (line, skipped) = match (line.strip_prefix("&&"), line.strip_prefix("||")) {
            (Some(rest), _) => (rest, code != 0),
            (_, Some(rest)) => (rest, code == 0),
            _ => (line, false),
        };
        // Quotes are plain if they are whole; what a shell would expand, redirect or run is not.
        let quotes = |quote| line.matches(quote).count() % 2 == 0;
        if line.contains(|character| "$`<>(){}[]*?\\&|#!~".contains(character))
            || !quotes('\'')
            || !quotes('"')
        {
            return None;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let (time, new, is_end) = of_command(&words, code)?;
        if skipped {
            continue;
        }
        code = new;
        let Some(time) = time else { return Some(End { after: None, code: 0 }) };
        after = after.saturating_add(time);
        if is_end {
            break;
        }
    }
    Some(End { after: Some(after), code })
}

/// How long a plain command runs (`None` is forever), its exit code, and whether it ends a script.
fn of_command(words: &[&str], code: i32) -> Option<(Option<Duration>, i32, bool)> {
    let (name, rest) = words.split_first()?;
    let now = Some(Duration::ZERO);
    Some(match (base(name), rest) {
        ("true" | ":" | "echo", _) => (now, 0, false),
        ("false", _) => (now, 1, false),
        ("exit", []) => (now, code, true),
        ("exit", [code]) => (now, code.parse::<i32>().ok()? & 0xff, true),
        ("sleep", ["infinity" | "inf"]) => (None, 0, false),
        ("sleep", [time]) => (Some(duration(time)?), 0, false),
        _ => return None,
    })
}

/// The time of `sleep`: a number with a unit.
fn duration(text: &str) -> Option<Duration> {
    let unit = |ending: char| match ending {
        's' => Some(1.0),
        'm' => Some(60.0),
        'h' => Some(3600.0),
        'd' => Some(86400.0),
        _ => None,
    };
    let (number, unit) = match text.chars().last().and_then(unit) {
        Some(unit) => (&text[..text.len() - 1], unit),
        None => (text, 1.0),
    };
    let seconds = number.parse::<f64>().ok()? * unit;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(image: &str, words: &[&str]) -> Option<(Option<u64>, i32)> {
        let container = Container {
            image: image.into(),
            command: words.iter().map(|word| client_rs_machinery::Str::from(*word)).collect(),
            ..Container::EMPTY
        };
        end_of(&container).map(|end| (end.after.map(|time| time.as_secs()), end.code))
    }

    #[test]
    fn plain_commands_are_understood() {
        for (words, expected) in [
            (&["sleep", "300"][..], Some((Some(300), 0))),
            (&["/bin/sleep", "2m"], Some((Some(120), 0))),
            (&["sleep", "infinity"], Some((None, 0))),
            (&["/bin/true"], Some((Some(0), 0))),
            (&["/bin/false"], Some((Some(0), 1))),
            (&["echo", "$HOME"], Some((Some(0), 0))),
            (&["sleep"], None),
            (&["sleep", "-1"], None),
            (&["nginx"], None),
            (&["exit", "x"], None),
        ] {
            assert_eq!(of("busybox", words), expected, "{words:?}");
        }
    }

    #[test]
    fn scripts_of_plain_commands_are_understood() {
        for (script, expected) in [
            ("exit 1", Some((Some(0), 1))),
            ("exit 257", Some((Some(0), 1))),
            ("echo \"a b\"; sleep 2; exit 3; sleep 9", Some((Some(2), 3))),
            ("false && sleep 5", Some((Some(0), 1))),
            ("false || sleep 5", Some((Some(5), 0))),
            ("true\n  sleep 1 && sleep 2\n", Some((Some(3), 0))),
            ("sleep 1; sleep inf; exit 1", Some((None, 0))),
            ("false; exit", Some((Some(0), 1))),
            ("exit $((RANDOM / 2))", None),
            ("echo 'a; exit 1'", None),
            ("touch /x; exit 1", None),
            ("sleep 5 &", None),
            ("true | false", None),
            ("", Some((Some(0), 0))),
        ] {
            assert_eq!(of("busybox", &["/bin/sh", "-c", script]), expected, "{script:?}");
        }
    }

    #[test]
    fn an_image_that_only_waits_is_known() {
        assert_eq!(of("registry.k8s.io/pause:3.10", &[]), Some((None, 0)));
        assert_eq!(of("pause", &[]), Some((None, 0)));
        assert_eq!(of("nginx", &[]), None);
        // Arguments without a command are for the image's own.
        let container = Container { args: ["sleep".into(), "1".into()].into(), ..Container::EMPTY };
        assert_eq!(end_of(&container), None);
    }
}
