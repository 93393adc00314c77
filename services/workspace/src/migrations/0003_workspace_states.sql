-- A workspace as its events fold it, with its budgets and its revision: what it may spend is answered from it.
CREATE TABLE workspace_states (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  revision bigint NOT NULL,
  state jsonb NOT NULL
);
