//! Tokens of links in messages: who holds one may make one call for one subject until a day, without signing in. Their
//! ends are in machine time.

use crate::kernel::Kernel;
use crate::time::Micros;

/// The first text of the context of each token, which is no path of a call: no page token is one.
const LINK: &str = "link";
/// The same for tokens that hold what they allow.
const GRANT: &str = "grant";

impl Kernel {
    /// The token of a link, for a purpose and a subject, that is valid until `until`. It tells nothing of the subject.
    #[must_use]
    pub fn seal_link(&self, purpose: &'static str, subject: &[&str], until: Micros) -> String {
        self.page_tokens().seal(&context(purpose, subject), &until.to_string())
    }

    /// Whether a token is of this purpose and subject, and valid still.
    #[must_use]
    pub fn is_link_valid(&self, purpose: &'static str, subject: &[&str], token: &str) -> bool {
        let until = self.page_tokens().open(&context(purpose, subject), token);
        until.and_then(|until| until.parse::<Micros>().ok()).is_some_and(|until| self.machine_clock().now() < until)
    }

    /// The token of a link that allows what `grant` says until `until`. It tells its holder nothing of that.
    #[must_use]
    pub fn seal_grant(&self, purpose: &'static str, grant: &str, until: Micros) -> String {
        self.page_tokens().seal(&[GRANT, purpose], &format!("{until}\n{grant}"))
    }

    /// The grant of a token of this purpose; `None` if it is over, or was not made by this platform.
    #[must_use]
    pub fn open_grant(&self, purpose: &'static str, token: &str) -> Option<String> {
        let opened = self.page_tokens().open(&[GRANT, purpose], token)?;
        let (until, grant) = opened.split_once('\n')?;
        let until: Micros = until.parse().ok()?;
        (self.machine_clock().now() < until).then(|| grant.to_owned())
    }
}

fn context<'c>(purpose: &'c str, subject: &[&'c str]) -> Vec<&'c str> {
    [LINK, purpose].into_iter().chain(subject.iter().copied()).collect()
}
