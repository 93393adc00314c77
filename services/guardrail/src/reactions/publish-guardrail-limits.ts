import { createFactPublisher, type FactBus, limitStream, subjects } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { type Projection, publishLatest } from '@sluice/read-model';
import type { GuardrailEvent } from '../domain/guardrail/events.ts';
import { emptyPolicy } from '../domain/guardrail/state.ts';
import { guardrailEvents } from '../store/guardrail-events.ts';

/**
 * Publishes each change of a guardrail's limit to the ledger. The bus has stored the fact before the
 * checkpoint moves. A fact has the whole limit with its revision, so neither order nor repetition matters.
 */
export function publishGuardrailLimits(bus: FactBus, eventStore: EventStore): Projection {
  const publishFact = createFactPublisher(bus, limitStream);
  return publishLatest({
    projection: 'guardrail.publish_limits',
    version: 1,
    eventStore,
    events: guardrailEvents,
    concerns: changesLimit,
    async publish({ id: guardrailId, state, revision: revisionInLog, history }) {
      if (state.status === 'none') return;
      const revision = history.published(revisionInLog);
      const policy = state.status === 'configured' ? state.policy : emptyPolicy;
      const { limitNanoUsd, resetInterval: windowKind, includeByok } = policy;
      const fact: LimitsSet = {
        limitId: `guardrail/${guardrailId}@${revision}`,
        accountId: state.accountId,
        scopeKind: 'guardrail',
        scopeId: guardrailId,
        revision,
        limits:
          limitNanoUsd === null || windowKind === null
            ? []
            : [{ windowKind, limitNanoUsd: BigInt(limitNanoUsd) }],
        includeByok,
      };
      const message = LimitsSet.toJSON(fact) as object;
      await publishFact(subjects.limitsSet(fact.accountId), fact.limitId, message);
    },
  });
}

function changesLimit(event: GuardrailEvent): boolean {
  switch (event.type) {
    case 'GuardrailCreated':
    case 'DefaultGuardrailMaterialized':
    case 'GuardrailDeleted':
      return true;
    case 'GuardrailUpdated': {
      const { limitNanoUsd, resetInterval, includeByok } = event.data.changes;
      return [limitNanoUsd, resetInterval, includeByok].some((value) => value !== undefined);
    }
  }
}
