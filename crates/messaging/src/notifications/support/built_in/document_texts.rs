//! The words of the letters of questionnaires in English, Spanish and French. Subjects and text messages are shown on locked
//! screens, so they have neither a name nor a title.

use super::texts::{LetterText, LetterTexts};

pub(super) const REMINDER: LetterTexts = [
    LetterText {
        subject: "A questionnaire is still open",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            the questionnaire \"{{ title }}\" is still open. The answers so far are kept.\n\n\
            Sign in to finish it: {{ site }}/app\n",
        short: "Pavise: a questionnaire is still open. The answers so far are kept. Sign in to finish it.",
    },
    LetterText {
        subject: "Un cuestionario sigue abierto",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            El cuestionario «{{ title }}» sigue abierto. Las respuestas dadas hasta ahora se conservan.\n\n\
            Entre para terminarlo: {{ site }}/app\n",
        short: "Pavise: un cuestionario sigue abierto. Las respuestas se conservan. Entre para terminarlo.",
    },
    LetterText {
        subject: "Un questionnaire est encore ouvert",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Le questionnaire « {{ title }} » est encore ouvert. Les réponses déjà données sont conservées.\n\n\
            Connectez-vous pour le terminer : {{ site }}/app\n",
        short: "Pavise : un questionnaire est encore ouvert. Les réponses sont conservées. Connectez-vous pour le terminer.",
    },
];

pub(super) const SUBMITTED: LetterTexts = [
    LetterText {
        subject: "A questionnaire was submitted",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            the questionnaire \"{{ title }}\" was submitted.\n\n\
            Sign in to see the answers: {{ site }}/app\n",
        short: "Pavise: a questionnaire was submitted. Sign in to see the answers.",
    },
    LetterText {
        subject: "Se envió un cuestionario",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Se envió el cuestionario «{{ title }}».\n\n\
            Entre para ver las respuestas: {{ site }}/app\n",
        short: "Pavise: se envió un cuestionario. Entre para ver las respuestas.",
    },
    LetterText {
        subject: "Un questionnaire a été envoyé",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Le questionnaire « {{ title }} » a été envoyé.\n\n\
            Connectez-vous pour voir les réponses : {{ site }}/app\n",
        short: "Pavise : un questionnaire a été envoyé. Connectez-vous pour voir les réponses.",
    },
];

pub(super) const READY: LetterTexts = [
    LetterText {
        subject: "A document is ready",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            a document was made of the questionnaire \"{{ title }}\".\n\n\
            Sign in to get it: {{ site }}/app\n",
        short: "Pavise: a document is ready. Sign in to get it.",
    },
    LetterText {
        subject: "Hay un documento listo",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Se hizo un documento a partir del cuestionario «{{ title }}».\n\n\
            Entre para obtenerlo: {{ site }}/app\n",
        short: "Pavise: hay un documento listo. Entre para obtenerlo.",
    },
    LetterText {
        subject: "Un document est prêt",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Un document a été établi à partir du questionnaire « {{ title }} ».\n\n\
            Connectez-vous pour l'obtenir : {{ site }}/app\n",
        short: "Pavise : un document est prêt. Connectez-vous pour l'obtenir.",
    },
];
