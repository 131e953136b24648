//! The texts of notices in English, Spanish and French. Plain text; `{name}` is a gap.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::contract::v1::NoticeTemplate as Template;

const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;

/// A notice in one language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    /// The subject of a mail.
    pub(super) subject: &'static str,
    /// The text of a mail.
    pub(super) body: &'static str,
    /// The text of a text message.
    pub(super) short: &'static str,
}

/// The languages of the locales en-US, en-CA, es-US and fr-CA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    English,
    Spanish,
    French,
}

impl Language {
    /// The language of a locale; English where there are no texts in its own.
    fn of(locale: &str) -> Self {
        match locale.split(['-', '_']).next() {
            Some("es") => Self::Spanish,
            Some("fr") => Self::French,
            _ => Self::English,
        }
    }
}

impl Template {
    /// The gaps that a letter has to fill; code and site are filled besides.
    pub(super) fn list_gaps(self) -> &'static [&'static str] {
        match self {
            Self::PasswordReset => &["user"],
            Self::Invitation => &["inviter", "path"],
            Self::NamesHeld => &["added", "removed", "primary"],
            _ => &[],
        }
    }

    /// How long it is of use.
    pub(super) fn lifetime(self) -> Duration {
        Duration::from_secs(match self {
            Self::PasswordReset => 30 * MINUTE,
            Self::FactorCode => 10 * MINUTE,
            Self::Invitation => 7 * DAY,
            _ => DAY,
        })
    }

    /// The text in the language of a locale.
    pub(super) fn text(self, locale: &str) -> Text {
        let language = Language::of(locale);
        match self {
            Self::Unspecified => Text { subject: "", body: "", short: "" },
            Self::PasswordReset => password_reset(language),
            Self::PasswordChanged => password_changed(language),
            Self::PasswordInvalidated => password_invalidated(language),
            Self::SessionsRevoked => sessions_revoked(language),
            Self::FactorCode => factor_code(language),
            Self::FactorChanged => factor_changed(language),
            Self::NamesChanged => names_changed(language),
            Self::Invitation => invitation(language),
            Self::EmailCode => email_code(language),
            Self::ActedFor => acted_for(language),
            Self::NamesHeld => names_held(language),
        }
    }
}

/// A text with its gaps filled; a gap that nothing is known for is left empty.
pub(super) fn fill_text(text: &str, values: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // One pass: a value is never searched for gaps.
    while let Some((before, gap)) = rest.split_once('{') {
        out.push_str(before);
        let (name, after) = gap.split_once('}').unwrap_or((gap, ""));
        out.push_str(values.get(name).map(String::as_str).unwrap_or_default());
        rest = after;
    }
    out.push_str(rest);
    out
}

fn password_reset(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "Choose a new password",
            body: "Your code to choose a new password is {code}\n\n\
                Enter it at {site}/app/reset-password?user={user} within 30 minutes.\n\
                The code works once. If you did not ask for it, do nothing: your password stays as it is.\n",
            short: "{code} is your Pavise code to choose a new password. It is good for 30 minutes.",
        },
        Language::Spanish => Text {
            subject: "Elija una contraseña nueva",
            body: "Su código para elegir una contraseña nueva es {code}\n\n\
                Escríbalo en {site}/app/reset-password?user={user} en los próximos 30 minutos.\n\
                El código sirve una sola vez. Si usted no lo pidió, no haga nada: su contraseña no cambia.\n",
            short: "{code} es su código de Pavise para elegir una contraseña nueva. Vale 30 minutos.",
        },
        Language::French => Text {
            subject: "Choisissez un nouveau mot de passe",
            body: "Votre code pour choisir un nouveau mot de passe est {code}\n\n\
                Saisissez-le sur {site}/app/reset-password?user={user} dans les 30 minutes.\n\
                Le code ne sert qu'une fois. Si vous ne l'avez pas demandé, ne faites rien : votre mot de passe reste le même.\n",
            short: "{code} est votre code Pavise pour choisir un nouveau mot de passe. Il est valable 30 minutes.",
        },
    }
}

fn password_changed(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "Your password was changed",
            body: "The password of your account was changed, and every other sign-in was ended.\n\n\
                If that was not you, choose a new password at once: {site}/app/forgot-password\n",
            short: "Your Pavise password was changed. If that was not you, choose a new one at once.",
        },
        Language::Spanish => Text {
            subject: "Su contraseña ha cambiado",
            body: "La contraseña de su cuenta ha cambiado y se cerraron todas las demás sesiones.\n\n\
                Si no fue usted, elija enseguida una contraseña nueva: {site}/app/forgot-password\n",
            short: "Su contraseña de Pavise ha cambiado. Si no fue usted, elija enseguida una nueva.",
        },
        Language::French => Text {
            subject: "Votre mot de passe a été modifié",
            body: "Le mot de passe de votre compte a été modifié et toutes les autres sessions ont été fermées.\n\n\
                Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe : {site}/app/forgot-password\n",
            short: "Votre mot de passe Pavise a été modifié. Si ce n'était pas vous, choisissez-en un nouveau tout de suite.",
        },
    }
}

fn password_invalidated(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "Please choose a new password",
            body: "For your safety the password of your account is good no more, and every sign-in was ended.\n\n\
                Choose a new one: {site}/app/forgot-password\n",
            short: "Your Pavise password is good no more. Please choose a new one.",
        },
        Language::Spanish => Text {
            subject: "Por favor, elija una contraseña nueva",
            body: "Por su seguridad, la contraseña de su cuenta ya no es válida y se cerraron todas las sesiones.\n\n\
                Elija una nueva: {site}/app/forgot-password\n",
            short: "Su contraseña de Pavise ya no es válida. Por favor, elija una nueva.",
        },
        Language::French => Text {
            subject: "Veuillez choisir un nouveau mot de passe",
            body: "Pour votre sécurité, le mot de passe de votre compte n'est plus valable et toutes les sessions ont été fermées.\n\n\
                Choisissez-en un nouveau : {site}/app/forgot-password\n",
            short: "Votre mot de passe Pavise n'est plus valable. Veuillez en choisir un nouveau.",
        },
    }
}

fn sessions_revoked(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "You were signed out everywhere",
            body: "All sign-ins of your account were ended. Sign in again at {site}/app/\n\n\
                If that surprises you, choose a new password: {site}/app/forgot-password\n",
            short: "You were signed out of Pavise everywhere.",
        },
        Language::Spanish => Text {
            subject: "Se cerraron todas sus sesiones",
            body: "Se cerraron todas las sesiones de su cuenta. Vuelva a entrar en {site}/app/\n\n\
                Si le sorprende, elija una contraseña nueva: {site}/app/forgot-password\n",
            short: "Se cerraron todas sus sesiones de Pavise.",
        },
        Language::French => Text {
            subject: "Toutes vos sessions ont été fermées",
            body: "Toutes les sessions de votre compte ont été fermées. Reconnectez-vous sur {site}/app/\n\n\
                Si cela vous surprend, choisissez un nouveau mot de passe : {site}/app/forgot-password\n",
            short: "Toutes vos sessions Pavise ont été fermées.",
        },
    }
}

fn factor_code(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "Your code",
            body: "Your code is {code}\n\n\
                It is good for 10 minutes and works once. Nobody of Pavise will ever ask you for it.\n",
            short: "{code} is your Pavise code. Nobody of Pavise will ever ask you for it.",
        },
        Language::Spanish => Text {
            subject: "Su código",
            body: "Su código es {code}\n\n\
                Vale 10 minutos y sirve una sola vez. Nadie de Pavise se lo pedirá nunca.\n",
            short: "{code} es su código de Pavise. Nadie de Pavise se lo pedirá nunca.",
        },
        Language::French => Text {
            subject: "Votre code",
            body: "Votre code est {code}\n\n\
                Il est valable 10 minutes et ne sert qu'une fois. Personne chez Pavise ne vous le demandera jamais.\n",
            short: "{code} est votre code Pavise. Personne chez Pavise ne vous le demandera jamais.",
        },
    }
}

fn factor_changed(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "The way you sign in was changed",
            body: "A second step of your sign-in was added, removed or changed.\n\n\
                If that was not you, choose a new password at once: {site}/app/forgot-password\n",
            short: "A second step of your Pavise sign-in was changed. If that was not you, choose a new password at once.",
        },
        Language::Spanish => Text {
            subject: "Su forma de entrar ha cambiado",
            body: "Se añadió, se quitó o se cambió un segundo paso de su inicio de sesión.\n\n\
                Si no fue usted, elija enseguida una contraseña nueva: {site}/app/forgot-password\n",
            short: "Ha cambiado un segundo paso de su inicio de sesión de Pavise. Si no fue usted, elija enseguida una contraseña nueva.",
        },
        Language::French => Text {
            subject: "Votre façon de vous connecter a changé",
            body: "Une deuxième étape de votre connexion a été ajoutée, supprimée ou modifiée.\n\n\
                Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe : {site}/app/forgot-password\n",
            short: "Une deuxième étape de votre connexion Pavise a changé. Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe.",
        },
    }
}

fn names_changed(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "The names you sign in with were changed",
            body: "The e-mail addresses or usernames that you sign in with were changed.\n\n\
                If that was not you, choose a new password at once: {site}/app/forgot-password\n",
            short: "The names you sign in to Pavise with were changed. If that was not you, choose a new password at once.",
        },
        Language::Spanish => Text {
            subject: "Han cambiado los nombres con los que entra",
            body: "Han cambiado las direcciones de correo o los nombres de usuario con los que entra.\n\n\
                Si no fue usted, elija enseguida una contraseña nueva: {site}/app/forgot-password\n",
            short: "Han cambiado los nombres con los que entra en Pavise. Si no fue usted, elija enseguida una contraseña nueva.",
        },
        Language::French => Text {
            subject: "Les noms avec lesquels vous vous connectez ont changé",
            body: "Les adresses électroniques ou les noms d'utilisateur avec lesquels vous vous connectez ont été modifiés.\n\n\
                Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe : {site}/app/forgot-password\n",
            short: "Les noms avec lesquels vous vous connectez à Pavise ont changé. Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe.",
        },
    }
}

fn email_code(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "Is this your e-mail address?",
            body: "Your code to confirm this e-mail address is {code}\n\n\
                Enter it on the page that asks for it: {site}\n\
                The code is good for a day. If you did not ask for it, do nothing: the address is nobody's without it.\n",
            short: "{code} is your Pavise code to confirm your address. It is good for a day.",
        },
        Language::Spanish => Text {
            subject: "¿Es esta su dirección de correo?",
            body: "Su código para confirmar esta dirección de correo es {code}\n\n\
                Escríbalo en la página que lo pide: {site}\n\
                El código vale un día. Si usted no lo pidió, no haga nada: sin él la dirección no es de nadie.\n",
            short: "{code} es su código de Pavise para confirmar su dirección. Vale un día.",
        },
        Language::French => Text {
            subject: "Cette adresse électronique est-elle la vôtre ?",
            body: "Votre code pour confirmer cette adresse électronique est {code}\n\n\
                Saisissez-le sur la page qui le demande : {site}\n\
                Le code est valable un jour. Si vous ne l'avez pas demandé, ne faites rien : sans lui l'adresse n'est à personne.\n",
            short: "{code} est votre code Pavise pour confirmer votre adresse. Il est valable un jour.",
        },
    }
}

fn names_held(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "Please confirm a change of the names you sign in with",
            body: "Our staff or one of our programs changed the names you sign in with. Nothing happens before you confirm it.\n\n\
                Usernames to add: {added}\n\
                Names to remove: {removed}\n\
                New primary address: {primary}\n\n\
                Sign in and enter the code {code} on the page that asks for it: {site}\n\
                The code is good for a day. If you do not want the change, do nothing: it lapses after seven days.\n",
            short: "{code} is your Pavise code to confirm a change of the names you sign in with. If you do not want it, do nothing.",
        },
        Language::Spanish => Text {
            subject: "Confirme un cambio de los nombres con los que entra",
            body: "Nuestro personal o uno de nuestros programas cambió los nombres con los que entra. No ocurre nada antes de que usted lo confirme.\n\n\
                Nombres de usuario que se agregan: {added}\n\
                Nombres que se quitan: {removed}\n\
                Nueva dirección principal: {primary}\n\n\
                Entre y escriba el código {code} en la página que lo pide: {site}\n\
                El código vale un día. Si no quiere el cambio, no haga nada: caduca a los siete días.\n",
            short: "{code} es su código de Pavise para confirmar un cambio de los nombres con los que entra. Si no lo quiere, no haga nada.",
        },
        Language::French => Text {
            subject: "Confirmez une modification des noms avec lesquels vous vous connectez",
            body: "Notre personnel ou l'un de nos programmes a modifié les noms avec lesquels vous vous connectez. Rien ne se passe avant votre confirmation.\n\n\
                Noms d'utilisateur à ajouter : {added}\n\
                Noms à supprimer : {removed}\n\
                Nouvelle adresse principale : {primary}\n\n\
                Connectez-vous et saisissez le code {code} sur la page qui le demande : {site}\n\
                Le code est valable un jour. Si vous ne voulez pas de cette modification, ne faites rien : elle expire après sept jours.\n",
            short: "{code} est votre code Pavise pour confirmer une modification des noms avec lesquels vous vous connectez. Si vous n'en voulez pas, ne faites rien.",
        },
    }
}

fn acted_for(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "Our staff changed something in your account",
            body: "A member of our staff changed something in your account in your name, such as a purchase or a card.\n\n\
                Sign in to see it: {site}/app\n\
                If you did not ask for it, tell us.\n",
            short: "Our staff changed something in your Pavise account in your name. If you did not ask for it, tell us.",
        },
        Language::Spanish => Text {
            subject: "Nuestro personal cambió algo en su cuenta",
            body: "Nuestro personal cambió algo en su cuenta en su nombre, como una compra o una tarjeta.\n\n\
                Entre para verlo: {site}/app\n\
                Si usted no lo pidió, avísenos.\n",
            short: "Nuestro personal cambió algo en su cuenta de Pavise en su nombre. Si usted no lo pidió, avísenos.",
        },
        Language::French => Text {
            subject: "Notre personnel a modifié quelque chose dans votre compte",
            body: "Notre personnel a modifié en votre nom quelque chose dans votre compte, par exemple un achat ou une carte.\n\n\
                Connectez-vous pour le voir : {site}/app\n\
                Si vous ne l'avez pas demandé, dites-le-nous.\n",
            short: "Notre personnel a modifié en votre nom quelque chose dans votre compte Pavise. Si vous ne l'avez pas demandé, dites-le-nous.",
        },
    }
}

fn invitation(language: Language) -> Text {
    match language {
        Language::English => Text {
            subject: "{inviter} invites you",
            body: "{inviter} invites you to Pavise.\n\n\
                Open {site}{path} and enter the code {code}\n\n\
                If you do not know who that is, do nothing.\n",
            short: "{inviter} invites you to Pavise: {site}{path} Code: {code}",
        },
        Language::Spanish => Text {
            subject: "{inviter} le invita",
            body: "{inviter} le invita a Pavise.\n\n\
                Abra {site}{path} y escriba el código {code}\n\n\
                Si no sabe quién es, no haga nada.\n",
            short: "{inviter} le invita a Pavise: {site}{path} Código: {code}",
        },
        Language::French => Text {
            subject: "{inviter} vous invite",
            body: "{inviter} vous invite sur Pavise.\n\n\
                Ouvrez {site}{path} et saisissez le code {code}\n\n\
                Si vous ne savez pas qui c'est, ne faites rien.\n",
            short: "{inviter} vous invite sur Pavise : {site}{path} Code : {code}",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Template; 11] = [
        Template::PasswordReset,
        Template::PasswordChanged,
        Template::PasswordInvalidated,
        Template::SessionsRevoked,
        Template::ActedFor,
        Template::FactorCode,
        Template::FactorChanged,
        Template::NamesChanged,
        Template::Invitation,
        Template::EmailCode,
        Template::NamesHeld,
    ];

    fn gaps(text: &str) -> Vec<&str> {
        text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or_default()).collect()
    }

    #[test]
    fn every_gap_is_one_that_is_filled_and_codes_are_in_every_language() {
        for template in ALL {
            for locale in ["en-US", "en-CA", "es-US", "fr-CA", "tlh", ""] {
                let text = template.text(locale);
                for part in [text.subject, text.body, text.short] {
                    assert!(!part.is_empty(), "{template:?} {locale}");
                    for gap in gaps(part) {
                        let known = ["code", "site"].contains(&gap) || template.list_gaps().contains(&gap);
                        assert!(known, "{template:?} {locale}: {gap}");
                    }
                }
                let coded = matches!(
                    template,
                    Template::PasswordReset
                        | Template::FactorCode
                        | Template::Invitation
                        | Template::EmailCode
                        | Template::NamesHeld
                );
                assert_eq!(text.body.contains("{code}"), coded, "{template:?} {locale}");
                assert_eq!(text.short.contains("{code}"), coded, "{template:?} {locale}");
                assert!(!text.subject.contains("{code}"), "a subject is shown on locked screens");
            }
        }
    }

    #[test]
    fn a_locale_without_texts_is_english() {
        let subject = |locale: &str| Template::FactorCode.text(locale).subject;
        assert_eq!([subject("es-US"), subject("fr-CA")], ["Su código", "Votre code"]);
        assert_eq!([subject("en-CA"), subject("de-DE"), subject("")], ["Your code"; 3]);
    }

    #[test]
    fn values_in_a_text_are_not_filled_again() {
        let values =
            BTreeMap::from([("inviter".to_owned(), "{code}".to_owned()), ("code".to_owned(), "42".to_owned())]);
        assert_eq!(fill_text("{inviter} {code} {nobody}.", &values), "{code} 42 .");
    }
}
