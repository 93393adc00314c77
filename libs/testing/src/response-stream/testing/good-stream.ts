import fc from 'fast-check';

export type Event = Readonly<Record<string, unknown>> & { readonly type: string };
export type Fields = Readonly<Record<string, unknown>>;

/** How one item is told: what it opens as, and its events without their place. */
export interface Script {
  readonly prefix: string;
  readonly opening: Fields;
  readonly steps: readonly Event[];
}

/** The content of a stream. */
export interface Story {
  readonly scripts: readonly Script[];
  /** Each one says which of the open items goes on, or that the next one opens. */
  readonly picks: readonly number[];
  readonly debugged: number;
  readonly ending: 'completed' | 'incomplete' | 'failed';
}

const logprob = { token: 't', logprob: -0.5 };

export function message(
  kind: 'output_text' | 'refusal',
  parts: readonly (readonly string[])[],
  isNoted = true,
): Script {
  const field = kind === 'refusal' ? 'refusal' : 'text';
  const isText = kind === 'output_text';
  const steps = parts.flatMap((deltas, content_index): readonly Event[] => {
    const text = deltas.join('');
    const logprobs = deltas.map(() => logprob);
    const annotations = isText && isNoted ? [{ type: 'url_citation', url: 'u' }] : [];
    const whole = { type: kind, [field]: text, ...(isText && { annotations, logprobs }) };
    const empty = { type: kind, [field]: '', ...(isText && { annotations: [], logprobs: [] }) };
    return [
      { type: 'response.content_part.added', content_index, part: empty },
      ...deltas.map((delta) => ({
        type: `response.${kind}.delta`,
        content_index,
        delta,
        ...(isText && { logprobs: [logprob] }),
      })),
      ...annotations.map((annotation, annotation_index) => ({
        type: 'response.output_text.annotation.added',
        content_index,
        annotation_index,
        annotation,
      })),
      {
        type: `response.${kind}.done`,
        content_index,
        [field]: text,
        ...(isText && { logprobs }),
      },
      { type: 'response.content_part.done', content_index, part: whole },
    ];
  });
  return { prefix: 'msg', opening: { type: 'message', role: 'assistant', content: [] }, steps };
}

export function thought(
  summaries: readonly (readonly string[])[],
  deltas: readonly string[] | undefined,
): Script {
  const told = summaries.flatMap((pieces, summary_index): readonly Event[] => {
    const place = { summary_index };
    const text = pieces.join('');
    const part = { type: 'summary_text', text };
    const empty = { type: 'summary_text', text: '' };
    return [
      { type: 'response.reasoning_summary_part.added', ...place, part: empty },
      ...pieces.map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        ...place,
        delta,
      })),
      { type: 'response.reasoning_summary_text.done', ...place, text },
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ];
  });
  const text = deltas?.join('');
  const place = { content_index: 0 };
  const raw: readonly Event[] = deltas
    ? [
        {
          type: 'response.content_part.added',
          ...place,
          part: { type: 'reasoning_text', text: '' },
        },
        ...deltas.map((delta) => ({ type: 'response.reasoning_text.delta', ...place, delta })),
        { type: 'response.reasoning_text.done', ...place, text },
        { type: 'response.content_part.done', ...place, part: { type: 'reasoning_text', text } },
      ]
    : [];
  const opening = { type: 'reasoning', summary: [], content: [] };
  return { prefix: 'rs', opening, steps: [...told, ...raw] };
}

export function functionCall(deltas: readonly string[]): Script {
  const steps = [
    ...deltas.map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
    { type: 'response.function_call_arguments.done', arguments: deltas.join(''), name: 'f' },
  ];
  const opening = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '' };
  return { prefix: 'fc', opening, steps };
}

export function customCall(deltas: readonly string[]): Script {
  const steps = [
    ...deltas.map((delta) => ({ type: 'response.custom_tool_call_input.delta', delta })),
    { type: 'response.custom_tool_call_input.done', input: deltas.join('') },
  ];
  const opening = { type: 'custom_tool_call', call_id: 'call_2', name: 'g', input: '' };
  return { prefix: 'ctc', opening, steps };
}

export function search(): Script {
  const steps = ['in_progress', 'searching', 'completed'].map((step) => ({
    type: `response.web_search_call.${step}`,
  }));
  return { prefix: 'ws', opening: { type: 'web_search_call' }, steps };
}

/** The item after some of its steps. */
function grown({ opening }: Script, steps: readonly Event[]): Fields {
  const item: Record<string, unknown> = { ...opening };
  const content: Record<string, unknown>[] = [];
  const summary: Record<string, unknown>[] = [];
  for (const step of steps) {
    const list = 'summary_index' in step ? summary : content;
    const part = list.at(-1) ?? item;
    if (step.type.endsWith('part.added')) list.push({ ...(step['part'] as Fields) });
    if (step['annotation'])
      part['annotations'] = [...listOf(part['annotations']), step['annotation']];
    if (typeof step['delta'] !== 'string') continue;
    const field = ['text', 'refusal', 'arguments', 'input'].find((name) => name in part) ?? '';
    part[field] = String(part[field]) + step['delta'];
    if ('logprobs' in step) part['logprobs'] = [...listOf(part['logprobs']), logprob];
  }
  if ('content' in opening) item['content'] = content;
  if ('summary' in opening) item['summary'] = summary;
  return item;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const asked = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_760_000_000,
  model: 'maker/model',
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  tools: [],
  tool_choice: 'auto',
  temperature: null,
  top_p: null,
  frequency_penalty: null,
  presence_penalty: null,
};
const openResponse = {
  ...asked,
  status: 'in_progress',
  completed_at: null,
  output: [],
  error: null,
  incomplete_details: null,
  usage: null,
};

function closedResponse(ending: Story['ending'], output: readonly Fields[]): Fields {
  return {
    ...openResponse,
    status: ending,
    completed_at: ending === 'completed' ? 1_760_000_009 : null,
    output,
    usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
    incomplete_details: ending === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    ...(ending === 'failed' && {
      error: { code: 'server_error', message: 'cut' },
      error_type: 'provider_unavailable',
    }),
  };
}

export function numbered(events: readonly Event[]): readonly Event[] {
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

/** A stream that keeps every rule. */
export function goodStream({ scripts, picks, debugged, ending }: Story): readonly Event[] {
  const taken = scripts.map(() => 0);
  const placed: Event[] = [];
  let opened = 0;
  const idOf = (index: number) => `${scripts[index]?.prefix ?? ''}_${String(index)}`;
  const itemOf = (script: Script, index: number, status: string): Fields => ({
    ...grown(script, script.steps.slice(0, taken[index])),
    id: idOf(index),
    status,
  });
  const open = () => {
    const script = scripts[opened];
    if (!script) return;
    const item = { ...script.opening, id: idOf(opened), status: 'in_progress' };
    placed.push({ type: 'response.output_item.added', output_index: opened, item });
    opened += 1;
  };
  const goOn = (index: number) => {
    const script = scripts[index];
    const step = script?.steps[taken[index] ?? 0];
    if (!script) return;
    taken[index] = (taken[index] ?? 0) + 1;
    if (step) placed.push({ ...step, item_id: idOf(index), output_index: index });
    else {
      const item = itemOf(script, index, 'completed');
      placed.push({ type: 'response.output_item.done', output_index: index, item });
    }
  };
  const isOpen = (index: number) => (taken[index] ?? 0) <= (scripts[index]?.steps.length ?? 0);
  const openItems = () => [...Array(opened).keys()].filter(isOpen);
  for (const pick of picks) {
    const choices = openItems();
    const chosen = choices[pick % (choices.length + 1)];
    if (chosen === undefined) open();
    else goOn(chosen);
  }
  // A failure leaves open what is open; every other end closes all of it.
  if (ending !== 'failed') {
    while (opened < scripts.length) open();
    for (const index of openItems()) while (isOpen(index)) goOn(index);
  }
  const output = scripts
    .slice(0, opened)
    .map((script, index) => itemOf(script, index, isOpen(index) ? 'incomplete' : 'completed'));
  return numbered([
    ...Array.from({ length: debugged }, () => ({ type: 'response.debug', debug: {} })),
    { type: 'response.created', response: openResponse },
    { type: 'response.in_progress', response: openResponse },
    ...placed,
    { type: `response.${ending}`, response: closedResponse(ending, output) },
  ]);
}

const deltas = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), {
  maxLength: 4,
});
const script = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('output_text' as const, 'refusal' as const),
      fc.array(deltas, { maxLength: 2 }),
      fc.boolean(),
    )
    .map((given) => message(...given)),
  fc
    .tuple(fc.array(deltas, { maxLength: 2 }), fc.option(deltas, { nil: undefined }))
    .map((given) => thought(...given)),
  deltas.map(functionCall),
  deltas.map(customCall),
  fc.constant(search()),
);

/** Any stream that keeps every rule: items open and grow in any interleaving. */
export const stories: fc.Arbitrary<Story> = fc.record({
  scripts: fc.array(script, { maxLength: 4 }),
  picks: fc.array(fc.nat(9), { maxLength: 60 }),
  debugged: fc.nat(2),
  ending: fc.constantFrom('completed', 'incomplete', 'failed'),
});

/** One of everything, side by side. */
export const everything: Story = {
  scripts: [
    thought([['a', 'b'], ['c']], ['d', 'e']),
    message('output_text', [['f', 'g'], ['h']]),
    functionCall(['{', '}']),
    message('refusal', [['no']]),
    customCall(['i', 'j']),
    search(),
  ],
  picks: [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5],
  debugged: 0,
  ending: 'completed',
};
