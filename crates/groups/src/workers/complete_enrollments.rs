//! `groups.complete_enrollments`: notes that the order of an enrollment is paid, and that its employee is enrolled. Where the
//! payment failed, the enrollment is OPEN again, and the order is removed.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Aggregate as _, Common, Error, Result, async_trait};
use tonic::Request;

use crate::contract::actions::order_audit as actions;
use crate::contract::feeds;
use crate::contract::lookups::group_enrollment::ORDER_ID;
use crate::contract::orders::order_service_client::OrderServiceClient;
use crate::contract::orders::{DeleteOrderRequest, Order, OrderStatus};
use crate::contract::v1::employee_service_client::EmployeeServiceClient;
use crate::contract::v1::group_enrollment_service_client::GroupEnrollmentServiceClient;
use crate::contract::v1::{
    CompleteEnrollmentRequest, EnrollEmployeeRequest, EnrollmentFailure, FailEnrollmentRequest,
    GetGroupEnrollmentRequest, GroupEnrollment,
};

/// The worker.
#[derive(Debug)]
pub(crate) struct CompleteEnrollments;

#[async_trait]
impl Worker for CompleteEnrollments {
    fn name(&self) -> &'static str {
        "groups.complete_enrollments"
    }

    fn feed(&self) -> JournalFeed {
        feeds::ORDERS
    }

    /// The employee waits for an outcome.
    fn gives_up(&self) -> bool {
        false
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        if entry.removed || entry.action != actions::STATUS_CHANGED {
            return Ok(());
        }
        let order = worker::decode_entity::<Order>(entry)?.filter(|order| !order.group_id.is_empty());
        let Some(order) = order else { return Ok(()) };
        match order.status() {
            OrderStatus::Funded | OrderStatus::FullyFunded | OrderStatus::PartiallyFunded => {
                complete(work, &order).await
            }
            OrderStatus::PaymentFailed => fail(work, &order).await,
            OrderStatus::Open | OrderStatus::Processing | OrderStatus::Provisioned | OrderStatus::Unspecified => Ok(()),
        }
    }
}

async fn complete(work: &Work, order: &Order) -> Result<()> {
    let Some(enrollment) = find_enrollment(work, &order.id).await? else { return Ok(()) };
    // An order that was bought after its first day begins later than it was submitted for.
    let effective_on = order.effective_on.or(enrollment.effective_on);
    let request =
        CompleteEnrollmentRequest { enrollment_id: enrollment.id.clone(), order_id: order.id.clone(), effective_on };
    let mut enrollments = GroupEnrollmentServiceClient::new(work.peer_channel("groups"));
    work.skip_refused(enrollments.complete_enrollment(work.new_request(request, "complete")).await, "complete")?;
    if enrollment.employee_id.is_empty() {
        return Ok(());
    }
    let request = EnrollEmployeeRequest {
        employee_id: enrollment.employee_id,
        identity_id: enrollment.owner_id,
        enrolled_on: effective_on,
    };
    let mut employees = EmployeeServiceClient::new(work.peer_channel("groups"));
    // Somebody who left meanwhile stays TERMINATED.
    work.skip_refused(employees.enroll_employee(work.new_request(request, "employee")).await, "employee").map(drop)
}

async fn fail(work: &Work, order: &Order) -> Result<()> {
    let Some(enrollment) = find_enrollment(work, &order.id).await? else { return Ok(()) };
    let reason = order.offers.iter().map(|offer| &offer.failure_reason).find(|reason| !reason.is_empty());
    let reason = reason.map_or("PAYMENT_FAILED", String::as_str).to_owned();
    let failure = EnrollmentFailure { message: "the payment failed".to_owned(), reason, failed_at: None };
    open_again(work, &enrollment, &order.id, failure).await
}

/// The enrollment that an order is for.
async fn find_enrollment(work: &Work, order_id: &str) -> Result<Option<GroupEnrollment>> {
    let by_order = GroupEnrollment::TABLE.lookup(ORDER_ID);
    let by_order = by_order.ok_or_else(|| Error::internal("enrollments have no lookup of orders"))?;
    let Some(id) = work.kernel().store().find_id(GroupEnrollment::TABLE, by_order, order_id).await? else {
        return Ok(None);
    };
    let mut enrollments = GroupEnrollmentServiceClient::new(work.peer_channel("groups"));
    let ask = GetGroupEnrollmentRequest { enrollment_id: id, ..GetGroupEnrollmentRequest::default() };
    Ok(Some(enrollments.get_group_enrollment(Request::new(ask)).await?.into_inner()))
}

/// Opens an enrollment again after a refusal. Its order is removed first, if there is one.
pub(super) async fn reopen_enrollment(
    work: &Work,
    enrollment: &GroupEnrollment,
    order_id: &str,
    refusal: &Error,
) -> Result<()> {
    let failure = EnrollmentFailure {
        reason: refusal.reason().chars().take(120).collect(),
        message: refusal.message().chars().take(1000).collect(),
        failed_at: None,
    };
    open_again(work, enrollment, order_id, failure).await
}

/// An order that is being paid meanwhile cannot be removed: then the enrollment waits for its outcome.
async fn open_again(
    work: &Work,
    enrollment: &GroupEnrollment,
    order_id: &str,
    failure: EnrollmentFailure,
) -> Result<()> {
    if !order_id.is_empty() && !remove_order(work, order_id).await? {
        return Ok(());
    }
    let request = FailEnrollmentRequest {
        enrollment_id: enrollment.id.clone(),
        order_id: order_id.to_owned(),
        failure: Some(failure),
        submitted_at: enrollment.submitted_at,
    };
    let mut enrollments = GroupEnrollmentServiceClient::new(work.peer_channel("groups"));
    work.skip_refused(enrollments.fail_enrollment(work.new_request(request, "fail")).await, "fail").map(drop)
}

/// Removes an order that is not paid, and answers whether it is gone.
pub(super) async fn remove_order(work: &Work, order_id: &str) -> Result<bool> {
    let request = DeleteOrderRequest { order_id: order_id.to_owned() };
    let mut orders = OrderServiceClient::new(work.peer_channel("orders"));
    match orders.delete_order(work.new_request(request, "remove the order")).await.map_err(Error::from) {
        Err(error) if error.is(Common::NotFound) => Ok(true),
        removed => Ok(work.skip_refused(removed, "remove the order")?.is_some()),
    }
}
