import fc from 'fast-check';

export type Fields = Readonly<Record<string, unknown>>;
/** A chunk in its parts, or an error that stands alone. */
export interface LooseChunk {
  readonly head: Fields;
  readonly delta?: Fields;
  readonly reason?: string | null;
}

export type Saying =
  | { readonly kind: 'content' | 'thought'; readonly text: string }
  | { readonly kind: 'function' | 'custom' };

/** The content of a stream. */
export interface Story {
  readonly sayings: readonly Saying[];
  readonly isDebugged: boolean;
  readonly ending: 'done' | 'length' | 'error';
}

const base = { id: 'gen-1', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'm' };
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
export const broken: LooseChunk = { head: { error: { code: 502, message: 'cut' } } };

/** Returns true for the event that ends a broken answer. */
export function isBroken({ head }: LooseChunk): boolean {
  return 'error' in head && !('id' in head);
}

/** Writes a chunk as it stands in the stream. */
export function wireChunk({ head, delta, reason = null }: LooseChunk): Fields {
  if (!delta) return isBroken({ head }) ? head : { ...head, choices: [] };
  const choice = { index: 0, delta, finish_reason: reason, native_finish_reason: reason };
  return { ...head, choices: [choice] };
}

function deltasOf(saying: Saying, calls: number, thoughts: number): readonly Fields[] {
  switch (saying.kind) {
    case 'content':
      return [{ content: saying.text }];
    case 'thought': {
      const mark = { id: `rs_${String(thoughts)}`, index: thoughts, format: 'unknown' };
      const detail = { type: 'reasoning.text', ...mark, text: saying.text };
      return [{ reasoning: saying.text, reasoning_details: [detail] }];
    }
    case 'function': {
      const id = `call_${String(calls)}`;
      const named = { index: calls, id, type: 'function' };
      return [
        { tool_calls: [{ ...named, function: { name: 'f', arguments: '' } }] },
        { tool_calls: [{ index: calls, function: { arguments: '{"a":' } }] },
        { tool_calls: [{ index: calls, function: { arguments: '1}' } }] },
      ];
    }
    case 'custom': {
      const id = `call_${String(calls)}`;
      const named = { index: calls, id, type: 'custom' };
      return [
        { tool_calls: [{ ...named, custom: { name: 'g', input: '' } }] },
        { tool_calls: [{ index: calls, custom: { input: 'any {' } }] },
      ];
    }
  }
}

const isCall = ({ kind }: Saying) => kind === 'function' || kind === 'custom';

/** The chunks of a stream that keeps every rule. */
export function goodChunks({ sayings, isDebugged, ending }: Story): readonly LooseChunk[] {
  const said = sayings.flatMap((saying, at) => {
    const earlier = sayings.slice(0, at);
    const calls = earlier.filter(isCall).length;
    const thoughts = earlier.filter(({ kind }) => kind === 'thought').length;
    return deltasOf(saying, calls, thoughts);
  });
  const reasons = {
    done: sayings.some(isCall) ? 'tool_calls' : 'stop',
    length: 'length',
    error: 'error',
  };
  const report: LooseChunk = { head: { ...base, debug: { echo_upstream_body: {} } } };
  const end: LooseChunk = { head: base, delta: {}, reason: reasons[ending] };
  return [
    ...(isDebugged ? [report] : []),
    { head: base, delta: { role: 'assistant', content: '' } },
    ...said.map((delta) => ({ head: base, delta })),
    end,
    { head: { ...base, usage } },
    ...(ending === 'error' ? [broken] : []),
  ];
}

const texts = fc.string({ unit: 'binary', minLength: 1 });
export const stories: fc.Arbitrary<Story> = fc.record({
  sayings: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constantFrom('content', 'thought'), text: texts }),
      fc.record({ kind: fc.constantFrom('function', 'custom') }),
    ),
    { maxLength: 6 },
  ),
  isDebugged: fc.boolean(),
  ending: fc.constantFrom('done', 'length', 'error'),
});

/** A story with two of each kind. */
export const everything: Story = {
  sayings: [1, 2].flatMap((): readonly Saying[] => [
    { kind: 'thought', text: 'ä' },
    { kind: 'content', text: '🙂' },
    { kind: 'function' },
    { kind: 'custom' },
  ]),
  isDebugged: true,
  ending: 'done',
};
