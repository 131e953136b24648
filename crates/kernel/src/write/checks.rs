//! Checks of a write against other entities of its journal, which run before the commit.

use std::fmt;

use futures::future::BoxFuture;

use crate::call::Call;
use crate::error::Result;
use crate::port::conditions::Condition;
use crate::port::store::Write;

/// The check of one write.
pub(crate) struct Check(Box<dyn Run>);

/// A check without the type of its entity.
pub(crate) trait Run: Send + Sync {
    /// Checks, and answers the conditions under which the result holds. `writes` are those of the same commit.
    fn run<'c>(&'c self, call: &'c Call, writes: &'c [Write]) -> BoxFuture<'c, Result<Vec<Condition>>>;
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Check")
    }
}

impl Check {
    /// A check to be run before the commit.
    pub(crate) fn new(check: impl Run + 'static) -> Self {
        Self(Box::new(check))
    }

    /// Runs it.
    pub(crate) async fn run(&self, call: &Call, writes: &[Write]) -> Result<Vec<Condition>> {
        self.0.run(call, writes).await
    }
}
