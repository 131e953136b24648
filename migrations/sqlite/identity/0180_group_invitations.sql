-- Invitations are listed by the employer group in whose name they were sent.
CREATE INDEX invitations_group_id ON invitations ((doc->>'groupId'), id);
