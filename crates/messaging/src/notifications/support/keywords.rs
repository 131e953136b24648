//! The words of texts from people that ask for something.

use pavise_kernel::common::v1::Locale;

use crate::contract::v1::OptOutKeyword;

/// The keyword of a text. Case and spaces do not count.
pub(in crate::notifications) fn read_keyword(text: &str) -> OptOutKeyword {
    match text.trim().to_uppercase().as_str() {
        "STOP" | "STOPALL" | "UNSUBSCRIBE" | "CANCEL" | "END" | "QUIT" | "ARRET" | "ARRÊT" => OptOutKeyword::Stop,
        "START" | "UNSTOP" | "YES" => OptOutKeyword::Start,
        "HELP" | "INFO" | "AIDE" => OptOutKeyword::Help,
        _ => OptOutKeyword::Unspecified,
    }
}

/// The answer to a keyword, in the reader's language; `None` for another text.
pub(in crate::notifications) fn answer_to(keyword: OptOutKeyword, locale: Locale) -> Option<&'static str> {
    match (keyword, locale) {
        (OptOutKeyword::Unspecified, _) => None,
        (OptOutKeyword::Stop, Locale::FrCa) => {
            Some("Pavise : vous ne recevrez plus de messages texte. Répondez START pour en recevoir de nouveau.")
        }
        (OptOutKeyword::Stop, Locale::EsUs) => {
            Some("Pavise: no recibirá más mensajes de texto. Responda START para volver a recibirlos.")
        }
        (OptOutKeyword::Stop, _) => Some("Pavise: you will get no more text messages. Reply START to get them again."),
        (OptOutKeyword::Start, Locale::FrCa) => {
            Some("Pavise : vous recevrez de nouveau des messages texte. Répondez STOP pour ne plus en recevoir.")
        }
        (OptOutKeyword::Start, Locale::EsUs) => {
            Some("Pavise: volverá a recibir mensajes de texto. Responda STOP para no recibir más.")
        }
        (OptOutKeyword::Start, _) => Some("Pavise: you will get text messages again. Reply STOP to get no more."),
        (OptOutKeyword::Help, Locale::FrCa) => {
            Some("Pavise : messages sur votre compte. Répondez STOP pour ne plus en recevoir.")
        }
        (OptOutKeyword::Help, Locale::EsUs) => {
            Some("Pavise: mensajes sobre su cuenta. Responda STOP para no recibir más.")
        }
        (OptOutKeyword::Help, _) => Some("Pavise: messages about your account. Reply STOP to get no more."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule 192: the opt-out keywords are START, STOP and HELP.
    #[test]
    fn keywords_are_read_in_any_case_and_with_their_synonyms() {
        for (keyword, texts) in [
            (
                OptOutKeyword::Stop,
                ["STOP", " stop ", "StopAll", "unsubscribe", "cancel", "end", "quit\n", "Arret"].as_slice(),
            ),
            (OptOutKeyword::Start, ["START", "unstop", " Start"].as_slice()),
            (OptOutKeyword::Help, ["HELP", "info", "Aide"].as_slice()),
            (OptOutKeyword::Unspecified, ["", "stop it", "please stop", "hello"].as_slice()),
        ] {
            for text in texts {
                assert_eq!(read_keyword(text), keyword, "{text:?}");
            }
        }
    }

    #[test]
    fn each_keyword_has_an_answer_in_the_readers_language() {
        for keyword in [OptOutKeyword::Stop, OptOutKeyword::Start, OptOutKeyword::Help] {
            let answers = [Locale::EnUs, Locale::EsUs, Locale::FrCa].map(|locale| answer_to(keyword, locale).unwrap());
            assert!(answers.iter().all(|answer| answer.starts_with("Pavise") && answer.chars().count() <= 160));
            assert!(answers[0] != answers[1] && answers[1] != answers[2]);
            assert_eq!(answer_to(keyword, Locale::EnCa), Some(answers[0]));
        }
        assert_eq!(answer_to(OptOutKeyword::Unspecified, Locale::EnUs), None);
    }
}
