//! The beginning of an answer: the questionnaire, the app that shows it, and the first values.

use pavise_kernel::common::v1::Locale;
use pavise_kernel::{Call, Error, Result};

use super::copy::carry_over;
use super::fill::content_of;
use crate::contract::v1::{
    Answer, AnswerValue, ErrorReason, MobilePlatform, Question, QuestionStatus, QuestionVersion,
};
use crate::questions::rules::read_version;
use crate::shared::logic::ContentIndex;

/// The app that shows a questionnaire.
#[derive(Debug, Clone, Copy)]
pub(crate) struct App<'a> {
    pub(crate) platform: MobilePlatform,
    pub(crate) version: &'a str,
}

/// Loads a questionnaire that is to be answered, if it is live and the app can show it. A draft is not found.
pub(crate) async fn load_open(call: &Call, id: &str, app: App<'_>) -> Result<Question> {
    let found: Option<Question> = call.find_unscoped(id).await?;
    let question = found.filter(|question| question.status() != QuestionStatus::Draft);
    let question = question.ok_or_else(|| Error::field("question_id", "there is no such questionnaire"))?;
    if question.status() != QuestionStatus::Active {
        let message = format!("the questionnaire {} is not live", question.name);
        return Err(Error::new(ErrorReason::QuestionNotOpen, message));
    }
    check_app(&question, app)?;
    Ok(question)
}

/// Refuses versions of apps that cannot show the questionnaire.
fn check_app(question: &Question, app: App<'_>) -> Result<()> {
    let supported = question.supported_mobile_versions.iter().find(|one| one.platform() == app.platform);
    let Some(supported) = supported.filter(|_| app.platform != MobilePlatform::Unspecified) else { return Ok(()) };
    let version = read_version(app.version);
    let is_old = !supported.min.is_empty() && version < read_version(&supported.min);
    let is_new = !supported.max.is_empty() && version > read_version(&supported.max);
    if !is_old && !is_new {
        return Ok(());
    }
    let (limit, end) = if is_old { (&supported.min, "min") } else { (&supported.max, "max") };
    let message = format!("the questionnaire {} is for other versions of the app: {end} {limit}", question.name);
    Err(Error::new(ErrorReason::AppTooOld, message).with(end, limit))
}

/// Begins an answer to what is live now. `earlier` is an answer whose values it begins with.
pub(crate) async fn begin(
    call: &Call,
    question: &Question,
    draft: Answer,
    values: Vec<AnswerValue>,
    earlier: Option<Answer>,
) -> Result<Answer> {
    let version = QuestionVersion::load_pinned(call, &question.id, question.live_version).await?;
    let content = content_of(&version)?;
    let mut answer = Answer { question_version: version.question_version, question_id: question.id.clone(), ..draft };
    answer.locale = choose_locale(answer.locale(), content.locales().collect())?.into();
    let values = match earlier {
        Some(earlier) => {
            answer.copied_from_id = earlier.id;
            let (values, lost) = carry_over(&ContentIndex::new(content), earlier.values, values);
            answer.lost_item_ids = lost;
            values
        }
        None => values,
    };
    answer.fill(content, values, call.today())?;
    Ok(answer)
}

/// The locale of the request, if the questionnaire has it; else the questionnaire's first one.
pub(crate) fn choose_locale(wanted: Locale, offered: Vec<Locale>) -> Result<Locale> {
    if wanted == Locale::Unspecified {
        return Ok(offered.first().copied().unwrap_or(Locale::EnUs));
    }
    if offered.contains(&wanted) {
        Ok(wanted)
    } else {
        Err(Error::field("locale", "the questionnaire has no such locale"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::SupportedMobileVersion;

    #[test]
    fn an_app_that_cannot_show_it_is_refused_with_the_version_that_can() {
        let supported =
            SupportedMobileVersion { platform: MobilePlatform::Ios.into(), min: "4.2".to_owned(), max: "5".to_owned() };
        let question = Question { supported_mobile_versions: vec![supported], ..Question::default() };
        let check = |platform, version| check_app(&question, App { platform, version });
        check(MobilePlatform::Ios, "4.2.0").unwrap();
        check(MobilePlatform::Android, "1").unwrap();
        check(MobilePlatform::Unspecified, "").unwrap();
        let refused = check(MobilePlatform::Ios, "4.1.9").unwrap_err();
        assert!(refused.is(ErrorReason::AppTooOld));
        assert_eq!(refused.find_fact("min"), Some("4.2"));
        assert_eq!(check(MobilePlatform::Ios, "5.0.1").unwrap_err().find_fact("max"), Some("5"));
        assert!(check(MobilePlatform::Ios, "").is_err(), "a version that is not said is none");
    }

    #[test]
    fn an_answer_is_in_a_locale_of_its_questionnaire() {
        let offered = || vec![Locale::EsUs, Locale::EnUs];
        assert_eq!(choose_locale(Locale::Unspecified, offered()).unwrap(), Locale::EsUs);
        assert_eq!(choose_locale(Locale::EnUs, offered()).unwrap(), Locale::EnUs);
        assert_eq!(choose_locale(Locale::FrCa, offered()).unwrap_err().violations()[0].field, "locale");
    }
}
