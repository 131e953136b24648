//! The many: written in batches after the image of members whose story was told. Ids follow from a member's number,
//! so that a batch that was interrupted is completed and none is written twice.

use std::collections::HashSet;
use std::ops::Range;
use std::time::Duration;

use anyhow::{Context as _, bail};
use futures::StreamExt as _;
use pavise_kernel::Kernel;
use pavise_kernel::committer::CommitError;
use pavise_kernel::common::v1::Date;
use pavise_kernel::store::{Command, Outcome, Write};
use pavise_kernel::time::date;

use super::lease::Lease;
use super::people::{Person, pick};
use super::progress::Progress;
use super::stencil::{self, Stencil};
use super::story::{self, Ending};
use super::{STORIES, at};
use crate::app::App;

/// Members written at once, about: few enough that a caller's own write does not wait long behind them.
const BATCH: usize = 200;
/// Batches under way: one is made while another is committed.
const UNDER_WAY: usize = 2;
/// How long to wait when the database has enough to do.
const PAUSE: Duration = Duration::from_millis(50);

/// Writes the members with these numbers.
pub(super) async fn load(app: &App, lease: &Lease, members: Range<u32>) -> anyhow::Result<()> {
    let kernel = &app.kernel;
    let stencils = &stencils(kernel).await?;
    let today = date(kernel.clock().now());
    let mut progress = Progress::new("further members", members.len());
    // Each image equally often in each batch: the engine then meets the same statements again.
    let batch = stencils.len().max(1) * (BATCH / stencils.len().max(1)).max(1);
    let size = u32::try_from(batch)?;
    let starts = members.clone().step_by(batch);
    let mut batches = futures::stream::iter(starts)
        .map(|start| {
            let batch = start..members.end.min(start.saturating_add(size));
            async move { write(kernel, stencils, batch.clone(), today).await.map(|()| batch) }
        })
        .buffered(UNDER_WAY);
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        lease.advance(at(batch.end)).await?;
        progress.add(batch.len());
    }
    progress.end();
    Ok(())
}

/// The images of those whose story others may share.
async fn stencils(kernel: &Kernel) -> anyhow::Result<Vec<Stencil>> {
    let identities =
        kernel.tables().iter().find(|entry| entry.table.name == "identities").context("there is no table identities")?;
    let lookup = identities.table.lookup("emails.address").context("identities are not found by address")?;
    let mut stencils = Vec::new();
    for number in (0..STORIES).filter(|number| Ending::of(*number).is_common()) {
        let found = kernel.store().find(identities.table, lookup, &story::email(number)).await?;
        let identity = found.with_context(|| format!("member {number} is missing"))?.id;
        stencils.push(Stencil::cut(kernel, &identity, Person::nth(number).locale).await?);
    }
    Ok(stencils)
}

/// Writes a batch, a command per journal.
async fn write(kernel: &Kernel, stencils: &[Stencil], members: Range<u32>, today: Date) -> anyhow::Result<()> {
    let writes = members.filter_map(|number| Some((number, pick(stencils, u64::from(number))?)));
    let journals = stencil::by_journal(writes.flat_map(|(number, stencil)| stencil.member(number, today)));
    let commands = journals.into_iter().map(|(journal, writes)| commit(kernel, journal, writes));
    futures::future::try_join_all(commands).await?;
    Ok(())
}

async fn commit(kernel: &Kernel, journal: &'static str, writes: Vec<Write>) -> anyhow::Result<()> {
    let mut command = Command {
        journal,
        writes,
        memory: None,
        at: kernel.clock().now(),
        actor: "pavise".to_owned(),
        subject: String::new(),
        request_id: "demo-data".to_owned(),
    };
    loop {
        match kernel.committer().submit(command.clone()).await {
            Ok(Outcome::Committed(_)) => return Ok(()),
            Ok(Outcome::Exists) => {
                command.writes = missing(kernel, command.writes).await?;
                if command.writes.is_empty() {
                    return Ok(());
                }
            }
            Ok(other) => bail!("{journal} refused a batch: {other:?}"),
            Err(CommitError::Overloaded) => kernel.clock().sleep(PAUSE).await,
            Err(error) => return Err(error).context(journal),
        }
    }
}

/// Those of the writes whose entity does not exist.
async fn missing(kernel: &Kernel, writes: Vec<Write>) -> anyhow::Result<Vec<Write>> {
    let tables: Vec<_> = writes
        .iter()
        .map(|write| (write.table.name, write.table))
        .collect::<std::collections::BTreeMap<_, _>>()
        .into_values()
        .collect();
    let mut known = HashSet::new();
    for table in tables {
        let ids: Vec<String> =
            writes.iter().filter(|write| write.table.name == table.name).map(|write| write.row.id.clone()).collect();
        known.extend(kernel.store().get_many(table, &ids).await?.into_iter().map(|row| (table.name, row.id)));
    }
    Ok(writes.into_iter().filter(|write| !known.contains(&(write.table.name, write.row.id.clone()))).collect())
}
