//! The words of the letters about bills in English, Spanish and French. Subjects and text messages are shown on locked
//! screens, so they have neither a name nor an amount.

use super::texts::{LetterText, LetterTexts};

pub(super) const RENEWAL: LetterTexts = [
    LetterText {
        subject: "Your plan renews in 30 days",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            your plan renews on {{ day }}. We then charge {{ amount }}, plus taxes, to your payment method.\n\n\
            Sign in to see or change it: {{ site }}/app\n",
        short: "Pavise: your plan renews in 30 days. Sign in to see or change it.",
    },
    LetterText {
        subject: "Su plan se renueva en 30 días",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Su plan se renueva el {{ day }}. Ese día cobraremos {{ amount }}, más impuestos, a su método de pago.\n\n\
            Entre para verlo o cambiarlo: {{ site }}/app\n",
        short: "Pavise: su plan se renueva en 30 días. Entre para verlo o cambiarlo.",
    },
    LetterText {
        subject: "Votre forfait se renouvelle dans 30 jours",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Votre forfait se renouvelle le {{ day }}. Nous débiterons alors {{ amount }}, taxes en sus, de votre mode de paiement.\n\n\
            Connectez-vous pour le voir ou le modifier : {{ site }}/app\n",
        short: "Pavise : votre forfait se renouvelle dans 30 jours. Connectez-vous pour le voir ou le modifier.",
    },
];

pub(super) const RECEIPT: LetterTexts = [
    LetterText {
        subject: "Your payment was received",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            we received your payment of {{ amount }} for the invoice {{ number }}. Thank you.\n\n\
            Sign in to see the invoice: {{ site }}/app\n",
        short: "Pavise: your payment was received. Thank you.",
    },
    LetterText {
        subject: "Recibimos su pago",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Recibimos su pago de {{ amount }} por la factura {{ number }}. Gracias.\n\n\
            Entre para ver la factura: {{ site }}/app\n",
        short: "Pavise: recibimos su pago. Gracias.",
    },
    LetterText {
        subject: "Nous avons reçu votre paiement",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Nous avons reçu votre paiement de {{ amount }} pour la facture {{ number }}. Merci.\n\n\
            Connectez-vous pour voir la facture : {{ site }}/app\n",
        short: "Pavise : nous avons reçu votre paiement. Merci.",
    },
];

pub(super) const REFUSED: LetterTexts = [
    LetterText {
        subject: "A payment was refused",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            your payment of {{ amount }} was refused. \
            {% if reason == 'INSUFFICIENT_FUNDS' %}There was not enough money on the account.\
            {% elif reason == 'EXPIRED_CARD' %}The card has expired.\
            {% elif reason == 'STOLEN_CARD' %}The card was reported lost or stolen.\
            {% elif reason == 'CLOSED_ACCOUNT' %}The account is closed.\
            {% elif reason == 'NO_METHOD' %}No payment method could be charged.\
            {% else %}The bank gave no reason.{% endif %}\n\n\
            We try again on {{ next }}. To pay now, or with another card, sign in: {{ site }}/app\n",
        short: "Pavise: a payment was refused. Sign in to pay now, or with another card.",
    },
    LetterText {
        subject: "Se rechazó un pago",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Se rechazó su pago de {{ amount }}. \
            {% if reason == 'INSUFFICIENT_FUNDS' %}No había fondos suficientes en la cuenta.\
            {% elif reason == 'EXPIRED_CARD' %}La tarjeta ha caducado.\
            {% elif reason == 'STOLEN_CARD' %}La tarjeta consta como perdida o robada.\
            {% elif reason == 'CLOSED_ACCOUNT' %}La cuenta está cerrada.\
            {% elif reason == 'NO_METHOD' %}No había ningún método de pago que se pudiera cobrar.\
            {% else %}El banco no indicó el motivo.{% endif %}\n\n\
            Lo intentaremos de nuevo el {{ next }}. Para pagar ahora, o con otra tarjeta, entre: {{ site }}/app\n",
        short: "Pavise: se rechazó un pago. Entre para pagar ahora, o con otra tarjeta.",
    },
    LetterText {
        subject: "Un paiement a été refusé",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Votre paiement de {{ amount }} a été refusé. \
            {% if reason == 'INSUFFICIENT_FUNDS' %}Le solde du compte était insuffisant.\
            {% elif reason == 'EXPIRED_CARD' %}La carte a expiré.\
            {% elif reason == 'STOLEN_CARD' %}La carte a été déclarée perdue ou volée.\
            {% elif reason == 'CLOSED_ACCOUNT' %}Le compte est fermé.\
            {% elif reason == 'NO_METHOD' %}Aucun mode de paiement ne pouvait être débité.\
            {% else %}La banque n'a pas donné de raison.{% endif %}\n\n\
            Nous réessaierons le {{ next }}. Pour payer maintenant, ou avec une autre carte, connectez-vous : {{ site }}/app\n",
        short: "Pavise : un paiement a été refusé. Connectez-vous pour payer maintenant, ou avec une autre carte.",
    },
];

pub(super) const SUSPENDED: LetterTexts = [
    LetterText {
        subject: "Your plan is suspended",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            your plan ({{ plan }}) is suspended, because it is not paid. Once it is paid you can use it again at once.\n\n\
            Please pay before {{ day }}: {{ site }}/app\n",
        short: "Pavise: your plan is suspended, because it is not paid. Sign in to pay.",
    },
    LetterText {
        subject: "Su plan está suspendido",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Su plan ({{ plan }}) está suspendido porque no se ha pagado. En cuanto se pague, podrá usarlo de nuevo.\n\n\
            Pague antes del {{ day }}, por favor: {{ site }}/app\n",
        short: "Pavise: su plan está suspendido porque no se ha pagado. Entre para pagar.",
    },
    LetterText {
        subject: "Votre forfait est suspendu",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Votre forfait ({{ plan }}) est suspendu, car il n'est pas payé. Dès qu'il sera payé, vous pourrez l'utiliser de nouveau.\n\n\
            Veuillez payer avant le {{ day }} : {{ site }}/app\n",
        short: "Pavise : votre forfait est suspendu, car il n'est pas payé. Connectez-vous pour payer.",
    },
];

pub(super) const LAST_WARNING: LetterTexts = [
    LetterText {
        subject: "Your plan is about to be cancelled",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            your plan ({{ plan }}) is still not paid. On {{ day }} it is cancelled, and you are no longer covered.\n\n\
            This is the last reminder. Pay to keep it: {{ site }}/app\n",
        short: "Pavise: your plan is about to be cancelled, because it is not paid. Sign in to keep it.",
    },
    LetterText {
        subject: "Su plan está a punto de cancelarse",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Su plan ({{ plan }}) sigue sin pagarse. El {{ day }} se cancelará y dejará de estar cubierto.\n\n\
            Este es el último aviso. Pague para conservarlo: {{ site }}/app\n",
        short: "Pavise: su plan está a punto de cancelarse porque no se ha pagado. Entre para conservarlo.",
    },
    LetterText {
        subject: "Votre forfait est sur le point d'être annulé",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Votre forfait ({{ plan }}) n'est toujours pas payé. Le {{ day }}, il sera annulé et vous ne serez plus couvert.\n\n\
            Ceci est le dernier rappel. Payez pour le conserver : {{ site }}/app\n",
        short: "Pavise : votre forfait est sur le point d'être annulé, car il n'est pas payé. Connectez-vous pour le conserver.",
    },
];

pub(super) const CARD_EXPIRING: LetterTexts = [
    LetterText {
        subject: "Your card expires soon",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            your card that ends in {{ card }} can be used until {{ day }}.\n\n\
            To keep your plan paid, enter a new one: {{ site }}/app\n",
        short: "Pavise: your card expires soon. Sign in to enter a new one.",
    },
    LetterText {
        subject: "Su tarjeta caduca pronto",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Su tarjeta que termina en {{ card }} se puede usar hasta el {{ day }}.\n\n\
            Para que su plan siga pagado, indique una nueva: {{ site }}/app\n",
        short: "Pavise: su tarjeta caduca pronto. Entre para indicar una nueva.",
    },
    LetterText {
        subject: "Votre carte expire bientôt",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Votre carte qui se termine par {{ card }} est valable jusqu'au {{ day }}.\n\n\
            Pour que votre forfait reste payé, indiquez-en une nouvelle : {{ site }}/app\n",
        short: "Pavise : votre carte expire bientôt. Connectez-vous pour en indiquer une nouvelle.",
    },
];

pub(super) const REFUNDED: LetterTexts = [
    LetterText {
        subject: "A refund is on its way",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            we refunded {{ amount }} of the invoice {{ number }}. The money goes back to where it came from.\n\n\
            Sign in to see the invoice: {{ site }}/app\n",
        short: "Pavise: a refund is on its way to you.",
    },
    LetterText {
        subject: "Un reembolso está en camino",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Reembolsamos {{ amount }} de la factura {{ number }}. El dinero vuelve al lugar de donde vino.\n\n\
            Entre para ver la factura: {{ site }}/app\n",
        short: "Pavise: un reembolso está en camino.",
    },
    LetterText {
        subject: "Un remboursement est en route",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Nous avons remboursé {{ amount }} de la facture {{ number }}. L'argent retourne d'où il est venu.\n\n\
            Connectez-vous pour voir la facture : {{ site }}/app\n",
        short: "Pavise : un remboursement est en route.",
    },
];

pub(super) const REFUND_FAILED: LetterTexts = [
    LetterText {
        subject: "Your bank did not take a refund",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            we refunded {{ amount }} to you, and your bank sent the money back. It is a credit now, and lowers your next bills.\n\n\
            Sign in to see it: {{ site }}/app\n\n\
            If you want the money instead, tell the member service.\n",
        short: "Pavise: your bank did not take a refund. It is a credit for your next bills now.",
    },
    LetterText {
        subject: "Su banco no aceptó un reembolso",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Le reembolsamos {{ amount }} y su banco devolvió el dinero. Ahora es un crédito que reduce sus próximas facturas.\n\n\
            Entre para verlo: {{ site }}/app\n\n\
            Si prefiere el dinero, avise al servicio para miembros.\n",
        short: "Pavise: su banco no aceptó un reembolso. Ahora es un crédito para sus próximas facturas.",
    },
    LetterText {
        subject: "Votre banque n'a pas accepté un remboursement",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Nous vous avons remboursé {{ amount }}, et votre banque a renvoyé l'argent. C'est maintenant un crédit, qui réduit vos prochaines factures.\n\n\
            Connectez-vous pour le voir : {{ site }}/app\n\n\
            Si vous préférez l'argent, dites-le au service aux membres.\n",
        short: "Pavise : votre banque n'a pas accepté un remboursement. C'est un crédit pour vos prochaines factures.",
    },
];

pub(super) const INVOICE: LetterTexts = [
    LetterText {
        subject: "Your invoice {{ number }}",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            your invoice {{ number }} over {{ amount }} is to be paid until {{ day }}.\n\n\
            Sign in to read it and to save it as a PDF: {{ site }}/app\n",
        short: "Pavise: you have a new invoice. Sign in to read it.",
    },
    LetterText {
        subject: "Su factura {{ number }}",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Su factura {{ number }} por {{ amount }} se debe pagar hasta el {{ day }}.\n\n\
            Entre para leerla y guardarla como PDF: {{ site }}/app\n",
        short: "Pavise: tiene una factura nueva. Entre para leerla.",
    },
    LetterText {
        subject: "Votre facture {{ number }}",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Votre facture {{ number }} de {{ amount }} est à payer jusqu'au {{ day }}.\n\n\
            Connectez-vous pour la lire et l'enregistrer en PDF : {{ site }}/app\n",
        short: "Pavise : vous avez une nouvelle facture. Connectez-vous pour la lire.",
    },
];

pub(super) const REPRICING: LetterTexts = [
    LetterText {
        subject: "The price of your plan changes",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            the price of your plan {{ plan }} changes from {{ old_price }} to {{ price }}, plus taxes.\n\n\
            Your first bill on {{ day }} or later has the new price. Until then nothing changes.\n\n\
            Sign in to see or change your plan: {{ site }}/app\n",
        short: "Pavise: the price of your plan changes. Sign in to see it.",
    },
    LetterText {
        subject: "Cambia el precio de su plan",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            El precio de su plan {{ plan }} cambia de {{ old_price }} a {{ price }}, más impuestos.\n\n\
            Su primera factura a partir del {{ day }} tendrá el precio nuevo. Hasta entonces no cambia nada.\n\n\
            Entre para ver o cambiar su plan: {{ site }}/app\n",
        short: "Pavise: cambia el precio de su plan. Entre para verlo.",
    },
    LetterText {
        subject: "Le prix de votre forfait change",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Le prix de votre forfait {{ plan }} passe de {{ old_price }} à {{ price }}, taxes en sus.\n\n\
            Votre première facture à partir du {{ day }} aura le nouveau prix. D'ici là, rien ne change.\n\n\
            Connectez-vous pour voir ou modifier votre forfait : {{ site }}/app\n",
        short: "Pavise : le prix de votre forfait change. Connectez-vous pour le voir.",
    },
];

pub(super) const CHANGED: LetterTexts = [
    LetterText {
        subject: "Your plan was changed",
        text: "Hello{% if name %} {{ name }}{% endif %},\n\n\
            your plan is {{ plan }} from {{ day }} on. Each bill is {{ amount }}, plus taxes.\n\n\
            Sign in to see it: {{ site }}/app\n",
        short: "Pavise: your plan was changed. Sign in to see it.",
    },
    LetterText {
        subject: "Su plan cambió",
        text: "Hola{% if name %} {{ name }}{% endif %}:\n\n\
            Su plan es {{ plan }} a partir del {{ day }}. Cada factura es de {{ amount }}, más impuestos.\n\n\
            Entre para verlo: {{ site }}/app\n",
        short: "Pavise: su plan cambió. Entre para verlo.",
    },
    LetterText {
        subject: "Votre forfait a changé",
        text: "Bonjour{% if name %} {{ name }}{% endif %},\n\n\
            Votre forfait est {{ plan }} à partir du {{ day }}. Chaque facture est de {{ amount }}, taxes en sus.\n\n\
            Connectez-vous pour le voir : {{ site }}/app\n",
        short: "Pavise : votre forfait a changé. Connectez-vous pour le voir.",
    },
];
