export interface Block {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly id: string;
  readonly content: readonly Block[];
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
  readonly usage: {
    readonly input_tokens: number;
    readonly cache_read_input_tokens: number;
    readonly output_tokens: number;
    readonly cost: number;
  };
}

export interface MessageEvent {
  readonly type: string;
  readonly message?: Pick<Message, 'usage'>;
  readonly index?: number;
  readonly content_block?: Block;
  readonly delta?: {
    readonly type?: string;
    readonly text?: string;
    readonly thinking?: string;
    readonly partial_json?: string;
    readonly stop_reason?: string;
    readonly stop_sequence?: string | null;
  };
}

export const user = (content: unknown) => ({ role: 'user', content });

export const weather = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
};

/** Parses the body of a streamed answer in the messages dialect. */
export function messageEventsOf(text: string): readonly MessageEvent[] {
  const frames = text.split('\n\n').filter((frame) => frame.startsWith('event: '));
  return frames.map(
    (frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as MessageEvent,
  );
}
