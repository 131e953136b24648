//! The letters to an invitee, and their rate limit.

use std::collections::BTreeMap;
use std::time::Duration;

use pavise_kernel::common::v1::Locale;
use pavise_kernel::time::{Micros, to_micros, to_timestamp};
use pavise_kernel::{Aggregate as _, Call, Error, Result, Unit};

use super::code;
use crate::contract::v1::{ErrorReason, Identity, Invitation, InvitationNotice};
use crate::invitations::Invitations;
use crate::shared::notices::{Channel, Letter, Template};

/// The pause between two letters of one invitation, and how many are sent at that pace.
const PAUSE: Duration = Duration::from_secs(60);
const LETTERS_AN_HOUR: i32 = 5;
/// The pause after them.
const LONG_PAUSE: Duration = Duration::from_secs(24 * 3600);

/// Adds a letter with a new code to a commit. The former code is void, and the lifetime starts again.
pub(crate) fn send_letter(
    service: &Invitations,
    call: &Call,
    unit: &mut Unit<'_>,
    invitation: &mut Invitation,
    inviter: &Identity,
) -> Result<()> {
    let code = code::new_code(call.kernel().ids());
    let invitee = invitation.invitee.clone().unwrap_or_default();
    let values = [("inviter", inviter.signature()), ("path", format!("/app/invitations/{}", invitation.id))];
    let letter = Letter {
        owner_id: invitation.owner_id.clone(),
        channel: Channel::Email,
        address: invitee.email,
        template: Template::Invitation,
        locale: language(invitee.locale).to_owned(),
        values: BTreeMap::from(values.map(|(name, value)| (name.to_owned(), value))),
        code: Some(code.clone()),
    };
    service.notices.enqueue_in::<InvitationNotice>(call, unit, letter)?;
    invitation.code_digest = Some(code::digest_code(&code));
    invitation.sent_count = invitation.sent_count.saturating_add(1);
    invitation.last_sent_at = Some(call.timestamp());
    let lifetime = Micros::try_from(service.config.invitation_lifetime.as_micros()).unwrap_or(Micros::MAX);
    invitation.expires_at = Some(to_timestamp(call.now().saturating_add(lifetime)));
    Ok(())
}

/// Refuses a letter too soon after the last one: nobody's mailbox is flooded.
///
/// # Errors
/// `INVITATION_SENT_TOO_SOON`.
pub(crate) fn check_rate_limit(invitation: &Invitation, now: Micros) -> Result<()> {
    let pause = if invitation.sent_count < LETTERS_AN_HOUR { PAUSE } else { LONG_PAUSE };
    let pause = Micros::try_from(pause.as_micros()).unwrap_or(Micros::MAX);
    let next = invitation.last_sent_at.as_ref().map_or(now, |last| to_micros(last).saturating_add(pause));
    if now >= next {
        return Ok(());
    }
    let seconds = u64::try_from((next - now) / 1_000_000 + 1).unwrap_or(1);
    let message = format!("it was sent a short while ago; it can be sent again in {seconds} s");
    Err(Error::new(ErrorReason::InvitationSentTooSoon, message).retry_after(Duration::from_secs(seconds)))
}

/// The identity whose name is in the letter. An identity that was deleted since invites nobody.
pub(crate) async fn load_inviter(call: &Call, id: &str) -> Result<Identity> {
    call.find_unscoped(id).await?.ok_or_else(|| Error::not_found(Identity::TABLE.noun, id))
}

fn language(locale: i32) -> &'static str {
    match Locale::try_from(locale).unwrap_or_default() {
        Locale::Unspecified | Locale::EnUs => "en-US",
        Locale::EsUs => "es-US",
        Locale::EnCa => "en-CA",
        Locale::FrCa => "fr-CA",
    }
}

impl Identity {
    /// The inviter's name in a letter: a sign-in name, because no other is known here.
    fn signature(&self) -> String {
        let primary = self.emails.iter().find(|email| email.primary).map(|email| email.address.clone());
        primary.or_else(|| self.usernames.first().cloned()).unwrap_or_else(|| "Pavise".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_letters_go_out_a_minute_apart_and_the_rest_a_day() {
        let sent =
            |count| Invitation { sent_count: count, last_sent_at: Some(to_timestamp(0)), ..Invitation::default() };
        for (count, pause) in [(1, 60_000_000), (4, 60_000_000), (5, 86_400_000_000), (50, 86_400_000_000)] {
            let refusal = check_rate_limit(&sent(count), pause - 1).unwrap_err();
            assert!(refusal.is(ErrorReason::InvitationSentTooSoon), "{refusal}");
            check_rate_limit(&sent(count), pause).unwrap();
        }
        assert!(check_rate_limit(&sent(1), 0).unwrap_err().message().ends_with("in 61 s"));
    }
}
