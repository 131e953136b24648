//! Checks of a write against other entities of its journal, which run before the commit.

use std::fmt;

use futures::future::BoxFuture;

use crate::error::Result;
use crate::port::conditions::Condition;
use crate::port::store::Write;

/// The check of one write, in a call of type `C`.
pub(crate) struct Check<C>(Box<dyn Run<C>>);

/// A check without the type of its entity.
pub(crate) trait Run<C>: Send + Sync {
    /// Checks, and answers the conditions under which the result holds. `writes` are those of the same commit.
    fn run<'c>(&'c self, call: &'c C, writes: &'c [Write]) -> BoxFuture<'c, Result<Vec<Condition>>>;
}

impl<C> fmt::Debug for Check<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Check")
    }
}

impl<C> Check<C> {
    /// A check to be run before the commit.
    pub(crate) fn new(check: impl Run<C> + 'static) -> Self {
        Self(Box::new(check))
    }

    /// Runs it.
    pub(crate) async fn run(&self, call: &C, writes: &[Write]) -> Result<Vec<Condition>> {
        self.0.run(call, writes).await
    }
}
