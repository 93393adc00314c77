import type { RecordedEvent } from '@sluice/es';
import type { GuardrailEvent } from '../domain/guardrail/events.ts';
import type { GuardrailPhrasesEvent } from '../domain/guardrail-phrases/events.ts';
import type { GuardrailWorkspaceEvent } from '../domain/guardrail-workspace/events.ts';
import type { KeyGuardrailEvent } from '../domain/key-guardrail/events.ts';
import type { MemberGuardrailEvent } from '../domain/member-guardrail/events.ts';
import type { UnsupportedFeaturesEvent } from '../domain/unsupported-features/events.ts';
import { guardrailEvents, guardrailStreamPrefix } from './guardrail-events.ts';
import {
  guardrailPhrasesEvents,
  guardrailPhrasesStreamPrefix,
} from './guardrail-phrases-events.ts';
import { guardrailWorkspaceEvents } from './guardrail-workspace-events.ts';
import { keyGuardrailEvents, keyGuardrailStreamPrefix } from './key-guardrail-events.ts';
import { memberGuardrailEvents, memberGuardrailStreamPrefix } from './member-guardrail-events.ts';
import {
  unsupportedFeaturesEvents,
  unsupportedFeaturesStreamPrefix,
} from './unsupported-features-events.ts';

/** Any event of this service. */
export type GuardrailFact =
  | GuardrailEvent
  | KeyGuardrailEvent
  | MemberGuardrailEvent
  | GuardrailPhrasesEvent
  | UnsupportedFeaturesEvent
  | GuardrailWorkspaceEvent;

/** Decodes an event of any stream of this service. */
export function decodeFact(recorded: RecordedEvent): GuardrailFact {
  const { stream } = recorded;
  if (stream.startsWith(keyGuardrailStreamPrefix)) return keyGuardrailEvents.decode(recorded);
  if (stream.startsWith(memberGuardrailStreamPrefix)) return memberGuardrailEvents.decode(recorded);
  if (stream.startsWith(guardrailPhrasesStreamPrefix))
    return guardrailPhrasesEvents.decode(recorded);
  if (stream.startsWith(unsupportedFeaturesStreamPrefix))
    return unsupportedFeaturesEvents.decode(recorded);
  return stream.startsWith(guardrailStreamPrefix)
    ? guardrailEvents.decode(recorded)
    : guardrailWorkspaceEvents.decode(recorded);
}
