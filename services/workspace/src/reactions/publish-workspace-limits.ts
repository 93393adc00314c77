import { limitStream, subjects } from '@sluice/bus';
import type { EventStore, RecordedEvent } from '@sluice/es';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { currentHistory, eachAtOnce, type History, type Projection } from '@sluice/read-model';
import {
  workspaceEvents,
  workspaceIdOfStream,
  workspaceStreamPrefix,
} from '../store/workspace-events.ts';
import { loadWorkspace } from '../store/workspace-handler.ts';
import { type FactBus, publishFacts } from './publish-facts.ts';

/** Neither order nor repetition matters, and each waits for the bus to store it. */
const atOnceMax = 64;

/**
 * Publishes each change of a workspace's budgets to the ledger. The bus has stored the fact before the
 * checkpoint moves. A fact has all budgets as the log has them now, under its revision, so that
 * neither order nor repetition matters.
 */
export function publishWorkspaceLimits(bus: FactBus, eventStore: EventStore): Projection {
  const publishFact = publishFacts(bus, limitStream);
  async function publish(workspaceId: string, history: History): Promise<void> {
    const { state, revision: revisionInLog } = await loadWorkspace(eventStore, workspaceId);
    if (state.kind === 'none') return;
    const revision = history.published(revisionInLog);
    const { accountId } = state;
    const budgets = state.kind === 'created' ? state.budgets : [];
    const fact: LimitsSet = {
      limitId: `workspace/${workspaceId}@${revision}`,
      accountId,
      scopeKind: 'workspace',
      scopeId: workspaceId,
      revision,
      limits: budgets.map(({ interval: windowKind, limitNanoUsd }) => ({
        windowKind,
        limitNanoUsd,
      })),
      includeByok: state.kind === 'created' && state.includeByokInBudgets,
    };
    const message = LimitsSet.toJSON(fact) as object;
    await publishFact(subjects.limitsSet(accountId), fact.limitId, message);
  }
  return {
    projection: 'workspace.publish_workspace_limits',
    version: 1,
    streamPrefixes: [workspaceStreamPrefix],
    tables: [],
    async apply(transaction, events) {
      const changed = changedLimits(events);
      if (changed.size === 0) return;
      const history = await currentHistory(transaction);
      await eachAtOnce(changed, atOnceMax, (workspaceId) => publish(workspaceId, history));
    },
  };
}

function changedLimits(events: readonly RecordedEvent[]): ReadonlySet<string> {
  const workspaceIds = new Set<string>();
  for (const recorded of events)
    switch (workspaceEvents.decode(recorded).type) {
      case 'WorkspaceBudgetSet':
      case 'WorkspaceBudgetRemoved':
      case 'WorkspaceByokBudgetPolicyChanged':
      case 'WorkspaceDeleted':
        workspaceIds.add(workspaceIdOfStream(recorded.stream));
        break;
      case 'WorkspaceCreated':
      case 'WorkspaceUpdated':
        break;
    }
  return workspaceIds;
}
