// The greatest lengths of texts, for the forms of the member app, which does not load the contract's rules.
// A test compares them with the contract.

/** The greatest number of characters of a field, by message and field name. */
export const LENGTHS = {
  "common.v1.Address.address1": 120,
  "common.v1.Address.address2": 120,
  "common.v1.Address.city": 80,
  "orders.v1.PersonalInfo.first_name": 80,
  "orders.v1.PersonalInfo.last_name": 80,
  "orders.v1.PersonalInfo.phone_number": 24,
  "orders.v1.BusinessInfo.name": 120,
  "orders.v1.AuthorizedUser.first_name": 80,
  "orders.v1.AuthorizedUser.last_name": 80,
  "billing.v1.Card.holder_name": 200,
  "fulfillment.v1.Newcomer.name": 200,
  "identity.v1.Invitee.name": 200,
  "identity.v1.Invitee.email": 254,
  "identity.v1.AddEmailRequest.email": 254,
  "identity.v1.CreateTokenRequest.email": 254,
  "identity.v1.CreateTokenRequest.password": 128,
  "identity.v1.UpdatePasswordRequest.old_password": 128,
  "identity.v1.UpdatePasswordRequest.new_password": 128,
  "identity.v1.ResetPasswordRequest.code": 32,
  "identity.v1.ResetPasswordRequest.password": 128,
  "identity.v1.AcceptInvitationRequest.code": 64,
  "identity.v1.CreateFactorRequest.email": 254,
  "identity.v1.SecurityQuestionInput.question": 200,
  "identity.v1.SecurityQuestionInput.answer": 200,
  "identity.v1.UpdateFactorNameRequest.name": 64,
  "fulfillment.v1.SuspendRequest.cause": 1000,
} as const;
