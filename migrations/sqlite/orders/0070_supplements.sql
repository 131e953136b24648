-- A supplement is added to a plan by one order at a time. Orders from before say so with their next change.

CREATE UNIQUE INDEX orders_adding ON orders_lookup (value) WHERE name = 'adding';
