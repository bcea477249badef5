//! OpenID Connect discovery, with which others verify the tokens of service accounts.

use client_rs_machinery::json;

use super::reply::Reply;
use crate::access::Tokens;

/// `/.well-known/openid-configuration`. `address` is the host and port of the server.
pub(super) fn configuration(tokens: &Tokens, address: &str) -> Reply {
    let document = json!({
        "issuer": tokens.issuer(), "jwks_uri": format!("https://{address}/openid/v1/jwks"),
        "response_types_supported": ["id_token"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": [tokens.algorithm()],
    });
    document_of("application/json", document.to_vec())
}

/// `/openid/v1/jwks`.
pub(super) fn key_set(tokens: &Tokens) -> Reply {
    document_of("application/jwk-set+json", tokens.key_set().to_vec())
}

fn document_of(content_type: &'static str, body: Vec<u8>) -> Reply {
    let mut reply = Reply::text(200, "").cacheable("public, max-age=3600");
    reply.content_type = content_type;
    reply.body = body;
    reply
}
