import type { RecordedEvent } from '@sluice/es';
import { eachInOrder, type Projection, type Queryable } from '@sluice/read-model';
import { defaultGuardrailName } from '../domain/guardrail/state.ts';
import { decodeFact, factPrefixes, type GuardrailFact } from '../store/facts.ts';
import { guardrailEvents } from '../store/guardrail-events.ts';
import { setAllowedPhrases } from './allowed-phrases-rows.ts';
import {
  assignToKey,
  assignToMember,
  unassignFromKey,
  unassignFromMember,
} from './assignment-rows.ts';
import { deleteGuardrail, insertGuardrail, updateGuardrail } from './guardrail-rows.ts';
import { setUnsupportedFeatures } from './unsupported-features-rows.ts';

/**
 * Keeps the guardrails that are configured, whom they are assigned to, the phrases that accounts allow, and their modes
 * for unsupported features: one projection, so that one position says how far all of it is.
 */
export const guardrailsProjection: Projection = {
  projection: 'guardrail.guardrails',
  version: 1,
  streamPrefixes: factPrefixes,
  tables: [
    'guardrails',
    'key_assignments',
    'member_assignments',
    'allowed_phrases',
    'unsupported_features',
  ],
  async apply(transaction: Queryable, events: readonly RecordedEvent[]): Promise<void> {
    await eachInOrder(events, (recorded) =>
      apply(transaction, recorded.stream, decodeFact(recorded)),
    );
  },
};

async function apply(transaction: Queryable, stream: string, event: GuardrailFact): Promise<void> {
  switch (event.type) {
    case 'GuardrailCreated':
      return insertGuardrail(transaction, { ...event.data, isDefault: false });
    case 'DefaultGuardrailMaterialized': {
      const name = defaultGuardrailName(event.data.workspaceId);
      return insertGuardrail(transaction, { ...event.data, name, isDefault: true });
    }
    case 'GuardrailUpdated':
      return updateGuardrail(transaction, guardrailEvents.idOf(stream), event.data);
    case 'GuardrailDeleted':
      return deleteGuardrail(transaction, guardrailEvents.idOf(stream));
    case 'GuardrailAssignedToKey':
      return assignToKey(transaction, event.data);
    case 'GuardrailUnassignedFromKey':
      return unassignFromKey(transaction, event.data);
    case 'GuardrailAssignedToMember':
      return assignToMember(transaction, event.data);
    case 'GuardrailUnassignedFromMember':
      return unassignFromMember(transaction, event.data);
    case 'GuardrailPhrasesSet':
      return setAllowedPhrases(transaction, event.data);
    case 'UnsupportedFeaturesModeSet':
      return setUnsupportedFeatures(transaction, event.data);
    case 'GuardrailKeyRetired':
    case 'GuardrailWorkspaceEnded':
      // It changes no row, but a waiter for its position knows that all earlier events are applied.
      return;
  }
}
