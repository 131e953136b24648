-- Products are found by their successor.

CREATE INDEX products_successor_id ON products ((doc->>'successorId'), id);
