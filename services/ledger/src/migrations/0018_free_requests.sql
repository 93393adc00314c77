-- The leases that paid one request to a free model each. Their counters are those of the scope kind free_requests, of
-- days and minutes: credits_nano_usd is a number of requests there. Minutes that are long over are deleted.
ALTER TABLE usage_facts ADD COLUMN free_request_lease_numbers bigint[] NOT NULL DEFAULT '{}';
