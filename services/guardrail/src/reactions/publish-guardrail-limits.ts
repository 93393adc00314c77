import { type Bus, limitStream, subjects } from '@sluice/bus';
import { aggregateAfter, byStream, type EventStore, type RecordedEvent } from '@sluice/es';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { currentHistory, eachAtOnce, type History, type Projection } from '@sluice/read-model';
import type { GuardrailChanges } from '../domain/guardrail/events.ts';
import { guardrail } from '../domain/guardrail/decide.ts';
import { emptyPolicy } from '../domain/guardrail/state.ts';
import {
  guardrailEvents,
  guardrailIdOf,
  guardrailStreamPrefix,
} from '../store/guardrail-events.ts';

/** Neither order nor repetition matters, and each waits for the bus to store it. */
const atOnceMax = 64;

export type GuardrailLimitBus = Pick<Bus, 'publishFact' | 'ensureStream'>;

/**
 * Publishes each change of a guardrail's limit to the ledger. The bus has stored the fact before the
 * checkpoint moves. A fact has the whole limit with its revision, so neither order nor repetition matters.
 */
export function publishGuardrailLimits(bus: GuardrailLimitBus, eventStore: EventStore): Projection {
  let streamIsThere: Promise<void> | undefined;
  async function publish(
    guardrailId: string,
    events: readonly RecordedEvent[],
    history: History,
  ): Promise<void> {
    const { state, revision: revisionInLog } = await aggregateAfter(
      eventStore,
      guardrail,
      guardrailEvents,
      guardrailId,
      events,
    );
    if (state.status === 'none') return;
    const revision = history.published(revisionInLog);
    streamIsThere ??= bus.ensureStream(limitStream);
    await streamIsThere.catch((error: unknown) => {
      streamIsThere = undefined;
      throw error;
    });
    const policy = state.status === 'configured' ? state.policy : emptyPolicy;
    const { limitNanoUsd, resetInterval, includeByok } = policy;
    const fact: LimitsSet = {
      limitId: `guardrail/${guardrailId}@${revision}`,
      accountId: state.accountId,
      scopeKind: 'guardrail',
      scopeId: guardrailId,
      revision,
      limits:
        limitNanoUsd === null || resetInterval === null
          ? []
          : [{ windowKind: resetInterval, limitNanoUsd: BigInt(limitNanoUsd) }],
      includeByok,
    };
    const message = LimitsSet.toJSON(fact) as object;
    await bus.publishFact(subjects.limitsSet(fact.accountId), fact.limitId, message);
  }
  return {
    projection: 'guardrail.publish_limits',
    version: 1,
    streamPrefixes: [guardrailStreamPrefix],
    tables: [],
    async apply(transaction, events) {
      const changed = changedLimits(events);
      if (changed.size === 0) return;
      const history = await currentHistory(transaction);
      await eachAtOnce(byStream(events), atOnceMax, async ([stream, ofOne]) => {
        if (changed.has(stream)) await publish(guardrailIdOf(stream), ofOne, history);
      });
    },
  };
}

/** Returns the streams of the guardrails whose limits change with these events. */
function changedLimits(events: readonly RecordedEvent[]): ReadonlySet<string> {
  const streams = new Set<string>();
  for (const recorded of events) {
    const event = guardrailEvents.decode(recorded);
    switch (event.type) {
      case 'GuardrailCreated':
      case 'DefaultGuardrailMaterialized':
      case 'GuardrailDeleted':
        streams.add(recorded.stream);
        break;
      case 'GuardrailUpdated':
        if (changesLimit(event.data.changes)) streams.add(recorded.stream);
        break;
    }
  }
  return streams;
}

function changesLimit({ limitNanoUsd, resetInterval, includeByok }: GuardrailChanges): boolean {
  return [limitNanoUsd, resetInterval, includeByok].some((value) => value !== undefined);
}
