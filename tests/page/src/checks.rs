//! The checks of the page.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use client_rs_tests_tools::workspace;
use serde_json::json;
use tokio::runtime::Handle;

use crate::browser::{Browser, Page};
use crate::stage;

/// The part of a check that needs no types.
pub(crate) struct Scene<'a> {
    pub(crate) browser: &'a mut Browser,
    pub(crate) runtime: &'a Handle,
    /// Where pictures go, if they are wanted.
    pub(crate) pictures: Option<&'a Path>,
}

type Check = (&'static str, fn(&mut Scene<'_>) -> Result<()>);

pub(crate) const CHECKS: &[Check] = &[
    ("a busy manager: content, updates, findings", busy),
    ("the explanation of a key, with the mouse, the keyboard and a link", why),
    ("a manager without controllers", empty),
    ("a manager that is gone", gone),
    ("10,000 runs in progress", crowded),
    ("all replicas side by side, by krs debug", replicas),
];

const READY: &str = "document.getElementById('contact')?.textContent.startsWith('updated') === true";

/// For pictures: the graphs have something to show.
const SEVERAL_UPDATES: &str = "rates.length >= 10 && rates.at(-1) > 0";

/// The text of an element.
fn shown(id: &str) -> String {
    format!("(document.getElementById('{id}')?.innerText ?? '')")
}

/// Waits until an element has all these words.
fn wait_for_words(page: &mut Page<'_>, id: &str, words: &[&str]) -> Result<()> {
    for word in words {
        let word = serde_json::to_string(word)?;
        page.wait_for(&format!("{}.includes({word})", shown(id)))?;
    }
    Ok(())
}

/// No request left the listener, nothing failed, and the policy holds.
fn finish(page: &mut Page<'_>, url: &str, expected_errors: bool) -> Result<()> {
    for request in page.requests()? {
        ensure!(
            request.starts_with(url) || request == "about:blank",
            "the page has sent a request to {request}"
        );
    }
    if !expected_errors {
        let errors = page.errors()?;
        ensure!(errors.is_empty(), "errors: {errors:#?}");
    }
    Ok(())
}

fn picture(folder: Option<&Path>, page: &mut Page<'_>, name: &str) -> Result<()> {
    if let Some(folder) = folder {
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, page.picture()?).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}

fn busy(scene: &mut Scene<'_>) -> Result<()> {
    let stage = scene.runtime.block_on(stage::busy())?;
    let pictures = scene.pictures;
    let mut page = scene.browser.open("about:blank")?;
    open_until_served(&mut page, &format!("{}/debug", stage.url))?;
    page.prefer("light")?;
    page.wait_for(READY)?;
    wait_for_words(
        &mut page,
        "controllers",
        &["settings", "backups", "counter", "images", "bucket \"nightly\""],
    )?;
    wait_for_words(&mut page, "informers", &["configmaps"])?;
    wait_for_words(&mut page, "runs", &["default/images"])?;
    let steps = page.value("document.querySelectorAll('#pipeline li').length")?;
    ensure!(steps == 5, "the pipeline has {steps} steps");
    page.wait_for("/[1-9][0-9.]* runs\\/s/.test(document.getElementById('pipeline').innerText)")?;
    // It updates itself.
    let runs =
        "Number(document.querySelector('#controllers tr td:nth-child(7)').innerText.replace(/,/g, ''))";
    let before = page.value(runs)?;
    page.wait_for(&format!("{runs} > {before}"))?;
    // A controller that reconciles because of its own writes is found.
    wait_for_words(&mut page, "findings", &["ownWriteLoop", "because of its own writes"])?;
    ensure!(
        page.value("document.getElementById('replicas-part').hidden")? == true,
        "a manager is no replica of several"
    );
    if pictures.is_some() {
        page.wait_for(SEVERAL_UPDATES)?;
    }
    picture(pictures, &mut page, "debug-overview")?;
    stays_focused(&mut page)?;
    fits(&mut page)?;
    // Both colour schemes.
    let colour = "getComputedStyle(document.body).backgroundColor";
    let light = page.text(colour)?;
    page.prefer("dark")?;
    ensure!(page.text(colour)? != light, "dark is as light: {light}");
    accessible(&mut page)?;
    finish(&mut page, &stage.url, false)?;
    // The policy: no script that is not the page's own, no request to another place.
    page.value("{ const s = document.createElement('script'); s.textContent = 'window.stolen = 1'; document.body.append(s); }")?;
    ensure!(page.value("typeof window.stolen")? == "undefined", "a foreign script has run");
    let refused = page.value("fetch('http://127.0.0.1:1/').then(() => 'sent', () => 'refused')")?;
    ensure!(refused == "refused", "a request to another place was {refused}");
    ensure!(
        page.errors()?.iter().any(|error| error.contains("Content Security Policy")),
        "the policy is silent"
    );
    Ok(())
}

/// An update does not take the keyboard away.
fn stays_focused(page: &mut Page<'_>) -> Result<()> {
    let button = "[...document.querySelectorAll('#runs button.key')].find(one => one.textContent === 'default/images')";
    page.value(&format!("window.was = {button}; window.was.focus()"))?;
    page.wait_for(&format!("{button} !== window.was"))?;
    let focused = page.value(&format!("document.activeElement === {button}"))?;
    ensure!(focused == true, "an update has taken the focus");
    Ok(())
}

/// In a narrow window neither the page nor its pipeline has a horizontal scroll bar.
fn fits(page: &mut Page<'_>) -> Result<()> {
    for width in [360, 800] {
        let metrics = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        page.call("Emulation.setDeviceMetricsOverride", metrics)?;
        let found = page.value("document.documentElement.scrollWidth")?;
        ensure!(found.as_u64().is_some_and(|found| found <= width), "{width} pixels wide, it needs {found}");
        let pipeline = "document.getElementById('pipeline').parentElement";
        let fits = page.value(&format!("{pipeline}.scrollWidth <= {pipeline}.clientWidth"))?;
        ensure!(fits == true, "{width} pixels wide, the pipeline is cut");
    }
    page.call("Emulation.clearDeviceMetricsOverride", json!({}))?;
    Ok(())
}

/// Everything that can be operated has a name, and can be reached by the keyboard.
fn accessible(page: &mut Page<'_>) -> Result<()> {
    page.call("Accessibility.enable", json!({}))?;
    let tree = page.call("Accessibility.getFullAXTree", json!({}))?;
    let nodes = tree["nodes"].as_array().context("no accessibility tree")?;
    let role = |node: &serde_json::Value| node["role"]["value"].as_str().unwrap_or_default().to_owned();
    let mut seen = Vec::new();
    for node in nodes.iter().filter(|node| node["ignored"] != true) {
        let role = role(node);
        if ["button", "textbox", "combobox", "table", "image", "heading"].contains(&&*role) {
            let name = node["name"]["value"].as_str().unwrap_or_default();
            ensure!(!name.is_empty(), "a {role} has no name: {node}");
            seen.push(role);
        }
    }
    for wanted in ["button", "textbox", "combobox", "table", "image", "heading"] {
        ensure!(seen.iter().any(|role| role == wanted), "there is no {wanted}");
    }
    // From the start of the page, the tabulator reaches the question.
    page.value("document.activeElement.blur(); window.scrollTo(0, 0)")?;
    let focused = "document.activeElement.id || document.activeElement.tagName";
    let mut reached = Vec::new();
    for _ in 0..60 {
        page.press("Tab")?;
        reached.push(page.text(focused)?);
        if reached.ends_with(&["controller".into(), "key".into(), "BUTTON".into()]) {
            return Ok(());
        }
    }
    bail!("the tabulator reaches only {reached:?}")
}

fn why(scene: &mut Scene<'_>) -> Result<()> {
    let stage = scene.runtime.block_on(stage::busy())?;
    let pictures = scene.pictures;
    let mut page = scene.browser.open("about:blank")?;
    open_until_served(&mut page, &format!("{}/debug", stage.url))?;
    page.prefer("dark")?;
    page.wait_for(READY)?;
    // A click on a key.
    page.wait_for("[...document.querySelectorAll('#runs button.key')].some(one => one.textContent === 'default/images')")?;
    page.value("[...document.querySelectorAll('#runs button.key')].find(one => one.textContent === 'default/images').click()")?;
    wait_for_words(&mut page, "answer", &["running:", "since", "It has sent no request"])?;
    // By the keyboard alone: choose a controller, type a key, press Enter. It has written, and run because of that.
    page.wait_for("[...document.querySelectorAll('#controllers tr')].some(row => row.cells[0].innerText === 'counter' && Number(row.cells[6].innerText) > 1)")?;
    page.value("document.getElementById('controller').focus()")?;
    page.value("document.getElementById('controller').value = 'counter'")?;
    page.press("Tab")?;
    ensure!(page.text("document.activeElement.id")? == "key", "the key is not next");
    page.value("document.activeElement.select()")?;
    page.type_text("default/counter")?;
    page.press("Enter")?;
    wait_for_words(
        &mut page,
        "answer",
        &[
            "Run at",
            "because configmaps.v1 default/counter was updated",
            "PATCH configmaps default/counter → 200",
        ],
    )?;
    ensure!(
        page.text("location.hash")? == "#controller=counter&key=default%2Fcounter",
        "the address does not name the key"
    );
    page.value("document.getElementById('why-title').scrollIntoView()")?;
    picture(pictures, &mut page, "debug-why")?;
    // A link to the answer.
    let link = page.text("location.href")?;
    finish(&mut page, &stage.url, false)?;
    let mut page = scene.browser.open(&link)?;
    wait_for_words(&mut page, "answer", &["Run at", "because"])?;
    // A key that the manager refuses.
    page.value(
        "document.getElementById('key').value = 'a/b/c'; document.querySelector('#ask button').click()",
    )?;
    page.wait_for("document.querySelector('#answer .bad') !== null")?;
    finish(&mut page, &stage.url, true)
}

fn empty(scene: &mut Scene<'_>) -> Result<()> {
    let stage = stage::empty(scene.runtime)?;
    let mut page = scene.browser.open("about:blank")?;
    open_until_served(&mut page, &format!("{}/debug", stage.url))?;
    page.wait_for(READY)?;
    for (id, text) in [
        ("controllers", "no controllers"),
        ("informers", "no informers"),
        ("runs", "no runs in progress"),
        ("findings", "Nothing found."),
    ] {
        wait_for_words(&mut page, id, &[text])?;
    }
    Ok(())
}

/// Opens an address until somebody listens there.
fn open_until_served(page: &mut Page<'_>, url: &str) -> Result<()> {
    for _ in 0..600 {
        let opened = page.call("Page.navigate", json!({"url": url}))?;
        if opened.get("errorText").is_none() {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    bail!("nobody listens at {url}")
}

fn gone(scene: &mut Scene<'_>) -> Result<()> {
    let stage = stage::empty(scene.runtime)?;
    let mut page = scene.browser.open("about:blank")?;
    open_until_served(&mut page, &format!("{}/debug", stage.url))?;
    page.wait_for(READY)?;
    drop(stage);
    page.wait_for("document.getElementById('trouble').textContent.startsWith('no contact')")?;
    ensure!(page.text("document.getElementById('trouble').className")? == "bad", "the loss is not marked");
    ensure!(
        page.text("document.getElementById('trouble').getAttribute('role')")? == "status",
        "no screen reader is notified"
    );
    // The last state stays.
    wait_for_words(&mut page, "controllers", &["no controllers"])
}

fn crowded(scene: &mut Scene<'_>) -> Result<()> {
    let stage = stage::crowded(scene.runtime, 10_000)?;
    let mut page = scene.browser.open("about:blank")?;
    open_until_served(&mut page, &format!("{}/debug", stage.url))?;
    wait_for_words(&mut page, "runs", &["and 9,800 more"])?;
    wait_for_words(&mut page, "pipeline", &["10,000 of 10,000 busy"])?;
    // However many keys there are, a state costs the browser few elements.
    let elements = page.value("document.querySelectorAll('*').length")?;
    ensure!(elements.as_u64().is_some_and(|elements| elements < 2_000), "{elements} elements");
    // The time between two updates in which the page can't react, for people to read: it depends on the machine.
    page.value(
        "window.longest = 0; new PerformanceObserver(list => { for (const one of list.getEntries()) window.longest = \
         Math.max(window.longest, one.duration); }).observe({ entryTypes: ['longtask'] })",
    )?;
    let contact = "document.getElementById('contact').textContent";
    for _ in 0..3 {
        let before = serde_json::to_string(&page.text(contact)?)?;
        page.wait_for(&format!("{contact} !== {before}"))?;
    }
    println!(
        "        longest task of the page with 10,000 runs: {} ms",
        page.value("Math.round(window.longest)")?
    );
    finish(&mut page, &stage.url, true)
}

fn replicas(scene: &mut Scene<'_>) -> Result<()> {
    let (one, other) =
        scene.runtime.block_on(async { anyhow::Ok((stage::busy().await?, stage::busy().await?)) })?;
    let pictures = scene.pictures;
    let program = workspace::target().join("debug").join("krs");
    let mut debug = Command::new(&program)
        .args(["debug", &one.url, &other.url, "http://127.0.0.1:9"])
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("can't start {}", program.display()))?;
    let mut url = String::new();
    BufReader::new(debug.stdout.take().context("no output")?).read_line(&mut url)?;
    let outcome = side_by_side(scene.browser, url.trim(), &one.url, &other.url, pictures);
    // It is ours, and serves until it is ended.
    debug.kill()?;
    debug.wait()?;
    outcome
}

fn side_by_side(
    browser: &mut Browser,
    url: &str,
    one: &str,
    other: &str,
    pictures: Option<&Path>,
) -> Result<()> {
    let origin = url.split('/').take(3).collect::<Vec<_>>().join("/");
    let mut page = browser.open(url)?;
    page.prefer("light")?;
    page.wait_for(READY)?;
    wait_for_words(&mut page, "replicas", &[one, other, "http://127.0.0.1:9", "no contact"])?;
    wait_for_words(
        &mut page,
        "controllers",
        &[&format!("settings ({one})"), &format!("settings ({other})")],
    )?;
    if pictures.is_some() {
        page.wait_for(SEVERAL_UPDATES)?;
    }
    picture(pictures, &mut page, "debug-replicas")?;
    page.value("document.getElementById('controller').value = 'counter'; document.getElementById('key').value = 'default/counter'")?;
    page.value("document.querySelector('#ask button').click()")?;
    wait_for_words(&mut page, "answer", &[one, other, "Run at"])?;
    ensure!(page.value("document.querySelectorAll('#answer h3').length")? == 3, "not one answer per replica");
    finish(&mut page, &origin, true)?;
    // Without the token there is nothing.
    let without = page.value(&format!("fetch('{origin}/debug/state').then(answer => answer.status)"))?;
    ensure!(without == 403, "without the token: {without}");
    Ok(())
}
