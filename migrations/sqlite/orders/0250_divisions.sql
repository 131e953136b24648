-- Orders are found by the division of the buyer in the employer group, also together with a status.

CREATE INDEX orders_division_id ON orders ((doc->>'divisionId'), id);
CREATE INDEX orders_status_division_id ON orders (status, (doc->>'divisionId'), id);
