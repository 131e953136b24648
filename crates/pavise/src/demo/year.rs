//! A year of bills on the test clock: members with good and bad cards live through months, and each month's figures are told.
//! All of it follows from the number of members and the day on which the clock begins.

mod desk;
mod figures;
mod host;
mod members;

use anyhow::ensure;
use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, add_months, to_days};
use serde::Serialize;

use self::desk::Desk;
use self::figures::Records;
use self::members::Member;

pub(super) use self::figures::write_amount;
pub use self::figures::{Books, Month, Sums};
pub use self::host::Host;

/// The most days between two looks at the members who do something.
const STEP: i64 = 4;
/// The most months. The clock is never further ahead.
const MOST_MONTHS: u32 = 26;

/// How much is lived through.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The number of new members.
    pub members: u32,
    /// The number of months.
    pub months: u32,
}

/// The news of a run while it goes on.
#[derive(Debug)]
pub enum Progress<'a> {
    /// So many of the new members are there.
    Enrolled(u32),
    /// So many days are over, of so many.
    Days(i64, i64),
    /// A month is over.
    Month(&'a Month),
}

/// A year as it went by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Year {
    /// The figures of each month.
    pub months: Vec<Month>,
    /// The books at the end.
    pub books: Books,
    /// The machine's own midnight went by. A day may have been worked off with the next one, so that the figures of another run
    /// may differ.
    pub met_midnight: bool,
}

/// Leads a running server with a test clock through the months.
///
/// # Errors
/// When the server does not answer as it should, or `tell` fails.
pub async fn live(
    server: &str,
    token: &str,
    plan: Plan,
    mut tell: impl FnMut(Progress<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<Year> {
    ensure!((1..=MOST_MONTHS).contains(&plan.months), "--months is 1 to {MOST_MONTHS}");
    let desk = Desk::new(server, token)?;
    let begin = desk.read_today().await?;
    let before = Records::read(&desk, &[]).await?.sums()?;
    members::seed_taxes(&desk).await?;
    let mut members = Vec::new();
    for number in 0..plan.members {
        members.push(Member::enroll(&desk, number, begin).await?);
        tell(Progress::Enrolled(number + 1))?;
    }
    let first_of = |month: u32| i32::try_from(month).map(|months| add_months(begin, months));
    let days = to_days(first_of(plan.months)?) - to_days(begin) - 1;
    let (mut months, mut at, mut met_midnight) = (Vec::new(), begin, false);
    for number in 0..plan.months {
        let (from, until) = (first_of(number)?, add_days(first_of(number + 1)?, -1));
        while to_days(at) < to_days(until) {
            let stop = earlier_of(add_days(at, STEP), until);
            met_midnight |= desk.read_today().await? != at;
            desk.advance_until(stop).await?;
            at = stop;
            // The consequences of their deeds are settled by the next day, and so not on the last one of a month.
            if at != until {
                for member in &mut members {
                    member.act(&desk, begin, at).await?;
                }
            }
            tell(Progress::Days(to_days(at) - to_days(begin), days))?;
        }
        desk.wait_for_vendor().await?;
        let month = Records::read(&desk, &members).await?.month(number + 1, from, until)?;
        tell(Progress::Month(&month))?;
        months.push(month);
    }
    met_midnight |= desk.read_today().await? != at;
    let after = Records::read(&desk, &members).await?.sums()?;
    let books = Books::between(&before, &after, desk.count_left().await?);
    Ok(Year { months, books, met_midnight })
}

fn earlier_of(one: Date, other: Date) -> Date {
    if to_days(one) < to_days(other) { one } else { other }
}
