//! Lists, page by page.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use client_rs_machinery::Str;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::Payload;
use futures_core::Stream;

use super::options;
use super::request::{self, Reply};
use crate::{DecodeOptions, Error, Listed, Pager, Request, RestClient};

/// The pages of a list, as a `Stream`. Nothing is sent before the first poll.
///
/// Use it to process a large collection with little memory. If you need every item exactly once even when a token expires, use
/// [`Pager::list`].
///
/// - Order: the server's. All pages have the version of the first one.
/// - Memory: one page.
/// - End: `None` after the last page, and after an error.
/// - Cancellation: dropping the stream cancels the request that is in progress.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::{Api, testing::Canned};
/// # let server = Canned::new()
/// #     .on("GET /api/v1/pods?limit=500", r#"{"metadata": {"continue": "next"}, "items": [{}, {}]}"#)
/// #     .on("GET /api/v1/pods?continue=next", r#"{"items": [{}]}"#);
/// let mut pages = Api::<Pod, _>::all(&server.client()).pages();
/// let mut sizes = Vec::new();
/// while let Some(page) = pages.try_next().await? {
///     sizes.push(page.items.len());
/// }
/// assert_eq!(sizes, [2, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If the token of the next page has expired, [`Error::is_resource_expired`] is true. [`Pager::list`] requests the whole list
/// then.
#[must_use = "nothing is sent until it is polled"]
pub struct Pages<K> {
    rest: RestClient,
    request: Request,
    options: ListOptions,
    decode: DecodeOptions,
    asked: Option<Reply<Listed<K>>>,
    done: bool,
}

impl<K: Payload> Pages<K> {
    pub(crate) fn new(rest: RestClient, request: Request) -> Self {
        Self {
            rest,
            request,
            options: ListOptions::EMPTY,
            decode: DecodeOptions::default(),
            asked: None,
            done: false,
        }
    }

    /// Sets the options of the list. `limit` is the size of a page. Default: pages of 500 objects.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Node;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/nodes", r#"{"items": []}"#);
    /// use client_rs_machinery::meta::v1::ListOptions;
    ///
    /// let options = ListOptions { limit: 20, label_selector: "gpu".into(), ..ListOptions::EMPTY };
    /// Api::<Node>::cluster(&server.client()).pages().options(options).try_next().await?;
    /// assert_eq!(server.calls(), ["GET /api/v1/nodes?labelSelector=gpu&limit=20"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn options(mut self, options: ListOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets how objects are decoded.
    pub fn decode(mut self, decode: DecodeOptions) -> Self {
        self.decode = decode;
        self
    }

    /// Returns the next page, or `None` after the last one.
    pub async fn try_next(&mut self) -> Result<Option<Listed<K>>, Error> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await.transpose()
    }

    fn ask(&mut self) -> Reply<Listed<K>> {
        if self.options.limit == 0 {
            self.options.limit = Pager::default().page_size;
        }
        let request = options::list(self.request.clone(), &self.options);
        request::list(self.rest.clone(), request, self.decode.clone())
    }
}

impl<K: Payload> Stream for Pages<K> {
    type Item = Result<Listed<K>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let pages = &mut *self;
        if pages.done {
            return Poll::Ready(None);
        }
        let mut asked = match pages.asked.take() {
            Some(asked) => asked,
            None => pages.ask(),
        };
        let Poll::Ready(page) = asked.as_mut().poll(cx) else {
            pages.asked = Some(asked);
            return Poll::Pending;
        };
        match &page {
            Ok(page) if !page.metadata.continue_.is_empty() => {
                pages.options.continue_ = page.metadata.continue_.clone();
                pages.options.resource_version = Str::EMPTY;
                pages.options.resource_version_match = Str::EMPTY;
            }
            _ => pages.done = true,
        }
        Poll::Ready(Some(page))
    }
}

impl<K> fmt::Debug for Pages<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("request", &self.request)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
