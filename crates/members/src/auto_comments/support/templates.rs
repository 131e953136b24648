//! The texts of auto comments, by key and language. Braces hold the places of parameters.

use crate::contract::v1::{AutoCommentKey, AutoCommentSubjectType};

/// A text in each language that the platform speaks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommentTemplate {
    pub(crate) subject: AutoCommentSubjectType,
    pub(crate) english: &'static str,
    pub(crate) spanish: &'static str,
    pub(crate) french: &'static str,
}

/// The texts of a key; none for the key that says nothing.
pub(crate) fn find_template(key: AutoCommentKey) -> Option<CommentTemplate> {
    let plan = |english, spanish, french| {
        Some(CommentTemplate { subject: AutoCommentSubjectType::Entitlement, english, spanish, french })
    };
    let branch = |english, spanish, french| {
        Some(CommentTemplate { subject: AutoCommentSubjectType::Branch, english, spanish, french })
    };
    match key {
        AutoCommentKey::Unspecified => None,
        AutoCommentKey::PlanActivated => {
            plan("{plan} can be used.", "Ya se puede usar {plan}.", "{plan} peut être utilisé.")
        }
        AutoCommentKey::PlanSuspended => plan(
            "{plan} was suspended: {reason}.",
            "Se suspendió {plan}: {reason}.",
            "{plan} a été suspendu : {reason}.",
        ),
        AutoCommentKey::PlanCancelled => plan(
            "{plan} ends on {day}: {reason}.",
            "{plan} termina el {day}: {reason}.",
            "{plan} prend fin le {day} : {reason}.",
        ),
        AutoCommentKey::PlanChanged => plan(
            "{old_plan} was changed to {plan}.",
            "Se cambió {old_plan} por {plan}.",
            "{old_plan} a été remplacé par {plan}.",
        ),
        AutoCommentKey::PlanTakenOver => {
            plan("{plan} came from another member.", "{plan} viene de otro miembro.", "{plan} vient d’un autre membre.")
        }
        AutoCommentKey::PersonAdded => {
            plan("{person} is covered by {plan}.", "{plan} cubre a {person}.", "{person} est couvert par {plan}.")
        }
        AutoCommentKey::PersonRemoved => plan(
            "{person} is no longer covered by {plan}.",
            "{plan} ya no cubre a {person}.",
            "{person} n’est plus couvert par {plan}.",
        ),
        AutoCommentKey::PaymentFailed => plan(
            "The payment for {plan} of {day} failed.",
            "Falló el pago de {plan} del {day}.",
            "Le paiement de {plan} du {day} a échoué.",
        ),
        AutoCommentKey::SetUpFailed => plan(
            "{plan} could not be set up: {reason}.",
            "No se pudo preparar {plan}: {reason}.",
            "{plan} n’a pas pu être mis en service : {reason}.",
        ),
        AutoCommentKey::MembersMerged => plan(
            "{plan} came with the records of another member, who is the same person.",
            "{plan} llegó con los datos de otro miembro, que es la misma persona.",
            "{plan} est arrivé avec le dossier d’un autre membre, qui est la même personne.",
        ),
        AutoCommentKey::BranchAssigned => branch(
            "{branch} works for the member.",
            "{branch} trabaja para el miembro.",
            "{branch} travaille pour le membre.",
        ),
        AutoCommentKey::BranchReleased => branch(
            "{branch} no longer works for the member.",
            "{branch} ya no trabaja para el miembro.",
            "{branch} ne travaille plus pour le membre.",
        ),
    }
}
