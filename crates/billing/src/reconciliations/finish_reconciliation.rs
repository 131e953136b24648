//! Records that a day was compared.

use pavise_kernel::time::is_real;
use pavise_kernel::{Call, Error, Result};

use super::support::ids::reconciliation_id;
use crate::contract::v1::{FinishReconciliationRequest, Reconciliation};
use crate::shared::retry::retry_contention;

pub(crate) async fn finish_reconciliation(call: &Call, request: FinishReconciliationRequest) -> Result<Reconciliation> {
    let day = request.day.filter(|day| is_real(*day));
    let day = day.ok_or_else(|| Error::field("day", "must be a day of the calendar"))?;
    let id = reconciliation_id(request.vendor(), day);
    retry_contention(call, || async {
        let known: Option<Reconciliation> = call.find_unscoped(&id).await?;
        let mut unit = call.unit();
        let base = known.clone().unwrap_or_else(|| Reconciliation {
            id: id.clone(),
            vendor: request.vendor,
            day: Some(day),
            ..Reconciliation::default()
        });
        let result = Reconciliation {
            movements: request.movements,
            matched: request.matched,
            different: request.different,
            ..base
        };
        let recorded = match &known {
            Some(before) => unit.update(before, result)?,
            None => unit.create(result)?,
        };
        unit.commit_answer(recorded).await
    })
    .await
}
