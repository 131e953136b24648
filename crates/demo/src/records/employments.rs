//! Members who work for the demonstration's first group: on leave, gone, and with an enrollment in each status.

use pavise_catalog::demo::{GROUP, GROUP_US, IDENTITY, LEGAL};
use pavise_groups_client::v1::employee_service_client::EmployeeServiceClient;
use pavise_groups_client::v1::group_enrollment_service_client::GroupEnrollmentServiceClient;
use pavise_groups_client::v1::{
    ChangeEnrollmentDependentsRequest, ChangeEnrollmentOffersRequest, CreateEmployeeRequest,
    CreateGroupEnrollmentRequest, DependentType, EnrollEmployeeRequest, EnrollmentDependent, EnrollmentOffer,
    EnrollmentPerson, EnrollmentSelection, GroupEnrollment, GroupEnrollmentSource, JobTitle, StartEmployeeLeaveRequest,
    SubmitGroupEnrollmentRequest, TerminateEmployeeRequest,
};
use pavise_kernel::common::v1::{Address, CountryCode, Date, RegionCode};
use pavise_kernel::time::{add_days, to_date};
use pavise_kernel::worker::Work;

use super::member::Member;
use crate::people::Person;
use crate::story::email;

/// The members who work there.
const EMPLOYEES: [(u32, Story); 6] = [
    (8, Story::Begins),
    (9, Story::Chooses),
    (10, Story::Enrolls),
    (12, Story::IsRefused),
    (16, Story::OnLeave),
    (17, Story::Left),
];

/// The end of an employee's story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Story {
    /// Their enrollment has nothing but its beginning.
    Begins,
    /// Their enrollment waits for its submission.
    Chooses,
    /// Their enrollment is completed.
    Enrolls,
    /// They have the plan already, so that their enrollment is open again.
    IsRefused,
    /// They are on leave.
    OnLeave,
    /// They left.
    Left,
}

/// Records the employment of a member, where they have one, and leads it to its end.
pub(super) async fn load(work: &Work, member: &Member) -> anyhow::Result<()> {
    let Some((_, story)) = EMPLOYEES.iter().find(|(number, _)| *number == member.number) else { return Ok(()) };
    let person = Person::nth(member.number);
    let since = to_date(member.since);
    let request = CreateEmployeeRequest {
        group_id: GROUP.to_owned(),
        division_id: format!("{GROUP}-{}", if member.number.is_multiple_of(2) { "west" } else { "east" }),
        number: format!("H-{:04}", 1_000 + member.number),
        first_name: person.first.to_owned(),
        last_name: person.last.to_owned(),
        email: email(member.number),
        birth_date: Some(Date { year: 1980, month: 3, day: 14 }),
        hired_on: Some(add_days(since, -400)),
        pay_period_id: if member.number.is_multiple_of(2) { "hourly" } else { "salaried" }.to_owned(),
    };
    let mut employees = EmployeeServiceClient::new(work.peer_channel("groups"));
    let made = employees.create_employee(member.request(work, request, "employee")).await;
    let Some(made) = work.skip_refused(made, "employee")? else { return Ok(()) };
    let employee_id = made.into_inner().id;
    match story {
        Story::OnLeave => start_leave(work, member, employee_id, since).await,
        Story::Left => {
            let request = TerminateEmployeeRequest { employee_id, terminated_on: Some(since) };
            let gone = employees.terminate_employee(member.request(work, request, "employee gone")).await;
            work.skip_refused(gone, "employee gone")?;
            Ok(())
        }
        Story::Begins | Story::Chooses | Story::Enrolls | Story::IsRefused => {
            enroll(work, member, *story, &person).await
        }
    }
}

async fn start_leave(work: &Work, member: &Member, employee_id: String, since: Date) -> anyhow::Result<()> {
    let mut employees = EmployeeServiceClient::new(work.peer_channel("groups"));
    let request = EnrollEmployeeRequest {
        employee_id: employee_id.clone(),
        identity_id: member.id.clone(),
        enrolled_on: Some(since),
    };
    let enrolled = employees.enroll_employee(member.request(work, request, "employee enrolled")).await;
    work.skip_refused(enrolled, "employee enrolled")?;
    let request = StartEmployeeLeaveRequest { employee_id, leave_from: Some(add_days(since, 1)) };
    let leave = employees.start_employee_leave(member.request(work, request, "employee on leave")).await;
    work.skip_refused(leave, "employee on leave")?;
    Ok(())
}

async fn enroll(work: &Work, member: &Member, story: Story, person: &Person) -> anyhow::Result<()> {
    let mut enrollments = GroupEnrollmentServiceClient::new(work.peer_channel("groups"));
    let request = CreateGroupEnrollmentRequest {
        identity_id: member.id.clone(),
        group_id: GROUP.to_owned(),
        source: if story == Story::Enrolls {
            GroupEnrollmentSource::LsWork
        } else {
            GroupEnrollmentSource::Unspecified
        }
        .into(),
        personal_info: Some(EnrollmentPerson {
            first_name: person.first.to_owned(),
            last_name: person.last.to_owned(),
            email: email(member.number),
            ..EnrollmentPerson::default()
        }),
        address: Some(Address {
            address1: "2200 Ross Avenue".to_owned(),
            city: "Dallas".to_owned(),
            locality: RegionCode::Tx.into(),
            postal_code: "75201".to_owned(),
            country: CountryCode::Usa.into(),
            ..Address::default()
        }),
        job_title: JobTitle::Supervisor.into(),
        ..CreateGroupEnrollmentRequest::default()
    };
    let made = enrollments.create_group_enrollment(member.request(work, request, "enrollment")).await;
    let Some(made) = work.skip_refused(made, "enrollment")? else { return Ok(()) };
    if story == Story::Begins {
        return Ok(());
    }
    let enrollment = made.into_inner();
    choose(work, member, &enrollment, if story == Story::IsRefused { LEGAL } else { IDENTITY }).await?;
    if story == Story::Chooses {
        let request = ChangeEnrollmentDependentsRequest {
            identity_id: member.id.clone(),
            enrollment_id: enrollment.id.clone(),
            dependents: vec![spouse(person.last)],
        };
        let changed =
            enrollments.change_enrollment_dependents(member.request(work, request, "enrollment people")).await;
        work.skip_refused(changed, "enrollment people")?;
        return Ok(());
    }
    let request = SubmitGroupEnrollmentRequest { identity_id: member.id.clone(), enrollment_id: enrollment.id };
    let sent = enrollments.submit_group_enrollment(member.request(work, request, "enrollment sent")).await;
    work.skip_refused(sent, "enrollment sent")?;
    Ok(())
}

async fn choose(work: &Work, member: &Member, enrollment: &GroupEnrollment, product: &str) -> anyhow::Result<()> {
    let selection = EnrollmentSelection {
        product_id: product.to_owned(),
        tier_id: if product == LEGAL { "family" } else { "individual" }.to_owned(),
        supplement_ids: Vec::new(),
    };
    let request = ChangeEnrollmentOffersRequest {
        identity_id: member.id.clone(),
        enrollment_id: enrollment.id.clone(),
        offers: vec![EnrollmentOffer {
            offer_id: GROUP_US.to_owned(),
            selections: vec![selection],
            ..EnrollmentOffer::default()
        }],
    };
    let mut enrollments = GroupEnrollmentServiceClient::new(work.peer_channel("groups"));
    let chosen = enrollments.change_enrollment_offers(member.request(work, request, "enrollment offers")).await;
    work.skip_refused(chosen, "enrollment offers")?;
    Ok(())
}

fn spouse(last: &str) -> EnrollmentDependent {
    EnrollmentDependent {
        id: "spouse".to_owned(),
        r#type: DependentType::Spouse.into(),
        first_name: "Ingrid".to_owned(),
        last_name: last.to_owned(),
        birth_date: Some(Date { year: 1982, month: 8, day: 2 }),
        ..EnrollmentDependent::default()
    }
}
