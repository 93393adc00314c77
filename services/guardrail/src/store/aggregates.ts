import type { EventStore } from '@sluice/es';
import type { Guardrail } from '../domain/guardrail/state.ts';
import { guardrailEvents } from './guardrail-events.ts';
import { guardrailPhrasesEvents } from './guardrail-phrases-events.ts';
import { guardrailWorkspaceEvents } from './guardrail-workspace-events.ts';
import { keyGuardrailEvents } from './key-guardrail-events.ts';
import { memberGuardrailEvents, memberKey } from './member-guardrail-events.ts';
import { unsupportedFeaturesEvents } from './unsupported-features-events.ts';

export type Aggregates = ReturnType<typeof aggregatesIn>;

/** Executes commands on each kind of stream, and loads its current state from the log. */
export function aggregatesIn(store: EventStore) {
  const ofMember = memberGuardrailEvents.handler(store);
  type MemberCommand = Parameters<typeof ofMember>[1];
  type Context = Parameters<typeof ofMember>[2];
  return {
    handleGuardrail: guardrailEvents.handler(store),
    handleKey: keyGuardrailEvents.handler(store),
    handleMember: (command: MemberCommand, context: Context) =>
      ofMember(memberKey(command.accountId, command.userId), command, context),
    handlePhrases: guardrailPhrasesEvents.handler(store),
    handleUnsupportedFeatures: unsupportedFeaturesEvents.handler(store),
    handleWorkspace: guardrailWorkspaceEvents.handler(store),

    async guardrail(guardrailId: string): Promise<Guardrail> {
      return (await guardrailEvents.load(store, guardrailId)).state;
    },
    async hasEnded(workspaceId: string): Promise<boolean> {
      return (await guardrailWorkspaceEvents.load(store, workspaceId)).state.hasEnded;
    },
  };
}
