//! The words of the built-in templates in English, Spanish and French. A gap is `{{ name }}`; `{{ site }}` is the address of
//! the pages.

/// A message in one language.
#[derive(Debug, Clone, Copy)]
pub(super) struct LetterText {
    /// The subject of a mail.
    pub(super) subject: &'static str,
    /// The text of a mail.
    pub(super) text: &'static str,
    /// The text of a text message.
    pub(super) short: &'static str,
}

/// A message in English, Spanish and French.
pub(super) type LetterTexts = [LetterText; 3];

pub(super) const PASSWORD_RESET: LetterTexts = [
    LetterText {
        subject: "Choose a new password",
        text: "Your code to choose a new password is {{ code }}\n\n\
            Enter it at {{ site }}/app/reset-password?user={{ user }} within 30 minutes.\n\
            The code works once. If you did not ask for it, do nothing: your password stays as it is.\n",
        short: "{{ code }} is your Pavise code to choose a new password. It is good for 30 minutes.",
    },
    LetterText {
        subject: "Elija una contraseña nueva",
        text: "Su código para elegir una contraseña nueva es {{ code }}\n\n\
            Escríbalo en {{ site }}/app/reset-password?user={{ user }} en los próximos 30 minutos.\n\
            El código sirve una sola vez. Si usted no lo pidió, no haga nada: su contraseña no cambia.\n",
        short: "{{ code }} es su código de Pavise para elegir una contraseña nueva. Vale 30 minutos.",
    },
    LetterText {
        subject: "Choisissez un nouveau mot de passe",
        text: "Votre code pour choisir un nouveau mot de passe est {{ code }}\n\n\
            Saisissez-le sur {{ site }}/app/reset-password?user={{ user }} dans les 30 minutes.\n\
            Le code ne sert qu'une fois. Si vous ne l'avez pas demandé, ne faites rien : votre mot de passe reste le même.\n",
        short: "{{ code }} est votre code Pavise pour choisir un nouveau mot de passe. Il est valable 30 minutes.",
    },
];

pub(super) const PASSWORD_CHANGED: LetterTexts = [
    LetterText {
        subject: "Your password was changed",
        text: "The password of your account was changed, and every other sign-in was ended.\n\n\
            If that was not you, choose a new password at once: {{ site }}/app/forgot-password\n",
        short: "Your Pavise password was changed. If that was not you, choose a new one at once.",
    },
    LetterText {
        subject: "Su contraseña ha cambiado",
        text: "La contraseña de su cuenta ha cambiado y se cerraron todas las demás sesiones.\n\n\
            Si no fue usted, elija enseguida una contraseña nueva: {{ site }}/app/forgot-password\n",
        short: "Su contraseña de Pavise ha cambiado. Si no fue usted, elija enseguida una nueva.",
    },
    LetterText {
        subject: "Votre mot de passe a été modifié",
        text: "Le mot de passe de votre compte a été modifié et toutes les autres sessions ont été fermées.\n\n\
            Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe : {{ site }}/app/forgot-password\n",
        short: "Votre mot de passe Pavise a été modifié. Si ce n'était pas vous, choisissez-en un nouveau tout de suite.",
    },
];

pub(super) const PASSWORD_INVALIDATED: LetterTexts = [
    LetterText {
        subject: "Please choose a new password",
        text: "For your safety the password of your account is good no more, and every sign-in was ended.\n\n\
            Choose a new one: {{ site }}/app/forgot-password\n",
        short: "Your Pavise password is good no more. Please choose a new one.",
    },
    LetterText {
        subject: "Por favor, elija una contraseña nueva",
        text: "Por su seguridad, la contraseña de su cuenta ya no es válida y se cerraron todas las sesiones.\n\n\
            Elija una nueva: {{ site }}/app/forgot-password\n",
        short: "Su contraseña de Pavise ya no es válida. Por favor, elija una nueva.",
    },
    LetterText {
        subject: "Veuillez choisir un nouveau mot de passe",
        text: "Pour votre sécurité, le mot de passe de votre compte n'est plus valable et toutes les sessions ont été fermées.\n\n\
            Choisissez-en un nouveau : {{ site }}/app/forgot-password\n",
        short: "Votre mot de passe Pavise n'est plus valable. Veuillez en choisir un nouveau.",
    },
];

pub(super) const SESSIONS_REVOKED: LetterTexts = [
    LetterText {
        subject: "You were signed out everywhere",
        text: "All sign-ins of your account were ended. Sign in again at {{ site }}/app/\n\n\
            If that surprises you, choose a new password: {{ site }}/app/forgot-password\n",
        short: "You were signed out of Pavise everywhere.",
    },
    LetterText {
        subject: "Se cerraron todas sus sesiones",
        text: "Se cerraron todas las sesiones de su cuenta. Vuelva a entrar en {{ site }}/app/\n\n\
            Si le sorprende, elija una contraseña nueva: {{ site }}/app/forgot-password\n",
        short: "Se cerraron todas sus sesiones de Pavise.",
    },
    LetterText {
        subject: "Toutes vos sessions ont été fermées",
        text: "Toutes les sessions de votre compte ont été fermées. Reconnectez-vous sur {{ site }}/app/\n\n\
            Si cela vous surprend, choisissez un nouveau mot de passe : {{ site }}/app/forgot-password\n",
        short: "Toutes vos sessions Pavise ont été fermées.",
    },
];

pub(super) const FACTOR_CODE: LetterTexts = [
    LetterText {
        subject: "Your code",
        text: "Your code is {{ code }}\n\n\
            It is good for 10 minutes and works once. Nobody of Pavise will ever ask you for it.\n",
        short: "{{ code }} is your Pavise code. Nobody of Pavise will ever ask you for it.",
    },
    LetterText {
        subject: "Su código",
        text: "Su código es {{ code }}\n\n\
            Vale 10 minutos y sirve una sola vez. Nadie de Pavise se lo pedirá nunca.\n",
        short: "{{ code }} es su código de Pavise. Nadie de Pavise se lo pedirá nunca.",
    },
    LetterText {
        subject: "Votre code",
        text: "Votre code est {{ code }}\n\n\
            Il est valable 10 minutes et ne sert qu'une fois. Personne chez Pavise ne vous le demandera jamais.\n",
        short: "{{ code }} est votre code Pavise. Personne chez Pavise ne vous le demandera jamais.",
    },
];

pub(super) const FACTOR_CHANGED: LetterTexts = [
    LetterText {
        subject: "The way you sign in was changed",
        text: "A second step of your sign-in was added, removed or changed.\n\n\
            If that was not you, choose a new password at once: {{ site }}/app/forgot-password\n",
        short: "A second step of your Pavise sign-in was changed. If that was not you, choose a new password at once.",
    },
    LetterText {
        subject: "Su forma de entrar ha cambiado",
        text: "Se añadió, se quitó o se cambió un segundo paso de su inicio de sesión.\n\n\
            Si no fue usted, elija enseguida una contraseña nueva: {{ site }}/app/forgot-password\n",
        short: "Ha cambiado un segundo paso de su inicio de sesión de Pavise. Si no fue usted, elija enseguida una contraseña nueva.",
    },
    LetterText {
        subject: "Votre façon de vous connecter a changé",
        text: "Une deuxième étape de votre connexion a été ajoutée, supprimée ou modifiée.\n\n\
            Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe : {{ site }}/app/forgot-password\n",
        short: "Une deuxième étape de votre connexion Pavise a changé. Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe.",
    },
];

pub(super) const NAMES_CHANGED: LetterTexts = [
    LetterText {
        subject: "The names you sign in with were changed",
        text: "The e-mail addresses or usernames that you sign in with were changed.\n\n\
            If that was not you, choose a new password at once: {{ site }}/app/forgot-password\n",
        short: "The names you sign in to Pavise with were changed. If that was not you, choose a new password at once.",
    },
    LetterText {
        subject: "Han cambiado los nombres con los que entra",
        text: "Han cambiado las direcciones de correo o los nombres de usuario con los que entra.\n\n\
            Si no fue usted, elija enseguida una contraseña nueva: {{ site }}/app/forgot-password\n",
        short: "Han cambiado los nombres con los que entra en Pavise. Si no fue usted, elija enseguida una contraseña nueva.",
    },
    LetterText {
        subject: "Les noms avec lesquels vous vous connectez ont changé",
        text: "Les adresses électroniques ou les noms d'utilisateur avec lesquels vous vous connectez ont été modifiés.\n\n\
            Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe : {{ site }}/app/forgot-password\n",
        short: "Les noms avec lesquels vous vous connectez à Pavise ont changé. Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe.",
    },
];

pub(super) const INVITATION: LetterTexts = [
    LetterText {
        subject: "{{ inviter }} invites you",
        text: "{{ inviter }} invites you to Pavise.\n\n\
            Open {{ site }}{{ path }} and enter the code {{ code }}\n\n\
            If you do not know who that is, do nothing.\n",
        short: "{{ inviter }} invites you to Pavise: {{ site }}{{ path }} Code: {{ code }}",
    },
    LetterText {
        subject: "{{ inviter }} le invita",
        text: "{{ inviter }} le invita a Pavise.\n\n\
            Abra {{ site }}{{ path }} y escriba el código {{ code }}\n\n\
            Si no sabe quién es, no haga nada.\n",
        short: "{{ inviter }} le invita a Pavise: {{ site }}{{ path }} Código: {{ code }}",
    },
    LetterText {
        subject: "{{ inviter }} vous invite",
        text: "{{ inviter }} vous invite sur Pavise.\n\n\
            Ouvrez {{ site }}{{ path }} et saisissez le code {{ code }}\n\n\
            Si vous ne savez pas qui c'est, ne faites rien.\n",
        short: "{{ inviter }} vous invite sur Pavise : {{ site }}{{ path }} Code : {{ code }}",
    },
];

pub(super) const EMAIL_CODE: LetterTexts = [
    LetterText {
        subject: "Is this your e-mail address?",
        text: "Your code to confirm this e-mail address is {{ code }}\n\n\
            Enter it on the page that asks for it: {{ site }}\n\
            The code is good for a day. If you did not ask for it, do nothing: the address is nobody's without it.\n",
        short: "{{ code }} is your Pavise code to confirm your address. It is good for a day.",
    },
    LetterText {
        subject: "¿Es esta su dirección de correo?",
        text: "Su código para confirmar esta dirección de correo es {{ code }}\n\n\
            Escríbalo en la página que lo pide: {{ site }}\n\
            El código vale un día. Si usted no lo pidió, no haga nada: sin él la dirección no es de nadie.\n",
        short: "{{ code }} es su código de Pavise para confirmar su dirección. Vale un día.",
    },
    LetterText {
        subject: "Cette adresse électronique est-elle la vôtre ?",
        text: "Votre code pour confirmer cette adresse électronique est {{ code }}\n\n\
            Saisissez-le sur la page qui le demande : {{ site }}\n\
            Le code est valable un jour. Si vous ne l'avez pas demandé, ne faites rien : sans lui l'adresse n'est à personne.\n",
        short: "{{ code }} est votre code Pavise pour confirmer votre adresse. Il est valable un jour.",
    },
];

pub(super) const ACTED_FOR: LetterTexts = [
    LetterText {
        subject: "Our staff changed something in your account",
        text: "A member of our staff changed something in your account in your name, such as a purchase or a card.\n\n\
            Sign in to see it: {{ site }}/app\n\
            If you did not ask for it, tell us.\n",
        short: "Our staff changed something in your Pavise account in your name. If you did not ask for it, tell us.",
    },
    LetterText {
        subject: "Nuestro personal cambió algo en su cuenta",
        text: "Nuestro personal cambió algo en su cuenta en su nombre, como una compra o una tarjeta.\n\n\
            Entre para verlo: {{ site }}/app\n\
            Si usted no lo pidió, avísenos.\n",
        short: "Nuestro personal cambió algo en su cuenta de Pavise en su nombre. Si usted no lo pidió, avísenos.",
    },
    LetterText {
        subject: "Notre personnel a modifié quelque chose dans votre compte",
        text: "Notre personnel a modifié en votre nom quelque chose dans votre compte, par exemple un achat ou une carte.\n\n\
            Connectez-vous pour le voir : {{ site }}/app\n\
            Si vous ne l'avez pas demandé, dites-le-nous.\n",
        short: "Notre personnel a modifié en votre nom quelque chose dans votre compte Pavise. Si vous ne l'avez pas demandé, dites-le-nous.",
    },
];

pub(super) const NAMES_HELD: LetterTexts = [
    LetterText {
        subject: "Please confirm a change of the names you sign in with",
        text: "Our staff or one of our programs changed the names you sign in with. Nothing happens before you confirm it.\n\n\
            Usernames to add: {{ added }}\n\
            Names to remove: {{ removed }}\n\
            New primary address: {{ primary }}\n\n\
            Sign in and enter the code {{ code }} on the page that asks for it: {{ site }}\n\
            The code is good for a day. If you do not want the change, do nothing: it lapses after seven days.\n",
        short: "{{ code }} is your Pavise code to confirm a change of the names you sign in with. If you do not want it, do nothing.",
    },
    LetterText {
        subject: "Confirme un cambio de los nombres con los que entra",
        text: "Nuestro personal o uno de nuestros programas cambió los nombres con los que entra. No ocurre nada antes de que usted lo confirme.\n\n\
            Nombres de usuario que se agregan: {{ added }}\n\
            Nombres que se quitan: {{ removed }}\n\
            Nueva dirección principal: {{ primary }}\n\n\
            Entre y escriba el código {{ code }} en la página que lo pide: {{ site }}\n\
            El código vale un día. Si no quiere el cambio, no haga nada: caduca a los siete días.\n",
        short: "{{ code }} es su código de Pavise para confirmar un cambio de los nombres con los que entra. Si no lo quiere, no haga nada.",
    },
    LetterText {
        subject: "Confirmez une modification des noms avec lesquels vous vous connectez",
        text: "Notre personnel ou l'un de nos programmes a modifié les noms avec lesquels vous vous connectez. Rien ne se passe avant votre confirmation.\n\n\
            Noms d'utilisateur à ajouter : {{ added }}\n\
            Noms à supprimer : {{ removed }}\n\
            Nouvelle adresse principale : {{ primary }}\n\n\
            Connectez-vous et saisissez le code {{ code }} sur la page qui le demande : {{ site }}\n\
            Le code est valable un jour. Si vous ne voulez pas de cette modification, ne faites rien : elle expire après sept jours.\n",
        short: "{{ code }} est votre code Pavise pour confirmer une modification des noms avec lesquels vous vous connectez. Si vous n'en voulez pas, ne faites rien.",
    },
];
