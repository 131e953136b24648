//! Begins plan changes on their first day.

use pavise_kernel::{Call, Page, Result, time};

use super::support::lifecycle::{Event, apply_event};
use crate::contract::lookups::provision as lookups;
use crate::contract::v1::{ProcessPlanChangesRequest, ProcessPlanChangesResponse, Provision, ProvisionStatus};

/// The most plan changes that one call begins by itself.
const AT_ONCE: i32 = 100;

/// Begins the plan changes that the request names, or those that are due.
pub(crate) async fn process_plan_changes(
    call: &Call,
    request: ProcessPlanChangesRequest,
) -> Result<ProcessPlanChangesResponse> {
    let mut unit = call.unit();
    let mut provisions = Vec::new();
    for before in load_chosen(call, &request.provision_ids).await? {
        if before.status() == ProvisionStatus::InProgress {
            provisions.push(before);
            continue;
        }
        call.check_transition(&before)?;
        let mut after = before.clone();
        after.attempts = after.attempts.saturating_add(1);
        apply_event(&mut after, Event::ProcessPlanChange)?;
        provisions.push(unit.update(&before, after)?);
    }
    unit.commit_answer(ProcessPlanChangesResponse { provisions }).await
}

async fn load_chosen(call: &Call, ids: &[String]) -> Result<Vec<Provision>> {
    let mut chosen = Vec::new();
    for id in ids {
        chosen.push(call.get::<Provision>(id).await?);
    }
    if !ids.is_empty() {
        return Ok(chosen);
    }
    let mut token = String::new();
    loop {
        let page = Page {
            size: 500,
            token: &token,
            filters: vec![(lookups::STATUS, ProvisionStatus::PendingPlanChange.spelling().to_owned())],
        };
        let (waiting, more) = call.list_page::<Provision>(page).await?;
        chosen.extend(waiting.into_iter().filter(|provision| is_due(provision, time::to_days(call.today()))));
        let enough = i32::try_from(chosen.len()).is_ok_and(|count| count >= AT_ONCE);
        if more.is_empty() || enough {
            chosen.truncate(usize::try_from(AT_ONCE).unwrap_or_default());
            return Ok(chosen);
        }
        token = more;
    }
}

fn is_due(provision: &Provision, today: i64) -> bool {
    let first_day = provision.plan_change.as_ref().and_then(|change| change.effective_on);
    first_day.is_none_or(|day| time::to_days(day) <= today)
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Date;

    use super::*;
    use crate::contract::v1::PlanChange;

    #[test]
    fn a_plan_change_waits_for_its_first_day() {
        let day = Date { year: 2026, month: 3, day: 31 };
        let on = |effective_on| Provision {
            plan_change: Some(PlanChange { effective_on, ..Default::default() }),
            ..Default::default()
        };
        assert!(is_due(&on(None), time::to_days(day)));
        assert!(is_due(&on(Some(day)), time::to_days(day)));
        assert!(!is_due(&on(Some(time::add_days(day, 1))), time::to_days(day)));
    }
}
