import { invalidRequest, type Issue, rejectionToFault } from '@sluice/errors';
import type { GuardrailValues } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { Rules, Slugs } from '@sluice/protos/sluice/guardrail/v1/policy';
import type { WantedGuardrail } from '../domain/guardrail/commands.ts';

/** Reads each value from a message, under its public name. A value that the message lacks is null. */
const readers: Readonly<
  Record<string, (values: GuardrailValues, rules: Rules) => WantedGuardrail>
> = {
  name: ({ name = '' }) => ({ name }),
  description: ({ description = null }) => ({ description }),
  limit_usd: ({ limitNanoUsd = null }) => ({ limitNanoUsd }),
  reset_interval: ({ resetInterval = null }) => ({ resetInterval }),
  include_byok_in_budgets: ({ includeByok }) => ({ includeByok }),
  allowed_providers: (_, rules) => ({ allowedProviders: slugs(rules.allowedProviders) }),
  ignored_providers: (_, rules) => ({ ignoredProviders: slugs(rules.ignoredProviders) }),
  allowed_models: (_, rules) => ({ allowedModels: slugs(rules.allowedModels) }),
  ignored_models: (_, rules) => ({ ignoredModels: slugs(rules.ignoredModels) }),
  enforce_zdr_anthropic: (_, { zeroRetention }) => ({
    zeroRetentionAnthropic: zeroRetention?.anthropic ?? null,
  }),
  enforce_zdr_openai: (_, { zeroRetention }) => ({
    zeroRetentionOpenai: zeroRetention?.openai ?? null,
  }),
  enforce_zdr_google: (_, { zeroRetention }) => ({
    zeroRetentionGoogle: zeroRetention?.google ?? null,
  }),
  enforce_zdr_xai: (_, { zeroRetention }) => ({ zeroRetentionXai: zeroRetention?.xai ?? null }),
  enforce_zdr_other: (_, { zeroRetention }) => ({
    zeroRetentionOther: zeroRetention?.other ?? null,
  }),
  enable_paid_model_training: (_, { enablePaidModelTraining: paidTraining = null }) => ({
    paidTraining,
  }),
  enable_free_model_training: (_, { enableFreeModelTraining: freeTraining = null }) => ({
    freeTraining,
  }),
  enable_free_model_publication: (_, { enableFreeModelPublication: freePublication = null }) => ({
    freePublication,
  }),
  allowed_data_regions: (_, rules) => ({ dataRegions: slugs(rules.allowedDataRegions) }),
  content_filter_builtins: (_, rules) => ({
    builtinFilters:
      rules.builtinFilters?.filters.map(({ slug, action, scanScope = null }) => ({
        slug,
        action,
        scanScope,
      })) ?? null,
  }),
  content_filters: (_, rules) => ({
    customFilters:
      rules.customFilters?.filters.map(({ pattern, action, label = null }) => ({
        pattern,
        action,
        label,
      })) ?? null,
  }),
  scan_output: (_, { scanOutput = null }) => ({ scanOutput }),
  fail_mode: (_, { failMode = null }) => ({ failMode }),
};

const noRules: Rules = {
  allowedProviders: undefined,
  ignoredProviders: undefined,
  allowedModels: undefined,
  ignoredModels: undefined,
  zeroRetention: undefined,
  allowedDataRegions: undefined,
  builtinFilters: undefined,
  customFilters: undefined,
};

/** Reads the values of a new guardrail. An absent value demands nothing. */
export function wantedOfNew(values: GuardrailValues | undefined): WantedGuardrail {
  const { name: _name, ...others } = readers;
  const names = values?.name === undefined ? others : readers;
  return read(values, Object.keys(names));
}

/** Only of the named fields: the others stay as they are. Throws invalid_request for another name. */
export function wantedOfFields(
  values: GuardrailValues | undefined,
  fields: readonly string[],
): WantedGuardrail {
  const issues: readonly Issue[] = fields
    .filter((field) => !Object.hasOwn(readers, field))
    .map(() => ({ path: 'fields', message: `must be of ${Object.keys(readers).join(', ')}` }));
  if (issues.length > 0) throw rejectionToFault(invalidRequest(issues.slice(0, 1)));
  return read(values, fields);
}

function read(sent: GuardrailValues | undefined, fields: readonly string[]): WantedGuardrail {
  const values = sent ?? { includeByok: false, rules: undefined };
  const rules = values.rules ?? noRules;
  return Object.assign({}, ...fields.map((field) => readers[field]?.(values, rules)));
}

function slugs(sent: Slugs | undefined): readonly string[] | null {
  return sent?.values ?? null;
}
