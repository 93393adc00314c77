import { Fields } from './fields.ts';
import type { Issues } from './issues.ts';
import { identifierCharactersMax, traceCharactersMax } from './limits.ts';

const knownKeys = ['trace_id', 'trace_name', 'span_name', 'generation_name', 'parent_span_id'];
/** In JSON only these characters are ever escaped so; no database keeps them. */
const unkeepable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

/** `trace`, as JSON: whatever the client wants to find with the generation. Empty: nothing. */
export function parseTrace(body: Fields, issues: Issues): string {
  const trace = body.object('trace');
  if (!trace) return '';
  const fields = new Fields(trace, { path: 'trace', issues });
  for (const name of knownKeys) fields.string(name, { charactersMax: identifierCharactersMax });
  const text = JSON.stringify(trace);
  if (text.length > traceCharactersMax)
    body.refuse('trace', `must have at most ${String(traceCharactersMax)} characters as JSON`);
  if (unkeepable.test(text))
    body.refuse('trace', 'must be well-formed text without the character U+0000');
  return text === '{}' ? '' : text;
}
