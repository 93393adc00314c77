-- The last change of the private endpoints of each organization that requests can see, by its place in the log. Routing
-- asks for the changes behind the place that it knows.
CREATE TABLE private_endpoint_changes (
  account_id text PRIMARY KEY,
  revision bigint NOT NULL,
  -- The last change after which an endpoint must not be used any more. 0: there was none.
  revoked_revision bigint NOT NULL
);
CREATE INDEX private_endpoint_changes_by_revision ON private_endpoint_changes (revision);
