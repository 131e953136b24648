//! Amendments of some members' contracts, and the comments that programs wrote about their plans.

use pavise_fulfillment_client::v1::{Entitlement, EntitlementStatus};
use pavise_kernel::worker::Work;
use pavise_members_client::v1::amendment_service_client::AmendmentServiceClient;
use pavise_members_client::v1::auto_comment_service_client::AutoCommentServiceClient;
use pavise_members_client::v1::{
    AutoCommentKey, AutoCommentParameter, AutoCommentPriority, AutoCommentSubjectType, CreateAmendmentRequest,
    CreateAutoCommentRequest, DeleteAmendmentRequest,
};

use super::member::Member;

/// The number of a member, the title of an amendment, and whether it was taken back.
const AMENDMENTS: [(u32, &str, bool); 4] = [
    (0, "Trial defense for all covered people", false),
    (0, "Consultations in Spanish", true),
    (3, "Payment at the end of the month", false),
    (5, "Coverage of a second home", false),
];

/// Writes what is about a member's plan.
pub(super) async fn load(work: &Work, member: &Member) -> anyhow::Result<()> {
    let Some(plan) = &member.plan else { return Ok(()) };
    for (title, taken_back) in AMENDMENTS.iter().filter(|(number, ..)| *number == member.number).map(|(_, a, b)| (a, b))
    {
        amend(work, member, plan, title, *taken_back).await?;
    }
    comment(work, member, plan).await
}

async fn amend(work: &Work, member: &Member, plan: &Entitlement, title: &str, taken_back: bool) -> anyhow::Result<()> {
    let mut amendments = AmendmentServiceClient::new(work.peer_channel("members"));
    let request = CreateAmendmentRequest {
        identity_id: member.id.clone(),
        entitlement_id: plan.id.clone(),
        title: title.to_owned(),
        document_id: format!("amendment-{}", title.len()),
        effective_on: plan.effective_on,
        ends_on: None,
    };
    let step = format!("amend {title}");
    let made = amendments.create_amendment(member.request(work, request, &step)).await;
    let Some(made) = work.skip_refused(made, &step)? else { return Ok(()) };
    if taken_back {
        let step = format!("take back {title}");
        let request = DeleteAmendmentRequest { amendment_id: made.into_inner().id };
        work.skip_refused(amendments.delete_amendment(member.request(work, request, &step)).await, &step)?;
    }
    Ok(())
}

/// Says of a plan that it began, rests or is over.
async fn comment(work: &Work, member: &Member, plan: &Entitlement) -> anyhow::Result<()> {
    let word = |name: &str, value: &str| AutoCommentParameter { name: name.to_owned(), value: value.to_owned() };
    let name = word("plan", &plan.name);
    let day = plan.ends_on.map(|day| format!("{:04}-{:02}-{:02}", day.year, day.month, day.day));
    let (key, priority, parameters) = match (plan.status(), day) {
        (EntitlementStatus::Suspended, _) => {
            (AutoCommentKey::PlanSuspended, AutoCommentPriority::High, vec![name, word("reason", "payment")])
        }
        (EntitlementStatus::Cancelled, Some(day)) => {
            let parameters = vec![name, word("day", &day), word("reason", "wish of the member")];
            (AutoCommentKey::PlanCancelled, AutoCommentPriority::Medium, parameters)
        }
        (EntitlementStatus::Active, _) => (AutoCommentKey::PlanActivated, AutoCommentPriority::Low, vec![name]),
        _ => return Ok(()),
    };
    let request = CreateAutoCommentRequest {
        identity_id: member.id.clone(),
        subject_type: AutoCommentSubjectType::Entitlement.into(),
        subject_id: plan.id.clone(),
        priority: priority.into(),
        key: key.into(),
        parameters,
    };
    let mut comments = AutoCommentServiceClient::new(work.peer_channel("members"));
    let made = comments.create_auto_comment(member.request(work, request, "comment")).await;
    work.skip_refused(made, "comment")?;
    Ok(())
}
