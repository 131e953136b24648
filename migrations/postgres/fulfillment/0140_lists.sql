-- Provisions are listed by their status, also together with an offer or a group.

CREATE INDEX provisions_status ON provisions (status, id);
CREATE INDEX provisions_status_offer_id ON provisions (status, (doc->>'offerId'), id);
CREATE INDEX provisions_status_group_id ON provisions (status, (doc->>'groupId'), id);
