-- What requests cost less because of caches of providers: negative if they saved. NULL: they made no difference.
ALTER TABLE facts ADD COLUMN cache_nano_usd bigint;
ALTER TABLE superseded ADD COLUMN cache_nano_usd bigint;
ALTER TABLE usage_hour ADD COLUMN cache_nano_usd bigint;
-- Sums per day do not say of how many facts they are: no metric does, and it was four bytes of nearly every row, eight
-- with what aligns the row.
ALTER TABLE usage_day ADD COLUMN cache_nano_usd bigint, DROP COLUMN facts;
ALTER TABLE usage_day_model ADD COLUMN cache_nano_usd bigint, DROP COLUMN facts;

-- New columns of a view come last, so that views of operators on it and rights go on.
DO $body$
DECLARE
  views text := current_schema() || '_v1';
BEGIN
  EXECUTE format($view$
CREATE OR REPLACE VIEW %I.usage_hour AS
SELECT
  account.account_id,
  usage.at AS hour,
  nullif(place.workspace_id, '') AS workspace_id,
  nullif(workspace.name, '') AS workspace_name,
  nullif(place.key_hash, '') AS key_hash,
  nullif(key.name, '') AS key_name,
  nullif(place.user_id, '') AS user_id,
  nullif(member.name, '') AS user_name,
  nullif(member.email, '') AS user_email,
  nullif(model.model, '') AS model,
  nullif(model.variant, '') AS variant,
  nullif(place.app, '') AS app,
  nullif(call.provider, '') AS provider,
  nullif(call.origin, '') AS origin,
  nullif(call.country, '') AS country,
  nullif(call.finish_reason, '') AS finish_reason,
  nullif(end_user.external_user, '') AS external_user,
  nullif(call.context_bucket, '') AS context_bucket,
  coalesce(usage.requests, 0)::bigint AS requests,
  coalesce(usage.failed_requests, 0) AS failed_requests,
  coalesce(usage.refused_requests, 0) AS refused_requests,
  coalesce(usage.blocked_requests, 0)::bigint AS blocked_requests,
  coalesce(usage.guardrail_requests, 0)::bigint AS guardrail_requests,
  coalesce(usage.byok_requests, 0)::bigint AS byok_requests,
  coalesce(usage.repeated_responses, 0)::bigint AS repeated_responses,
  coalesce(usage.tool_calls, 0)::bigint AS tool_calls,
  coalesce(usage.input_tokens, 0) AS input_tokens,
  coalesce(usage.output_tokens, 0) AS output_tokens,
  coalesce(usage.cached_tokens, 0) AS cached_tokens,
  coalesce(usage.reasoning_tokens, 0) AS reasoning_tokens,
  coalesce(usage.latency_ms, 0) AS latency_ms,
  coalesce(usage.latency_count, 0)::bigint AS latency_count,
  coalesce(usage.throughput_milli, 0) AS throughput_milli,
  coalesce(usage.throughput_count, 0)::bigint AS throughput_count,
  coalesce(usage.service_nano_usd, 0) + coalesce(usage.fee_nano_usd, 0) AS credits_nano_usd,
  coalesce(usage.service_nano_usd, 0) AS service_nano_usd,
  coalesce(usage.fee_nano_usd, 0) AS fee_nano_usd,
  coalesce(usage.byok_nano_usd, 0) AS byok_nano_usd,
  coalesce(usage.upstream_nano_usd, 0) AS upstream_nano_usd,
  usage.web_nano_usd,
  usage.file_nano_usd,
  usage.web_fetch_nano_usd,
  (coalesce(usage.service_nano_usd, 0) + coalesce(usage.fee_nano_usd, 0)) * 0.000000001 AS credits_usd,
  coalesce(usage.service_nano_usd, 0) * 0.000000001 AS service_usd,
  coalesce(usage.fee_nano_usd, 0) * 0.000000001 AS fee_usd,
  coalesce(usage.byok_nano_usd, 0) * 0.000000001 AS byok_usd,
  coalesce(usage.upstream_nano_usd, 0) * 0.000000001 AS upstream_usd,
  usage.web_nano_usd * 0.000000001 AS web_usd,
  usage.file_nano_usd * 0.000000001 AS file_usd,
  usage.web_fetch_nano_usd * 0.000000001 AS web_fetch_usd,
  usage.data_nano_usd,
  usage.cache_nano_usd,
  usage.data_nano_usd * 0.000000001 AS data_usd,
  usage.cache_nano_usd * 0.000000001 AS cache_usd
FROM usage_hour AS usage
JOIN accounts AS account ON account.id = usage.account
JOIN model_dictionary AS model ON model.id = usage.model_ref
JOIN place_dictionary AS place ON place.id = usage.place_ref
JOIN call_dictionary AS call ON call.id = usage.call_ref
JOIN end_user_dictionary AS end_user ON end_user.id = usage.end_user_ref
LEFT JOIN names AS workspace ON workspace.account_id = account.account_id AND workspace.kind = 'workspace'
  AND workspace.entity_id = place.workspace_id
LEFT JOIN names AS key ON key.account_id = account.account_id AND key.kind = 'key'
  AND key.entity_id = place.key_hash
LEFT JOIN names AS member ON member.account_id = account.account_id AND member.kind = 'member'
  AND member.entity_id = place.user_id
  $view$, views);
  EXECUTE format($view$
CREATE OR REPLACE VIEW %I.usage_day AS
SELECT
  account.account_id,
  usage.at AS day,
  nullif(place.workspace_id, '') AS workspace_id,
  nullif(workspace.name, '') AS workspace_name,
  nullif(place.key_hash, '') AS key_hash,
  nullif(key.name, '') AS key_name,
  nullif(place.user_id, '') AS user_id,
  nullif(member.name, '') AS user_name,
  nullif(member.email, '') AS user_email,
  nullif(model.model, '') AS model,
  nullif(model.variant, '') AS variant,
  nullif(place.app, '') AS app,
  coalesce(usage.requests, 0)::bigint AS requests,
  coalesce(usage.failed_requests, 0) AS failed_requests,
  coalesce(usage.refused_requests, 0) AS refused_requests,
  coalesce(usage.blocked_requests, 0)::bigint AS blocked_requests,
  coalesce(usage.guardrail_requests, 0)::bigint AS guardrail_requests,
  coalesce(usage.byok_requests, 0)::bigint AS byok_requests,
  coalesce(usage.repeated_responses, 0)::bigint AS repeated_responses,
  coalesce(usage.tool_calls, 0)::bigint AS tool_calls,
  coalesce(usage.input_tokens, 0) AS input_tokens,
  coalesce(usage.output_tokens, 0) AS output_tokens,
  coalesce(usage.cached_tokens, 0) AS cached_tokens,
  coalesce(usage.reasoning_tokens, 0) AS reasoning_tokens,
  coalesce(usage.latency_ms, 0) AS latency_ms,
  coalesce(usage.latency_count, 0)::bigint AS latency_count,
  coalesce(usage.throughput_milli, 0) AS throughput_milli,
  coalesce(usage.throughput_count, 0)::bigint AS throughput_count,
  coalesce(usage.service_nano_usd, 0) + coalesce(usage.fee_nano_usd, 0) AS credits_nano_usd,
  coalesce(usage.service_nano_usd, 0) AS service_nano_usd,
  coalesce(usage.fee_nano_usd, 0) AS fee_nano_usd,
  coalesce(usage.byok_nano_usd, 0) AS byok_nano_usd,
  coalesce(usage.upstream_nano_usd, 0) AS upstream_nano_usd,
  usage.web_nano_usd,
  usage.file_nano_usd,
  usage.web_fetch_nano_usd,
  (coalesce(usage.service_nano_usd, 0) + coalesce(usage.fee_nano_usd, 0)) * 0.000000001 AS credits_usd,
  coalesce(usage.service_nano_usd, 0) * 0.000000001 AS service_usd,
  coalesce(usage.fee_nano_usd, 0) * 0.000000001 AS fee_usd,
  coalesce(usage.byok_nano_usd, 0) * 0.000000001 AS byok_usd,
  coalesce(usage.upstream_nano_usd, 0) * 0.000000001 AS upstream_usd,
  usage.web_nano_usd * 0.000000001 AS web_usd,
  usage.file_nano_usd * 0.000000001 AS file_usd,
  usage.web_fetch_nano_usd * 0.000000001 AS web_fetch_usd,
  usage.data_nano_usd,
  usage.cache_nano_usd,
  usage.data_nano_usd * 0.000000001 AS data_usd,
  usage.cache_nano_usd * 0.000000001 AS cache_usd
FROM usage_day AS usage
JOIN accounts AS account ON account.id = usage.account
JOIN model_dictionary AS model ON model.id = usage.model_ref
JOIN place_dictionary AS place ON place.id = usage.place_ref
LEFT JOIN names AS workspace ON workspace.account_id = account.account_id AND workspace.kind = 'workspace'
  AND workspace.entity_id = place.workspace_id
LEFT JOIN names AS key ON key.account_id = account.account_id AND key.kind = 'key'
  AND key.entity_id = place.key_hash
LEFT JOIN names AS member ON member.account_id = account.account_id AND member.kind = 'member'
  AND member.entity_id = place.user_id
  $view$, views);
END $body$;
