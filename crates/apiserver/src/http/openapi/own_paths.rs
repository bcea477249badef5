//! The paths of the server itself in the `OpenAPI` v2 document: discovery, version, keys.

use client_rs_machinery::{Json, collections::VecSet, json};

use super::definitions::Dialect;
use super::paths::{MEDIA, texts, title};
use crate::http::discovery::group_names;
use crate::registry::Catalog;

const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// A path, its tag, the name of its operation, the type of its response, and the media types.
struct Own {
    path: String,
    tag: String,
    id: String,
    /// Empty for text.
    answer: String,
    media: &'static [&'static str],
}

/// The paths of the server itself.
pub(super) fn all(catalog: &Catalog, wanted: &mut VecSet<String>) -> Vec<(String, Json)> {
    let own = |path: &str, tag: &str, id: &str, answer: String, media| Own {
        path: path.to_owned(),
        tag: tag.to_owned(),
        id: id.to_owned(),
        answer,
        media,
    };
    let mut all = vec![
        own("/api/", "core", "getCoreAPIVersions", format!("{META}.APIVersions"), &MEDIA),
        own("/apis/", "apis", "getAPIVersions", format!("{META}.APIGroupList"), &MEDIA),
        own(
            "/version/",
            "version",
            "getCodeVersion",
            "io.k8s.apimachinery.pkg.version.Info".to_owned(),
            &["application/json"],
        ),
        own(
            "/openid/v1/jwks/",
            "openid",
            "getServiceAccountIssuerOpenIDKeyset",
            String::new(),
            &["application/jwk-set+json"],
        ),
        own(
            "/.well-known/openid-configuration/",
            "WellKnown",
            "getServiceAccountIssuerOpenIDConfiguration",
            String::new(),
            &["application/json"],
        ),
    ];
    let built_in = |group: &&str| {
        catalog.all().iter().any(|served| served.info.group == *group && served.custom().is_none())
    };
    for group in group_names(catalog).into_iter().filter(built_in) {
        let title = title(group);
        let (first, rest) = title.split_at(1);
        let tag = format!("{}{rest}", first.to_lowercase());
        let id = format!("get{title}APIGroup");
        all.push(own(&format!("/apis/{group}/"), &tag, &id, format!("{META}.APIGroup"), &MEDIA));
    }
    all.into_iter().map(|own| own.written(wanted)).collect()
}

impl Own {
    fn written(self, wanted: &mut VecSet<String>) -> (String, Json) {
        let schema = match self.answer.as_str() {
            "" => json!({"type": "string"}),
            name => Dialect::V2.reference(name),
        };
        wanted.extend(Some(self.answer).filter(|name| !name.is_empty()));
        let operation = json!({
            "tags": [self.tag], "operationId": self.id, "schemes": ["https"],
            "consumes": texts(self.media), "produces": texts(self.media),
            "responses": {"200": {"description": "OK", "schema": schema}, "401": {"description": "Unauthorized"}},
        });
        (self.path, json!({"get": operation}))
    }
}
