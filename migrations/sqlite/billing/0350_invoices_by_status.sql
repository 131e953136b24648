-- The invoices of all members are listed by their status, and by due day.

CREATE INDEX invoices_status_due_on ON invoices (status, (coalesce(doc->>'dueOn', '')), id);
CREATE INDEX invoices_status ON invoices (status, id);
