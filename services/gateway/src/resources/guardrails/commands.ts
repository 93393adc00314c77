import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type {
  CreateGuardrailRequest,
  GuardrailValues,
  UpdateGuardrailRequest,
} from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { numberText } from '../../http/request/json-body.ts';
import type { CreateGuardrailBody, UpdateGuardrailBody } from './schema.ts';
import { parseUsd } from '../../http/schemas/usd.ts';

/** `POST /guardrails` → the command. Throws invalid_request for what a schema cannot say. */
export function createGuardrailRequest(
  body: CreateGuardrailBody,
  context: CommandContext,
): CreateGuardrailRequest {
  return {
    context,
    workspaceId: body.workspace_id ?? '',
    isUnscoped: body.workspace_id === null,
    values: valuesOf(body),
  };
}

/** `PATCH /guardrails/{id}` → the command: a field that is left out stays as it is. */
export function updateGuardrailRequest(
  body: UpdateGuardrailBody,
  guardrailId: string,
  context: CommandContext,
): UpdateGuardrailRequest {
  const named = Object.keys(body).filter((field) => field !== 'enforce_zdr');
  const spread = typeof body.enforce_zdr === 'boolean' ? zeroRetentionFields : [];
  return {
    context,
    guardrailId,
    values: valuesOf(body),
    fields: [...new Set([...named, ...spread])],
  };
}

const zeroRetentionFields = [
  'enforce_zdr_anthropic',
  'enforce_zdr_openai',
  'enforce_zdr_google',
  'enforce_zdr_xai',
  'enforce_zdr_other',
] as const;

function valuesOf(body: UpdateGuardrailBody): GuardrailValues {
  return {
    name: body.name,
    description: body.description ?? undefined,
    limitNanoUsd: limitOf(body),
    resetInterval: body.reset_interval ?? undefined,
    includeByok: body.include_byok_in_budgets ?? false,
    rules: {
      allowedProviders: listOf(body.allowed_providers),
      ignoredProviders: listOf(body.ignored_providers),
      allowedModels: listOf(body.allowed_models),
      ignoredModels: listOf(body.ignored_models),
      zeroRetention: {
        anthropic: zeroRetentionOf(body, 'enforce_zdr_anthropic'),
        openai: zeroRetentionOf(body, 'enforce_zdr_openai'),
        google: zeroRetentionOf(body, 'enforce_zdr_google'),
        xai: zeroRetentionOf(body, 'enforce_zdr_xai'),
        other: zeroRetentionOf(body, 'enforce_zdr_other'),
      },
      enablePaidModelTraining: body.enable_paid_model_training ?? undefined,
      enableFreeModelTraining: body.enable_free_model_training ?? undefined,
      enableFreeModelPublication: body.enable_free_model_publication ?? undefined,
      allowedDataRegions: listOf(body.allowed_data_regions),
      builtinFilters: builtinFiltersOf(body),
      customFilters: customFiltersOf(body),
      scanOutput: body.scan_output ?? undefined,
      failMode: body.fail_mode ?? undefined,
    },
  };
}

/**
 * Returns zero retention by family. `enforce_zdr` counts for the families that the request leaves out. Null says
 * nothing.
 */
function zeroRetentionOf(
  body: UpdateGuardrailBody,
  field: (typeof zeroRetentionFields)[number],
): boolean | undefined {
  const own = body[field];
  return (own === undefined ? body.enforce_zdr : own) ?? undefined;
}

function builtinFiltersOf({ content_filter_builtins: filters }: UpdateGuardrailBody) {
  if (!filters) return undefined;
  return {
    filters: filters.map(({ slug, action, scan_scope: scanScope }) => ({
      slug,
      action,
      scanScope,
    })),
  };
}

function customFiltersOf({ content_filters: filters }: UpdateGuardrailBody) {
  if (!filters) return undefined;
  return {
    filters: filters.map(({ pattern, action, label }) => ({
      pattern,
      action,
      label: label ?? undefined,
    })),
  };
}

function listOf(values: readonly string[] | null | undefined) {
  return values ? { values: [...values] } : undefined;
}

/** Returns undefined if there is no limit. */
function limitOf(body: UpdateGuardrailBody): bigint | undefined {
  if (body.limit_usd === undefined || body.limit_usd === null) return undefined;
  const amount = parseUsd(numberText(body, 'limit_usd') ?? '');
  if (amount !== undefined) return amount;
  const issue = { path: 'limit_usd', message: 'must have at most 9 decimal places' };
  throw rejectionToFault(invalidRequest([issue]));
}
