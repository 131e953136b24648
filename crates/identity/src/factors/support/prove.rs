//! The proof of an identity with a factor.
//!
//! Each wrong answer makes the next attempt wait longer. Attempts of a sign-in and of a session are counted apart, so
//! that a guesser does not lock out the owner. An address that completed a sign-in before has a count of its own. A
//! wrong answer to a sent code or at a sign-in is stored in the factor. The limit therefore holds over all processes.

use pavise_kernel::{Call, Common, Error, Result};
use prost_types::Timestamp;
use subtle::ConstantTimeEq as _;

use super::{answer, refusals, sent, totp};
use crate::contract::actions;
use crate::contract::v1::{
    AuthenticatorApp, ErrorReason, Factor, FactorType, Identity, SecurityQuestion, SessionProof,
};
use crate::factors::Factors;
use crate::shared::throttle::{Kind, Throttle};

/// How often the count of a wrong answer is retried. Only many processes at once need so many.
const ATTEMPTS: u32 = 16;

/// An answer to a factor: one of the first three fields is set.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) code: String,
    pub(crate) answer: String,
    pub(crate) account_number: String,
    /// The challenge that it answers: the id of the entity. Empty within a session.
    pub(crate) challenge_id: String,
}

/// The place of a proof.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    /// Within a session.
    Session,
    /// To complete a sign-in.
    SignIn,
    /// To complete a sign-in, at an address that completed one before.
    KnownSignIn,
}

impl Factors {
    /// The factor after a right answer. The caller commits it; that commit makes a code good once.
    ///
    /// # Errors
    /// `WRONG_CODE`, `SIGN_IN_THROTTLED`, `FACTOR_UNREADABLE`, `INVALID_FIELD`.
    pub(crate) async fn prove_factor(
        &self,
        call: &Call,
        factor: &Factor,
        answer: &Answer,
        place: Place,
    ) -> Result<Factor> {
        call.note_identity(&factor.owner_id);
        let given = asked_for(factor.r#type(), answer)?;
        if matches!(place, Place::SignIn) {
            refusals::admit_attempt(factor, call.machine_now())?;
        }
        let guesses = match place {
            Place::Session | Place::SignIn => Throttle::key(Kind::Account, &format!("{place:?} {}", factor.id)),
            Place::KnownSignIn => Throttle::known_second_key(&factor.owner_id, call.address()),
        };
        self.throttle.count_attempt(&guesses, call.machine_now())?;
        match self.check(call, factor, given, &answer.challenge_id).await {
            Ok(Some(proven)) => {
                self.throttle.forgive_failures(&guesses, call.machine_now());
                Ok(if matches!(place, Place::Session) { proven } else { refusals::forgive_refusals(proven) })
            }
            Ok(None) => {
                write_down(call, factor, place, &answer.challenge_id).await?;
                Err(wrong_answer_error())
            }
            Err(error) => {
                self.throttle.withdraw_attempt(&guesses, call.machine_now());
                Err(error)
            }
        }
    }

    /// Whether the identity completed a sign-in at the address of the call not long ago.
    pub(crate) fn is_known(&self, call: &Call, identity_id: &str) -> bool {
        let key = Throttle::known_second_key(identity_id, call.address());
        !call.address().is_empty() && self.throttle.is_known(&key, call.machine_now())
    }

    /// Remembers that the identity completed a sign-in at the address. A right password alone does not count: a thief
    /// can know it.
    pub(crate) fn remember_known(&self, call: &Call, identity_id: &str) {
        if !call.address().is_empty() {
            self.throttle.remember_known(Throttle::known_second_key(identity_id, call.address()), call.machine_now());
        }
    }

    /// The factor as it is after a right answer; `None` after a wrong one.
    async fn check(&self, call: &Call, factor: &Factor, given: &str, challenge_id: &str) -> Result<Option<Factor>> {
        let used = Factor { last_used_at: Some(call.timestamp()), ..factor.clone() };
        match factor.r#type() {
            FactorType::Google => self.check_app(call, factor, used, given),
            FactorType::Sms | FactorType::Email => Ok(self.check_sent(call, factor, used, (given, challenge_id))),
            FactorType::Question => {
                let question = factor.question.clone().unwrap_or_default();
                self.check_question(&question, given).await.map(|right| right.then_some(used))
            }
            FactorType::Account => {
                let identity = call.find_unscoped::<Identity>(&factor.owner_id).await?.unwrap_or_default();
                Ok(has_number(&identity, factor, given).then_some(used))
            }
            FactorType::Unspecified => Err(Error::internal("a factor has no type")),
        }
    }

    fn check_app(&self, call: &Call, factor: &Factor, used: Factor, code: &str) -> Result<Option<Factor>> {
        let app = factor.authenticator.clone().unwrap_or_default();
        let secret = self.seal.open(&sealed_for(&factor.id), &app.sealed_secret).ok_or_else(unreadable_error)?;
        Ok(match totp::step_of(&secret, code, call.machine_now()) {
            Some(last_step) if last_step > app.last_step => {
                Some(Factor { authenticator: Some(AuthenticatorApp { last_step, ..app }), ..used })
            }
            _ => None,
        })
    }

    fn check_sent(
        &self,
        call: &Call,
        factor: &Factor,
        used: Factor,
        (code, challenge_id): (&str, &str),
    ) -> Option<Factor> {
        let kept = factor.code.clone().unwrap_or_default();
        let right = self.code_key.is_right((&factor.id, challenge_id), &kept, code, call.machine_now());
        right.then(|| Factor { code: Some(sent::mark_used(&kept)), ..used })
    }

    async fn check_question(&self, question: &SecurityQuestion, given: &str) -> Result<bool> {
        let given = answer::normalize_answer(question.r#type(), given).map_err(|why| Error::field("answer", why))?;
        self.passwords.verify_password(given, Some(question.answer_hash.clone())).await
    }
}

/// Stores a wrong answer in the factor. Concurrent answers are counted one by one: the factor is read again after a
/// conflict.
async fn write_down(call: &Call, factor: &Factor, place: Place, challenge_id: &str) -> Result<()> {
    let mut before = factor.clone();
    let mut attempt = 1;
    while let Some(after) = refused(call, &before, place, challenge_id) {
        let mut unit = call.unit();
        unit.update_as(&before, after, actions::identity_audit::MULTIFACTOR_REFUSED)?;
        match unit.commit().await {
            Err(error) if error.is(Common::Contention) && attempt < ATTEMPTS => attempt += 1,
            done => return done.map(drop),
        }
        let Some(now) = call.find_unscoped::<Factor>(&before.id).await? else { return Ok(()) };
        before = now;
    }
    Ok(())
}

/// The factor after a wrong answer; `None` where none is stored.
fn refused(call: &Call, factor: &Factor, place: Place, challenge_id: &str) -> Option<Factor> {
    let code = factor.code.as_ref().and_then(|kept| sent::count_refusal(kept, challenge_id, call.machine_now()));
    let after = code.map(|code| Factor { code: Some(code), ..factor.clone() });
    if matches!(place, Place::SignIn) {
        return Some(refusals::count_refusal(call, after.unwrap_or_else(|| factor.clone())));
    }
    after
}

/// Whether it is a number of the kind that the identity has.
fn has_number(identity: &Identity, factor: &Factor, given: &str) -> bool {
    let wanted = factor.account.as_ref().map_or(0, |account| account.r#type);
    let known = identity.classic_ids.iter().filter(|number| number.r#type == wanted);
    known.fold(0, |found, number| found | number.value.as_bytes().ct_eq(given.as_bytes()).unwrap_u8()) == 1
}

/// The one thing that a factor of the type asks for.
fn asked_for(kind: FactorType, answer: &Answer) -> Result<&str> {
    let wanted = match kind {
        FactorType::Question => "answer",
        FactorType::Account => "account_number",
        FactorType::Unspecified | FactorType::Google | FactorType::Sms | FactorType::Email => "code",
    };
    let given = [("code", &answer.code), ("answer", &answer.answer), ("account_number", &answer.account_number)];
    if let Some((field, _)) = given.iter().find(|(field, value)| *field != wanted && !value.is_empty()) {
        return Err(Error::field(
            *field,
            format!("is not what a factor of type {} asks for: {wanted} is", kind.spelling()),
        ));
    }
    let value =
        given.into_iter().find_map(|(field, value)| (field == wanted && !value.is_empty()).then_some(value.as_str()));
    value.ok_or_else(|| Error::missing_field(wanted))
}

/// The refusal of a factor that none of the configured secrets opens.
pub(crate) fn unreadable_error() -> Error {
    let message = "this factor cannot be read any more; use another one";
    Error::new(ErrorReason::FactorUnreadable, message).because("it was sealed with another secret")
}

/// The id that the secret of an authenticator is sealed with.
pub(crate) fn sealed_for(factor_id: &str) -> String {
    format!("factor {factor_id}")
}

/// The refusal of a wrong answer.
pub(crate) fn wrong_answer_error() -> Error {
    Error::new(ErrorReason::WrongCode, "this is wrong, used or over")
}

/// The proof of now, in the session of the call.
pub(crate) fn build_proof(call: &Call) -> SessionProof {
    build_proof_in(&call.caller().session, call.machine_timestamp())
}

/// The proof of a session.
pub(crate) fn build_proof_in(session_id: &str, at: Timestamp) -> SessionProof {
    SessionProof { session_id: session_id.to_owned(), at: Some(at) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{AccountNumber, LinkedClassicId};

    #[test]
    fn the_type_says_what_is_asked_for() {
        let code = Answer { code: "123456".into(), ..Answer::default() };
        assert_eq!(asked_for(FactorType::Google, &code).unwrap(), "123456");
        assert!(asked_for(FactorType::Question, &code).is_err());
        assert!(asked_for(FactorType::Sms, &Answer::default()).is_err());
        let both = Answer { answer: "blue".into(), ..code };
        assert!(asked_for(FactorType::Question, &both).is_err());
    }

    #[test]
    fn only_a_number_of_the_kind_that_the_identity_has_now_is_right() {
        let number = |kind: i32, value: &str| LinkedClassicId { r#type: kind, value: value.into(), key: String::new() };
        let identity =
            Identity { classic_ids: vec![number(1, "111"), number(2, "222"), number(1, "333")], ..Identity::default() };
        let factor = Factor { account: Some(AccountNumber { r#type: 1 }), ..Factor::default() };
        let right = ["111", "333", "222", "11", ""].map(|given| has_number(&identity, &factor, given));
        assert_eq!(right, [true, true, false, false, false]);
        assert!(!has_number(&Identity::default(), &factor, ""));
    }
}
