//! The discovery documents and the version of a fake, as a test sets them.

use std::sync::{Mutex, PoisonError};

use client_rs_machinery::meta::v1::APIResourceList;
use client_rs_machinery::wire::Message as _;
use client_rs_machinery::{Json, json};

use crate::http::media::Form;
use crate::http::no_such_resource;
use crate::http::reply::Reply;
use crate::request::Route;

/// Documents in place of those of the storage.
#[derive(Debug, Default)]
pub(super) struct ServedDocuments {
    version: Mutex<Option<Json>>,
    resources: Mutex<Option<Vec<APIResourceList>>>,
}

impl ServedDocuments {
    pub(super) fn set_version(&self, version: &str) {
        let mut numbers = version.trim_start_matches('v').split('.');
        let (major, minor) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
        let document = json!({
            "major": major, "minor": minor, "gitVersion": version, "gitCommit": "", "gitTreeState": "clean",
            "buildDate": "1970-01-01T00:00:00Z", "goVersion": "", "compiler": "", "platform": "linux/amd64",
        });
        *self.version.lock().unwrap_or_else(PoisonError::into_inner) = Some(document);
    }

    pub(super) fn set_resources(&self, lists: &[APIResourceList]) {
        *self.resources.lock().unwrap_or_else(PoisonError::into_inner) = Some(lists.to_vec());
    }

    /// The response to a request that is not for objects. `None` if the test has not set it.
    pub(super) fn answer(&self, path: &str, route: &Route<'_>) -> Option<Reply> {
        if path == "/version" {
            let version = self.version.lock().unwrap_or_else(PoisonError::into_inner);
            return version.as_ref().map(Reply::json);
        }
        let lists = self.resources.lock().unwrap_or_else(PoisonError::into_inner);
        let lists = lists.as_ref()?;
        let found = match route {
            Route::CoreVersions => {
                let versions: Vec<_> = versions(lists, "").map(Json::from).collect();
                Some(json!({"kind": "APIVersions", "versions": versions, "serverAddressByClientCIDRs": []}))
            }
            Route::Groups => {
                let mut names: Vec<&str> = Vec::new();
                for (name, _) in lists.iter().map(split).filter(|(group, _)| !group.is_empty()) {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                let groups: Vec<_> = names.into_iter().filter_map(|name| group(lists, name)).collect();
                Some(json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}))
            }
            Route::Group(name) => group(lists, name).map(|group| of_kind(group, "APIGroup")),
            Route::Resources { group, version } => lists
                .iter()
                .find(|list| split(list) == (*group, *version))
                .and_then(|list| Json::parse(&list.to_json()).ok())
                .map(|list| of_kind(list, "APIResourceList")),
            Route::Objects(_) | Route::Other => return None,
        };
        Some(match found {
            Some(document) => Reply::json(&document),
            None => Reply::failure(Form::JSON, &no_such_resource().into()),
        })
    }
}

fn of_kind(mut document: Json, kind: &str) -> Json {
    if let Some(fields) = document.as_map_mut() {
        fields.insert("kind", kind.into());
        fields.insert("apiVersion", "v1".into());
    }
    document
}

fn split(list: &APIResourceList) -> (&str, &str) {
    list.group_version.split_once('/').unwrap_or(("", &list.group_version))
}

fn versions<'l>(lists: &'l [APIResourceList], group: &'l str) -> impl Iterator<Item = &'l str> {
    lists.iter().map(split).filter(move |(of, _)| *of == group).map(|(_, version)| version)
}

/// A group with its versions; the first is the preferred one.
fn group(lists: &[APIResourceList], name: &str) -> Option<Json> {
    let version = |version: &str| json!({"groupVersion": format!("{name}/{version}"), "version": version});
    let versions: Vec<_> = versions(lists, name).map(version).collect();
    let preferred = versions.first()?.clone();
    Some(json!({"name": name, "versions": versions, "preferredVersion": preferred}))
}
