import { createFactPublisher, type FactBus, limitStream, subjects } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { type Projection, publishLatest } from '@sluice/read-model';
import type { WorkspaceEvent } from '../domain/workspace/events.ts';
import { workspaceEvents } from '../store/workspace-events.ts';

/**
 * Publishes each change of a workspace's budgets to the ledger. The bus has stored the fact before the
 * checkpoint moves. A fact has all budgets under their revision, so that neither order nor repetition matters.
 */
export function publishWorkspaceLimits(bus: FactBus, eventStore: EventStore): Projection {
  const publishFact = createFactPublisher(bus, limitStream);
  return publishLatest({
    projection: 'workspace.publish_workspace_limits',
    version: 1,
    eventStore,
    events: workspaceEvents,
    concerns: changesLimits,
    async publish({ id: workspaceId, state, revision: revisionInLog, history }) {
      if (state.kind === 'none') return;
      const revision = history.published(revisionInLog);
      const created = state.kind === 'created' ? state : undefined;
      const fact: LimitsSet = {
        limitId: `workspace/${workspaceId}@${revision}`,
        accountId: state.accountId,
        scopeKind: 'workspace',
        scopeId: workspaceId,
        revision,
        limits: (created?.budgets ?? []).map(({ interval: windowKind, limitNanoUsd }) => ({
          windowKind,
          limitNanoUsd,
        })),
        includeByok: created?.includeByokInBudgets ?? false,
      };
      const message = LimitsSet.toJSON(fact) as object;
      await publishFact(subjects.limitsSet(fact.accountId), fact.limitId, message);
    },
  });
}

function changesLimits({ type }: WorkspaceEvent): boolean {
  switch (type) {
    case 'WorkspaceBudgetSet':
    case 'WorkspaceBudgetRemoved':
    case 'WorkspaceByokBudgetPolicyChanged':
    case 'WorkspaceDeleted':
      return true;
    case 'WorkspaceCreated':
    case 'WorkspaceUpdated':
      break;
  }
  return false;
}
