-- Subscriptions of all members by status, and by status and billing day.

CREATE INDEX subscriptions_status ON subscriptions (status, id);
CREATE INDEX subscriptions_status_next_bill_on ON subscriptions (status, (coalesce(doc->>'nextBillOn', '')) COLLATE "C", id);
