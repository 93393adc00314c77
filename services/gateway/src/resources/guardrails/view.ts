import { nanoUsdToNumber } from '@sluice/inference';
import type {
  Guardrail,
  KeyAssignment,
  MemberAssignment,
} from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { Rules, Slugs } from '@sluice/protos/sluice/guardrail/v1/policy';
import { present } from '../../clients/present.ts';
import type { GuardrailView } from './schema.ts';
import type { KeyAssignmentView, MemberAssignmentView } from './assignment-schema.ts';

/** The public form of a guardrail: what it does not demand is null. */
export function guardrailView(sent: Guardrail | undefined): GuardrailView {
  const guardrail = present(sent);
  const values = present(guardrail.values);
  const { limitNanoUsd } = values;
  return {
    id: guardrail.guardrailId,
    name: present(values.name),
    description: values.description ?? null,
    workspace_id: guardrail.workspaceId ?? null,
    limit_usd: limitNanoUsd === undefined ? null : nanoUsdToNumber(limitNanoUsd),
    reset_interval: values.resetInterval ?? null,
    include_byok_in_budgets: values.includeByok,
    ...rulesView(present(values.rules)),
    created_at: guardrail.createdAt,
    updated_at: guardrail.updatedAt ?? null,
  };
}

export function keyAssignmentView(assignment: KeyAssignment): KeyAssignmentView {
  return {
    id: assignment.assignmentId,
    guardrail_id: assignment.guardrailId,
    key_hash: assignment.keyHash,
    key_name: assignment.keyName,
    key_label: assignment.keyLabel,
    assigned_by: assignment.assignedBy ?? null,
    created_at: assignment.createdAt,
  };
}

export function memberAssignmentView(
  assignment: MemberAssignment,
  accountId: string,
): MemberAssignmentView {
  return {
    id: assignment.assignmentId,
    guardrail_id: assignment.guardrailId,
    user_id: assignment.userId,
    organization_id: accountId,
    assigned_by: assignment.assignedBy ?? null,
    created_at: assignment.createdAt,
  };
}

function rulesView(rules: Rules) {
  const zeroRetention = present(rules.zeroRetention);
  return {
    allowed_providers: listOf(rules.allowedProviders),
    ignored_providers: listOf(rules.ignoredProviders),
    allowed_models: listOf(rules.allowedModels),
    ignored_models: listOf(rules.ignoredModels),
    enforce_zdr_anthropic: zeroRetention.anthropic ?? null,
    enforce_zdr_openai: zeroRetention.openai ?? null,
    enforce_zdr_google: zeroRetention.google ?? null,
    enforce_zdr_xai: zeroRetention.xai ?? null,
    enforce_zdr_other: zeroRetention.other ?? null,
    enforce_zdr: null,
    enable_paid_model_training: rules.enablePaidModelTraining ?? null,
    enable_free_model_training: rules.enableFreeModelTraining ?? null,
    enable_free_model_publication: rules.enableFreeModelPublication ?? null,
    allowed_data_regions: listOf(rules.allowedDataRegions),
    content_filter_builtins: builtinFiltersView(rules),
    content_filters: customFiltersView(rules),
    scan_output: rules.scanOutput ?? null,
    fail_mode: rules.failMode ?? null,
  };
}

/** The text that a filter puts in place of a match. */
const labels: Readonly<Record<string, string>> = {
  email: '[EMAIL]',
  phone: '[PHONE]',
  ssn: '[SSN]',
  'credit-card': '[CREDIT_CARD]',
  'ip-address': '[IP_ADDRESS]',
  secrets: '[SECRET]',
  'person-name': '[PERSON_NAME]',
  address: '[ADDRESS]',
  'regex-prompt-injection': '[PROMPT_INJECTION]',
};

function builtinFiltersView({ builtinFilters }: Rules): GuardrailView['content_filter_builtins'] {
  if (!builtinFilters) return null;
  return builtinFilters.filters.map(({ slug, action, scanScope }) => {
    const scope = scanScope === undefined ? {} : { scan_scope: scanScope };
    return { slug, action, ...scope, label: labels[slug] ?? '' };
  });
}

function customFiltersView({ customFilters }: Rules): GuardrailView['content_filters'] {
  if (!customFilters) return null;
  return customFilters.filters.map(({ pattern, action, label }) => ({
    pattern,
    action,
    label: label ?? null,
  }));
}

function listOf(slugs: Slugs | undefined): string[] | null {
  return slugs ? [...slugs.values] : null;
}
