//! The progress of the loading: a bar on a terminal, a line every few seconds elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The interval of lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(5);

/// How far something is.
pub(crate) struct Progress {
    what: &'static str,
    bar: Option<ProgressBar>,
    done: usize,
    of: usize,
    began: Instant,
    told: Instant,
}

impl Progress {
    /// Nothing of `of` is done.
    pub(crate) fn new(what: &'static str, of: usize) -> Self {
        let style = ProgressStyle::with_template("Loading {msg} {wide_bar} {pos}/{len} {per_sec} {eta}");
        let bar = match style {
            Ok(style) if std::io::stderr().is_terminal() => {
                Some(ProgressBar::new(u64::try_from(of).unwrap_or(u64::MAX)).with_style(style).with_message(what))
            }
            _ => None,
        };
        let now = Instant::now();
        Self { what, bar, done: 0, of, began: now, told: now }
    }

    /// So many more are done.
    pub(crate) fn add(&mut self, more: usize) {
        self.done += more;
        match &self.bar {
            Some(bar) => bar.inc(u64::try_from(more).unwrap_or(0)),
            None if self.told.elapsed() >= EVERY => {
                self.told = Instant::now();
                let (spent, left) =
                    (self.began.elapsed(), u32::try_from(self.of.saturating_sub(self.done)).unwrap_or(u32::MAX));
                let eta = spent
                    .checked_div(u32::try_from(self.done).unwrap_or(u32::MAX))
                    .unwrap_or_default()
                    .saturating_mul(left);
                eprintln!("Loading {}: {} of {}, about {} s to go", self.what, self.done, self.of, eta.as_secs());
            }
            None => {}
        }
    }

    /// All is done.
    pub(crate) fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        eprintln!("Loaded {} {} in {:.1} s", self.done, self.what, self.began.elapsed().as_secs_f64());
    }
}
