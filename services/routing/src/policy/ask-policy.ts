import { isObject, readPluginDefaults } from '@sluice/client-schemas';
import { Fault } from '@sluice/errors';
import type {
  EffectiveGuardrail,
  GuardrailServiceService,
} from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type {
  GetSpendPolicyResponse as SpendPolicy,
  WorkspaceServiceService,
} from '@sluice/protos/sluice/workspace/v1/workspace';
import type { Calls } from '@sluice/rpc';
import type { Interval } from '@sluice/spend';
import type { UnsupportedMode } from '../request/leave-out-tools.ts';
import { sortKeys } from '../request/preferences.ts';
import type {
  Guardrail,
  Policy,
  PolicyQuestion,
  RequestDefaults,
  WorkspaceBudget,
} from './policy.ts';
import { parseJson } from '../request/parse-json.ts';

/** Calls about policies and presets, over the network or in the same process. */
export interface PolicyCalls {
  readonly workspaces: Pick<
    Calls<typeof WorkspaceServiceService>,
    'getSpendPolicy' | 'resolvePreset'
  >;
  readonly guardrails: Pick<Calls<typeof GuardrailServiceService>, 'getEffectivePolicy'>;
}

/** The broadest first: the first one that is exceeded is named. */
const intervals: readonly Interval[] = [null, 'monthly', 'weekly', 'daily'];
const modes = ['lenient', 'strict'] as const;
const observations = ['ends', 'contents'] as const;
const scopes = ['workspace', 'member', 'key'] as const;
const guardrailIdPattern = /^[A-Za-z0-9_-]{1,64}$/;
const assigneeIdPattern = /^[A-Za-z0-9_-]{1,128}$/;
/** Far more than the three that can hold. */
const guardrailsMax = 8;
const phrasesMax = 200;
const aliasesMax = 200;
const shownCharactersMax = 64;

/** Throws if a service does not answer or its answer is invalid. Routing then refuses the request. */
export async function askPolicy(calls: PolicyCalls, question: PolicyQuestion): Promise<Policy> {
  const { accountId, workspaceId, keyHash, creatorUserId: userId = '' } = question;
  const [spend, effective] = await Promise.all([
    calls.workspaces.getSpendPolicy({ accountId, workspaceId }),
    calls.guardrails.getEffectivePolicy({ accountId, workspaceId, keyHash, userId }),
  ]);
  if (effective.guardrails.length > guardrailsMax) throw unknown('number', 'above 8');
  if (effective.allowedPhrases.length > phrasesMax) throw unknown('number of phrases', 'above 200');
  return {
    isWorkspaceAlive: spend.isAlive,
    budgets: workspaceBudgets(spend),
    includeByokInBudgets: spend.includeByok,
    defaults: {
      model: spend.defaultTextModel,
      // An unknown sort key is ignored.
      sort: sortKeys.find((known) => known === spend.defaultProviderSort),
      unsupportedFeatures: modeOf(effective.unsupportedFeatures),
      ...pluginsOf(spend),
    },
    disabledServerTools: spend.disabledServerTools,
    ...aliasesOf(spend),
    ...observationOf(spend),
    ...(spend.givesData && { givesData: true }),
    ...contentLoggingOf(spend),
    guardrails: effective.guardrails
      .map(guardrailOf)
      .toSorted((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope)),
    allowedPhrases: effective.allowedPhrases,
  };
}

/** Settings that routing cannot read refuse the request: they may be demands of an administrator. */
function pluginsOf({ defaultPlugins }: SpendPolicy): Pick<RequestDefaults, 'plugins'> {
  if (defaultPlugins.length === 0) return {};
  const given = defaultPlugins.map(({ settings, preventsOverrides }) => {
    const parsed: unknown = parseJson(settings);
    if (!isObject(parsed)) throw unknown('plugin', settings.slice(0, shownCharactersMax));
    return { settings: parsed, preventsOverrides };
  });
  const read = readPluginDefaults(given);
  if (!read) throw unknown('plugins', given.map(({ settings }) => String(settings['id'])).join());
  return { plugins: read };
}

function aliasesOf({ modelAliases }: SpendPolicy): Pick<Policy, 'aliases'> {
  if (modelAliases.length === 0) return {};
  if (modelAliases.length > aliasesMax) throw unknown('number of aliases', 'above 200');
  return {
    aliases: new Map(
      modelAliases.map(({ name, version, models, budgetModel }) => [
        name,
        { name, version, models, ...(budgetModel !== '' && { budgetModel }) },
      ]),
    ),
  };
}

/** An unknown wish is none: nothing leaves that was not asked for. */
function observationOf({ observation: wanted }: SpendPolicy): Pick<Policy, 'observation'> {
  const observation = observations.find((known) => known === wanted);
  return observation ? { observation } : {};
}

function contentLoggingOf({ contentLogging }: SpendPolicy): Pick<Policy, 'contentLogging'> {
  if (!contentLogging) return {};
  const { samplingRate, apiKeyIds } = contentLogging;
  const keyIds = apiKeyIds && new Set(apiKeyIds.ids.map(Number));
  return { contentLogging: { samplingRate, ...(keyIds && { keyIds }) } };
}

function workspaceBudgets({ budgets }: SpendPolicy): readonly WorkspaceBudget[] {
  return budgets
    .map(({ windowKind, limitNanoUsd }) => ({ interval: intervalOf(windowKind), limitNanoUsd }))
    .toSorted((a, b) => intervals.indexOf(a.interval) - intervals.indexOf(b.interval));
}

function guardrailOf(guardrail: EffectiveGuardrail): Guardrail {
  const { limitNanoUsd, windowKind } = guardrail;
  const scope = scopes.find((known) => known === guardrail.scope);
  if (!scope) throw unknown('scope', guardrail.scope);
  // Part of what usage is counted by: nothing else may be admitted.
  const { guardrailId, assigneeId } = guardrail;
  if (!guardrailIdPattern.test(guardrailId)) throw unknown('guardrail', guardrailId);
  if (!assigneeIdPattern.test(assigneeId)) throw unknown('assignee', assigneeId);
  return {
    id: guardrail.guardrailId,
    name: guardrail.name,
    scope,
    assigneeId: guardrail.assigneeId,
    budget:
      limitNanoUsd === undefined ? undefined : { interval: intervalOf(windowKind), limitNanoUsd },
    includeByok: guardrail.includeByok,
    rules: guardrail.rules,
  };
}

function intervalOf(windowKind: string): Interval {
  const interval = intervals.find((known) => (known ?? 'lifetime') === windowKind);
  if (interval === undefined) throw unknown('window', windowKind);
  return interval;
}

function modeOf(text: string | undefined): UnsupportedMode | undefined {
  if (text === undefined) return undefined;
  const mode = modes.find((known) => known === text);
  if (!mode) throw unknown('mode', text);
  return mode;
}

function unknown(what: string, value: string): Fault {
  return new Fault('internal', { cause: new Error(`a policy has the ${what} "${value}"`) });
}
