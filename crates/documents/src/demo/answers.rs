//! The answers of the demonstration: a will, intakes and surveys in all states.

use pavise_kernel::Result;
use pavise_kernel::common::v1::PersonName;
use pavise_kernel::worker::Work;
use tonic::Request;

use super::questionnaires::day_of;
use crate::contract::identity::ListIdentitiesRequest;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::v1::answer_service_client::AnswerServiceClient;
use crate::contract::v1::{
    AnswerValue, CreateAnswerRequest, CreatePublicAnswerRequest, DeleteAnswerRequest, ListAnswersRequest, Question,
    SubmitAnswerRequest, SubmitPublicAnswerRequest,
};

/// The address of the demonstration's member.
const MEMBER: &str = "member@demo.pavise.example";
/// The surveys of visitors.
const SURVEYS: u32 = 30;

/// The identity of the demonstration's member, if it is there.
pub(super) async fn find_member(work: &Work) -> Result<Option<String>> {
    let ask = ListIdentitiesRequest { email: MEMBER.to_owned(), page_size: 1, ..ListIdentitiesRequest::default() };
    let mut identities = IdentityServiceClient::new(work.peer_channel("identity"));
    let found = identities.list_identities(Request::new(ask)).await?.into_inner().identities.into_iter().next();
    Ok(found.map(|identity| identity.id))
}

/// Makes what is not there yet: ten answers of the member, and thirty of visitors.
pub(super) async fn load_answers(work: &Work, questions: &[Question]) -> Result<()> {
    let find = |name: &str| questions.iter().find(|question| question.name == name);
    let Some(member) = find_member(work).await? else { return Ok(()) };
    let mut answers = AnswerServiceClient::new(work.peer_channel("documents"));
    let ask = ListAnswersRequest { user_id: member.clone(), page_size: 1, ..ListAnswersRequest::default() };
    if !answers.list_answers(Request::new(ask)).await?.into_inner().answers.is_empty() {
        return Ok(());
    }
    if let Some(survey) = find("service-survey") {
        for number in 0..SURVEYS {
            load_survey(work, &survey.id, number).await?;
        }
    }
    let names = ["intake-housing", "intake-family", "intake-traffic", "intake-consumer", "last-will"];
    for (at, name) in names.into_iter().cycle().take(10).enumerate() {
        if let Some(question) = find(name) {
            load_own(work, &member, question, at).await?;
        }
    }
    Ok(())
}

/// An answer of the member: the first five are open, the others finished; the last traffic case is deleted.
async fn load_own(work: &Work, member: &str, question: &Question, at: usize) -> Result<()> {
    let mut answers = AnswerServiceClient::new(work.peer_channel("documents"));
    let mut values = build_values(&question.name);
    if at < 5 {
        values.truncate(2);
    }
    let create = CreateAnswerRequest {
        user_id: member.to_owned(),
        question_id: question.id.clone(),
        values,
        ..CreateAnswerRequest::default()
    };
    let made = answers.create_answer(work.new_request(create, &format!("answer {at}"))).await;
    let made = work.skip_refused(made, &question.name)?.map(tonic::Response::into_inner);
    let Some(answer) = made.filter(|_| at >= 5) else { return Ok(()) };
    let step = format!("end {at}");
    if question.name == "intake-traffic" {
        let request = DeleteAnswerRequest { user_id: member.to_owned(), answer_id: answer.id };
        work.skip_refused(answers.delete_answer(work.new_request(request, &step)).await, &step)?;
    } else {
        let request = SubmitAnswerRequest { user_id: member.to_owned(), answer_id: answer.id };
        work.skip_refused(answers.submit_answer(work.new_request(request, &step)).await, &step)?;
    }
    Ok(())
}

/// The survey of a visitor. Two of three are submitted.
async fn load_survey(work: &Work, question_id: &str, number: u32) -> Result<()> {
    let mut answers = AnswerServiceClient::new(work.peer_channel("documents"));
    let user_id = format!("70000000-0000-4000-8000-0000000d{number:04}");
    let stars = f64::from(1 + number % 5);
    let mut values = vec![AnswerValue { number: Some(stars), ..value("stars") }];
    if stars <= 2.0 {
        values.push(text("why", "Nobody called back for a week."));
    }
    values.push(AnswerValue { boolean: Some(stars > 3.0), ..value("recommends") });
    let create = CreatePublicAnswerRequest {
        user_id: user_id.clone(),
        question_id: question_id.to_owned(),
        values,
        ..CreatePublicAnswerRequest::default()
    };
    let step = format!("survey {number}");
    let made = answers.create_public_answer(work.new_request(create, &step)).await;
    let made = work.skip_refused(made, &step)?.map(tonic::Response::into_inner);
    // A repeat is answered without the access code.
    let made = made.filter(|made| !made.access_code.is_empty() && !number.is_multiple_of(3));
    let Some((answer, access_code)) = made.and_then(|made| Some((made.answer?, made.access_code))) else {
        return Ok(());
    };
    let submit = SubmitPublicAnswerRequest { user_id, answer_id: answer.id, access_code };
    let step = format!("submit survey {number}");
    work.skip_refused(answers.submit_public_answer(work.new_request(submit, &step)).await, &step)?;
    Ok(())
}

fn value(item: &str) -> AnswerValue {
    AnswerValue { item_id: item.to_owned(), ..AnswerValue::default() }
}

fn text(item: &str, text: &str) -> AnswerValue {
    AnswerValue { text: text.to_owned(), ..value(item) }
}

fn number(item: &str, number: f64) -> AnswerValue {
    AnswerValue { number: Some(number), ..value(item) }
}

fn boolean(item: &str, boolean: bool) -> AnswerValue {
    AnswerValue { boolean: Some(boolean), ..value(item) }
}

fn choice(item: &str, choice: &str) -> AnswerValue {
    AnswerValue { choices: vec![choice.to_owned()], ..value(item) }
}

fn day(item: &str, year: i32) -> AnswerValue {
    AnswerValue { date: day_of(year), ..value(item) }
}

fn person(item: &str, first: &str) -> AnswerValue {
    let person = PersonName { first_name: first.to_owned(), last_name: "Example".to_owned(), ..PersonName::default() };
    AnswerValue { person: Some(person), ..value(item) }
}

/// Finished values of a questionnaire.
fn build_values(name: &str) -> Vec<AnswerValue> {
    let happened = || text("what_happened", "It began in May, and letters did not help.");
    match name {
        "intake-housing" => vec![choice("side", "landlord"), boolean("has_notice", false), happened()],
        "intake-family" => vec![choice("matter", "divorce"), person("other_side", "Robin"), happened()],
        "intake-traffic" => vec![day("ticket_on", 2026), boolean("was_hurt", false), happened()],
        "intake-consumer" => {
            use pavise_kernel::common::v1::{Currency, Money};
            let price = Money { currency: Currency::Usd.into(), amount: 129_900 };
            let price = AnswerValue { money: Some(price), ..value("price") };
            vec![text("seller", "A shop in town"), price, day("bought_on", 2026), happened()]
        }
        _ => vec![
            person("full_name", "Ada"),
            day("birth_date", 1980),
            AnswerValue { address: Some(build_address()), ..value("address") },
            boolean("is_citizen", true),
            choice("marital_status", "married"),
            person("spouse_name", "Ben"),
            boolean("has_prenup", false),
            boolean("has_children", true),
            number("children", 1.0),
            AnswerValue { row: 1, ..person("child_name", "Cleo") },
            AnswerValue { row: 1, ..day("child_birth_date", 2001) },
            person("executor", "Dana"),
            boolean("owns_home", false),
            choice("residue", "family"),
        ],
    }
}

fn build_address() -> pavise_kernel::common::v1::Address {
    pavise_kernel::common::v1::Address {
        address1: "1 Main St".to_owned(),
        city: "Austin".to_owned(),
        locality: pavise_kernel::common::v1::RegionCode::Tx.into(),
        postal_code: "78701".to_owned(),
        ..Default::default()
    }
}
