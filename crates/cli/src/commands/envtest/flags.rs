//! Flags of Go programs, by a table: which have an effect, which are ignored, which are refused.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Result, anyhow, bail};

/// The flags of a program. The tables in this folder describe their own format.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlagTable(pub(super) &'static str);

/// The arguments of a program.
#[derive(Debug)]
pub(super) enum Arguments {
    /// `--help`.
    Help,
    /// `--version`.
    Version,
    Flags(Given),
}

/// The flags that a program got and that have an effect, each with its values in order.
#[derive(Debug, Default)]
pub(super) struct Given(BTreeMap<&'static str, Vec<String>>);

#[derive(Clone, Copy, Debug)]
struct Flag {
    name: &'static str,
    is_bool: bool,
    action: Action,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Use,
    Ignore,
    Only(&'static str),
    Refuse(&'static str),
}

impl FlagTable {
    /// Reads arguments as Go's `pflag` does: `--name value`, `--name=value`, and `--name` of a switch.
    pub(super) fn parse(self, arguments: &[String]) -> Result<Arguments> {
        let flags: BTreeMap<&str, Flag> = self.flags().map(|flag| (flag.name, flag)).collect();
        let mut given = Given::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let text = match (argument.strip_prefix("--"), argument.strip_prefix("-v")) {
                (Some(text), _) if !text.is_empty() => text.to_owned(),
                (None, Some(level)) => format!("v{level}"),
                _ if argument == "-h" => "help".to_owned(),
                _ => bail!("unknown argument {argument:?}"),
            };
            let (name, value) = match text.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (text, None),
            };
            // Underscores are dashes, as in all programs of Kubernetes.
            let name = name.replace('_', "-");
            match name.as_str() {
                "help" => return Ok(Arguments::Help),
                "version" => return Ok(Arguments::Version),
                _ => {}
            }
            let flag = flags.get(name.as_str()).ok_or_else(|| anyhow!("unknown flag: --{name}"))?;
            let value = match value {
                Some(value) => value,
                None if flag.is_bool => "true".to_owned(),
                None => rest.next().ok_or_else(|| anyhow!("flag needs an argument: --{name}"))?.clone(),
            };
            if flag.is_bool && !matches!(value.as_str(), "true" | "false") {
                bail!("--{name}={value} is neither true nor false");
            }
            match flag.action {
                Action::Use => given.0.entry(flag.name).or_default().push(value),
                Action::Ignore => {}
                Action::Only(values) if values.split(',').any(|known| known == value) => {}
                Action::Only(values) => bail!("--{name}={value} is not supported, only {values}"),
                Action::Refuse(why) => bail!("--{name} is not supported: {why}"),
            }
        }
        Ok(Arguments::Flags(given))
    }

    /// The help: one line per flag, as programs look for them.
    pub(super) fn help(self, program: &str, about: &str) -> String {
        let mut text = format!("{about}\n\nUsage:\n  {program} [flags]\n\nFlags:\n");
        let mut all: Vec<Flag> = self.flags().collect();
        all.sort_by_key(|flag| flag.name);
        for Flag { name, is_bool, action } in all {
            let value = if is_bool { "" } else { " value" };
            let note = match action {
                Action::Use => String::new(),
                Action::Ignore => "ignored".to_owned(),
                Action::Only(values) => format!("only {values}"),
                Action::Refuse(why) => format!("not supported: {why}"),
            };
            // Writing to a string never fails.
            let _ = write!(text, "      --{name}{value}");
            if !note.is_empty() {
                let width = 52_usize.saturating_sub(name.len() + value.len());
                let _ = write!(text, "{:width$} {note}", "");
            }
            text.push('\n');
        }
        text
    }

    fn flags(self) -> impl Iterator<Item = Flag> {
        let lines = self.0.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.filter_map(|line| {
            let mut words = line.splitn(4, ' ');
            let (name, kind, action) = (words.next()?, words.next()?, words.next()?);
            let detail = words.next().unwrap_or_default();
            let action = match action {
                "use" => Action::Use,
                "ignore" => Action::Ignore,
                "only" => Action::Only(detail),
                _ => Action::Refuse(detail),
            };
            Some(Flag { name, is_bool: kind == "bool", action })
        })
    }
}

impl Given {
    /// The last value of a flag: a later one replaces an earlier one.
    pub(super) fn last(&self, name: &str) -> Option<&str> {
        self.all(name).next_back().filter(|value| !value.is_empty())
    }

    /// All values of a flag.
    pub(super) fn all(&self, name: &str) -> impl DoubleEndedIterator<Item = &str> {
        self.0.get(name).into_iter().flatten().map(String::as_str)
    }

    /// The items of a flag that is a list: separated by commas, in one value or several.
    pub(super) fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        self.all(name).flat_map(|value| value.split(',')).map(str::trim).filter(|item| !item.is_empty())
    }

    /// The last value of a switch.
    pub(super) fn switch(&self, name: &str) -> Option<bool> {
        self.last(name).map(|value| value == "true")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: FlagTable = FlagTable(
        "# comment\n\nport value use\non bool use\nquiet bool ignore\nv value ignore\nmode value only a,b\n\
         audit value refuse there is no log\n",
    );

    fn parse(arguments: &[&str]) -> Result<Given> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        match TABLE.parse(&arguments)? {
            Arguments::Flags(given) => Ok(given),
            other => bail!("{other:?}"),
        }
    }

    #[test]
    fn flags_have_the_forms_of_pflag() {
        let given = parse(&["--port", "1", "--port=2,3", "--on", "--quiet", "-v=5", "--mode=b"]).unwrap();
        assert_eq!(given.last("port"), Some("2,3"));
        assert_eq!(given.list("port").collect::<Vec<_>>(), ["1", "2", "3"]);
        assert_eq!(given.switch("on"), Some(true));
        assert_eq!(parse(&["--on=false"]).unwrap().switch("on"), Some(false));
        assert_eq!(parse(&["-v", "5"]).unwrap().last("v"), None);
        let help = |flag: &str| matches!(TABLE.parse(&[flag.to_owned()]), Ok(Arguments::Help));
        assert!(help("--help") && help("-h"));
    }

    #[test]
    fn flags_without_an_implementation_are_errors_that_name_them() {
        for (arguments, error) in [
            (&["--audit=x"][..], "--audit is not supported: there is no log"),
            (&["--mode=c"], "--mode=c is not supported, only a,b"),
            (&["--new-flag"], "unknown flag: --new-flag"),
            (&["--port"], "flag needs an argument: --port"),
            (&["--on=maybe"], "--on=maybe is neither true nor false"),
            (&["x"], "unknown argument \"x\""),
        ] {
            assert_eq!(parse(arguments).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn the_help_has_one_line_per_flag() {
        let help = TABLE.help("prog", "About it.");
        assert!(help.contains("\n      --port value\n"), "{help}");
        assert!(help.contains("--mode value") && help.contains("only a,b"), "{help}");
    }

    #[test]
    fn the_tables_are_well_formed() {
        for table in [include_str!("kube_apiserver_flags.txt"), include_str!("etcd_flags.txt")] {
            let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
            let mut names: Vec<&str> = Vec::new();
            for line in lines {
                let words: Vec<&str> = line.split(' ').collect();
                assert!(matches!(words[1], "bool" | "value"), "{line}");
                let detailed = matches!(words[2], "only" | "refuse");
                assert!(detailed || matches!(words[2], "use" | "ignore"), "{line}");
                assert_eq!(words.len() > 3, detailed, "{line}");
                names.push(words[0]);
            }
            names.sort_unstable();
            assert!(names.len() > 20 && names.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}
