-- Subscriptions are found by the division of the member in the group.

CREATE INDEX subscriptions_division_id ON subscriptions ((doc->>'divisionId'), id);
