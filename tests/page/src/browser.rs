//! A headless Chromium, driven by the `DevTools` protocol over a pipe: JSON messages that end with a zero byte.
//!
//! The checks need a dozen methods of the protocol. Crates for it generate all 700 of them, which takes longer to compile than this
//! workspace, or need a driver program; the pipe needs neither.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use base64::Engine as _;
use serde_json::{Value, json};

/// How long the browser has for one method, and a page for a condition. Only a failure takes so long.
const PATIENCE: Duration = Duration::from_mins(2);

/// The browser. Dropping it ends it.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    last: u64,
    /// Events that nobody has asked for yet.
    events: Vec<Value>,
    _profile: tempfile::TempDir,
}

/// A tab.
pub(crate) struct Page<'b> {
    browser: &'b mut Browser,
    session: String,
}

impl Browser {
    /// Starts the browser of the system.
    pub(crate) fn start() -> Result<Self> {
        let program = find()?;
        let profile = tempfile::tempdir()?;
        // The browser reads from descriptor 3 and writes to 4.
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null 2>&1"#, "sh"]).arg(&program);
        command.args([
            "--headless=new",
            "--remote-debugging-pipe",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-default-apps",
            "--disable-extensions",
            "--disable-sync",
            "--force-device-scale-factor=1",
            "--window-size=1400,1000",
        ]);
        command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("can't start {}", program.display()))?;
        let (Some(to), Some(out)) = (child.stdin.take(), child.stdout.take()) else { bail!("no pipes") };
        let (sender, from) = channel();
        std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            loop {
                let mut message = Vec::new();
                match out.read_until(0, &mut message) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => message.truncate(message.len().saturating_sub(1)),
                }
                let Ok(message) = serde_json::from_slice(&message) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, to, from, last: 0, events: Vec::new(), _profile: profile })
    }

    /// Opens an address in a new tab.
    pub(crate) fn open(&mut self, url: &str) -> Result<Page<'_>> {
        self.events.clear();
        let target = self.call("", "Target.createTarget", json!({"url": "about:blank"}))?;
        let target = target["targetId"].clone();
        let attached =
            self.call("", "Target.attachToTarget", json!({"targetId": target, "flatten": true}))?;
        let session = attached["sessionId"].as_str().context("no session")?.to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.call(&session, &format!("{domain}.enable"), json!({}))?;
        }
        let mut page = Page { browser: self, session };
        page.call("Page.navigate", json!({"url": url}))?;
        Ok(page)
    }

    /// Calls a method and waits for its result. Events that arrive in between are kept.
    fn call(&mut self, session: &str, method: &str, params: Value) -> Result<Value> {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method});
        message["params"] = params;
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let mut bytes = serde_json::to_vec(&message)?;
        bytes.push(0);
        self.to.write_all(&bytes).context("the browser has ended")?;
        let end = Instant::now() + PATIENCE;
        loop {
            match self.from.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(mut message) if message["id"] == self.last => {
                    ensure!(message.get("error").is_none(), "{method}: {}", message["error"]);
                    return Ok(message["result"].take());
                }
                Ok(message) if message.get("method").is_some() => self.events.push(message),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => bail!("no answer to {method}"),
                Err(RecvTimeoutError::Disconnected) => bail!("the browser has ended during {method}"),
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.call("", "Browser.close", json!({}));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page<'_> {
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        self.browser.call(&self.session, method, params)
    }

    /// The value of an expression, or of the promise that it returns.
    pub(crate) fn value(&mut self, expression: &str) -> Result<Value> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", params)?;
        ensure!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {}",
            answer["exceptionDetails"]["exception"]["description"]
        );
        Ok(answer["result"]["value"].take())
    }

    pub(crate) fn text(&mut self, expression: &str) -> Result<String> {
        let value = self.value(expression)?;
        value.as_str().map(str::to_owned).with_context(|| format!("{expression} is {value}"))
    }

    /// Waits until an expression is true.
    pub(crate) fn wait_for(&mut self, expression: &str) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        while self.value(expression)? != true {
            if Instant::now() > end {
                let text = self.text("document.body.innerText")?;
                return Err(anyhow!("never true: {expression}\n{text}"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) -> Result<()> {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            _ => 0,
        };
        let mut down = json!({"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code});
        if key == "Enter" {
            down["text"] = "\r".into();
        }
        self.call("Input.dispatchKeyEvent", down)?;
        let up = json!({"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", up)?;
        Ok(())
    }

    /// Types a text into the focused element.
    pub(crate) fn type_text(&mut self, text: &str) -> Result<()> {
        self.call("Input.insertText", json!({"text": text})).map(drop)
    }

    /// Asks for dark or light colours.
    pub(crate) fn prefer(&mut self, scheme: &str) -> Result<()> {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features})).map(drop)
    }

    /// The addresses of all requests since the page was opened.
    pub(crate) fn requests(&mut self) -> Result<Vec<String>> {
        self.value("1")?; // Events up to now have arrived.
        let sent = self.events().filter(|event| event["method"] == "Network.requestWillBeSent");
        Ok(sent.filter_map(|event| Some(event["params"]["request"]["url"].as_str()?.to_owned())).collect())
    }

    /// Exceptions, and errors in the browser's log, since the page was opened.
    pub(crate) fn errors(&mut self) -> Result<Vec<String>> {
        self.value("1")?;
        let errors = self.events().filter(|event| {
            event["method"] == "Runtime.exceptionThrown"
                || (event["method"] == "Log.entryAdded" && event["params"]["entry"]["level"] == "error")
        });
        Ok(errors.map(|event| event["params"].to_string()).collect())
    }

    /// The events of this tab.
    fn events(&self) -> impl Iterator<Item = &Value> {
        self.browser.events.iter().filter(|event| event["sessionId"] == self.session.as_str())
    }

    /// A picture of the window, as PNG.
    pub(crate) fn picture(&mut self) -> Result<Vec<u8>> {
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}))?;
        let data = picture["data"].as_str().context("no picture")?;
        Ok(base64::engine::general_purpose::STANDARD.decode(data)?)
    }
}

/// The browser of the system: `CHROMIUM`, or the first of its usual names on the `PATH`.
fn find() -> Result<PathBuf> {
    if let Some(program) = std::env::var_os("CHROMIUM") {
        return Ok(program.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|place| place.is_file()).context(
        "no Chromium is on the PATH: install it (Debian's package is chromium), or set CHROMIUM to its path",
    )
}
