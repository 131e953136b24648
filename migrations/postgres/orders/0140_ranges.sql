-- Orders are listed by their purchase, and by a group or a channel together with a status.

CREATE INDEX orders_purchased_at ON orders ((rtrim(coalesce(doc->>'purchasedAt', ''), 'Z')) COLLATE "C", id);
CREATE INDEX orders_owner_id_purchased_at ON orders (owner_id, (rtrim(coalesce(doc->>'purchasedAt', ''), 'Z')) COLLATE "C", id);
CREATE INDEX orders_status_group_id ON orders (status, (doc->>'groupId'), id);
CREATE INDEX orders_status_channel ON orders (status, (doc->>'channel'), id);
