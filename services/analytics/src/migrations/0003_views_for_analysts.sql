-- Views for analysts, in the schema analytics_v1 beside this one. A view reads with the rights of its owner. The role
-- of analysts therefore needs no right on a table, and the policies of the tables do not apply: a view shows all
-- accounts. A column of these views is never renamed, retyped or dropped: such a change makes analytics_v2.
CREATE VIEW analyst_usage_hour AS
SELECT
  usage.account_id,
  usage.at AS hour,
  nullif(usage.workspace_id, '') AS workspace_id,
  nullif(workspace.name, '') AS workspace_name,
  nullif(usage.key_hash, '') AS key_hash,
  nullif(key.name, '') AS key_name,
  nullif(usage.user_id, '') AS user_id,
  nullif(member.name, '') AS user_name,
  nullif(member.email, '') AS user_email,
  nullif(usage.model, '') AS model,
  nullif(usage.variant, '') AS variant,
  nullif(usage.app, '') AS app,
  nullif(usage.provider, '') AS provider,
  nullif(usage.origin, '') AS origin,
  nullif(usage.country, '') AS country,
  nullif(usage.finish_reason, '') AS finish_reason,
  nullif(usage.external_user, '') AS external_user,
  nullif(usage.context_bucket, '') AS context_bucket,
  coalesce(usage.requests, 0) AS requests,
  coalesce(usage.failed_requests, 0) AS failed_requests,
  coalesce(usage.refused_requests, 0) AS refused_requests,
  coalesce(usage.blocked_requests, 0) AS blocked_requests,
  coalesce(usage.guardrail_requests, 0) AS guardrail_requests,
  coalesce(usage.byok_requests, 0) AS byok_requests,
  coalesce(usage.repeated_responses, 0) AS repeated_responses,
  coalesce(usage.tool_calls, 0) AS tool_calls,
  coalesce(usage.input_tokens, 0) AS input_tokens,
  coalesce(usage.output_tokens, 0) AS output_tokens,
  coalesce(usage.cached_tokens, 0) AS cached_tokens,
  coalesce(usage.reasoning_tokens, 0) AS reasoning_tokens,
  coalesce(usage.latency_ms, 0) AS latency_ms,
  coalesce(usage.latency_count, 0) AS latency_count,
  coalesce(usage.throughput_milli, 0) AS throughput_milli,
  coalesce(usage.throughput_count, 0) AS throughput_count,
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
  usage.web_fetch_nano_usd * 0.000000001 AS web_fetch_usd
FROM usage_hour AS usage
LEFT JOIN names AS workspace ON workspace.account_id = usage.account_id AND workspace.kind = 'workspace'
  AND workspace.entity_id = usage.workspace_id
LEFT JOIN names AS key ON key.account_id = usage.account_id AND key.kind = 'key'
  AND key.entity_id = usage.key_hash
LEFT JOIN names AS member ON member.account_id = usage.account_id AND member.kind = 'member'
  AND member.entity_id = usage.user_id;

CREATE VIEW analyst_usage_day AS
SELECT
  usage.account_id,
  usage.at AS day,
  nullif(usage.workspace_id, '') AS workspace_id,
  nullif(workspace.name, '') AS workspace_name,
  nullif(usage.key_hash, '') AS key_hash,
  nullif(key.name, '') AS key_name,
  nullif(usage.user_id, '') AS user_id,
  nullif(member.name, '') AS user_name,
  nullif(member.email, '') AS user_email,
  nullif(usage.model, '') AS model,
  nullif(usage.variant, '') AS variant,
  nullif(usage.app, '') AS app,
  coalesce(usage.requests, 0) AS requests,
  coalesce(usage.failed_requests, 0) AS failed_requests,
  coalesce(usage.refused_requests, 0) AS refused_requests,
  coalesce(usage.blocked_requests, 0) AS blocked_requests,
  coalesce(usage.guardrail_requests, 0) AS guardrail_requests,
  coalesce(usage.byok_requests, 0) AS byok_requests,
  coalesce(usage.repeated_responses, 0) AS repeated_responses,
  coalesce(usage.tool_calls, 0) AS tool_calls,
  coalesce(usage.input_tokens, 0) AS input_tokens,
  coalesce(usage.output_tokens, 0) AS output_tokens,
  coalesce(usage.cached_tokens, 0) AS cached_tokens,
  coalesce(usage.reasoning_tokens, 0) AS reasoning_tokens,
  coalesce(usage.latency_ms, 0) AS latency_ms,
  coalesce(usage.latency_count, 0) AS latency_count,
  coalesce(usage.throughput_milli, 0) AS throughput_milli,
  coalesce(usage.throughput_count, 0) AS throughput_count,
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
  usage.web_fetch_nano_usd * 0.000000001 AS web_fetch_usd
FROM usage_day AS usage
LEFT JOIN names AS workspace ON workspace.account_id = usage.account_id AND workspace.kind = 'workspace'
  AND workspace.entity_id = usage.workspace_id
LEFT JOIN names AS key ON key.account_id = usage.account_id AND key.kind = 'key'
  AND key.entity_id = usage.key_hash
LEFT JOIN names AS member ON member.account_id = usage.account_id AND member.kind = 'member'
  AND member.entity_id = usage.user_id;

-- Cost and usage of FOCUS 1.2 (FinOps Open Cost and Usage Specification). Each row of usage_day is a charge, unless it
-- has neither usage nor an amount. The specification reserves the prefix x_ for columns that are not its own.
CREATE VIEW analyst_focus AS
SELECT
  credits_usd AS "BilledCost",
  account_id AS "BillingAccountId",
  NULL::text AS "BillingAccountName",
  'Account' AS "BillingAccountType",
  'USD' AS "BillingCurrency",
  (date_trunc('month', day AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC' AS "BillingPeriodEnd",
  date_trunc('month', day AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS "BillingPeriodStart",
  'Usage' AS "ChargeCategory",
  NULL::text AS "ChargeClass",
  'Inference with ' || coalesce(model, 'unknown') AS "ChargeDescription",
  'Usage-Based' AS "ChargeFrequency",
  day + interval '24 hours' AS "ChargePeriodEnd",
  day AS "ChargePeriodStart",
  CASE WHEN tokens > 0 THEN tokens ELSE calls END::numeric AS "ConsumedQuantity",
  CASE WHEN tokens > 0 THEN 'Tokens' ELSE 'Requests' END AS "ConsumedUnit",
  credits_usd + byok_usd AS "ContractedCost",
  credits_usd AS "EffectiveCost",
  NULL::text AS "InvoiceId",
  'Sluice' AS "InvoiceIssuerName",
  credits_usd + byok_usd AS "ListCost",
  'Standard' AS "PricingCategory",
  CASE WHEN tokens > 0 THEN tokens ELSE calls END::numeric AS "PricingQuantity",
  CASE WHEN tokens > 0 THEN 'Tokens' ELSE 'Requests' END AS "PricingUnit",
  'Sluice' AS "ProviderName",
  CASE WHEN model LIKE '_%/%' THEN split_part(model, '/', 1) ELSE 'Sluice' END AS "PublisherName",
  NULL::text AS "RegionId",
  NULL::text AS "RegionName",
  key_hash AS "ResourceId",
  key_name AS "ResourceName",
  CASE WHEN key_hash IS NOT NULL THEN 'API key' END AS "ResourceType",
  'AI and Machine Learning' AS "ServiceCategory",
  'Sluice Inference' AS "ServiceName",
  'Generative AI' AS "ServiceSubcategory",
  coalesce(model, 'unknown') AS "SkuId",
  workspace_id AS "SubAccountId",
  workspace_name AS "SubAccountName",
  CASE WHEN workspace_id IS NOT NULL THEN 'Workspace' END AS "SubAccountType",
  jsonb_strip_nulls(jsonb_build_object('sluice:app', app, 'sluice:user_id', user_id, 'sluice:variant', variant))
    AS "Tags",
  credits_nano_usd AS "x_BilledCostNanoUsd",
  credits_nano_usd AS "x_EffectiveCostNanoUsd",
  credits_nano_usd + byok_nano_usd AS "x_ListCostNanoUsd",
  byok_nano_usd AS "x_ByokCostNanoUsd",
  byok_usd AS "x_ByokCost",
  upstream_nano_usd AS "x_UpstreamCostNanoUsd",
  upstream_usd AS "x_UpstreamCost",
  input_tokens AS "x_InputTokens",
  cached_tokens AS "x_CachedTokens",
  output_tokens AS "x_OutputTokens",
  requests AS "x_Requests",
  tool_calls AS "x_ToolCalls"
FROM (
  SELECT *, input_tokens + output_tokens AS tokens, requests + tool_calls AS calls FROM analyst_usage_day
) AS charge
WHERE tokens <> 0 OR calls <> 0 OR credits_nano_usd <> 0 OR byok_nano_usd <> 0 OR upstream_nano_usd <> 0;

-- The name follows the name of this schema, because a test or a rebuild has another one. The role exists here if the
-- operator made it before these views.
DO $$
DECLARE
  views text := current_schema() || '_v1';
BEGIN
  EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', views);
  EXECUTE format('ALTER VIEW analyst_usage_hour SET SCHEMA %I', views);
  EXECUTE format('ALTER VIEW analyst_usage_day SET SCHEMA %I', views);
  EXECUTE format('ALTER VIEW analyst_focus SET SCHEMA %I', views);
  EXECUTE format('ALTER VIEW %I.analyst_usage_hour RENAME TO usage_hour', views);
  EXECUTE format('ALTER VIEW %I.analyst_usage_day RENAME TO usage_day', views);
  EXECUTE format('ALTER VIEW %I.analyst_focus RENAME TO focus_cost_and_usage', views);
  IF to_regrole('sluice_analyst') IS NOT NULL THEN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO sluice_analyst', views);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO sluice_analyst', views);
  END IF;
END $$;
