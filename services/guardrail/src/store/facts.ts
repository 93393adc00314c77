import type { RecordedEvent } from '@sluice/es';
import { guardrailEvents } from './guardrail-events.ts';
import { guardrailPhrasesEvents } from './guardrail-phrases-events.ts';
import { guardrailWorkspaceEvents } from './guardrail-workspace-events.ts';
import { keyGuardrailEvents } from './key-guardrail-events.ts';
import { memberGuardrailEvents } from './member-guardrail-events.ts';
import { unsupportedFeaturesEvents } from './unsupported-features-events.ts';

const codecs = [
  guardrailEvents,
  keyGuardrailEvents,
  memberGuardrailEvents,
  guardrailPhrasesEvents,
  unsupportedFeaturesEvents,
  guardrailWorkspaceEvents,
] as const;

/** The prefixes of all streams of this service. */
export const factPrefixes: readonly string[] = codecs.map(({ streamPrefix }) => streamPrefix);

/** Any event of this service. */
export type GuardrailFact = ReturnType<(typeof codecs)[number]['decode']>;

/** Decodes an event of any stream of this service. */
export function decodeFact(recorded: RecordedEvent): GuardrailFact {
  const codec = codecs.find(({ streamPrefix }) => recorded.stream.startsWith(streamPrefix));
  if (!codec) throw new Error(`invariant: ${recorded.stream} is a stream of guardrails`);
  return codec.decode(recorded);
}
