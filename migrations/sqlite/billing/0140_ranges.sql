-- Invoices and subscriptions are listed by days.

CREATE INDEX invoices_due_on ON invoices ((coalesce(doc->>'dueOn', '')), id);
CREATE INDEX invoices_owner_id_due_on ON invoices (owner_id, (coalesce(doc->>'dueOn', '')), id);
CREATE INDEX subscriptions_next_bill_on ON subscriptions ((coalesce(doc->>'nextBillOn', '')), id);
CREATE INDEX subscriptions_owner_id_next_bill_on ON subscriptions (owner_id, (coalesce(doc->>'nextBillOn', '')), id);
