//! The requests of a file, sent over REST.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Context as _;
use http::Method;
use indicatif::ProgressBar;
use serde::Deserialize;
use serde_json::Value;
use tokio::task::JoinSet;

use crate::loops::Speed;

/// The place of the number in a path and a body.
const NUMBER: &str = "{n}";

/// A line of the file.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(default)]
    method: String,
    path: String,
    #[serde(default)]
    headers: Vec<(String, String)>,
    #[serde(default)]
    body: Value,
}

impl Line {
    /// The bytes of the body: a text as it is, everything else as JSON.
    fn text(&self) -> String {
        match &self.body {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

/// Sends `count` requests, numbered from `from` on, with so many callers at once. The lines of the file take turns, and
/// `{n}` in a path or a body stands for the number. A refusal ends the measurement.
pub(crate) async fn send(to: &str, file: &Path, from: u64, count: u64, callers: usize) -> anyhow::Result<Speed> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let lines: Vec<Line> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    anyhow::ensure!(!lines.is_empty(), "{} has no request", file.display());
    let (lines, next) = (Arc::new(lines), Arc::new(AtomicU64::new(0)));
    pavise_mesh::choose_tls_provider();
    let client = reqwest::Client::new();
    let bar = ProgressBar::new(count);
    let began = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..callers {
        let (lines, next, client, to, bar) = (lines.clone(), next.clone(), client.clone(), to.to_owned(), bar.clone());
        tasks.spawn(async move {
            let mut times = Vec::new();
            loop {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                if turn >= count {
                    return anyhow::Ok(times);
                }
                let place = usize::try_from(turn)? % lines.len();
                let line = lines.get(place).context("a line")?;
                let number = (from + turn).to_string();
                let method = if line.method.is_empty() { Method::GET } else { line.method.parse()? };
                let mut request = client.request(method, format!("{to}{}", line.path.replace(NUMBER, &number)));
                for (name, value) in &line.headers {
                    request = request.header(name, value);
                }
                let body = line.text();
                if !body.is_empty() {
                    request = request.body(body.replace(NUMBER, &number));
                }
                let before = Instant::now();
                let answer = request.send().await?;
                let status = answer.status();
                let said = answer.bytes().await?;
                times.push(before.elapsed());
                bar.inc(1);
                anyhow::ensure!(
                    status.is_success(),
                    "{} was answered with {status}: {}",
                    line.path,
                    String::from_utf8_lossy(&said)
                );
            }
        });
    }
    let mut all = Vec::new();
    while let Some(times) = tasks.join_next().await {
        all.extend(times??);
    }
    bar.finish_and_clear();
    Speed::of(all, began.elapsed())
}
