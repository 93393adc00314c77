import { Fault } from '@sluice/errors';
import type { RoutingDeps } from '@sluice/routing/service';
import type { SimulatedCap } from './caps.ts';
import type { Network } from './network.ts';
import type { Life } from './virtual-time.ts';

const callTimeoutMs = 2_000;

/** The fields of a budget that routing does not read. */
const unread = { budgetId: '', createdAt: '', updatedAt: '' };

/** The workspace and the guardrail service as one life reaches them. */
export function connectPolicies(
  life: Life,
  network: Network,
  caps: readonly SimulatedCap[],
): RoutingDeps['policies'] {
  const ask = <Answer>(answer: () => Answer) =>
    life.isOver ? new Promise<Answer>(() => {}) : network.call(answer, callTimeoutMs);
  return {
    workspaces: {
      resolvePreset: () => Promise.reject(new Fault('not_found')),
      getSpendPolicy: ({ workspaceId }) =>
        ask(() => ({
          isAlive: true,
          disabledServerTools: [],
          defaultPlugins: [],
          modelAliases: [],
          observation: '',
          givesData: false,
          contentLogging: undefined,
          includeByok: caps.some(
            ({ scopeKind, scopeId, limit }) =>
              scopeKind === 'workspace' && scopeId === workspaceId && limit?.includeByok === true,
          ),
          budgets: caps.flatMap(({ scopeKind, scopeId, windowKind, limit }) =>
            scopeKind === 'workspace' && scopeId === workspaceId && limit
              ? [{ windowKind, limitNanoUsd: limit.limitNanoUsd, ...unread }]
              : [],
          ),
        })),
    },
    guardrails: {
      getEffectivePolicy: ({ keyHash }) =>
        ask(() => ({
          allowedPhrases: [],
          guardrails: caps.flatMap(({ scopeKind, scopeId, windowKind, keyHashes, limit }) => {
            if (scopeKind !== 'guardrail' || !limit || !keyHashes.includes(keyHash)) return [];
            const [guardrailId = '', scope = '', assigneeId = ''] = scopeId.split(':');
            const { limitNanoUsd, includeByok } = limit;
            const common = { name: guardrailId, includeByok, rules: undefined };
            return [{ guardrailId, scope, assigneeId, limitNanoUsd, windowKind, ...common }];
          }),
        })),
    },
  };
}
