import type { ContentLogging } from '@sluice/protos/sluice/workspace/v1/workspace';
import { type JsonObject, readDefaultEntry } from '@sluice/client-schemas';
import { Fault } from '@sluice/errors';
import type { EffectiveGuardrail } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { PolicyCalls } from '../policy/ask-policy.ts';

/** The workspace and the guardrail service without their logs: what was set last holds for all. */
export interface InMemoryPolicies extends PolicyCalls {
  isUp: boolean;
  isWorkspaceAlive: boolean;
  /** The defaults of a request. */
  defaults: { readonly defaultTextModel?: string; readonly defaultProviderSort?: string };
  /** window kind → nano-USD */
  readonly budgets: Map<string, bigint>;
  /** Budgets of the workspace and of guardrails count spend on own credentials. */
  includesByok: boolean;
  /** The wish of destinations of the workspace. */
  observation: string;
  /** The workspace lets the operator use its contents. */
  givesData: boolean;
  contentLogging: ContentLogging | undefined;
  disabledServerTools: readonly string[];
  /** The settings of plugins in requests, as `default_plugins` of a workspace. */
  defaultPlugins: readonly JsonObject[];
  /** `<account id> <workspace id> <slug>` → what requests get of the preset. */
  readonly presets: Map<string, InMemoryPreset>;
  /** The aliases of models. */
  modelAliases: readonly {
    readonly name: string;
    readonly models: readonly string[];
    readonly budgetModel?: string;
  }[];
  /** Phrases that the patterns of prompt injection pass over. */
  allowedPhrases: readonly string[];
  /** The mode of each account that has set one. */
  readonly unsupportedFeatures: Map<string, string>;
  /** `<scope> <assignee id>` → what is assigned to it. */
  readonly assigned: Map<string, AssignedGuardrail>;
  readonly timesAsked: number;
}

export interface InMemoryPreset {
  readonly config: JsonObject;
  readonly systemPrompt?: string;
  /** 1 if absent. */
  readonly version?: number;
}

export interface AssignedGuardrail {
  readonly id: string;
  readonly limitNanoUsd?: bigint;
  readonly windowKind?: string;
  readonly rules?: EffectiveGuardrail['rules'];
}

export function inMemoryPolicies(): InMemoryPolicies {
  let timesAsked = 0;
  const answer = <Answer>(value: Answer): Promise<Answer> => {
    timesAsked += 1;
    return policies.isUp ? Promise.resolve(value) : Promise.reject(new Fault('unavailable'));
  };
  const guardrailOf = (scope: string, assigneeId: string): readonly EffectiveGuardrail[] => {
    const guardrail = policies.assigned.get(`${scope} ${assigneeId}`);
    if (!guardrail) return [];
    const { id, limitNanoUsd, windowKind = 'daily', rules } = guardrail;
    const common = { guardrailId: id, name: id, scope, assigneeId };
    return [{ ...common, limitNanoUsd, windowKind, includeByok: policies.includesByok, rules }];
  };
  const policies: InMemoryPolicies = {
    isUp: true,
    isWorkspaceAlive: true,
    defaults: {},
    budgets: new Map(),
    includesByok: false,
    observation: '',
    givesData: false,
    contentLogging: undefined,
    disabledServerTools: [],
    defaultPlugins: [],
    allowedPhrases: [],
    presets: new Map(),
    modelAliases: [],
    unsupportedFeatures: new Map(),
    assigned: new Map(),
    get timesAsked() {
      return timesAsked;
    },
    workspaces: {
      resolvePreset: ({ accountId, workspaceId, slug }) => {
        const found = policies.presets.get(`${accountId} ${workspaceId} ${slug}`);
        if (!found) return Promise.reject(new Fault('not_found'));
        const { config, systemPrompt, version = 1 } = found;
        const made = { creatorId: 'ann', createdAt: '2026-01-02T03:04:05.678Z' };
        const ids = { presetId: `preset-${slug}`, versionId: `version-${String(version)}` };
        return answer({
          presetId: ids.presetId,
          version: { ...ids, version, config: JSON.stringify(config), systemPrompt, ...made },
        });
      },
      getSpendPolicy: () =>
        answer({
          isAlive: policies.isWorkspaceAlive,
          budgets: [...policies.budgets].map(([windowKind, limitNanoUsd]) => ({
            budgetId: '',
            windowKind,
            limitNanoUsd,
            createdAt: '',
            updatedAt: '',
          })),
          includeByok: policies.includesByok,
          disabledServerTools: [...policies.disabledServerTools],
          observation: policies.observation,
          givesData: policies.givesData,
          contentLogging: policies.contentLogging,
          defaultPlugins: policies.defaultPlugins.map(readDefaultEntry).map((entry) => ({
            settings: JSON.stringify(entry.settings),
            preventsOverrides: entry.preventsOverrides,
          })),
          modelAliases: policies.modelAliases.map(({ name, models, budgetModel = '' }) => ({
            aliasId: name,
            workspaceId: '',
            description: '',
            version: 1,
            createdAt: '',
            updatedAt: '',
            name,
            models: [...models],
            budgetModel,
          })),
          ...policies.defaults,
        }),
    },
    guardrails: {
      getEffectivePolicy: ({ accountId, workspaceId, userId, keyHash }) =>
        answer({
          allowedPhrases: [...policies.allowedPhrases],
          unsupportedFeatures: policies.unsupportedFeatures.get(accountId),
          guardrails: [
            ...guardrailOf('workspace', workspaceId),
            ...guardrailOf('member', userId),
            ...guardrailOf('key', keyHash),
          ],
        }),
    },
  };
  return policies;
}
