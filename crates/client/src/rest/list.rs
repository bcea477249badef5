//! Lists, as a whole or item by item.

use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use client_rs_machinery::meta::v1::{ListMeta, ShardInfo};
use client_rs_machinery::wire::{
    BadItem, DecodeError, Decoding, Format, ListDecoder, ListSummary, Payload, RawItem,
};
use futures_core::Stream;

use super::deadline::Timer;
use super::execute::Answer;
use super::gather::{Gather, Gathered};
use super::watch::DecodeOptions;
use crate::{Call, Error};

/// A list of objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<K> {
    /// The items, in the server's order.
    pub items: Vec<K>,
    /// The metadata of the list: its version, the token of the next page, and the shard that the server has selected.
    pub metadata: ListMeta,
}

impl<K> Default for Listed<K> {
    fn default() -> Self {
        Self { items: Vec::new(), metadata: ListMeta::EMPTY }
    }
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq)]
pub enum ListItem<K> {
    /// The object.
    Object(K),
    /// An item that can't be decoded. The other items are not affected.
    Bad(BadItem),
}

/// The items of a list while they arrive. Use it for large lists that should not be in memory as a whole.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_client::{ListItem, Request};
/// # use client_rs_client::testing::Canned;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_client::Error> {
/// # let list = r#"{"kind": "PodList", "metadata": {"resourceVersion": "7"}, "items": [{"metadata": {"name": "a"}}]}"#;
/// # let client = Canned::new().on("GET /api/v1/pods", list).client();
/// let mut stream = client.list_stream::<Pod>(Request::get().of::<Pod>()).await?;
/// while let Some(item) = stream.try_next().await? {
///     match item {
///         ListItem::Object(pod) => assert_eq!(pod.metadata.name, "a"),
///         ListItem::Bad(bad) => eprintln!("skipping item {}: {}", bad.index, bad.error),
///     }
/// }
/// assert_eq!(stream.summary().unwrap().resource_version, "7");
/// # Ok(())
/// # }
/// ```
///
/// - Order: that of the server.
/// - Memory: one item, a quarter of a megabyte of the following data, and the data that the connection has read ahead (the
///   stream's window). A slow reader slows the server.
/// - Time: if the server sends items one by one, some may arrive together, up to 4 ms late.
/// - End: `None` only after the complete list; from then on, [`summary`](Self::summary) is available. A list that breaks off
///   ends with an error.
/// - Cancellation: dropping the stream cancels the request.
#[derive(Debug)]
#[must_use = "the rest of the list is not read when this is dropped"]
pub struct ListStream<K> {
    body: Gather,
    decoder: Option<ListDecoder>,
    options: DecodeOptions,
    deadline: Option<Timer>,
    call: Call,
    summary: Option<ListSummary>,
    kind: PhantomData<fn() -> K>,
}

impl<K: Payload> ListStream<K> {
    pub(super) fn new(answer: Answer, format: Format, options: DecodeOptions) -> Self {
        Self {
            body: Gather::new(answer.response.into_body()),
            decoder: Some(ListDecoder::new(format)),
            options,
            deadline: answer.deadline.timer(),
            call: answer.call,
            summary: None,
            kind: PhantomData,
        }
    }

    /// The metadata of the list, after it has been read to its end.
    pub fn summary(&self) -> Option<&ListSummary> {
        self.summary.as_ref()
    }

    /// The next item; `None` at the end. It is safe to drop the future.
    pub async fn try_next(&mut self) -> Result<Option<ListItem<K>>, Error> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await.transpose()
    }

    /// The next item, converted by `read` from the wire format, so that known items need not be decoded; `None` at the end.
    pub async fn next_with<T>(
        &mut self,
        mut read: impl FnMut(RawItem<'_>, &mut Decoding<'_>) -> Result<T, DecodeError>,
    ) -> Result<Option<ListItem<T>>, Error> {
        std::future::poll_fn(|cx| {
            self.poll_item(cx, |decoder, decoding| decoder.next_with(|item| read(item, decoding)))
        })
        .await
        .transpose()
    }

    /// Collects all items. An item that can't be decoded fails the list.
    pub async fn collect(self) -> Result<Listed<K>, Error> {
        Ok(self.collect_all().await?.0)
    }

    /// Collects all items and the metadata of the list.
    pub(crate) async fn collect_all(mut self) -> Result<(Listed<K>, ListSummary), Error> {
        let mut items = Vec::new();
        while let Some(item) = self.try_next().await? {
            match item {
                ListItem::Object(object) => items.push(object),
                ListItem::Bad(bad) => return Err(Error::Decode { call: self.call, error: bad.error }),
            }
        }
        let summary = self.summary.unwrap_or_default();
        let shard = Some(&summary.shard_selector).filter(|selector| !selector.is_empty());
        let metadata = ListMeta {
            resource_version: summary.resource_version.clone(),
            continue_: summary.continue_token.clone(),
            remaining_item_count: summary.remaining_item_count,
            shard_info: shard.map(|selector| ShardInfo { selector: selector.clone() }.into()),
            ..ListMeta::EMPTY
        };
        Ok((Listed { items, metadata }, summary))
    }

    fn poll_item<T>(
        &mut self,
        cx: &mut Context<'_>,
        mut read: impl FnMut(
            &mut ListDecoder,
            &mut Decoding<'_>,
        ) -> Result<Option<Result<T, BadItem>>, DecodeError>,
    ) -> Poll<Option<Result<ListItem<T>, Error>>> {
        loop {
            let Some(decoder) = &mut self.decoder else { return Poll::Ready(None) };
            if !self.body.is_waiting() {
                let item = read(decoder, &mut self.options.decoding());
                match item {
                    Ok(Some(Ok(object))) => return Poll::Ready(Some(Ok(ListItem::Object(object)))),
                    Ok(Some(Err(bad))) => return Poll::Ready(Some(Ok(ListItem::Bad(bad)))),
                    Ok(None) => {}
                    Err(error) => return Poll::Ready(Some(Err(self.fail(error)))),
                }
            }
            if let Some(deadline) = &mut self.deadline
                && let Poll::Ready(limit) = deadline.poll_elapsed(cx)
            {
                // Items that arrived in time are returned before the error.
                if self.body.flush() {
                    continue;
                }
                let call = self.call.clone();
                self.decoder = None;
                return Poll::Ready(Some(Err(Error::Timeout { call, limit, previous: None })));
            }
            match ready!(self.body.poll(cx, |chunk| decoder.push(chunk))) {
                Gathered::Portion => {}
                Gathered::End => return Poll::Ready(self.finish().err().map(Err)),
                Gathered::Failed(error) => {
                    self.decoder = None;
                    let call = self.call.clone();
                    return Poll::Ready(Some(Err(Error::Transport { call, error, previous: None })));
                }
            }
        }
    }

    fn fail(&mut self, error: DecodeError) -> Error {
        self.decoder = None;
        Error::Decode { call: self.call.clone(), error }
    }

    fn finish(&mut self) -> Result<(), Error> {
        let Some(decoder) = self.decoder.take() else { return Ok(()) };
        let summary = decoder.finish().map_err(|error| self.fail(error))?;
        if !summary.kind.is_empty() && !summary.kind.ends_with("List") {
            let what =
                format!("expected a list, found {}", summary.kind.chars().take(64).collect::<String>());
            return Err(self.fail(DecodeError::invalid(what)));
        }
        self.summary = Some(summary);
        Ok(())
    }
}

impl<K: Payload> Stream for ListStream<K> {
    type Item = Result<ListItem<K>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_item(cx, ListDecoder::next_object)
    }
}
