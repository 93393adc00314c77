import { readFact, writeFact } from '@sluice/usage-facts';
import type { FailedTurn, Part, ResponseEnd } from './part.ts';

/** Returns the JSON text of a part. */
export function writePart(part: Part): string {
  switch (part.kind) {
    case 'fact':
      return JSON.stringify({ fact: writeFact(part.fact) });
    case 'failure':
      return JSON.stringify({ failure: part.failure });
    case 'end':
      return JSON.stringify({ end: part.end });
  }
}

/** Fields that failures and ends of an earlier release, which may still wait, do not have. */
const unknownBefore = {
  userId: '',
  trace: '',
  traceparent: '',
  httpReferer: '',
  userAgent: '',
  appTitle: '',
  apiType: '',
  guardrailInvoked: false,
  moderationLatencyMs: undefined,
  attempts: [],
  hasEnd: false,
};
const noEvents = { guardrailEvents: [], guardrailEventsOmitted: 0 };

/** Throws if the text is not of `writePart`. */
export function readPart(text: string): Part {
  const read = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if ('fact' in read) return { kind: 'fact', fact: readFact(read['fact']) };
  if ('failure' in read)
    return { kind: 'failure', failure: { ...unknownBefore, ...(read['failure'] as FailedTurn) } };
  return { kind: 'end', end: { ...noEvents, ...(read['end'] as ResponseEnd) } };
}
