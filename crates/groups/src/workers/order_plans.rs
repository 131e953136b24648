//! `groups.order_plans`: has the plans of a submitted enrollment ordered and bought. Where the order or its payment is refused,
//! the enrollment is OPEN again, and the order is removed.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};
use tonic::{Request, Response, Status};

use crate::contract::actions::group_enrollment as actions;
use crate::contract::billing::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::billing::{
    CreateGroupPaymentMethodRequest, ListGroupPaymentMethodsRequest, NewPaymentMethod, PaymentMethodType,
};
use crate::contract::feeds;
use crate::contract::orders::order_service_client::OrderServiceClient;
use crate::contract::orders::{
    AuthorizedUser, AuthorizedUserType, BusinessInfo, CreateGroupOrderRequest, OfferChoice, Order, OrderChannel,
    OrderDraft, OrderSource, PersonalInfo, PurchaseOrderRequest, Selection,
};
use crate::contract::v1::group_enrollment_service_client::GroupEnrollmentServiceClient;
use crate::contract::v1::{
    DependentType, EnrollmentBusiness, EnrollmentDependent, EnrollmentOffer, EnrollmentPerson,
    GetGroupEnrollmentRequest, GroupEnrollment, GroupEnrollmentSource, GroupEnrollmentStatus,
    RecordEnrollmentOrderRequest,
};
use crate::group_enrollments::support::deduction::{MonthlyPrice, compute_parts};
use crate::group_enrollments::support::incomplete::is_paid_by_employee;
use crate::workers::complete_enrollments::{remove_order, reopen_enrollment};

/// The worker.
#[derive(Debug)]
pub(crate) struct OrderPlans;

#[async_trait]
impl Worker for OrderPlans {
    fn name(&self) -> &'static str {
        "groups.order_plans"
    }

    fn feed(&self) -> JournalFeed {
        feeds::GROUP_ENROLLMENTS
    }

    /// The employee waits for an outcome.
    fn gives_up(&self) -> bool {
        false
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        if entry.action != actions::SUBMITTED {
            return Ok(());
        }
        let Some(enrollment) = worker::decode_entity::<GroupEnrollment>(entry)? else { return Ok(()) };
        if !is_current(work, &enrollment).await? {
            return Ok(());
        }
        let order = match refused_or(create_order(work, &enrollment).await)? {
            Ok(order) => order,
            Err(refusal) => return reopen_enrollment(work, &enrollment, "", &refusal).await,
        };
        if !record_order(work, &enrollment, &order).await? {
            return Ok(());
        }
        match refused_or(purchase(work, &enrollment, &order).await)? {
            // The journal of orders says whether the payment passes.
            Ok(()) => Ok(()),
            Err(refusal) => reopen_enrollment(work, &enrollment, &order.id, &refusal).await,
        }
    }
}

/// Whether the enrollment still waits for the outcome of this submission. It does not when the entry is read once more after
/// the outcome.
async fn is_current(work: &Work, submitted: &GroupEnrollment) -> Result<bool> {
    let mut enrollments = GroupEnrollmentServiceClient::new(work.peer_channel("groups"));
    let ask = GetGroupEnrollmentRequest { enrollment_id: submitted.id.clone(), ..GetGroupEnrollmentRequest::default() };
    match answer(enrollments.get_group_enrollment(Request::new(ask)).await) {
        Ok(current) => Ok(current.status() == GroupEnrollmentStatus::Submitted
            && current.completed_at.is_none()
            && current.submitted_at == submitted.submitted_at),
        Err(error) if error.is(Common::NotFound) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Tells a refusal from a failure that another try may mend.
fn refused_or<T>(answered: Result<T>) -> Result<std::result::Result<T, Error>> {
    match answered {
        Ok(answer) => Ok(Ok(answer)),
        Err(error) if error.is_transient() => Err(error),
        Err(refusal) => Ok(Err(refusal)),
    }
}

fn answer<T>(answered: std::result::Result<Response<T>, Status>) -> Result<T> {
    Ok(answered?.into_inner())
}

async fn create_order(work: &Work, enrollment: &GroupEnrollment) -> Result<Order> {
    let request = CreateGroupOrderRequest {
        group_id: enrollment.group_id.clone(),
        identity_id: enrollment.owner_id.clone(),
        order: Some(build_draft(enrollment)),
    };
    let mut orders = OrderServiceClient::new(work.peer_channel("orders"));
    answer(orders.create_group_order(work.new_request(request, "order")).await)
}

/// Notes the order, and answers whether the enrollment still waits for it. Otherwise nobody does, and the order is removed.
async fn record_order(work: &Work, enrollment: &GroupEnrollment, order: &Order) -> Result<bool> {
    let terms = enrollment.terms.clone().unwrap_or_default();
    let parts = compute_parts(&terms, order.currency(), &list_prices(order));
    let request = RecordEnrollmentOrderRequest {
        enrollment_id: enrollment.id.clone(),
        order_id: order.id.clone(),
        deduction: parts.deduction,
        employer_part: parts.employer,
        submitted_at: enrollment.submitted_at,
    };
    let mut enrollments = GroupEnrollmentServiceClient::new(work.peer_channel("groups"));
    let recorded = enrollments.record_enrollment_order(work.new_request(request, "record the order")).await;
    if work.skip_refused(recorded, "record the order")?.is_some() {
        return Ok(true);
    }
    remove_order(work, &order.id).await?;
    Ok(false)
}

/// Buys with the employee's payment method, or with the one by which the employer is billed.
async fn purchase(work: &Work, enrollment: &GroupEnrollment, order: &Order) -> Result<()> {
    let by_employee = enrollment.terms.as_ref().is_none_or(|terms| is_paid_by_employee(terms.pay_type()));
    let payment_method_id = if by_employee {
        enrollment.payment_method_id.clone()
    } else {
        find_employers_method(work, enrollment).await?
    };
    let request = PurchaseOrderRequest {
        order_id: order.id.clone(),
        identity_id: enrollment.owner_id.clone(),
        group_id: enrollment.group_id.clone(),
        payment_method_id,
        ..PurchaseOrderRequest::default()
    };
    let mut orders = OrderServiceClient::new(work.peer_channel("orders"));
    answer(orders.purchase_order(work.new_request(request, "purchase")).await).map(drop)
}

/// The payment method of the employee by which the employer is billed. One that is there is used again.
async fn find_employers_method(work: &Work, enrollment: &GroupEnrollment) -> Result<String> {
    let mut methods = PaymentMethodServiceClient::new(work.peer_channel("billing"));
    let ask = ListGroupPaymentMethodsRequest {
        group_id: enrollment.group_id.clone(),
        identity_id: enrollment.owner_id.clone(),
        ..ListGroupPaymentMethodsRequest::default()
    };
    let known = answer(methods.list_group_payment_methods(Request::new(ask)).await)?.payment_methods;
    if let Some(method) = known.into_iter().find(|method| method.r#type() == PaymentMethodType::PremiumBilling) {
        return Ok(method.id);
    }
    let request = CreateGroupPaymentMethodRequest {
        group_id: enrollment.group_id.clone(),
        identity_id: enrollment.owner_id.clone(),
        payment_method: Some(NewPaymentMethod {
            r#type: PaymentMethodType::PremiumBilling.into(),
            ..NewPaymentMethod::default()
        }),
    };
    let made = answer(methods.create_group_payment_method(work.new_request(request, "payment method")).await)?;
    Ok(made.id)
}

fn build_draft(enrollment: &GroupEnrollment) -> OrderDraft {
    let brand = enrollment.terms.as_ref().map(|terms| terms.brand.clone()).unwrap_or_default();
    let is_from_work = enrollment.source() == GroupEnrollmentSource::LsWork;
    let associate = enrollment.associate_info.clone().unwrap_or_default();
    OrderDraft {
        offers: enrollment.offers.iter().map(|offer| build_choice(offer, &brand)).collect(),
        authorized_users: enrollment.dependents.iter().map(build_user).collect(),
        personal_info: enrollment.personal_info.clone().map(build_person),
        business_info: enrollment.offers.iter().find_map(|offer| offer.business_info.clone()).map(build_business),
        address: enrollment.address.clone(),
        locale: enrollment.locale,
        channel: OrderChannel::GroupSites.into(),
        source: Some(OrderSource {
            name: if is_from_work { "LSWork" } else { "enrollment" }.to_owned(),
            site_name: associate.site_name,
            associate_id: associate.associate_id,
            ..OrderSource::default()
        }),
        effective_on: enrollment.effective_on,
        division_id: enrollment.division_id.clone(),
        ..OrderDraft::default()
    }
}

fn build_choice(offer: &EnrollmentOffer, brand: &str) -> OfferChoice {
    let selection = |chosen: &crate::contract::v1::EnrollmentSelection| Selection {
        product_id: chosen.product_id.clone(),
        tier_id: chosen.tier_id.clone(),
        supplement_ids: chosen.supplement_ids.clone(),
    };
    OfferChoice {
        brand: brand.to_owned(),
        offer_id: offer.offer_id.clone(),
        selections: offer.selections.iter().map(selection).collect(),
        billing_period: offer.billing_period,
    }
}

fn build_user(dependent: &EnrollmentDependent) -> AuthorizedUser {
    let kind = match dependent.r#type() {
        DependentType::Spouse => AuthorizedUserType::Spouse,
        DependentType::Dependent | DependentType::Unspecified => AuthorizedUserType::Dependent,
    };
    AuthorizedUser {
        id: dependent.id.clone(),
        r#type: kind.into(),
        first_name: dependent.first_name.clone(),
        last_name: dependent.last_name.clone(),
        email: dependent.email.clone(),
        birth_date: dependent.birth_date,
    }
}

fn build_person(person: EnrollmentPerson) -> PersonalInfo {
    PersonalInfo {
        first_name: person.first_name,
        last_name: person.last_name,
        email: person.email,
        phone_number: person.phone_number,
        phone_type: person.phone_type,
    }
}

fn build_business(business: EnrollmentBusiness) -> BusinessInfo {
    BusinessInfo {
        name: business.name,
        first_name: business.first_name,
        last_name: business.last_name,
        email: business.email,
        phone_number: business.phone_number,
        phone_type: business.phone_type,
        address: business.address,
    }
}

/// The prices of a month, without taxes.
fn list_prices(order: &Order) -> Vec<MonthlyPrice> {
    let lines = order.offers.iter().flat_map(|offer| &offer.lines);
    let price = |line: &crate::contract::orders::OrderLine| MonthlyPrice {
        tier_id: line.tier_id.clone(),
        amount: line.renewal_price.map_or(0, |price| price.amount),
    };
    lines.map(price).collect()
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Date;

    use super::*;
    use crate::contract::v1::{EnrollmentSelection, EnrollmentTerms};

    #[test]
    fn the_order_has_the_people_the_plans_and_the_first_day() {
        let selection = EnrollmentSelection {
            product_id: "legal".into(),
            tier_id: "family".into(),
            supplement_ids: vec!["gun".into()],
        };
        let enrollment = GroupEnrollment {
            offers: vec![EnrollmentOffer { offer_id: "one".into(), selections: vec![selection], ..Default::default() }],
            dependents: vec![EnrollmentDependent { r#type: DependentType::Spouse.into(), ..Default::default() }],
            source: GroupEnrollmentSource::LsWork.into(),
            division_id: "west".into(),
            effective_on: Some(Date { year: 2026, month: 12, day: 1 }),
            terms: Some(EnrollmentTerms { brand: "pavise".into(), ..Default::default() }),
            ..Default::default()
        };
        let draft = build_draft(&enrollment);
        assert_eq!((draft.offers[0].brand.as_str(), draft.offers[0].offer_id.as_str()), ("pavise", "one"));
        assert_eq!(draft.offers[0].selections[0].supplement_ids, ["gun"]);
        assert_eq!(draft.authorized_users[0].r#type(), AuthorizedUserType::Spouse);
        assert_eq!((draft.effective_on, draft.division_id.as_str()), (enrollment.effective_on, "west"));
        assert_eq!(draft.source.map(|source| source.name).as_deref(), Some("LSWork"));
    }
}
