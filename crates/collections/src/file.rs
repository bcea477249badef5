//! Files as inputs.

use std::fmt;
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::batch::stage;
use crate::sync::Mutex;
use crate::{Graph, Incomplete, Key, LiveSet};

client_rs_machinery::options! {
    /// The options of a [file](Graph::file).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct FileOptions {
        /// How often the file is read. Default: 10 seconds; less than 10 milliseconds count as 10.
        pub interval: Duration => with_interval,
        /// The largest file, in bytes. A larger one is an error. Default: 16 MiB.
        pub max_size: u64 => with_max_size,
    }
}

impl Default for FileOptions {
    fn default() -> Self {
        Self { interval: Duration::from_secs(10), max_size: 16 << 20 }
    }
}

/// The content of a file, looked at from time to time; without a clock and without I/O.
#[derive(Debug, Default)]
struct Follower {
    last: Option<Vec<u8>>,
    /// The last error, until a look succeeds.
    error: Option<String>,
}

/// The result of a look at a file.
#[derive(Debug, PartialEq, Eq)]
enum Look<T> {
    Unchanged,
    /// The new content.
    New(T),
    /// The content can't be used. The last good content stays.
    Failed(String),
}

impl Follower {
    fn look<T, E: fmt::Display>(
        &mut self,
        read: io::Result<Vec<u8>>,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Look<T> {
        let failed = |last: &mut Self, why: String| {
            // The same error again is no news.
            if last.error.as_ref() == Some(&why) {
                return Look::Unchanged;
            }
            last.error = Some(why.clone());
            Look::Failed(why)
        };
        let content = match read {
            Ok(content) => content,
            Err(error) => return failed(self, error.to_string()),
        };
        if self.last.as_ref() == Some(&content) {
            // The content that is in use, again.
            self.error = None;
            return Look::Unchanged;
        }
        match parse(&content) {
            Ok(parsed) => {
                (self.last, self.error) = (Some(content), None);
                Look::New(parsed)
            }
            Err(error) => failed(self, error.to_string()),
        }
    }
}

impl Graph {
    /// Adds the entries of a file as a collection: settings, a table of another program, a mounted `ConfigMap`. A file with one value has the
    /// key `()`; read it with [`Look::single`](crate::Look::single).
    ///
    /// While the graph [runs](Self::spawn), the file is read every [`interval`](FileOptions::interval), on a thread that may block. If its bytes have
    /// changed, `parse` returns all entries, and the differences are one epoch. It need not be pure, but it must not use the graph.
    ///
    /// - **Errors**: while the file is missing, can't be read, is too large or does not parse (or `parse`, or the iterator that it returns, panics), the collection keeps its last good content. The error
    ///   is logged once, and [`Graph::complete`] returns [`Incomplete::Unreadable`], so that no sink deletes anything because of it.
    /// - **Sync**: the input counts as not synced until the first content that parses.
    /// - **Writers** should replace the file (write another one, then rename it): a half-written file may parse. Mounted volumes are replaced.
    /// - **Memory**: the bytes of the last content are kept for the comparison.
    ///
    /// ```
    /// use client_rs_collections::Graph;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = std::env::temp_dir().join(format!("collections-file-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let path = folder.join("weights");
    /// std::fs::write(&path, "web=3\ndb=1\n")?;
    /// let graph = Graph::new();
    /// let weights = graph.file("weights", &path, |text| {
    ///     let line = |line: &str| {
    ///         let (name, weight) = line.split_once('=').ok_or("a line has no `=`")?;
    ///         Ok((name.to_owned(), weight.parse::<u32>().map_err(|_| "a weight is not a number")?))
    ///     };
    ///     String::from_utf8_lossy(text).lines().map(line).collect::<Result<Vec<_>, &str>>()
    /// });
    /// let _running = graph.spawn();
    /// graph.synced().await;
    /// assert_eq!(graph.get(&weights, &"web".to_owned()).as_deref(), Some(&3));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn file<K: Key, V: Send + Sync + 'static, I, E>(
        &self,
        name: impl Into<String>,
        path: impl Into<PathBuf>,
        parse: impl Fn(&[u8]) -> Result<I, E> + Send + Sync + 'static,
    ) -> LiveSet<K, V>
    where
        I: IntoIterator<Item = (K, V)>,
        E: fmt::Display,
    {
        self.file_with(name, path, parse, FileOptions::default())
    }

    /// As [`file`](Self::file), with options.
    pub fn file_with<K: Key, V: Send + Sync + 'static, I, E>(
        &self,
        name: impl Into<String>,
        path: impl Into<PathBuf>,
        parse: impl Fn(&[u8]) -> Result<I, E> + Send + Sync + 'static,
        options: FileOptions,
    ) -> LiveSet<K, V>
    where
        I: IntoIterator<Item = (K, V)>,
        E: fmt::Display,
    {
        let FileOptions { interval, max_size } = options;
        let (name, path) = (name.into(), Arc::<Path>::from(path.into()));
        let input = self.input::<K, V>(name.clone()).awaiting_sync(self);
        let (alive, mut ended) = oneshot::channel::<()>();
        let weak = Arc::downgrade(input.inbox());
        let error = Arc::new(Mutex::new(None::<String>));
        let (reported, file) = (Arc::clone(&error), Arc::clone(&path));
        let follow = async move {
            let mut follower = Follower::default();
            loop {
                let file = Arc::clone(&file);
                let read = tokio::task::spawn_blocking(move || read(&file, max_size)).await;
                let Some(inbox) = weak.upgrade() else { return };
                let entries = |text: &[u8]| match parse(text) {
                    Ok(entries) => {
                        Ok(entries.into_iter().map(|(key, value)| (key, Some(Arc::new(value)))).collect())
                    }
                    Err(error) => Err(error.to_string()),
                };
                // Functions of the user: the iterator and the text of the error, too.
                let parsed = |text: &[u8]| {
                    let panicked = |_| Err("the function that parses it panicked".to_owned());
                    catch_unwind(AssertUnwindSafe(|| entries(text))).unwrap_or_else(panicked)
                };
                match follower.look(read.unwrap_or_else(|error| Err(io::Error::other(error))), parsed) {
                    Look::Unchanged => {}
                    Look::New(entries) => {
                        inbox.replace(entries);
                        inbox.mark_synced();
                    }
                    Look::Failed(error) => {
                        tracing::warn!(
                            file = %path.display(), error,
                            "a file of a derived collection can't be used; its last content stays"
                        );
                    }
                }
                reported.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&follower.error);
                drop(inbox);
                tokio::select! {
                    _ = &mut ended => return,
                    () = tokio::time::sleep(interval.max(Duration::from_millis(10))) => {}
                }
            }
        };
        self.shared.join(Box::pin(follow));
        let inbox = Arc::clone(input.inbox());
        stage::<K, V>(&mut self.lock(), input.handle().place(), |node| {
            node.keep(Box::new((inbox, alive)));
            node.ask(Box::new(move |_| {
                let error = error.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
                Some(Incomplete::Unreadable { collection: name.clone(), error })
            }));
        });
        self.shared.bell.ring();
        input.live().clone()
    }
}

fn read(path: &Path, max_size: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    // One byte more, to notice a larger file.
    std::fs::File::open(path)?.take(max_size.saturating_add(1)).read_to_end(&mut content)?;
    if content.len() as u64 > max_size {
        return Err(io::Error::other(format!("it has more than {max_size} bytes")));
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &[u8]) -> Result<u32, std::num::ParseIntError> {
        String::from_utf8_lossy(text).parse()
    }

    #[test]
    fn errors_keep_the_last_content_and_are_reported_once() {
        let mut follower = Follower::default();
        let missing = || Err(io::Error::from(io::ErrorKind::NotFound));
        assert!(matches!(follower.look(missing(), number), Look::Failed(_)));
        assert_eq!(follower.look(missing(), number), Look::Unchanged);
        assert_eq!(follower.look(Ok(b"7".to_vec()), number), Look::New(7));
        assert_eq!((follower.look(Ok(b"7".to_vec()), number), &follower.error), (Look::Unchanged, &None));
        assert!(matches!(follower.look(Ok(b"x".to_vec()), number), Look::Failed(_)));
        assert_eq!(follower.look(Ok(b"x".to_vec()), number), Look::Unchanged);
        assert!(follower.error.is_some());
        // The content that is in use comes back: nothing changes, and nothing is wrong.
        assert_eq!((follower.look(Ok(b"7".to_vec()), number), &follower.error), (Look::Unchanged, &None));
        assert_eq!(follower.look(Ok(b"8".to_vec()), number), Look::New(8));
    }
}
