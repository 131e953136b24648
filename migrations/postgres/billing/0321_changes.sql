-- Subscriptions by the day on which a waiting change begins.

CREATE INDEX subscriptions_due_to_change_on ON subscriptions ((coalesce(doc->>'dueToChangeOn', '')) COLLATE "C", id);
