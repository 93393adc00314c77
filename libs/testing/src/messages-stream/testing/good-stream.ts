import fc from 'fast-check';

export type Event = Readonly<Record<string, unknown>> & { readonly type: string };

export type BlockKind = 'text' | 'thinking' | 'redacted_thinking' | 'tool_use';

/** The content of a stream. */
export interface Story {
  readonly blocks: readonly { readonly kind: BlockKind; readonly pieces: readonly string[] }[];
  readonly isCut: boolean;
  readonly fails: boolean;
}

const usage = (outputTokens: number) => ({
  input_tokens: 3,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  output_tokens: outputTokens,
});

const openings: Readonly<Record<BlockKind, object>> = {
  text: { text: '' },
  thinking: { thinking: '', signature: '' },
  redacted_thinking: { data: 'sealed' },
  tool_use: { name: 'f', input: {} },
};

function deltasOf(kind: BlockKind, pieces: readonly string[]): readonly object[] {
  switch (kind) {
    case 'text':
      return [
        ...pieces.map((text) => ({ type: 'text_delta', text })),
        { type: 'citations_delta', citation: { type: 'web_search_result_location' } },
      ];
    case 'thinking':
      return [
        ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: 's' },
      ];
    case 'redacted_thinking':
      return [];
    case 'tool_use':
      return ['{"a":', '"b"}'].map((json) => ({ type: 'input_json_delta', partial_json: json }));
  }
}

/** The events of a stream that keeps every rule. */
export function goodStream({ blocks, isCut, fails }: Story): readonly Event[] {
  const told = blocks.flatMap(({ kind, pieces }, index): readonly Event[] => {
    const id = kind === 'tool_use' ? { id: `call_${String(index)}` } : {};
    const block = { type: kind, ...id, ...openings[kind] };
    return [
      { type: 'content_block_start', index, content_block: block },
      ...deltasOf(kind, pieces).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
  });
  const hasCalls = blocks.some(({ kind }) => kind === 'tool_use');
  const reason = isCut ? 'max_tokens' : hasCalls ? 'tool_use' : 'end_turn';
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usage(1),
  };
  const error = { type: 'api_error', message: 'cut', error_type: 'provider_unavailable' };
  const ending: readonly Event[] = [
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: usage(5),
    },
    { type: 'message_stop' },
  ];
  return [
    { type: 'message_start', message },
    { type: 'ping' },
    ...told,
    ...(fails ? [{ type: 'error', error, request_id: 'gen-1' }] : ending),
  ];
}

const kinds = ['text', 'thinking', 'redacted_thinking', 'tool_use'] as const;
export const stories: fc.Arbitrary<Story> = fc.record({
  blocks: fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      pieces: fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }),
    }),
    { maxLength: 5 },
  ),
  isCut: fc.boolean(),
  fails: fc.boolean(),
});

/** A story with two blocks of each kind. */
export const everything: Story = {
  blocks: [...kinds, ...kinds].map((kind) => ({ kind, pieces: ['ä', '🙂'] })),
  isCut: false,
  fails: false,
};
