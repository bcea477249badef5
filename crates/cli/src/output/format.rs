//! `-o`.

use std::path::Path;

use anyhow::{Context, Result, bail};
use client_rs_machinery::jsonpath::JsonPath;

use super::custom_columns::CustomColumns;

/// In which form objects are printed.
#[derive(Clone, Debug)]
pub(crate) enum Format {
    /// For people; with more columns where `wide`.
    Table {
        wide: bool,
    },
    Json,
    Yaml,
    /// `pod/web`, `deployment.apps/web`.
    Name,
    /// The values that a template selects. Missing keys select nothing.
    JsonPath(JsonPath),
    CustomColumns(CustomColumns),
}

/// The names of the formats, for the error about an unknown one.
const KNOWN: &str =
    "table, wide, json, yaml, name, jsonpath, jsonpath-file, custom-columns, custom-columns-file";

impl Format {
    /// Parses the value of `-o`; without one, a table. May read a file.
    pub(crate) fn parse(text: Option<&str>) -> Result<Self> {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(Self::Table { wide: false }) };
        let (name, argument) = match text.split_once('=') {
            Some((name, argument)) => (name, Some(argument).filter(|argument| !argument.is_empty())),
            None => (text, None),
        };
        Ok(match (name, argument) {
            ("table", None) => Self::Table { wide: false },
            ("wide", None) => Self::Table { wide: true },
            ("json", None) => Self::Json,
            ("yaml", None) => Self::Yaml,
            ("name", None) => Self::Name,
            ("jsonpath" | "jsonpath-file", None) => bail!("template format specified but no template given"),
            ("jsonpath", Some(template)) => Self::JsonPath(template_of(template)?),
            ("jsonpath-file", Some(file)) => Self::JsonPath(template_of(&read(file)?)?),
            ("custom-columns" | "custom-columns-file", None) => {
                bail!("custom-columns format specified but no custom columns given")
            }
            ("custom-columns", Some(columns)) => Self::CustomColumns(CustomColumns::parse(columns)?),
            ("custom-columns-file", Some(file)) => {
                Self::CustomColumns(CustomColumns::from_template(&read(file)?)?)
            }
            ("go-template" | "go-template-file" | "template" | "templatefile", _) => {
                bail!(
                    "-o {name} needs Go's template language, which krs does not have; -o jsonpath=TEMPLATE and -o json do the same job"
                )
            }
            _ => bail!(
                "unable to match a printer suitable for the output format {text:?}, allowed formats are: {KNOWN}"
            ),
        })
    }

    /// Is it one for people?
    pub(crate) fn is_table(&self) -> bool {
        matches!(self, Self::Table { .. })
    }
}

fn template_of(text: &str) -> Result<JsonPath> {
    let path = JsonPath::parse(text).with_context(|| format!("error parsing jsonpath {text}"))?;
    Ok(path.allow_missing_keys(true))
}

fn read(file: &str) -> Result<String> {
    std::fs::read_to_string(Path::new(file)).with_context(|| format!("error reading --template {file}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_known_by_name() {
        let parse = |text| Format::parse(Some(text));
        assert!(matches!(Format::parse(None).unwrap(), Format::Table { wide: false }));
        assert!(matches!(parse("wide").unwrap(), Format::Table { wide: true }));
        assert!(matches!(parse("jsonpath={.a}").unwrap(), Format::JsonPath(_)));
        assert!(matches!(parse("custom-columns=A:.a,B:b").unwrap(), Format::CustomColumns(_)));
        for (text, expected) in [
            ("jsonpath", "no template given"),
            ("jsonpath={.a", "unclosed action"),
            ("custom-columns=A", "expected <header>:<json-path-expr>"),
            ("go-template={{.a}}", "does not have"),
            ("xml", "allowed formats are: table, wide"),
            ("jsonpath-file=/no/such/file", "error reading"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
