/** A call of a tool, and what the agent answered to it. */
export interface Called {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly output: string;
}

/** The facts that an agent takes from a stream. */
export interface Answered {
  readonly text: string;
  readonly calls: readonly Omit<Called, 'output'>[];
  readonly ended: boolean;
}

interface ResponsesEvent {
  readonly type: string;
  readonly delta?: string;
  readonly item?: {
    readonly type: string;
    readonly call_id: string;
    readonly name: string;
    readonly arguments: string;
  };
}

export function readResponses(text: string): Answered {
  const events = eventsOf(text) as readonly ResponsesEvent[];
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  return {
    text: events
      .map(({ type, delta = '' }) => (type === 'response.output_text.delta' ? delta : ''))
      .join(''),
    calls: done.flatMap(({ item }) =>
      item?.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, input: item.arguments }]
        : [],
    ),
    ended: events.at(-1)?.type === 'response.completed' && text.endsWith(doneFrame),
  };
}

interface Chunk {
  readonly usage?: object;
  readonly choices?: readonly {
    readonly finish_reason?: string | null;
    readonly delta?: {
      readonly content?: string | null;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }[];
    };
  }[];
}

export function readChat(text: string): Answered {
  const chunks = eventsOf(text) as readonly Chunk[];
  const choices = chunks.flatMap(({ choices: list = [] }) => list);
  const calls = new Map<number, { id: string; name: string; input: string }>();
  for (const piece of choices.flatMap(({ delta }) => delta?.tool_calls ?? [])) {
    const known = calls.get(piece.index) ?? { id: '', name: '', input: '' };
    known.id += piece.id ?? '';
    known.name += piece.function?.name ?? '';
    known.input += piece.function?.arguments ?? '';
    calls.set(piece.index, known);
  }
  return {
    text: choices.map(({ delta }) => delta?.content ?? '').join(''),
    calls: [...calls.values()],
    ended:
      choices.some(({ finish_reason: reason }) => typeof reason === 'string') &&
      chunks.some(({ usage }) => usage !== undefined) &&
      text.endsWith(doneFrame),
  };
}

interface MessageEvent {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: { readonly type: string; readonly id?: string; readonly name?: string };
  readonly delta?: { readonly text?: string; readonly partial_json?: string };
}

export function readMessages(text: string): Answered {
  const events = eventsOf(text) as readonly MessageEvent[];
  const calls = new Map<number, { id: string; name: string; input: string }>();
  for (const { index = 0, content_block: block, delta } of events) {
    const { type, id = '', name = '' } = block ?? {};
    if (type === 'tool_use') calls.set(index, { id, name, input: '' });
    const known = calls.get(index);
    if (known) known.input += delta?.partial_json ?? '';
  }
  return {
    text: events.map(({ delta }) => delta?.text ?? '').join(''),
    calls: [...calls.values()],
    ended: events.at(-1)?.type === 'message_stop',
  };
}

const doneFrame = 'data: [DONE]\n\n';

function eventsOf(text: string): readonly unknown[] {
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']): unknown => JSON.parse(data));
}
