//! Cohorts that some members belong to, and benefits that some have beside their plans.

use pavise_catalog::demo::{LANDLORD, WILL};
use pavise_kernel::common::v1::{Date, RegionCode};
use pavise_kernel::time::to_date;
use pavise_kernel::worker::Work;
use pavise_orders_client::v1::benefit_cohort_service_client::BenefitCohortServiceClient;
use pavise_orders_client::v1::cohort_service_client::CohortServiceClient;
use pavise_orders_client::v1::{
    CohortLicense, CohortType, CreateBenefitCohortRequest, CreateCohortRequest, DeleteCohortRequest,
};

use super::member::Member;

/// The number of a member, the cohort, its source, the regions of licences, and whether the member was taken out.
const COHORTS: [(u32, CohortType, &str, &[RegionCode], bool); 4] = [
    (1, CohortType::ShieldAtWorkBeta, "Invitation of 2 March", &[], false),
    (4, CohortType::AssociateLicenses, "Associate programme", &[RegionCode::Tx, RegionCode::Ok], false),
    (6, CohortType::ShieldAtWorkBeta, "Invitation of 2 March", &[], true),
    (9, CohortType::AssociateLicenses, "Associate programme", &[RegionCode::On], false),
];
/// The number of a member, the name of the benefits, their source, the benefits, and whether they are over.
const BENEFITS: [(u32, &str, &str, &[&str], bool); 3] = [
    (2, "Amends for a long wait", "Complaint of 4 May", &[LANDLORD], false),
    (5, "Spring campaign", "Campaign of 2025", &[WILL, LANDLORD], true),
    (7, "Spring campaign", "Campaign of 2026", &[WILL], false),
];

/// Puts the member into cohorts, and gives them benefits.
pub(super) async fn load(work: &Work, member: &Member) -> anyhow::Result<()> {
    for (_, kind, source, regions, taken_out) in COHORTS.iter().filter(|(number, ..)| *number == member.number) {
        join(work, member, *kind, source, regions, *taken_out).await?;
    }
    for (_, name, source, benefits, is_over) in BENEFITS.iter().filter(|(number, ..)| *number == member.number) {
        give(work, member, (name, source), benefits, *is_over).await?;
    }
    Ok(())
}

async fn join(
    work: &Work,
    member: &Member,
    kind: CohortType,
    source: &str,
    regions: &[RegionCode],
    taken_out: bool,
) -> anyhow::Result<()> {
    let starts_on = to_date(member.since);
    let license = |(region, number): (&RegionCode, i32)| CohortLicense {
        region: (*region).into(),
        number: format!("L-{}{number:03}", 4711 + member.number),
        ends_on: Some(Date { year: starts_on.year + 2, month: 12, day: 31 }),
    };
    let request = CreateCohortRequest {
        identity_id: member.id.clone(),
        r#type: kind.into(),
        starts_on: Some(starts_on),
        ends_on: None,
        source: source.to_owned(),
        licenses: regions.iter().zip(1..).map(license).collect(),
    };
    let step = format!("cohort {}", kind.as_str_name());
    let mut cohorts = CohortServiceClient::new(work.peer_channel("orders"));
    let made = cohorts.create_cohort(member.request(work, request, &step)).await;
    let Some(made) = work.skip_refused(made, &step)? else { return Ok(()) };
    if taken_out {
        let step = format!("{step} over");
        let request = DeleteCohortRequest { cohort_id: made.into_inner().id };
        work.skip_refused(cohorts.delete_cohort(member.request(work, request, &step)).await, &step)?;
    }
    Ok(())
}

async fn give(
    work: &Work,
    member: &Member,
    (name, source): (&str, &str),
    benefits: &[&str],
    is_over: bool,
) -> anyhow::Result<()> {
    let starts_on = to_date(member.since);
    let request = CreateBenefitCohortRequest {
        identity_id: member.id.clone(),
        name: name.to_owned(),
        benefit_ids: benefits.iter().map(|id| (*id).to_owned()).collect(),
        source: source.to_owned(),
        starts_on: Some(starts_on),
        ends_on: is_over.then_some(starts_on),
    };
    let mut cohorts = BenefitCohortServiceClient::new(work.peer_channel("orders"));
    let made = cohorts.create_benefit_cohort(member.request(work, request, name)).await;
    work.skip_refused(made, name)?;
    Ok(())
}
