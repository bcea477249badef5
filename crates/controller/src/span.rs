//! [`RunSpan`]: the tracing span of one run.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use client_rs_client::RequestCount;
use client_rs_machinery::ObjectKey;
use tracing::field::Empty;
use tracing::{Instrument, Span};

use crate::ReconcileOutcome;

/// The span `reconcile` of a run: events and requests of the run are in it. If it is disabled, nothing is counted.
pub(crate) struct RunSpan {
    span: Span,
    requests: Option<Arc<RequestCount>>,
}

impl RunSpan {
    pub(crate) fn new(
        controller: &str,
        key: &ObjectKey,
        failures: u32,
        queue_wait: Option<Duration>,
    ) -> Self {
        let span = tracing::info_span!(
            "reconcile",
            otel.kind = "internal",
            otel.name = %format_args!("reconcile {controller}"),
            otel.status_code = Empty,
            controller,
            %key,
            object.namespace = key.namespace.as_str(),
            object.name = key.name.as_str(),
            cause = Empty,
            failures,
            queue_wait = queue_wait.map(|wait| wait.as_secs_f64()),
            duration = Empty,
            requests = Empty,
            request_errors = Empty,
            result = Empty,
            error.type = Empty,
        );
        let requests = (!span.is_disabled()).then(Arc::default);
        Self { span, requests }
    }

    /// Runs a future in the span, and counts its requests.
    pub(crate) async fn around<F: Future>(&self, run: F) -> F::Output {
        match &self.requests {
            None => run.await,
            Some(requests) => requests.scope(run).instrument(self.span.clone()).await,
        }
    }

    /// Calls a function in the span, so that its events belong to the run.
    pub(crate) fn within(&self, call: impl FnOnce()) {
        self.span.in_scope(call);
    }

    /// Records the end of the run.
    pub(crate) fn end(&self, outcome: ReconcileOutcome, took: Duration) {
        let Some(requests) = &self.requests else { return };
        let span = &self.span;
        span.record("duration", took.as_secs_f64());
        span.record("requests", requests.requests());
        span.record("request_errors", requests.errors());
        span.record("result", outcome.label());
        let error = match outcome {
            ReconcileOutcome::Error => "error",
            ReconcileOutcome::TerminalError => "terminal_error",
            ReconcileOutcome::Panic => "panic",
            ReconcileOutcome::Timeout => "timeout",
            _ => return,
        };
        span.record("otel.status_code", "ERROR");
        span.record("error.type", error);
    }
}
