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
  disabledServerTools: readonly string[];
  /** The settings of plugins in requests, as `default_plugins` of a workspace. */
  defaultPlugins: readonly JsonObject[];
  /** Phrases that the patterns of prompt injection pass over. */
  allowedPhrases: readonly string[];
  /** The mode of each account that has set one. */
  readonly unsupportedFeatures: Map<string, string>;
  /** `<scope> <assignee id>` → what is assigned to it. */
  readonly assigned: Map<string, AssignedGuardrail>;
  readonly timesAsked: number;
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
    return [{ ...common, limitNanoUsd, windowKind, includeByok: false, rules }];
  };
  const policies: InMemoryPolicies = {
    isUp: true,
    isWorkspaceAlive: true,
    defaults: {},
    budgets: new Map(),
    disabledServerTools: [],
    defaultPlugins: [],
    allowedPhrases: [],
    unsupportedFeatures: new Map(),
    assigned: new Map(),
    get timesAsked() {
      return timesAsked;
    },
    workspaces: {
      getSpendPolicy: () =>
        answer({
          isAlive: policies.isWorkspaceAlive,
          budgets: [...policies.budgets].map(([windowKind, limitNanoUsd]) => ({
            windowKind,
            limitNanoUsd,
          })),
          includeByok: false,
          disabledServerTools: policies.disabledServerTools,
          defaultPlugins: policies.defaultPlugins.map(readDefaultEntry).map((entry) => ({
            settings: JSON.stringify(entry.settings),
            preventsOverrides: entry.preventsOverrides,
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
