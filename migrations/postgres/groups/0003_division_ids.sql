-- A division belongs to one group: whoever has a role in it must not see another group by the same id.

CREATE UNIQUE INDEX groups_division_ids ON groups_lookup (value) WHERE name = 'division_ids';
