//! The properties of a factor's type.

use crate::contract::v1::{Factor, FactorStatus, FactorType, NoticeChannel, ProofType};

impl FactorType {
    /// The kind of proof that a factor of the type gives.
    pub(crate) fn proof_type(self) -> ProofType {
        match self {
            Self::Unspecified => ProofType::Unspecified,
            Self::Google | Self::Sms | Self::Email => ProofType::Possession,
            Self::Question => ProofType::Knowledge,
            Self::Account => ProofType::Account,
        }
    }

    /// Whether a factor of the type completes a sign-in. A classic number does not: it is printed on letters and cards,
    /// and read out on the telephone. Nor does a security question: others know or find its answer.
    pub(crate) fn completes_sign_in(self) -> bool {
        matches!(self, Self::Google | Self::Sms | Self::Email)
    }

    /// How codes are sent.
    pub(crate) fn channel(self) -> Option<NoticeChannel> {
        match self {
            Self::Sms => Some(NoticeChannel::Sms),
            Self::Email => Some(NoticeChannel::Email),
            Self::Unspecified | Self::Google | Self::Account | Self::Question => None,
        }
    }

    /// The name of a factor of the type, if its owner gives none.
    pub(crate) fn default_name(self) -> &'static str {
        match self {
            Self::Unspecified => "",
            Self::Google => "Authenticator app",
            Self::Sms => "Text message",
            Self::Email => "E-mail",
            Self::Account => "Account number",
            Self::Question => "Security question",
        }
    }

    /// The name of the factor in a session's method.
    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::Unspecified => "",
            Self::Google => "totp",
            Self::Sms => "sms",
            Self::Email => "email",
            Self::Account => "account",
            Self::Question => "question",
        }
    }
}

impl Factor {
    /// Whether it completes a sign-in as it stands.
    pub(crate) fn signs_in(&self) -> bool {
        self.status() == FactorStatus::Active && self.r#type().completes_sign_in()
    }

    /// The masked address of its codes; empty if none are sent.
    pub(crate) fn mask_receiver(&self) -> String {
        let address = self.destination.as_ref().map_or("", |destination| &destination.address);
        match address.split_once('@') {
            Some((local, domain)) => format!("{}•••@{domain}", local.chars().take(1).collect::<String>()),
            None if address.is_empty() => String::new(),
            None => {
                let (kept, hidden) =
                    (address.chars().count().saturating_sub(3), address.chars().count().saturating_sub(5));
                let head: String = address.chars().take(2).collect();
                format!("{head}{}{}", "•".repeat(hidden), address.chars().skip(kept).collect::<String>())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::CodeDestination;

    #[test]
    fn an_address_is_shown_to_who_knows_it_already() {
        let masked = |address: &str| {
            Factor { destination: Some(CodeDestination { address: address.to_owned() }), ..Factor::default() }
                .mask_receiver()
        };
        assert_eq!(masked("+15125550100"), "+1•••••••100");
        assert_eq!(masked("ada@example.com"), "a•••@example.com");
        assert_eq!(masked("a@example.com"), "a•••@example.com");
        assert_eq!(Factor::default().mask_receiver(), "");
    }
}
