//! Loads the demonstration's data: the catalog, a sign-in per realm and per role in an employer group, members in every
//! state. Each domain loads its own part first (`Domain::demo`). A member's story leads through several domains, so that it
//! stands here: normal calls and the real workers tell some of them. The many others are written in batches, as copies of
//! those.
//!
//! The database keeps the progress, so that a start after a kill goes on and a start after the end does nothing.
//! Existing data never end the loading: it takes them over, or leaves them and reports them in the log.

mod bulk;
mod lease;
mod notes;
mod people;
mod progress;
mod records;
mod stencil;
mod story;

use anyhow::Context as _;
use futures::StreamExt as _;
use pavise_identity::demo::{DemoSignIn, REQUEST, Secret};
use pavise_kernel::domain::Settings;
use pavise_kernel::store::Cursor;
use pavise_kernel::worker::Work;
use pavise_kernel::{Domain, Error, Kernel};

use self::lease::Lease;
use self::progress::Progress;

/// The name under which the progress is kept.
const NAME: &str = "demo.load";
/// The number of members whose story is told one by one.
const STORIES: u32 = 60;
/// The number of stories at once: they mostly wait for workers.
const AT_ONCE: usize = 12;

/// Loads what is missing of the catalog, the sign-ins and `members` members, and answers the sign-ins. The kernel's
/// process must run all `domains`.
///
/// # Errors
/// When the database or a part of the platform does not answer; the next start goes on from there.
pub async fn load(
    kernel: &Kernel,
    domains: &[&dyn Domain],
    secret: &Secret,
    members: u32,
) -> anyhow::Result<Vec<DemoSignIn>> {
    if kernel.store().cursor(NAME).await?.clock <= i64::from(members) {
        let lease = Lease::take(kernel, NAME).await?;
        load_missing(kernel, domains, secret, members, &lease).await?;
        lease.release().await?;
    }
    let work = Work::new(kernel, "demo", "sign-ins".to_owned(), REQUEST);
    pavise_identity::demo::keep_sign_ins(&work, secret).await?;
    Ok(pavise_identity::demo::list_usable(&work, secret).await?)
}

/// Loads the missing data, as the only process that loads.
async fn load_missing(
    kernel: &Kernel,
    domains: &[&dyn Domain],
    secret: &Secret,
    wanted: u32,
    lease: &Lease,
) -> anyhow::Result<()> {
    let work = Work::new(kernel, "demo", "load".to_owned(), REQUEST);
    let cursor = kernel.store().cursor(NAME).await?;
    // The place counts from one: zero is before the catalog.
    let mut done = u32::try_from(cursor.clock - 1).unwrap_or(0);
    if cursor.clock == 0 {
        let given = Settings::default().with(secret.clone());
        for domain in domains {
            domain.demo(&work, &given).await.with_context(|| format!("the part of {}", domain.declared().name))?;
        }
        pavise_catalog::demo::name_groups(&work).await.context("the groups of offers")?;
        lease.advance(at(0)).await?;
    }
    if done < wanted.min(STORIES) {
        stories(&work, done..wanted.min(STORIES)).await?;
        notes::load(&work, wanted.min(STORIES)).await.context("the notes of staff")?;
        records::load(&work, wanted.min(STORIES)).await.context("the records of members")?;
        done = wanted.min(STORIES);
        lease.advance(at(done)).await?;
    }
    if done < wanted {
        bulk::load(&work, lease, done..wanted).await.context("the members beyond the stories")?;
    }
    Ok(())
}

/// Whether another try may succeed: the database or a part of the platform does not answer.
fn is_transient(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let status = cause.downcast_ref::<tonic::Status>().map(|status| Error::from(status.clone()).is_transient());
        status.or_else(|| cause.downcast_ref().map(Error::is_transient)).unwrap_or(false)
    })
}

/// The progress after so many members.
fn at(members: u32) -> Cursor {
    Cursor { clock: i64::from(members) + 1, epoch: String::new() }
}

/// Tells stories, several at once.
async fn stories(work: &Work, which: std::ops::Range<u32>) -> anyhow::Result<()> {
    let mut progress = Progress::new("members with a story", which.len());
    let mut told = futures::stream::iter(which)
        .map(|number| async move { (number, story::tell(work, number).await) })
        .buffer_unordered(AT_ONCE);
    while let Some((number, one)) = told.next().await {
        match one {
            Err(error) if is_transient(&error) => {
                return Err(error).with_context(|| format!("the story of member {number}"));
            }
            Err(error) => {
                tracing::warn!(number, cause = format!("{error:#}"), "demonstration data: the story was left as it is")
            }
            Ok(()) => progress.add(1),
        }
    }
    progress.end();
    Ok(())
}
