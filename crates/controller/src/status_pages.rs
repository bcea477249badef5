//! Pages for people, as the components of Kubernetes serve them: `statusz`, `flagz`, and the CPU time of threads.

use std::fmt::Write as _;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use client_rs_machinery::Time;
use futures_util::future::BoxFuture;
use http::{Request, Response, StatusCode};

/// The pages `statusz` and `flagz` of a program, for [`Manager::debug_handler`](crate::Manager::debug_handler).
///
/// They are texts for people: their format may change. Values of flags whose names look like credentials are masked.
///
/// ```
/// use client_rs_controller::{Manager, StatusPages, thread_times};
/// # use client_rs_cache::InformerFactory;
///
/// let pages = StatusPages::new("shop-operator", env!("CARGO_PKG_VERSION")).with_flag("workers", 4);
/// let manager = Manager::new(InformerFactory::new())
///     .debug_handler("/statusz", pages.statusz())
///     .debug_handler("/flagz", pages.flagz())
///     .debug_handler("/debug/threads", thread_times());
/// # drop(manager);
/// ```
#[derive(Clone, Debug)]
pub struct StatusPages {
    name: String,
    version: String,
    started: SystemTime,
    flags: Vec<(String, String)>,
}

const WARNING: &str = "Warning: this page is for people. Its format may change.";

impl StatusPages {
    /// Makes the pages of a program that starts now.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into(), started: SystemTime::now(), flags: Vec::new() }
    }

    /// Adds a flag and its value to `flagz`.
    #[must_use]
    #[allow(clippy::needless_pass_by_value, reason = "callers pass numbers and texts")]
    pub fn with_flag(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.flags.push((name.into(), value.to_string()));
        self
    }

    /// Serves name, version, start and uptime.
    pub fn statusz(&self) -> impl Fn(Request<()>) -> Ready<Response<String>> + Clone + Send + Sync + 'static {
        let pages = Arc::new(self.clone());
        move |_| ready(Response::new(pages.status(SystemTime::now())))
    }

    /// Serves the flags and their values, in the order of their names.
    pub fn flagz(&self) -> impl Fn(Request<()>) -> Ready<Response<String>> + Clone + Send + Sync + 'static {
        let text = self.flags();
        move |_| ready(Response::new(text.clone()))
    }

    fn status(&self, now: SystemTime) -> String {
        let up = now.duration_since(self.started).unwrap_or_default().as_secs();
        let started = self.started.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let started = Time::new(i64::try_from(started).unwrap_or_default(), 0);
        let started = started.map_or_else(|| "unknown".to_owned(), |time| time.to_string());
        format!(
            "{} statusz\n{WARNING}\n\nStarted: {started}\nUp: {} hr {:02} min {:02} sec\nBinary version: {}\n",
            self.name,
            up / 3600,
            up / 60 % 60,
            up % 60,
            self.version
        )
    }

    fn flags(&self) -> String {
        let mut flags: Vec<_> = self.flags.iter().collect();
        flags.sort();
        let mut text = format!("{} flags\n{WARNING}\n\n", self.name);
        for (name, value) in flags {
            let lower = name.to_lowercase();
            let secret =
                ["token", "password", "secret", "key", "credential"].iter().any(|word| lower.contains(word));
            let _ = writeln!(text, "{name}={}", if secret { "<masked>" } else { value });
        }
        text
    }
}

/// The longest time that [`thread_times`] looks: below the limit of a connection of the listener.
const MAX_SECONDS: u64 = 20;

/// Serves the CPU time that each thread of the process uses while it looks, the busiest first: `?seconds=5`, at most 20.
///
/// It shows whether the workers of the runtime, the decoding of lists or handlers are busy, and costs nothing while nobody asks. For stacks, use
/// a profiler such as `perf record -g -p PID`. Linux only; elsewhere the response is 501.
pub fn thread_times()
-> impl Fn(Request<()>) -> BoxFuture<'static, Response<String>> + Clone + Send + Sync + 'static {
    |request: Request<()>| Box::pin(look(seconds(request.uri().query())))
}

fn seconds(query: Option<&str>) -> Duration {
    let parts = query.unwrap_or_default().split('&');
    let asked = parts.filter_map(|part| part.strip_prefix("seconds=")).find_map(|text| text.parse().ok());
    Duration::from_secs(asked.unwrap_or(5).clamp(1, MAX_SECONDS))
}

async fn look(time: Duration) -> Response<String> {
    let Some(before) = Threads::read() else {
        let mut response = Response::new("threads are only counted on Linux\n".to_owned());
        *response.status_mut() = StatusCode::NOT_IMPLEMENTED;
        return response;
    };
    tokio::time::sleep(time).await;
    Response::new(Threads::read().unwrap_or_default().since(&before, time))
}

/// The CPU time of each thread: id, name, and hundredths of a second in the program and in the kernel.
#[derive(Debug, Default)]
struct Threads(Vec<(u64, String, [u64; 2])>);

impl Threads {
    /// `None` if the system does not count them.
    fn read() -> Option<Self> {
        let folder = std::fs::read_dir("/proc/self/task").ok()?;
        // A thread may end between two reads.
        let texts = folder.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path().join("stat")).ok());
        Some(Self(texts.filter_map(|text| Self::parse(&text)).collect()))
    }

    /// Reads a line of the kernel: `7 (a name) S …`, with the times as 14th and 15th field.
    fn parse(text: &str) -> Option<(u64, String, [u64; 2])> {
        let (id, rest) = text.split_once(" (")?;
        let (name, rest) = rest.rsplit_once(") ")?;
        let mut times = rest.split(' ').skip(11).map(|field| field.parse().unwrap_or_default());
        Some((id.parse().ok()?, name.to_owned(), [times.next()?, times.next()?]))
    }

    fn since(mut self, before: &Self, time: Duration) -> String {
        for (id, _, times) in &mut self.0 {
            if let Some((_, _, old)) = before.0.iter().find(|(other, _, _)| other == id) {
                *times = [times[0].saturating_sub(old[0]), times[1].saturating_sub(old[1])];
            }
        }
        self.0.sort_by_key(|(id, _, times)| (std::cmp::Reverse(times[0] + times[1]), *id));
        let mut text = format!("CPU time of {} threads in {} s\n\n", self.0.len(), time.as_secs());
        let _ = writeln!(text, "{:>8} {:>8}  {:>8}  thread", "user", "system", "id");
        let seconds = |hundredths: u64| format!("{}.{:02}", hundredths / 100, hundredths % 100);
        for (id, name, [user, system]) in &self.0 {
            let _ = writeln!(text, "{:>8} {:>8}  {id:>8}  {name}", seconds(*user), seconds(*system));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(query: &str) -> Request<()> {
        Request::get(format!("/x{query}")).body(()).unwrap()
    }

    #[tokio::test]
    async fn statusz_and_flagz_describe_the_program() {
        let pages = StatusPages::new("shop", "1.2.3")
            .with_flag("workers", 4)
            .with_flag("api-token", "s3cret")
            .with_flag("TLS-Key", "s3cret");
        let text = pages.statusz()(request("")).await.into_body();
        assert!(text.starts_with("shop statusz\n") && text.contains("Binary version: 1.2.3"), "{text}");
        let later = pages.started + Duration::from_secs(2 * 3600 + 3 * 60 + 4);
        assert!(pages.status(later).contains("\nUp: 2 hr 03 min 04 sec\n"));
        let fixed = StatusPages { started: SystemTime::UNIX_EPOCH, ..pages.clone() };
        assert!(
            fixed
                .status(SystemTime::UNIX_EPOCH)
                .contains("Started: 1970-01-01T00:00:00Z\nUp: 0 hr 00 min 00 sec")
        );
        let text = pages.flagz()(request("")).await.into_body();
        assert!(text.ends_with("\nTLS-Key=<masked>\napi-token=<masked>\nworkers=4\n"), "{text}");
        assert!(!text.contains("s3cret"));
    }

    #[test]
    fn the_time_of_a_look_is_limited() {
        for (query, expected) in [
            (None, 5),
            (Some("seconds=7"), 7),
            (Some("a=b&seconds=3"), 3),
            (Some("seconds=0"), 1),
            (Some("seconds=99"), 20),
        ] {
            assert_eq!(seconds(query), Duration::from_secs(expected), "{query:?}");
        }
        assert_eq!(seconds(Some("seconds=x")), Duration::from_secs(5));
    }

    #[test]
    fn threads_are_read_and_compared() {
        let line = |id: u64, name: &str, user: u64| {
            Threads::parse(&format!("{id} ({name}) S 1 1 1 0 -1 4 1 0 0 0 {user} 25 0 0 20")).unwrap()
        };
        assert_eq!(line(7, "a (odd) name", 130), (7, "a (odd) name".to_owned(), [130, 25]));
        assert_eq!(Threads::parse("garbage"), None);
        let before = Threads(vec![line(1, "main", 10), line(2, "worker", 10)]);
        let after = Threads(vec![line(1, "main", 10), line(2, "worker", 160), line(3, "new", 5)]);
        assert_eq!(
            after.since(&before, Duration::from_secs(5)),
            "CPU time of 3 threads in 5 s\n\n    user   system        id  thread\n    1.50     0.00         2  worker\n    \
             0.05     0.25         3  new\n    0.00     0.00         1  main\n"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn the_page_of_threads_has_this_one() {
        let response = thread_times()(request("?seconds=2")).await;
        if cfg!(target_os = "linux") {
            assert_eq!(response.status(), StatusCode::OK);
            let text = response.into_body();
            assert!(text.contains("threads in 2 s") && text.lines().count() > 3, "{text}");
        } else {
            assert_eq!(response.status(), StatusCode::NOT_IMPLEMENTED);
        }
    }
}
