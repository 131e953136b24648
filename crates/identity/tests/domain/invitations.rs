//! Invitations by mail, which any identity can accept.

use std::time::Duration;

use pavise_identity::contract::INVITATION_TABLE;
use pavise_identity::contract::v1::invitation_service_client::InvitationServiceClient;
use pavise_identity::contract::v1::tie_service_client::TieServiceClient;
use pavise_identity::contract::v1::*;
use pavise_kernel::Error;
use pavise_kernel::common::v1::{CheckTieRequest, Locale, RelationType};
use pavise_kernel::peers::Transport;
use pavise_kernel::store::Filter;
use tonic::{Request, Response, Status};

use crate::scene::{PASSWORD, Scene, refusal_reason, request_by, scene, scenes, sign_up, with};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// A member who is signed in.
struct Member<'a> {
    scene: &'a Scene,
    id: String,
    token: String,
}

impl Member<'_> {
    fn says<M>(&self, message: M) -> Request<M> {
        request_by(&self.token, message)
    }

    async fn invites(&self, email: &str) -> Result<Response<Invitation>, Status> {
        service(self.scene).create_invitation(self.says(invitation(&self.id, email))).await
    }

    async fn accepts(&self, invitation: &Invitation, code: &str) -> Result<Response<Invitation>, Status> {
        let request =
            AcceptInvitationRequest { invitation_id: invitation.id.clone(), code: code.to_owned(), birth_date: None };
        service(self.scene).accept_invitation(self.says(request)).await
    }

    async fn resends(&self, invitation: &Invitation) -> Result<Response<Invitation>, Status> {
        let request = ResendInvitationRequest { invitation_id: invitation.id.clone() };
        service(self.scene).resend_invitation(self.says(request)).await
    }
}

fn service(scene: &Scene) -> InvitationServiceClient<Transport> {
    InvitationServiceClient::new(scene.transport())
}

async fn member<'a>(scene: &'a Scene, email: &str) -> Member<'a> {
    let id = scene.member(email).await.id;
    let token = scene.sign_in(email, PASSWORD).await.unwrap().access_token;
    Member { scene, id, token }
}

fn invitee(email: &str) -> Invitee {
    let relation_type = RelationType::Spouse.into();
    Invitee { name: "Grace".into(), email: email.to_owned(), locale: Locale::EsUs.into(), relation_type }
}

fn invitation(inviter: &str, email: &str) -> CreateInvitationRequest {
    CreateInvitationRequest {
        identity_id: inviter.to_owned(),
        invitee: Some(invitee(email)),
        resource_type: ResourceType::Relation.into(),
        resource_id: "the family".into(),
    }
}

/// Delivers the letters that wait: address and code of each.
async fn letters(scene: &Scene) -> Vec<(String, String)> {
    assert_eq!(scene.handle_all("identity.deliver_invitation_notices").await, 0);
    let delivered = std::mem::take(&mut *scene.post.delivered.lock().unwrap());
    delivered.into_iter().map(|letter| (letter.address, code_in(&letter.text))).collect()
}

async fn journal(scene: &Scene) -> Vec<pavise_kernel::common::v1::JournalEntry> {
    scene.read_journal("/pavise.identity.v1.InvitationService/ReadJournal").await
}

fn code_in(text: &str) -> String {
    text.split_whitespace().find(|word| word.len() == 32 && word.matches('-').count() == 6).unwrap().to_owned()
}

async fn look_up(scene: &Scene, code: &str) -> Result<Response<InvitationSummary>, Status> {
    let request = GetInvitationByVerificationCodeRequest { code: code.to_owned() };
    service(scene).get_invitation_by_verification_code(Request::new(request)).await
}

#[tokio::test]
async fn an_invitation_is_sent_looked_up_and_accepted_once() {
    for scene in scenes().await {
        let (ada, bob, eve) = (
            member(&scene, "ada@x.example").await,
            member(&scene, "bob@x.example").await,
            member(&scene, "eve@x.example").await,
        );
        let sent = ada.invites("Grace@x.example").await.unwrap().into_inner();
        assert_eq!(
            (sent.status(), sent.owner_id.as_str(), sent.sent_count),
            (InvitationStatus::Pending, ada.id.as_str(), 1)
        );
        assert_eq!(
            (sent.code_digest.as_deref(), sent.pending_digest.as_deref()),
            (None, None),
            "what is kept of codes stays here"
        );
        let rows = scene.store().list(&INVITATION_TABLE, &Filter { limit: 9, ..Filter::default() }).await.unwrap();
        let (address, code) = letters(&scene).await.remove(0);
        assert_eq!(address, "Grace@x.example");
        assert!(!rows[0].doc.contains(&code) && rows[0].doc.contains("codeDigest"), "{}", rows[0].doc);

        let told = look_up(&scene, &code.to_lowercase().replace('-', "")).await.unwrap().into_inner();
        assert_eq!((told.invitation_id.as_str(), told.masked_email.as_str()), (sent.id.as_str(), "G…@x.example"));
        assert_eq!(told.relation_type(), RelationType::Spouse);

        assert_eq!(refusal_reason(ada.accepts(&sent, &code).await), "OWN_INVITATION");
        assert_eq!(
            refusal_reason(eve.accepts(&sent, "0000-0000-0000-0000-0000-0000-00").await),
            "INVITATION_CODE_WRONG"
        );
        let accepted = bob.accepts(&sent, &code).await.unwrap().into_inner();
        assert_eq!(
            (accepted.status(), accepted.accepted_by_id.as_str()),
            (InvitationStatus::Accepted, bob.id.as_str())
        );
        assert_eq!(
            accepted.invitee.as_ref().map(Invitee::relation_type),
            Some(RelationType::Spouse),
            "as what he is added"
        );
        assert_eq!(bob.accepts(&sent, &code).await.unwrap().into_inner(), accepted, "a repeat changes nothing");
        assert_eq!(refusal_reason(eve.accepts(&sent, &code).await), "INVITATION_CODE_WRONG");
        assert_eq!(refusal_reason(look_up(&scene, &code).await), "INVITATION_CODE_WRONG");
        assert_eq!(refusal_reason(ada.resends(&sent).await), "STATUS_NOT_ALLOWED");

        let list = |side: IdentityType, id: &str| ListInvitationsRequest {
            identity_id: id.to_owned(),
            identity_type: side.into(),
            ..Default::default()
        };
        let mine = service(&scene)
            .list_invitations(bob.says(list(IdentityType::Invitee, &bob.id)))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(mine.invitations, vec![accepted.clone()]);
        let hers =
            service(&scene).list_invitations(ada.says(list(IdentityType::Owner, &ada.id))).await.unwrap().into_inner();
        assert_eq!(hers.invitations, [accepted]);
        assert_eq!(
            refusal_reason(service(&scene).list_invitations(eve.says(list(IdentityType::Invitee, &bob.id))).await),
            "NOT_THE_OWNER"
        );
    }
}

#[tokio::test]
async fn another_letter_has_another_code_and_voids_the_first() {
    for scene in scenes().await {
        let (ada, bob) = (member(&scene, "ada@x.example").await, member(&scene, "bob@x.example").await);
        let sent = ada.invites("grace@x.example").await.unwrap().into_inner();
        let first = letters(&scene).await.remove(0).1;
        assert_eq!(refusal_reason(ada.resends(&sent).await), "INVITATION_SENT_TOO_SOON");
        scene.clock.move_forward(MINUTE);
        assert_eq!(refusal_reason(bob.resends(&sent).await), "NOT_FOUND", "what is somebody else's does not exist");
        assert_eq!(ada.resends(&sent).await.unwrap().into_inner().sent_count, 2);
        let second = letters(&scene).await.remove(0).1;
        assert_ne!(first, second);
        assert_eq!(refusal_reason(look_up(&scene, &first).await), "INVITATION_CODE_WRONG");
        look_up(&scene, &second).await.unwrap();

        scene.clock.move_forward(DAY * 30);
        assert_eq!(
            refusal_reason(look_up(&scene, &second).await),
            "INVITATION_CODE_WRONG",
            "wrong and expired are answered alike"
        );
        assert_eq!(refusal_reason(look_up(&scene, "nonsense").await), "INVITATION_CODE_WRONG");
        let bob = Member { token: scene.sign_in("bob@x.example", PASSWORD).await.unwrap().access_token, ..bob };
        assert_eq!(refusal_reason(bob.accepts(&sent, &second).await), "INVITATION_CODE_WRONG");
        let ada = Member { token: scene.sign_in("ada@x.example", PASSWORD).await.unwrap().access_token, ..ada };
        ada.resends(&sent).await.unwrap();
        let third = letters(&scene).await.remove(0).1;
        bob.accepts(&sent, &third).await.unwrap();
    }
}

#[tokio::test]
async fn another_address_gets_a_letter_of_its_own() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@x.example").await;
        let sent = ada.invites("grece@x.example").await.unwrap().into_inner();
        let first = letters(&scene).await.remove(0).1;
        let update = |invitee: Invitee| UpdateInviteeRequest { invitation_id: sent.id.clone(), invitee: Some(invitee) };
        let named = Invitee { name: "Dr. Grace".into(), ..invitee("grece@x.example") };
        let renamed = service(&scene).update_invitee(ada.says(update(named))).await.unwrap().into_inner();
        assert_eq!((renamed.version, renamed.sent_count), (2, 1));
        assert!(letters(&scene).await.is_empty(), "another name needs no letter");
        look_up(&scene, &first).await.unwrap();

        scene.clock.move_forward(MINUTE);
        let moved =
            service(&scene).update_invitee(ada.says(update(invitee("grace@x.example")))).await.unwrap().into_inner();
        assert_eq!(moved.sent_count, 2);
        let (address, second) = letters(&scene).await.remove(0);
        assert_eq!(address, "grace@x.example");
        assert_eq!(refusal_reason(look_up(&scene, &first).await), "INVITATION_CODE_WRONG");
        look_up(&scene, &second).await.unwrap();

        let by = |email: &str| ListInvitationsByInviteeRequest { email: email.to_owned(), ..Default::default() };
        let ask = scene.program(by("GRACE@x.example"), &["identity.invitations.read"]);
        assert_eq!(service(&scene).list_invitations_by_invitee(ask).await.unwrap().into_inner().invitations, [moved]);
        let ask = scene.program(by("grece@x.example"), &["identity.invitations.read"]);
        assert!(service(&scene).list_invitations_by_invitee(ask).await.unwrap().into_inner().invitations.is_empty());
        assert_eq!(
            refusal_reason(service(&scene).list_invitations_by_invitee(ada.says(by("grace@x.example"))).await),
            "REALM_NOT_ALLOWED"
        );
    }
}

#[tokio::test]
async fn all_pending_ones_are_sent_again_as_far_as_each_may_be() {
    for scene in scenes().await {
        let (ada, bob) = (member(&scene, "ada@x.example").await, member(&scene, "bob@x.example").await);
        let old = ada.invites("old@x.example").await.unwrap().into_inner();
        let taken = ada.invites("taken@x.example").await.unwrap().into_inner();
        let code = letters(&scene).await.into_iter().find(|(to, _)| to == "taken@x.example").unwrap().1;
        bob.accepts(&taken, &code).await.unwrap();
        scene.clock.move_forward(MINUTE);
        let fresh = ada.invites("fresh@x.example").await.unwrap().into_inner();
        letters(&scene).await;
        let request = ResendAllInvitationsRequest { identity_id: ada.id.clone(), ..Default::default() };
        let answer = service(&scene).resend_all_invitations(ada.says(request.clone())).await.unwrap().into_inner();
        let outcomes: Vec<_> =
            answer.results.iter().map(|one| (one.invitation_id.as_str(), one.resent, one.reason.as_str())).collect();
        assert_eq!(outcomes, [(fresh.id.as_str(), false, "INVITATION_SENT_TOO_SOON"), (old.id.as_str(), true, "")]);
        assert!(!answer.more);
        assert_eq!(letters(&scene).await.iter().map(|(to, _)| to.as_str()).collect::<Vec<_>>(), ["old@x.example"]);
        let other = ResendAllInvitationsRequest { resource_type: ResourceType::Order.into(), ..request };
        assert!(service(&scene).resend_all_invitations(ada.says(other)).await.unwrap().into_inner().results.is_empty());
    }
}

#[tokio::test]
async fn second_invitation_is_refused_and_a_withdrawn_code_is_void() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@x.example").await;
        let sent = ada.invites("grace@x.example").await.unwrap().into_inner();
        let refusal = Error::from(ada.invites("GRACE@x.example").await.unwrap_err());
        assert_eq!((refusal.reason(), refusal.message().contains("already")), ("ALREADY_EXISTS", true), "{refusal}");
        let code = letters(&scene).await.remove(0).1;
        let withdraw = DeleteInvitationRequest { invitation_id: sent.id.clone() };
        service(&scene).delete_invitation(ada.says(withdraw)).await.unwrap();
        assert_eq!(refusal_reason(look_up(&scene, &code).await), "INVITATION_CODE_WRONG");
        ada.invites("grace@x.example").await.unwrap();
        let actions: Vec<_> = journal(&scene)
            .await
            .into_iter()
            .filter(|entry| entry.entity_id == sent.id)
            .map(|entry| entry.action)
            .collect();
        assert_eq!(actions, ["CREATED", "DELETED"]);
    }
}

#[tokio::test]
async fn guessing_codes_is_slowed_down_and_nothing_is_sent_of_what_was_only_asked() {
    let scene = scene().await;
    let ada = member(&scene, "ada@x.example").await;
    let ask = with(ada.says(invitation(&ada.id, "grace@x.example")), "pavise-validate-only", "true");
    service(&scene).create_invitation(ask).await.unwrap();
    assert!(letters(&scene).await.is_empty());

    let guess = |n: u32| {
        let request = Request::new(GetInvitationByVerificationCodeRequest { code: n.to_string() });
        let mut client = service(&scene);
        async move {
            refusal_reason(
                client.get_invitation_by_verification_code(with(request, "x-forwarded-for", "203.0.113.9")).await,
            )
        }
    };
    for n in 0..51 {
        assert_eq!(guess(n).await, "INVITATION_CODE_WRONG");
    }
    assert_eq!(guess(51).await, "SIGN_IN_THROTTLED");

    let sent = ada.invites("grace@x.example").await.unwrap().into_inner();
    let bob = member(&scene, "bob@x.example").await;
    for _ in 0..6 {
        assert_eq!(refusal_reason(bob.accepts(&sent, "nonsense").await), "INVITATION_CODE_WRONG");
    }
    assert_eq!(refusal_reason(bob.accepts(&sent, "nonsense").await), "SIGN_IN_THROTTLED");
}

/// The last place among a member's pending invitations is given once, however many calls want it at once.
#[tokio::test]
async fn a_member_has_a_hundred_pending_invitations_at_most_on_both_engines() {
    for scene in &scenes().await {
        let ann = &member(scene, "ann@example.com").await;
        for number in 0..99 {
            ann.invites(&format!("guest-{number}@example.com")).await.unwrap();
        }
        let last = (0..6).map(|number| async move { ann.invites(&format!("last-{number}@example.com")).await });
        let answers = futures::future::join_all(last).await;
        let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        assert_eq!(made.len(), 1);
        for refusal in refused {
            // A caller who lost too often is told to try again.
            let reason = refusal_reason(refusal);
            assert!(["TOO_MANY_INVITATIONS", "CONTENTION"].contains(&reason.as_str()), "{reason}");
        }
        assert_eq!(refusal_reason(ann.invites("one-more@example.com").await), "TOO_MANY_INVITATIONS");
    }
}

/// Only an administrator invites into a group, and only into their own.
#[tokio::test]
async fn accepted_group_invitation_makes_a_tie() {
    for scene in scenes().await {
        let (ada, bob) = (member(&scene, "ada@x.example").await, member(&scene, "bob@x.example").await);
        let claims = CreateInvitationRequest {
            resource_type: ResourceType::Group.into(),
            resource_id: "acme".into(),
            ..invitation(&ada.id, "grace@x.example")
        };
        let refused = Error::from(service(&scene).create_invitation(ada.says(claims)).await.unwrap_err());
        assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), ("INVALID_FIELD", "resource_type"));

        let (boss, admin) = administrator(&scene, "boss@x.example", "acme").await;
        let (_, rival) = administrator(&scene, "rival@x.example", "globex").await;
        let invite = |group: &str| CreateGroupInvitationRequest {
            group_id: group.into(),
            identity_id: boss.clone(),
            invitee: Some(invitee("grace@x.example")),
        };
        assert_eq!(
            refusal_reason(service(&scene).create_group_invitation(request_by(&admin, invite("globex"))).await),
            "NOT_THE_OWNER"
        );
        assert_eq!(
            refusal_reason(service(&scene).create_group_invitation(request_by(&rival, invite("globex"))).await),
            "NOT_THE_OWNER"
        );
        let sent =
            service(&scene).create_group_invitation(request_by(&admin, invite("acme"))).await.unwrap().into_inner();
        assert_eq!((sent.resource_type(), sent.resource_id.as_str()), (ResourceType::Group, "acme"));
        assert_eq!(
            refusal_reason(service(&scene).create_group_invitation(request_by(&admin, invite("acme"))).await),
            "ALREADY_EXISTS"
        );
        let get = || GetInvitationRequest { invitation_id: sent.id.clone() };
        assert_eq!(service(&scene).get_invitation(request_by(&admin, get())).await.unwrap().into_inner(), sent);
        assert_eq!(refusal_reason(service(&scene).get_invitation(request_by(&rival, get())).await), "NOT_FOUND");
        let list = |group: &str| ListGroupInvitationsRequest { group_id: group.into(), ..Default::default() };
        let listed =
            service(&scene).list_group_invitations(request_by(&admin, list("acme"))).await.unwrap().into_inner();
        assert_eq!(listed.invitations, std::slice::from_ref(&sent));
        assert_eq!(
            refusal_reason(service(&scene).list_group_invitations(request_by(&rival, list("acme"))).await),
            "NOT_THE_OWNER"
        );

        let tied = async |identity: &str, group: &str| {
            let request =
                CheckTieRequest { kind: "GROUP".into(), scope_id: group.into(), identity_id: identity.into() };
            let ask = scene.program(request, &["identity.identity_ties.read"]);
            let answer = TieServiceClient::new(scene.transport()).check_tie(ask).await.unwrap().into_inner();
            (answer.exists, answer.tied)
        };
        assert_eq!(tied(&bob.id, "acme").await, (true, false));
        let code = letters(&scene).await.remove(0).1;
        bob.accepts(&sent, &code).await.unwrap();
        assert_eq!(tied(&bob.id, "acme").await, (true, true));
        assert_eq!(tied(&bob.id, "globex").await, (true, false));
        assert_eq!(tied(&boss, "acme").await, (true, true), "an administrator belongs to the group");
        assert_eq!(tied(&ada.id, "acme").await, (true, false));
        assert_eq!(tied("nobody", "acme").await, (false, false));
    }
}

/// An administrator of a group, with their token.
async fn administrator(scene: &Scene, email: &str, group: &str) -> (String, String) {
    let request = CreateIdentityRequest {
        realm: IdentityRealm::GroupAdmin.into(),
        group_ids: vec![group.to_owned()],
        ..sign_up(email)
    };
    let id = scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner().id;
    (id, scene.sign_in(email, PASSWORD).await.unwrap().access_token)
}
