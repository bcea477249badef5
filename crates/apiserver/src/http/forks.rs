//! `/krs/forks`: servers over forks of the storage. The real server has no such path.
//!
//! | request | response |
//! |---|---|
//! | `POST /krs/forks` | 201 and `{"url": …}`: a new server with the objects of this moment, on a free port |
//! | `GET /krs/forks` | `{"urls": […]}` |
//! | `DELETE /krs/forks/PORT` | 200 when the server has stopped; 404 if there is none |

use std::fmt;
use std::io;

use client_rs_machinery::{ApiError, Json, json};
use futures_util::future::BoxFuture;
use http::Method;

use super::media::Form;
use super::method_not_allowed;
use super::reply::Reply;

const PATH: &str = "/krs/forks";

/// Starts and stops servers over forks.
pub(crate) trait Forks: fmt::Debug + Send + Sync {
    /// Starts a server and returns its URL.
    fn start(&self) -> BoxFuture<'_, io::Result<String>>;
    /// The URLs of the running servers.
    fn urls(&self) -> Vec<String>;
    /// Stops the server at a port; false if there is none.
    fn end(&self, port: u16) -> BoxFuture<'_, bool>;
    /// Stops all servers. The future waits until they have stopped; dropping it also stops them.
    fn end_all(&self) -> BoxFuture<'static, ()>;
}

/// Whether a path is one of these.
pub(super) fn is_path(path: &str) -> bool {
    path.strip_prefix(PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

pub(super) async fn answer(forks: &dyn Forks, method: &Method, path: &str) -> Reply {
    let port = path.strip_prefix(PATH).and_then(|rest| rest.strip_prefix('/'));
    match (method, port) {
        (&Method::GET, None) => {
            let urls: Vec<Json> = forks.urls().iter().map(|url| url.as_str().into()).collect();
            Reply::json(&json!({"urls": urls}))
        }
        (&Method::POST, None) => match forks.start().await {
            Ok(url) => {
                let mut reply = Reply::json(&json!({"url": url}));
                reply.code = 201;
                reply
            }
            Err(error) => {
                let error = ApiError::internal_error(format!("can't start a fork: {error}"));
                Reply::failure(Form::JSON, &error.into())
            }
        },
        (&Method::DELETE, Some(port)) => match port.parse() {
            Ok(port) if forks.end(port).await => Reply::json(&json!({})),
            _ => Reply::text(404, "404 page not found\n"),
        },
        _ => Reply::failure(Form::JSON, &method_not_allowed().into()),
    }
}
