//! Long lists, page by page.

use std::collections::VecDeque;
use std::future::Future;

use client_rs_machinery::Str;
use client_rs_machinery::meta::v1::ListOptions;
use tokio::sync::{Semaphore, mpsc};

use crate::{Error, Listed};

client_rs_machinery::options! {
    /// Reads a long list page by page, and recovers when a page has expired.
    ///
    /// The caller passes the function that reads one page. So the pager works with [`Api`](crate::Api),
    /// [`DynamicApi`](crate::DynamicApi), or any other source. For a plain loop over pages, [`Api::pages`](crate::Api::pages) is
    /// shorter.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// use client_rs_client::Pager;
    /// use client_rs_machinery::meta::v1::ListOptions;
    ///
    /// # let server = Canned::new()
    /// #     .on("GET /api/v1/pods?limit=2", r#"{"metadata": {"continue": "next"}, "items": [{}, {}]}"#)
    /// #     .on("GET /api/v1/pods?limit=2&continue=next", r#"{"items": [{}]}"#);
    /// # let pods = Api::<Pod, _>::all(&server.client());
    /// let pager = Pager::default().with_page_size(2);
    /// let (list, paginated) = pager.list(ListOptions::EMPTY, async |options| pods.list().options(options).await).await?;
    /// assert_eq!((list.items.len(), paginated), (3, true));
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Clone, Debug)]
    pub struct Pager {
        /// The number of items per page, unless the caller's options set a `limit`. Default: 500.
        pub page_size: i64 => with_page_size,
        /// Whether to request the whole list when the next page has expired. Default: true.
        pub full_list_if_expired: bool => with_full_list_if_expired,
        /// The number of pages that [`each_item`](Self::each_item) buffers, in addition to the one in progress. Default: 10.
        pub buffer: usize => with_buffer,
    }
}

impl Default for Pager {
    fn default() -> Self {
        Self { page_size: 500, full_list_if_expired: true, buffer: 10 }
    }
}

impl Pager {
    /// Returns all items, and whether they came in more than one page.
    ///
    /// The list has the version of the first page. The first request keeps `resourceVersion` and `resourceVersionMatch`; later requests
    /// have neither, because the token includes the version.
    ///
    /// If a page has expired, the pager requests the whole list once, without pages
    /// ([`full_list_if_expired`](Self::full_list_if_expired) turns that off). An expired first page is an error.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, Pager, testing::Canned};
    /// # use client_rs_machinery::meta::v1::ListOptions;
    /// # let server = Canned::new()
    /// #     .on("GET /api/v1/pods", r#"{"items": [{}, {}, {}]}"#)
    /// #     .on("GET /api/v1/pods?limit=1", r#"{"metadata": {"continue": "old"}, "items": [{}]}"#)
    /// #     .fail("GET /api/v1/pods?limit=1&continue=old", 410, "Expired");
    /// # let pods = Api::<Pod, _>::all(&server.client());
    /// let pager = Pager::default().with_page_size(1);
    /// let read = async |options| pods.list().options(options).await;
    /// let (list, _) = pager.list(ListOptions::EMPTY, read).await?;
    /// assert_eq!(list.items.len(), 3);
    /// assert_eq!(server.calls().last().unwrap(), "GET /api/v1/pods");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn list<K, F>(
        &self,
        options: ListOptions,
        mut fetch: impl FnMut(ListOptions) -> F,
    ) -> Result<(Listed<K>, bool), Error>
    where
        F: Future<Output = Result<Listed<K>, Error>>,
    {
        let (original, mut options) = (options.clone(), self.paged(options));
        let mut all: Option<Listed<K>> = None;
        loop {
            let page = match fetch(options.clone()).await {
                Ok(page) => page,
                Err(error) => {
                    let continued = !options.continue_.is_empty();
                    if !continued || !error.is_resource_expired() || !self.full_list_if_expired {
                        return Err(error);
                    }
                    let whole = ListOptions { limit: 0, continue_: Str::EMPTY, ..original };
                    return Ok((fetch(whole).await?, true));
                }
            };
            let next = page.metadata.continue_.clone();
            match &mut all {
                None if next.is_empty() => return Ok((page, false)),
                None => all = Some(page),
                Some(all) => {
                    all.items.extend(page.items);
                    all.metadata.continue_ = Str::EMPTY;
                    all.metadata.remaining_item_count = None;
                }
            }
            if next.is_empty() {
                return Ok((all.unwrap_or_default(), true));
            }
            options = continued(options, next);
        }
    }

    /// Calls `each` with every item, in order, while it reads the next pages.
    ///
    /// Memory holds [`buffer`](Self::buffer) pages, the page in progress and the page that `each` works on. A slow `each` applies
    /// backpressure. Dropping the future stops both.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, Pager, testing::Canned};
    /// # use client_rs_machinery::meta::v1::ListOptions;
    /// # let server = Canned::new()
    /// #     .on("GET /api/v1/pods", r#"{"metadata": {"continue": "2"}, "items": [{"metadata": {"name": "x"}}]}"#)
    /// #     .on("GET /api/v1/pods?continue=2", r#"{"items": [{"metadata": {"name": "y"}}]}"#);
    /// # let pods = Api::<Pod, _>::all(&server.client());
    /// let mut names = Vec::new();
    /// let read = async |options| pods.list().options(options).await;
    /// let each = async |pod: Pod| {
    ///     names.push(pod.metadata.name);
    ///     Ok(())
    /// };
    /// Pager::default().each_item(ListOptions::EMPTY, read, each).await?;
    /// assert_eq!(names, ["x", "y"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Stops at the first error of `fetch` or `each`. An expired page is an error here too.
    pub async fn each_item<K, F>(
        &self,
        options: ListOptions,
        mut fetch: impl FnMut(ListOptions) -> F,
        mut each: impl AsyncFnMut(K) -> Result<(), Error>,
    ) -> Result<(), Error>
    where
        F: Future<Output = Result<Listed<K>, Error>>,
    {
        let room = self.buffer.saturating_add(1).min(Semaphore::MAX_PERMITS);
        let (sender, mut receiver) = mpsc::channel::<VecDeque<K>>(room);
        let mut options = self.paged(options);
        let produce = async {
            let sender = sender;
            loop {
                // Reserve the place before reading the page, so that a page never waits outside the buffer.
                let Ok(place) = sender.reserve().await else { return Ok(()) };
                let page = fetch(options.clone()).await?;
                let next = page.metadata.continue_;
                place.send(page.items.into());
                if next.is_empty() {
                    return Ok(());
                }
                options = continued(options, next);
            }
        };
        let consume = async {
            while let Some(page) = receiver.recv().await {
                for item in page {
                    each(item).await?;
                }
            }
            Ok(())
        };
        tokio::try_join!(produce, consume).map(|_| ())
    }

    fn paged(&self, options: ListOptions) -> ListOptions {
        let limit = if options.limit == 0 { self.page_size } else { options.limit };
        ListOptions { limit, ..options }
    }
}

/// The options of the next page.
fn continued(options: ListOptions, token: Str) -> ListOptions {
    ListOptions {
        continue_: token,
        resource_version: Str::EMPTY,
        resource_version_match: Str::EMPTY,
        ..options
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::time::Duration;

    use client_rs_machinery::ApiError;
    use client_rs_machinery::meta::v1::ListMeta;

    use super::*;
    use crate::Call;

    /// A server of `total` numbers. A token is the number to continue from.
    #[derive(Default)]
    struct Server {
        total: i64,
        expires_at: Option<i64>,
        asked: RefCell<Vec<ListOptions>>,
    }

    impl Server {
        #[allow(clippy::needless_pass_by_value)] // The signature of a client's method.
        fn page(&self, options: ListOptions) -> Result<Listed<i64>, Error> {
            let start: i64 = options.continue_.parse().unwrap_or(0);
            self.asked.borrow_mut().push(options.clone());
            if self.expires_at == Some(start) && (start > 0 || options.limit > 0) {
                let error = ApiError::resource_expired("too old");
                return Err(Error::Api { call: Call::new("GET", "http://h/"), error: error.into() });
            }
            let end = if options.limit == 0 { self.total } else { self.total.min(start + options.limit) };
            let continue_ = if end < self.total { end.to_string().into() } else { Str::EMPTY };
            let metadata = ListMeta { resource_version: "7".into(), continue_, ..ListMeta::EMPTY };
            Ok(Listed { items: (start..end).collect(), metadata })
        }
    }

    fn versioned() -> ListOptions {
        ListOptions {
            resource_version: "5".into(),
            resource_version_match: "NotOlderThan".into(),
            ..ListOptions::EMPTY
        }
    }

    #[tokio::test]
    async fn t8_7_01_counts_and_order_for_each_page_layout() {
        for (total, size, paginated) in
            [(0, 10, false), (10, 10, false), (11, 10, true), (30, 10, true), (25, 10, true)]
        {
            let server = Server { total, ..Server::default() };
            let pager = Pager { page_size: size, ..Pager::default() };
            let (list, in_pages) =
                pager.list(ListOptions::EMPTY, async |options| server.page(options)).await.unwrap();
            assert_eq!(list.items, (0..total).collect::<Vec<_>>());
            assert_eq!((in_pages, list.metadata.resource_version.as_str()), (paginated, "7"));
            assert!(list.metadata.continue_.is_empty());
            let mut seen = Vec::new();
            let each = pager.each_item(
                ListOptions::EMPTY,
                async |options| server.page(options),
                async |item| {
                    seen.push(item);
                    Ok(())
                },
            );
            each.await.unwrap();
            assert_eq!(seen, (0..total).collect::<Vec<_>>());
        }
        let server = Server { total: 1, ..Server::default() };
        Pager::default().list(ListOptions::EMPTY, async |options| server.page(options)).await.unwrap();
        assert_eq!(server.asked.borrow()[0].limit, 500);
    }

    #[tokio::test]
    async fn t8_7_02_an_expired_page_means_a_full_list_if_enabled() {
        let server = Server { total: 25, expires_at: Some(10), ..Server::default() };
        let pager = Pager { page_size: 10, ..Pager::default() };
        let (list, in_pages) = pager.list(versioned(), async |options| server.page(options)).await.unwrap();
        assert_eq!((list.items.len(), in_pages), (25, true));
        let final_request = server.asked.borrow().last().cloned().unwrap();
        assert_eq!(final_request, versioned());
        let strict = Pager { full_list_if_expired: false, ..pager.clone() };
        assert!(strict.list(versioned(), async |o| server.page(o)).await.unwrap_err().is_resource_expired());
        let first = Server { total: 25, expires_at: Some(0), ..Server::default() };
        assert!(pager.list(versioned(), async |o| first.page(o)).await.unwrap_err().is_resource_expired());
        assert_eq!(first.asked.borrow().len(), 1);
        let each = pager.each_item(versioned(), async |o| server.page(o), async |_| Ok(()));
        assert!(each.await.unwrap_err().is_resource_expired());
    }

    #[tokio::test]
    async fn t8_7_03_the_first_request_keeps_the_version_and_the_others_clear_it() {
        let server = Server { total: 30, ..Server::default() };
        let pager = Pager { page_size: 10, ..Pager::default() };
        pager.list(versioned(), async |options| server.page(options)).await.unwrap();
        pager.each_item(versioned(), async |o| server.page(o), async |_| Ok(())).await.unwrap();
        let asked: Vec<_> = server
            .asked
            .borrow()
            .iter()
            .map(|options| format!("{}{}", options.resource_version, options.resource_version_match))
            .collect();
        assert_eq!(asked, ["5NotOlderThan", "", "", "5NotOlderThan", "", ""]);
    }

    #[tokio::test]
    async fn t8_7_04_an_error_of_the_callback_stops_it() {
        let server = Server { total: 30, ..Server::default() };
        let pager = Pager { page_size: 10, ..Pager::default() };
        let seen = Cell::new(0);
        let outcome = pager.each_item(
            ListOptions::EMPTY,
            async |o| server.page(o),
            async |item| {
                seen.set(item);
                if item == 12 { Err(Error::Empty { call: Call::new("GET", "http://h/") }) } else { Ok(()) }
            },
        );
        assert!(matches!(outcome.await, Err(Error::Empty { .. })));
        assert_eq!(seen.get(), 12);
    }

    #[tokio::test(start_paused = true)]
    async fn t8_7_05_dropped_while_processing_it_stops() {
        let server = Server { total: 30, ..Server::default() };
        let pager = Pager { page_size: 10, ..Pager::default() };
        let seen = Cell::new(0);
        let work = pager.each_item(
            ListOptions::EMPTY,
            async |o| server.page(o),
            async |item| {
                seen.set(item);
                tokio::time::sleep(Duration::from_secs(1)).await;
                Ok(())
            },
        );
        assert!(tokio::time::timeout(Duration::from_millis(4500), work).await.is_err());
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert_eq!(seen.get(), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn t8_7_06_no_more_than_buffer_and_one_pages_ahead() {
        for buffer in [0, 1, 3] {
            let server = Server { total: 200, ..Server::default() };
            let pager = Pager { page_size: 10, buffer, ..Pager::default() };
            let most = Cell::new(0);
            let work = pager.each_item(
                ListOptions::EMPTY,
                async |o| server.page(o),
                async |item| {
                    // Gives the producer time to read ahead.
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    let taken = usize::try_from(item / 10 + 1).unwrap();
                    most.set(most.get().max(server.asked.borrow().len() - taken));
                    Ok(())
                },
            );
            work.await.unwrap();
            assert_eq!(most.get(), buffer + 1);
        }
    }
}
