//! Tokens of links in messages: who holds one may make one call for one subject until a day, without signing in.

use crate::kernel::Kernel;
use crate::time::Micros;

/// The first text of the context of each token, which is no path of a call: no page token is one.
const LINK: &str = "link";

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
        until.and_then(|until| until.parse::<Micros>().ok()).is_some_and(|until| self.clock().now() < until)
    }
}

fn context<'c>(purpose: &'c str, subject: &[&'c str]) -> Vec<&'c str> {
    [LINK, purpose].into_iter().chain(subject.iter().copied()).collect()
}
