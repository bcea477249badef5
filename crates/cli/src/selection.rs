//! The positional arguments of a command: kinds, names, pairs of both.

use std::sync::Arc;

use anyhow::{Result, bail};
use client_rs_client::discovery::RestMapping;

use crate::files::FileArgs;
use crate::session::Session;

/// A selection of objects.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct WhichArgs {
    /// TYPE[,TYPE…], TYPE NAME…, or TYPE/NAME…; describe also accepts the prefix of a name
    #[arg(value_name = "TYPE|NAME")]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    /// Use all namespaces
    #[arg(long, short = 'A')]
    pub(crate) all_namespaces: bool,
    /// Label selector: a=b,c!=d,e in (f,g)
    #[arg(long, short = 'l', value_name = "LABELS")]
    pub(crate) selector: Option<String>,
}

/// The requested objects.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wanted {
    /// All objects of these resources, or those that a selector picks.
    All(Vec<Arc<RestMapping>>),
    /// Objects by name.
    Named(Vec<(Arc<RestMapping>, String)>),
}

/// The arguments before they are resolved by discovery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// `pods,services`.
    Kinds(Vec<String>),
    /// `pods a b`.
    Names(String, Vec<String>),
    /// `pod/a service/b`.
    Pairs(Vec<(String, String)>),
}

impl Words {
    /// Reads `TYPE[,TYPE…]`, `TYPE NAME…` or `TYPE/NAME…`.
    pub(crate) fn parse(words: &[String]) -> Result<Self> {
        if words.iter().any(|word| word.contains('/')) {
            if let Some(word) = words.iter().find(|word| !word.contains('/')) {
                bail!(
                    "there is no need to specify a resource type as a separate argument when passing arguments in \
                     resource/name form (e.g. 'krs get resource/<resource_name>' instead of 'krs get resource \
                     resource/<resource_name>'): {word}"
                );
            }
            return Ok(Self::Pairs(words.iter().map(|word| pair(word)).collect::<Result<_>>()?));
        }
        match words {
            [] => bail!("you must name a resource"),
            [kinds] => Ok(Self::Kinds(kinds.split(',').map(str::to_owned).collect())),
            [kind, names @ ..] if !kind.contains(',') => Ok(Self::Names(kind.clone(), names.to_vec())),
            _ => bail!("you must specify only one resource"),
        }
    }

    /// Resolves the arguments to resources and names.
    pub(crate) async fn resolve(&self, session: &Session) -> Result<Wanted> {
        Ok(match self {
            Self::Kinds(kinds) => {
                Wanted::All(session.find_all(&kinds.iter().map(String::as_str).collect::<Vec<_>>()).await?)
            }
            Self::Names(kind, names) => {
                let mapping = session.find(kind).await?;
                Wanted::Named(names.iter().map(|name| (Arc::clone(&mapping), name.clone())).collect())
            }
            Self::Pairs(pairs) => {
                let mut found = Vec::new();
                for (kind, name) in pairs {
                    found.push((session.find(kind).await?, name.clone()));
                }
                Wanted::Named(found)
            }
        })
    }
}

/// `TYPE/NAME`.
pub(crate) fn pair(word: &str) -> Result<(String, String)> {
    match word.split('/').collect::<Vec<_>>().as_slice() {
        [kind, name] if !kind.is_empty() && !name.is_empty() && !kind.contains(',') => {
            Ok(((*kind).to_owned(), (*name).to_owned()))
        }
        [_, _] => bail!("arguments in resource/name form must have a single resource and name"),
        _ => bail!("arguments in resource/name form may not have more than one slash"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kinds_names_or_pairs() {
        let parse =
            |words: &[&str]| Words::parse(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        assert_eq!(parse(&["pods,svc"]).unwrap(), Words::Kinds(texts(&["pods", "svc"])));
        assert_eq!(parse(&["pods", "a", "b"]).unwrap(), Words::Names("pods".into(), texts(&["a", "b"])));
        let pairs = vec![("pod".into(), "a".into()), ("svc".into(), "b".into())];
        assert_eq!(parse(&["pod/a", "svc/b"]).unwrap(), Words::Pairs(pairs));
        for words in [&["pods", "pod/a"][..], &["a/b/c"], &["/a"], &["pod,svc/a"], &[], &["pods,svc", "a"]] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }
}
