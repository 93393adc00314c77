import { commandHandler, type EventStore, loadAggregate } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { guardrail } from '../domain/guardrail/decide.ts';
import type { Guardrail } from '../domain/guardrail/state.ts';
import { guardrailPhrases } from '../domain/guardrail-phrases/decide.ts';
import { guardrailWorkspace } from '../domain/guardrail-workspace/decide.ts';
import { keyGuardrail } from '../domain/key-guardrail/decide.ts';
import type { KeyGuardrail } from '../domain/key-guardrail/state.ts';
import { memberGuardrail } from '../domain/member-guardrail/decide.ts';
import type { MemberGuardrail } from '../domain/member-guardrail/state.ts';
import { unsupportedFeatures } from '../domain/unsupported-features/decide.ts';
import { guardrailEvents } from './guardrail-events.ts';
import { guardrailPhrasesEvents } from './guardrail-phrases-events.ts';
import { guardrailWorkspaceEvents } from './guardrail-workspace-events.ts';
import { keyGuardrailEvents } from './key-guardrail-events.ts';
import { memberGuardrailEvents, memberKey } from './member-guardrail-events.ts';
import { unsupportedFeaturesEvents } from './unsupported-features-events.ts';

export type Aggregates = ReturnType<typeof aggregatesIn>;

/** Executes commands on each kind of stream, and loads its current state from the log. */
export function aggregatesIn(store: EventStore) {
  const dependencies = { store, eventId, retryPause };
  const ofMember = commandHandler(memberGuardrail, memberGuardrailEvents, dependencies);
  type MemberCommand = Parameters<typeof ofMember>[1];
  type Context = Parameters<typeof ofMember>[2];
  return {
    handleGuardrail: commandHandler(guardrail, guardrailEvents, dependencies),
    handleKey: commandHandler(keyGuardrail, keyGuardrailEvents, dependencies),
    handleMember: (command: MemberCommand, context: Context) =>
      ofMember(memberKey(command.accountId, command.userId), command, context),
    handlePhrases: commandHandler(guardrailPhrases, guardrailPhrasesEvents, dependencies),
    handleUnsupportedFeatures: commandHandler(
      unsupportedFeatures,
      unsupportedFeaturesEvents,
      dependencies,
    ),
    handleWorkspace: commandHandler(guardrailWorkspace, guardrailWorkspaceEvents, dependencies),

    async guardrail(guardrailId: string): Promise<Guardrail> {
      return (await loadAggregate(store, guardrail, guardrailEvents, guardrailId)).state;
    },
    async key(hash: string): Promise<KeyGuardrail> {
      return (await loadAggregate(store, keyGuardrail, keyGuardrailEvents, hash)).state;
    },
    async member(accountId: string, userId: string): Promise<MemberGuardrail> {
      const id = memberKey(accountId, userId);
      return (await loadAggregate(store, memberGuardrail, memberGuardrailEvents, id)).state;
    },
    async hasEnded(workspaceId: string): Promise<boolean> {
      const { state } = await loadAggregate(
        store,
        guardrailWorkspace,
        guardrailWorkspaceEvents,
        workspaceId,
      );
      return state.hasEnded;
    },
  };
}
