-- One row: the number of the last finished generation. Its lock orders the writers, so that no reader sees a later
-- generation before an earlier one.
CREATE TABLE log_end (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_seq bigint NOT NULL
);

-- Finished generations, in the order of their completion, until all destinations have taken them.
CREATE TABLE generations (
  seq bigint PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  generation_id text COLLATE "C" NOT NULL,
  finished_at timestamptz NOT NULL,
  stored_at timestamptz NOT NULL,
  body text COLLATE "C" NOT NULL,
  -- A sealed envelope. NULL: there are none.
  contents text COLLATE "C",
  bytes integer NOT NULL
);
CREATE UNIQUE INDEX ON generations (account_id, generation_id);
CREATE INDEX ON generations (workspace_id, seq);
CREATE INDEX ON generations (stored_at);

-- What is known of generations that have not come to their end.
CREATE TABLE pending_parts (
  account_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  generation_id text COLLATE "C" NOT NULL,
  part text COLLATE "C" NOT NULL,
  stored_at timestamptz NOT NULL,
  body text COLLATE "C" NOT NULL,
  contents text COLLATE "C",
  PRIMARY KEY (account_id, generation_id, part)
);
CREATE INDEX ON pending_parts (stored_at);

-- The last finished generation of each workspace that has destinations.
CREATE TABLE workspace_ends (
  workspace_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  last_seq bigint NOT NULL
);

-- How far each destination is.
CREATE TABLE deliveries (
  destination_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  -- False: it is disabled or deleted.
  is_active boolean NOT NULL,
  inactive_since timestamptz,
  -- All generations up to it are handled.
  position bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL,
  leased_until timestamptz NOT NULL,
  served_at timestamptz NOT NULL,
  is_replaying boolean NOT NULL DEFAULT false,
  delivered bigint NOT NULL DEFAULT 0,
  lost bigint NOT NULL DEFAULT 0,
  last_lost_at timestamptz,
  last_delivered_at timestamptz,
  last_error text COLLATE "C" NOT NULL DEFAULT '',
  last_error_at timestamptz,
  failing_since timestamptz
);
CREATE INDEX ON deliveries (workspace_id);

-- Generations that a destination did not take after all attempts.
CREATE TABLE dead_letters (
  dead_letter_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id text COLLATE "C" NOT NULL,
  destination_id text COLLATE "C" NOT NULL,
  generation_id text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  contents text COLLATE "C",
  problem text COLLATE "C" NOT NULL,
  http_status integer,
  attempts integer NOT NULL,
  failed_at timestamptz NOT NULL,
  is_replaying boolean NOT NULL DEFAULT false,
  UNIQUE (destination_id, generation_id)
);
CREATE INDEX ON dead_letters (destination_id, failed_at);

-- Names of API keys, as they are now.
CREATE TABLE key_names (
  account_id text COLLATE "C" NOT NULL,
  key_hash text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  named_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key_hash)
);
