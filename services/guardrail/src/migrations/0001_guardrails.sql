CREATE TABLE guardrails (
  guardrail_id uuid PRIMARY KEY,
  account_id text NOT NULL,
  -- NULL: kept in no workspace.
  workspace_id uuid,
  is_default boolean NOT NULL,
  name text NOT NULL,
  description text,
  -- As in the events.
  policy jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz
);

CREATE INDEX guardrails_by_account ON guardrails (account_id, created_at DESC, guardrail_id DESC);
CREATE INDEX guardrails_by_workspace ON guardrails (workspace_id);

CREATE TABLE key_assignments (
  key_hash text PRIMARY KEY,
  assignment_id uuid NOT NULL,
  account_id text NOT NULL,
  guardrail_id uuid NOT NULL,
  key_label text NOT NULL,
  assigned_by text,
  created_at timestamptz NOT NULL
);

CREATE INDEX key_assignments_by_account
  ON key_assignments (account_id, created_at DESC, assignment_id DESC);
CREATE INDEX key_assignments_by_guardrail ON key_assignments (guardrail_id);

CREATE TABLE member_assignments (
  account_id text NOT NULL,
  user_id text NOT NULL,
  -- Empty: in every workspace.
  workspace_id text NOT NULL,
  assignment_id uuid NOT NULL,
  guardrail_id uuid NOT NULL,
  assigned_by text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, user_id, workspace_id)
);

CREATE INDEX member_assignments_by_account
  ON member_assignments (account_id, created_at DESC, assignment_id DESC);
CREATE INDEX member_assignments_by_guardrail ON member_assignments (guardrail_id);
