//! The labels of papers.

use crate::language::Language;

/// The labels in one language.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) invoice: &'static str,
    pub(crate) statement: &'static str,
    pub(crate) number: &'static str,
    pub(crate) reference: &'static str,
    pub(crate) issued: &'static str,
    pub(crate) due: &'static str,
    pub(crate) period: &'static str,
    pub(crate) until: &'static str,
    pub(crate) state: &'static str,
    pub(crate) billed_to: &'static str,
    pub(crate) account_of: &'static str,
    pub(crate) items: &'static str,
    pub(crate) description: &'static str,
    pub(crate) amount: &'static str,
    pub(crate) subtotal: &'static str,
    pub(crate) total: &'static str,
    pub(crate) movements: &'static str,
    pub(crate) day: &'static str,
    pub(crate) payment: &'static str,
    pub(crate) refund: &'static str,
    pub(crate) reversal: &'static str,
    pub(crate) charge: &'static str,
    pub(crate) credit: &'static str,
    pub(crate) open_amount: &'static str,
    pub(crate) opening: &'static str,
    pub(crate) closing: &'static str,
    pub(crate) charges: &'static str,
    pub(crate) payments: &'static str,
    pub(crate) credits: &'static str,
    pub(crate) refunds: &'static str,
    pub(crate) reversals: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) entries: &'static str,
    pub(crate) nothing: &'static str,
    pub(crate) balance: &'static str,
    pub(crate) page: &'static str,
    pub(crate) of_pages: &'static str,
    pub(crate) is_open: &'static str,
    pub(crate) is_paid: &'static str,
    pub(crate) is_partly_paid: &'static str,
    pub(crate) is_overdue: &'static str,
    pub(crate) is_forgiven: &'static str,
    pub(crate) is_void: &'static str,
    pub(crate) is_refunded: &'static str,
}

/// The labels of a language.
pub(crate) fn find_words(language: Language) -> &'static Words {
    match language {
        Language::EnUs | Language::EnCa => &ENGLISH,
        Language::EsUs => &SPANISH,
        Language::FrCa => &FRENCH,
    }
}

/// The name of a tax of Canada as the language writes it; any other name stays as it is.
pub(crate) fn translate_tax(name: &str, language: Language) -> String {
    let french = language == Language::FrCa;
    let translate = |word: &str| match (word, french) {
        ("GST", true) => "TPS".to_owned(),
        ("QST", true) => "TVQ".to_owned(),
        ("HST", true) => "TVH".to_owned(),
        ("PST", true) => "TVP".to_owned(),
        ("TPS", false) => "GST".to_owned(),
        ("TVQ", false) => "QST".to_owned(),
        ("TVH", false) => "HST".to_owned(),
        ("TVP", false) => "PST".to_owned(),
        (other, _) => other.to_owned(),
    };
    let words = name.split_inclusive([' ', '/']).map(|piece| {
        let word = piece.trim_end_matches([' ', '/']);
        let end = piece.get(word.len()..).unwrap_or_default();
        translate(word) + end
    });
    words.collect()
}

static ENGLISH: Words = Words {
    invoice: "Invoice",
    statement: "Statement of account",
    number: "Number",
    reference: "Reference",
    issued: "Issued",
    due: "Due",
    period: "Period",
    until: "to",
    state: "Status",
    billed_to: "Billed to",
    account_of: "Account of",
    items: "Items",
    description: "Description",
    amount: "Amount",
    subtotal: "Subtotal",
    total: "Total",
    movements: "Payments and refunds",
    day: "Date",
    payment: "Payment",
    refund: "Refund",
    reversal: "Returned payment",
    charge: "Charge",
    credit: "Credit",
    open_amount: "Amount due",
    opening: "Opening balance",
    closing: "Closing balance",
    charges: "Charges",
    payments: "Payments",
    credits: "Credits",
    refunds: "Refunds",
    reversals: "Returned payments",
    summary: "Summary",
    entries: "Entries",
    nothing: "Nothing was charged or paid in this period.",
    balance: "Balance",
    page: "Page",
    of_pages: "of",
    is_open: "Open",
    is_paid: "Paid",
    is_partly_paid: "Partly paid",
    is_overdue: "Overdue",
    is_forgiven: "Forgiven",
    is_void: "Void",
    is_refunded: "Refunded",
};

static SPANISH: Words = Words {
    invoice: "Factura",
    statement: "Estado de cuenta",
    number: "Número",
    reference: "Referencia",
    issued: "Emitida",
    due: "Vence",
    period: "Período",
    until: "al",
    state: "Estado",
    billed_to: "Facturado a",
    account_of: "Cuenta de",
    items: "Conceptos",
    description: "Descripción",
    amount: "Importe",
    subtotal: "Subtotal",
    total: "Total",
    movements: "Pagos y reembolsos",
    day: "Fecha",
    payment: "Pago",
    refund: "Reembolso",
    reversal: "Pago devuelto",
    charge: "Cargo",
    credit: "Crédito",
    open_amount: "Importe por pagar",
    opening: "Saldo inicial",
    closing: "Saldo final",
    charges: "Cargos",
    payments: "Pagos",
    credits: "Créditos",
    refunds: "Reembolsos",
    reversals: "Pagos devueltos",
    summary: "Resumen",
    entries: "Movimientos",
    nothing: "No hubo cargos ni pagos en este período.",
    balance: "Saldo",
    page: "Página",
    of_pages: "de",
    is_open: "Abierta",
    is_paid: "Pagada",
    is_partly_paid: "Pagada en parte",
    is_overdue: "Vencida",
    is_forgiven: "Condonada",
    is_void: "Anulada",
    is_refunded: "Reembolsada",
};

static FRENCH: Words = Words {
    invoice: "Facture",
    statement: "Relevé de compte",
    number: "Numéro",
    reference: "Référence",
    issued: "Date d’émission",
    due: "Échéance",
    period: "Période",
    until: "au",
    state: "État",
    billed_to: "Facturé à",
    account_of: "Compte de",
    items: "Articles",
    description: "Description",
    amount: "Montant",
    subtotal: "Sous-total",
    total: "Total",
    movements: "Paiements et remboursements",
    day: "Date",
    payment: "Paiement",
    refund: "Remboursement",
    reversal: "Paiement retourné",
    charge: "Frais",
    credit: "Crédit",
    open_amount: "Montant à payer",
    opening: "Solde d’ouverture",
    closing: "Solde de clôture",
    charges: "Frais",
    payments: "Paiements",
    credits: "Crédits",
    refunds: "Remboursements",
    reversals: "Paiements retournés",
    summary: "Sommaire",
    entries: "Opérations",
    nothing: "Aucuns frais ni paiement pendant cette période.",
    balance: "Solde",
    page: "Page",
    of_pages: "de",
    is_open: "À payer",
    is_paid: "Payée",
    is_partly_paid: "Payée en partie",
    is_overdue: "En retard",
    is_forgiven: "Radiée",
    is_void: "Annulée",
    is_refunded: "Remboursée",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taxes_of_canada_have_their_names_in_both_languages() {
        assert_eq!(translate_tax("QC QST", Language::FrCa), "QC TVQ");
        assert_eq!(translate_tax("GST/HST", Language::FrCa), "TPS/TVH");
        assert_eq!(translate_tax("TPS", Language::EnCa), "GST");
        assert_eq!(translate_tax("TX state sales tax", Language::FrCa), "TX state sales tax");
    }
}
