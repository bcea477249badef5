//! Requests and their answers.

use std::sync::{Arc, Mutex};

use anyhow::{Result, ensure};
use client_rs_client::warning::WarningHandler;
use client_rs_client::{Request, RestClient};
use client_rs_machinery::patch::Patch;
use http::header::CONTENT_TYPE;
use serde_json::Value;

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The status code.
    pub(crate) code: u16,
    /// The message of an error.
    pub(crate) message: String,
    /// The reason of an error.
    pub(crate) reason: String,
    /// The messages of the causes of an error.
    pub(crate) causes: Vec<String>,
    pub(crate) warnings: Vec<String>,
    /// The object of a success.
    pub(crate) object: Value,
}

impl Answer {
    /// Fails unless the object was written.
    pub(crate) fn accepted(self) -> Result<Self> {
        ensure!(self.code < 300, "{}: {}", self.code, self.message);
        Ok(self)
    }

    /// Fails unless the request was refused with this code and message.
    pub(crate) fn refused(self, code: u16, message: &str) -> Result<Self> {
        ensure!(
            (self.code, self.message.as_str()) == (code, message),
            "expected {code} {message}\n     got {} {}",
            self.code,
            self.message
        );
        Ok(self)
    }

    /// Fails unless the message of the error contains all of these.
    pub(crate) fn says(self, code: u16, parts: &[&str]) -> Result<()> {
        for part in parts {
            ensure!(
                self.code == code && self.message.contains(part),
                "expected {code} {part}\n     got {} {}",
                self.code,
                self.message
            );
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Heard(Mutex<Vec<String>>);

impl WarningHandler for Heard {
    fn handle(&self, _: u16, _: &str, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}

async fn send(client: &RestClient, request: Request) -> Result<Answer> {
    let heard = Arc::new(Heard::default());
    let handler: Arc<dyn WarningHandler> = heard.clone();
    let sent = client.send_raw(request.warnings(handler)).await;
    let warnings = heard.0.lock().unwrap().clone();
    match sent {
        Ok(response) => {
            let object = serde_json::from_slice(&response.body)?;
            let (message, reason, causes) = Default::default();
            Ok(Answer { code: 200, message, reason, causes, warnings, object })
        }
        Err(error) => {
            let Some(api) = error.api() else { return Err(error.into()) };
            Ok(Answer {
                code: u16::try_from(api.code())?,
                message: api.message().to_owned(),
                reason: api.reason().as_str().to_owned(),
                causes: api.causes().iter().map(|cause| cause.message.to_string()).collect(),
                warnings,
                object: Value::Null,
            })
        }
    }
}

pub(crate) async fn post(client: &RestClient, path: &str, object: &Value) -> Result<Answer> {
    let request =
        Request::post().request_uri(path).header(CONTENT_TYPE, "application/json").body(object.to_string());
    send(client, request).await
}

/// A merge patch.
pub(crate) async fn patch(client: &RestClient, path: &str, change: &Value) -> Result<Answer> {
    let change = client_rs_machinery::Json::parse(change.to_string().as_bytes())?;
    send(client, Request::patch(&Patch::Merge(change)).request_uri(path)).await
}

pub(crate) async fn get(client: &RestClient, path: &str) -> Result<Value> {
    Ok(send(client, Request::get().request_uri(path)).await?.accepted()?.object)
}

pub(crate) async fn delete(client: &RestClient, path: &str) -> Result<Answer> {
    send(client, Request::delete().request_uri(path)).await
}
