//! Begins a factor, and shows or sends what its owner needs to finish it.

use pavise_kernel::{Call, Error, Result};

use super::Factors;
use super::rules::check_change;
use super::support::prove::sealed_for;
use super::support::send::send_code;
use super::support::set::{MOST_FACTORS, Set, factors_of};
use super::support::{answer, setup, totp};
use crate::contract::v1::{
    AccountNumber, AuthenticatorApp, AuthenticatorSetup, CodeDestination, CreateFactorRequest, CreateFactorResponse,
    ErrorReason, Factor, FactorType, Identity, SecurityQuestion, SecurityQuestionInput,
};
use crate::shared::tools::Tools as _;

pub(crate) async fn create_factor(call: &Call, request: CreateFactorRequest) -> Result<CreateFactorResponse> {
    let service = &*call.factors()?;
    let identity: Identity = call.get(&request.identity_id).await?;
    let id = call.repeatable_id("factor");
    if call.is_repeatable()
        && let Some(factor) = call.find_unscoped::<Factor>(&id).await?.filter(|factor| factor.owner_id == identity.id)
    {
        // The secret is shown once: it is not stored for a repeat.
        return Ok(CreateFactorResponse { factor: Some(factor), ..CreateFactorResponse::default() });
    }
    check_change(call, &Set::load(call, &identity.id).await?.after).await?;
    if factors_of(call, &identity.id).await?.len() >= MOST_FACTORS {
        let message = format!("an identity has at most {MOST_FACTORS} factors; delete one first");
        return Err(Error::new(ErrorReason::TooManyFactors, message));
    }
    only_what_the_type_has(&request)?;
    let kind = request.r#type();
    let name = if request.name.is_empty() { kind.default_name().to_owned() } else { request.name.clone() };
    let mut factor = Factor {
        id,
        owner_id: identity.id.clone(),
        r#type: request.r#type,
        proof_type: kind.proof_type().into(),
        name,
        ..Factor::default()
    };
    let (mut unit, mut authenticator, mut sent) = (call.unit(), None, None);
    match kind {
        FactorType::Google => {
            let (app, shown) = app(service, call, &factor.id, &identity)?;
            (factor.authenticator, authenticator) = (Some(app), Some(shown));
        }
        FactorType::Sms | FactorType::Email => {
            factor.destination = Some(CodeDestination { address: address(&request, &identity)? });
            sent = Some(send_code(service, call, &mut unit, &mut factor, "").await?);
        }
        FactorType::Question => factor.question = Some(question(service, request.question).await?),
        FactorType::Account => factor.account = Some(account(&request, &identity)?),
        FactorType::Unspecified => return Err(Error::missing_field("type")),
    }
    let factor = unit.create(factor)?;
    // No answer is kept for a repeat: it would be the shared secret.
    unit.commit().await?;
    let authenticator = authenticator.filter(|_| !call.validate_only());
    Ok(CreateFactorResponse { factor: Some(factor), authenticator, sent })
}

/// Refuses what belongs to another type.
fn only_what_the_type_has(request: &CreateFactorRequest) -> Result<()> {
    let kind = request.r#type();
    let given = [
        ("phone_number", FactorType::Sms, !request.phone_number.is_empty()),
        ("email", FactorType::Email, !request.email.is_empty()),
        ("question", FactorType::Question, request.question.is_some()),
        ("account_type", FactorType::Account, request.account_type != 0),
    ];
    for (field, of, is_given) in given {
        if is_given && of != kind {
            return Err(Error::field(field, format!("belongs to factors of type {}", of.spelling())));
        }
        if !is_given && of == kind && kind != FactorType::Email {
            return Err(Error::missing_field(field));
        }
    }
    Ok(())
}

fn app(
    service: &Factors,
    call: &Call,
    factor_id: &str,
    identity: &Identity,
) -> Result<(AuthenticatorApp, AuthenticatorSetup)> {
    let mut secret = [0; totp::SECRET];
    call.kernel().ids().fill_random(&mut secret);
    let sealed_secret = service
        .seal
        .close(&sealed_for(factor_id), &secret, call.kernel().ids())
        .ok_or_else(|| Error::internal("the secret of an authenticator could not be sealed"))?;
    let account = identity.names().next().unwrap_or(&identity.id);
    Ok((AuthenticatorApp { sealed_secret, last_step: 0 }, setup::build_setup(account, &secret)?))
}

fn address(request: &CreateFactorRequest, identity: &Identity) -> Result<String> {
    match (request.r#type(), request.email.as_str()) {
        (FactorType::Sms, _) => Ok(request.phone_number.clone()),
        (_, "") => {
            let primary = identity.emails.iter().find(|email| email.primary).map(|email| email.address.clone());
            primary.ok_or_else(|| Error::field("email", "is required, because the identity has none"))
        }
        (_, email) => Ok(email.to_owned()),
    }
}

async fn question(service: &Factors, input: Option<SecurityQuestionInput>) -> Result<SecurityQuestion> {
    let input = input.unwrap_or_default();
    let kind = input.r#type();
    let answer = answer::normalize_answer(kind, &input.answer).map_err(|why| Error::field("question.answer", why))?;
    let answer_hash = service.passwords.hash(answer).await?;
    Ok(SecurityQuestion { r#type: kind.into(), question: input.question.trim().to_owned(), answer_hash })
}

fn account(request: &CreateFactorRequest, identity: &Identity) -> Result<AccountNumber> {
    let kind = request.account_type();
    if identity.classic_ids.iter().any(|number| number.r#type() == kind) {
        return Ok(AccountNumber { r#type: kind.into() });
    }
    let message = format!("the identity has no number of the kind {}", kind.spelling());
    Err(Error::new(ErrorReason::AccountNumberMissing, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_its_own_fields() {
        let sms = CreateFactorRequest {
            r#type: FactorType::Sms.into(),
            phone_number: "+15125550100".into(),
            ..Default::default()
        };
        assert!(only_what_the_type_has(&sms).is_ok());
        let wrong = [
            CreateFactorRequest { phone_number: String::new(), ..sms.clone() },
            CreateFactorRequest { email: "ada@example.com".into(), ..sms.clone() },
            CreateFactorRequest { r#type: FactorType::Google.into(), ..sms.clone() },
            CreateFactorRequest { r#type: FactorType::Question.into(), ..Default::default() },
            CreateFactorRequest { r#type: FactorType::Account.into(), ..Default::default() },
        ];
        for request in wrong {
            assert!(only_what_the_type_has(&request).is_err(), "{request:?}");
        }
        let email = CreateFactorRequest { r#type: FactorType::Email.into(), ..Default::default() };
        assert!(only_what_the_type_has(&email).is_ok(), "the identity's own address will do");
    }
}
