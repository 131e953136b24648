//! The cohorts of buyers, as the orders domain has them: they open offers on trial.

use pavise_kernel::common::v1::Date;
use pavise_kernel::table::Realm;
use pavise_kernel::{Admit, Call, Result};
use tonic::Request;

use crate::contract::orders::cohort_service_client::CohortServiceClient;
use crate::contract::orders::{Cohort, CohortStatus, CohortType, ListCohortsRequest};
use crate::contract::v1::{Offer, TrialCohort};
use crate::shared::price::is_within;

/// The most cohorts of an identity: it is in one of each type once.
const MOST: i32 = 50;

impl Admit for Offer {
    /// An offer on trial is for the members who are in its cohort today.
    async fn admit(call: &Call, withheld: Vec<Self>) -> Result<Vec<Self>> {
        if call.caller().realm != Realm::User {
            return Ok(Vec::new());
        }
        let cohorts = list_cohorts(call, &call.caller().identity).await?;
        Ok(withheld.into_iter().filter(|offer| is_for(offer, &cohorts)).collect())
    }
}

/// Whether an identity is in the cohort of an offer today. Nobody is, if the identity is empty.
///
/// # Errors
/// When the orders domain does not answer.
pub(in crate::offers) async fn is_in_cohort(call: &Call, offer: &Offer, identity_id: &str) -> Result<bool> {
    Ok(is_for(offer, &list_cohorts(call, identity_id).await?))
}

/// The types of the cohorts that an identity is in today.
async fn list_cohorts(call: &Call, identity_id: &str) -> Result<Vec<CohortType>> {
    if identity_id.is_empty() {
        return Ok(Vec::new());
    }
    let ask = ListCohortsRequest {
        identity_id: identity_id.to_owned(),
        status: CohortStatus::Active.into(),
        page_size: MOST,
        ..ListCohortsRequest::default()
    };
    let mut orders = CohortServiceClient::new(call.peer_channel("orders"));
    let cohorts = orders.list_cohorts(Request::new(ask)).await?.into_inner().cohorts;
    Ok(find_types(&cohorts, call.today()))
}

/// The types of the cohorts that are in force on a day.
fn find_types(cohorts: &[Cohort], day: Date) -> Vec<CohortType> {
    let in_force =
        |cohort: &&Cohort| cohort.status() == CohortStatus::Active && is_within(cohort.starts_on, cohort.ends_on, day);
    cohorts.iter().filter(in_force).map(Cohort::r#type).collect()
}

fn is_for(offer: &Offer, cohorts: &[CohortType]) -> bool {
    let wanted = match offer.cohort() {
        TrialCohort::Unspecified => return false,
        TrialCohort::AssociateLicenses => CohortType::AssociateLicenses,
        TrialCohort::ShieldAtWorkBeta => CohortType::ShieldAtWorkBeta,
    };
    cohorts.contains(&wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::sample::{DAY, sample_offer};

    fn cohort(kind: CohortType, status: CohortStatus, ends_on: Option<Date>) -> Cohort {
        let starts_on = Some(Date { day: 1, ..DAY });
        Cohort { r#type: kind.into(), status: status.into(), starts_on, ends_on, ..Cohort::default() }
    }

    #[test]
    fn a_member_is_in_a_cohort_on_its_days_until_it_is_deleted() {
        let beta = |status, ends_on| find_types(&[cohort(CohortType::ShieldAtWorkBeta, status, ends_on)], DAY).len();
        let yesterday = Some(Date { day: DAY.day - 1, ..DAY });
        assert_eq!((beta(CohortStatus::Active, None), beta(CohortStatus::Active, Some(DAY))), (1, 1));
        assert_eq!((beta(CohortStatus::Active, yesterday), beta(CohortStatus::Deleted, None)), (0, 0));
        let later = Cohort {
            starts_on: Some(Date { year: DAY.year + 1, ..DAY }),
            ..cohort(CohortType::ShieldAtWorkBeta, CohortStatus::Active, None)
        };
        assert!(find_types(&[later], DAY).is_empty());
    }

    #[test]
    fn an_offer_is_for_the_cohort_of_its_name() {
        let mut offer = sample_offer(&[]);
        assert!(!is_for(&offer, &[CohortType::Unspecified]), "it names none");
        for (own, theirs) in [
            (TrialCohort::AssociateLicenses, CohortType::AssociateLicenses),
            (TrialCohort::ShieldAtWorkBeta, CohortType::ShieldAtWorkBeta),
        ] {
            offer.set_cohort(own);
            assert_eq!(own.spelling(), theirs.spelling());
            assert!(is_for(&offer, &[theirs]) && !is_for(&offer, &[]));
        }
        assert!(!is_for(&offer, &[CohortType::AssociateLicenses]));
    }
}
