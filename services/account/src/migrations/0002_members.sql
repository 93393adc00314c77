-- Members of organizations, also those who are deactivated.
CREATE TABLE members (
  account_id text NOT NULL,
  user_id text NOT NULL,
  email text NOT NULL,
  first_name text,
  last_name text,
  role text NOT NULL,
  is_active boolean NOT NULL,
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, user_id)
);
CREATE INDEX members_by_joining ON members (account_id, joined_at, user_id);
