//! Writes most members in batches, as copies of members whose story was told. Ids follow from a member's number, so
//! that an interrupted batch is completed and no member is written twice.

use std::collections::HashSet;
use std::ops::Range;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use futures::StreamExt as _;
use pavise_identity::contract::v1::Identity;
use pavise_identity::demo::{REQUEST, is_ours};
use pavise_kernel::committer::CommitError;
use pavise_kernel::common::v1::Date;
use pavise_kernel::store::{Command, Outcome, Write};
use pavise_kernel::time::to_date;
use pavise_kernel::worker::Work;
use pavise_kernel::{Aggregate as _, Kernel};

use super::lease::Lease;
use super::people::{Person, pick};
use super::progress::Progress;
use super::stencil::{self, Stencil};
use super::story::{self, Ending};
use super::{STORIES, at};

/// The rough size of a batch: small enough that a caller's own write does not wait long behind it.
const BATCH: usize = 200;
/// Batches under way: one is made while another is committed.
const UNDER_WAY: usize = 2;
/// The pause when the database is busy.
const PAUSE: Duration = Duration::from_millis(50);

/// Writes the members with these numbers.
pub(crate) async fn load(work: &Work, lease: &Lease, members: Range<u32>) -> anyhow::Result<()> {
    let kernel = work.kernel();
    let stencils = &stencils(work).await?;
    if stencils.is_empty() {
        tracing::warn!("demonstration data: no story was told, so that there are no members like it");
        return Ok(());
    }
    let today = to_date(kernel.business_clock().now());
    let mut progress = Progress::new("further members", members.len());
    // Each batch has each image equally often: the engine then meets the same statements again.
    let batch = stencils.len() * (BATCH / stencils.len()).max(1);
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
async fn stencils(work: &Work) -> anyhow::Result<Vec<Stencil>> {
    let mut stencils = Vec::new();
    for number in (0..STORIES).filter(|number| Ending::of(*number).is_common()) {
        let Some(identity) = by_address(work.kernel(), &story::email(number)).await? else { continue };
        // Data of a stranger under the address must not be copied.
        if is_ours(work, &identity).await? {
            stencils.push(Stencil::cut(work.kernel(), &identity, Person::nth(number).locale).await?);
        }
    }
    Ok(stencils)
}

/// The id of the identity with that address.
async fn by_address(kernel: &Kernel, email: &str) -> anyhow::Result<Option<String>> {
    let lookup = Identity::TABLE.lookup("emails.address").context("identities are not found by address")?;
    Ok(kernel.store().find_id(Identity::TABLE, lookup, email).await?)
}

/// Writes a batch, a command per journal. Identities come first, since strangers may have their addresses.
async fn write(kernel: &Kernel, stencils: &[Stencil], members: Range<u32>, today: Date) -> anyhow::Result<()> {
    let mut members: Vec<u32> = members.collect();
    loop {
        let of = |number: u32| pick(stencils, u64::from(number)).map(|stencil| stencil.member(number, today));
        let mut journals = stencil::by_journal(members.iter().filter_map(|number| of(*number)).flatten());
        let identities = journals.remove(Identity::TABLE.journal).unwrap_or_default();
        if commit(kernel, Identity::TABLE.journal, identities).await? {
            let others = journals.into_iter().map(|(journal, writes)| commit(kernel, journal, writes));
            let written = futures::future::try_join_all(others).await?;
            ensure!(written.iter().all(|written| *written), "a value of a member is somebody else's");
            return Ok(());
        }
        let before = members.len();
        members = free(kernel, stencils, members, today).await?;
        ensure!(members.len() < before, "an address is taken, and nobody has it");
    }
}

/// The members whose address is free; the others are reported.
async fn free(kernel: &Kernel, stencils: &[Stencil], members: Vec<u32>, today: Date) -> anyhow::Result<Vec<u32>> {
    let mut free = Vec::with_capacity(members.len());
    for number in members {
        let Some(stencil) = pick(stencils, u64::from(number)) else { continue };
        let email = stencil.email(number);
        let own = stencil.member(number, today).into_iter().find(|write| write.table.name == Identity::TABLE.name);
        match by_address(kernel, &email).await? {
            Some(id) if own.is_none_or(|own| own.row.id != id) => {
                tracing::warn!(
                    number,
                    "demonstration data: the address is somebody else's, so that this member is missing"
                );
            }
            _ => free.push(number),
        }
    }
    Ok(free)
}

/// Writes the missing entities; answers whether all exist now. Nothing is written where a stranger has a value.
pub(crate) async fn commit(kernel: &Kernel, journal: &'static str, writes: Vec<Write>) -> anyhow::Result<bool> {
    if writes.is_empty() {
        return Ok(true);
    }
    let mut command = Command {
        journal,
        writes,
        at: kernel.business_clock().now(),
        actor: "pavise".to_owned(),
        request_id: REQUEST.to_owned(),
        ..Command::default()
    };
    loop {
        match kernel.committer().submit(kernel.seal_command(command.clone()).await?).await {
            Ok(Outcome::Committed(_)) => return Ok(true),
            Ok(Outcome::Taken(_)) => return Ok(false),
            Ok(Outcome::Exists) => {
                command.writes = missing(kernel, command.writes).await?;
                if command.writes.is_empty() {
                    return Ok(true);
                }
            }
            Ok(other) => bail!("{journal} refused a batch: {other:?}"),
            Err(CommitError::Overloaded) => kernel.machine_clock().sleep(PAUSE).await,
            Err(error) => return Err(error).context(journal),
        }
    }
}

/// The writes whose entity does not exist.
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
