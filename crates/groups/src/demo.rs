//! The demonstration's groups, made through their calls: one of each pay type, one in Canada, and one in each status.

mod groups;

use pavise_kernel::Result;
use pavise_kernel::time::{add_days, to_date};
use pavise_kernel::worker::Work;

use self::groups::{DemoGroup, Outcome, list_groups};
use crate::contract::v1::group_service_client::GroupServiceClient;
use crate::contract::v1::{
    ActivateGroupRequest, AddAuthorizedIdentitiesRequest, AddRestrictedPeriodsRequest, CancelGroupRequest,
    CancelReason, GroupOpenEnrollment, GroupStatus, MembersAfterCancel, MigrateAssociatesRequest, MigrateGroupRequest,
    MigrateOffersRequest, UpdateCommissionRequest, UpdateGemLevelRequest, UpdateOpenEnrollmentInfoRequest,
    UpdateParticipationEngagementNoteRequest,
};
use pavise_kernel::peers::PeerChannel;

/// Makes what is not there yet.
pub(crate) async fn load_groups(work: &Work) -> Result<()> {
    for group in list_groups(to_date(work.now())) {
        let loader = Loader { work, group_id: group.id.to_owned() };
        loader.load(group).await?;
    }
    Ok(())
}

/// The calls that make one group.
struct Loader<'w> {
    work: &'w Work,
    group_id: String,
}

impl Loader<'_> {
    fn client(&self) -> GroupServiceClient<PeerChannel> {
        GroupServiceClient::new(self.work.peer_channel("groups"))
    }

    fn request<M>(&self, message: M, step: &str) -> tonic::Request<M> {
        self.work.new_request(message, &format!("{step} {}", self.group_id))
    }

    /// Makes the group with its parts, and leads it to its status. One that was there before stays as it is.
    async fn load(&self, group: DemoGroup) -> Result<()> {
        let migrate = MigrateGroupRequest {
            id: self.group_id.clone(),
            status: GroupStatus::Pending.into(),
            group: Some(group.draft.clone()),
            legacy_number: group.legacy_number.to_owned(),
            ..MigrateGroupRequest::default()
        };
        let made = self.client().migrate_group(self.request(migrate, "make")).await;
        let Some(made) = self.work.skip_refused(made, "make a group")? else { return Ok(()) };
        if made.into_inner().version > 1 {
            return Ok(());
        }
        let offers = MigrateOffersRequest {
            group_id: self.group_id.clone(),
            offer_ids: group.offer_ids.iter().map(|id| (*id).to_owned()).collect(),
        };
        let offers = self.client().migrate_offers(self.request(offers, "offers")).await;
        self.work.skip_refused(offers, "sell offers through a group")?;
        self.load_people(&group).await?;
        self.load_rules(&group).await?;
        self.lead(group.outcome).await
    }

    async fn load_people(&self, group: &DemoGroup) -> Result<()> {
        let associates = MigrateAssociatesRequest { group_id: self.group_id.clone(), associates: group.associates() };
        let associates = self.client().migrate_associates(self.request(associates, "associates")).await;
        self.work.skip_refused(associates, "name the associates of a group")?;
        let authorized_identities = group.people();
        if authorized_identities.is_empty() {
            return Ok(());
        }
        let people = AddAuthorizedIdentitiesRequest { group_id: self.group_id.clone(), authorized_identities };
        let people = self.client().add_authorized_identities(self.request(people, "people")).await;
        self.work.skip_refused(people, "name the people of a group")?;
        Ok(())
    }

    async fn load_rules(&self, group: &DemoGroup) -> Result<()> {
        let group_id = || self.group_id.clone();
        let gem = UpdateGemLevelRequest { group_id: group_id(), gem_level: group.gem_level.into() };
        let gem = self.client().update_gem_level(self.request(gem, "gem")).await;
        self.work.skip_refused(gem, "rank a group")?;
        let commission = UpdateCommissionRequest { group_id: group_id(), commission: Some(group.commission()) };
        let commission = self.client().update_commission(self.request(commission, "commission")).await;
        self.work.skip_refused(commission, "set the commission of a group")?;
        if let Some(period) = group.restricted_period() {
            let periods = AddRestrictedPeriodsRequest { group_id: group_id(), restricted_periods: vec![period] };
            let periods = self.client().add_restricted_periods(self.request(periods, "restricted")).await;
            self.work.skip_refused(periods, "restrict the first days of a group")?;
        }
        if let Some(opens_on) = group.opens_on {
            let (closes_on, effective_on) = (Some(add_days(opens_on, 30)), Some(add_days(opens_on, 61)));
            let window = GroupOpenEnrollment { opens_on: Some(opens_on), closes_on, effective_on };
            let window = UpdateOpenEnrollmentInfoRequest { group_id: group_id(), open_enrollment_info: Some(window) };
            let window = self.client().update_open_enrollment_info(self.request(window, "window")).await;
            self.work.skip_refused(window, "open the enrollment of a group")?;
        }
        if !group.note.is_empty() {
            let note = group.note.to_owned();
            let note =
                UpdateParticipationEngagementNoteRequest { group_id: group_id(), participation_engagement_note: note };
            let note = self.client().update_participation_engagement_note(self.request(note, "note")).await;
            self.work.skip_refused(note, "write a note on a group")?;
        }
        Ok(())
    }

    async fn lead(&self, outcome: Outcome) -> Result<()> {
        if outcome == Outcome::Waits {
            return Ok(());
        }
        let activate = ActivateGroupRequest { group_id: self.group_id.clone() };
        let begun = self.client().activate_group(self.request(activate, "activate")).await;
        self.work.skip_refused(begun, "activate a group")?;
        if outcome == Outcome::GoesOn {
            return Ok(());
        }
        let cancel = CancelGroupRequest {
            group_id: self.group_id.clone(),
            cancel_reason: CancelReason::CompanySoldOrClosed.into(),
            cancelled_on: None,
            members_after_cancel: MembersAfterCancel::MayGoOn.into(),
        };
        let over = self.client().cancel_group(self.request(cancel, "cancel")).await;
        self.work.skip_refused(over, "cancel a group")?;
        Ok(())
    }
}
