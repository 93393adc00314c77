/** The text of one delta. The text of an answer repeats it. */
export const deltaText = ' words';

const messageId = 'msg_bench';
const inputTokens = 50;

/** The text of an answer of so many deltas. */
export const textOf = (deltas: number) => deltaText.repeat(deltas);

/** One whole HTTP response in the responses dialect. */
export function wholeAnswer(deltas: number): Buffer {
  return jsonAnswer('200 OK', response(deltas, 'completed'));
}

/** The vectors of an answer: how many there are, and how long each is. */
export interface VectorsShape {
  readonly inputs: number;
  readonly dimensions: number;
}

/** Returns the base64 of a vector of so many 32-bit floats, with as many digits as a model's have. */
export function vectorText(dimensions: number): string {
  const floats = Float32Array.from({ length: dimensions }, (_, at) => Math.sin(at + 1) / 32);
  return Buffer.from(floats.buffer).toString('base64');
}

/** One whole HTTP response of the embeddings API, in base64. */
export function vectorsAnswer({ inputs, dimensions }: VectorsShape): Buffer {
  const embedding = vectorText(dimensions);
  const data = Array.from({ length: inputs }, (_, index) => ({
    object: 'embedding',
    index,
    embedding,
  }));
  const usage = { prompt_tokens: inputTokens, total_tokens: inputTokens };
  return jsonAnswer('200 OK', { object: 'list', model: 'vectors', data, usage });
}

export function failureAnswer(status: number): Buffer {
  return jsonAnswer(`${status} As asked`, { error: { message: 'As asked', type: 'server_error' } });
}

function jsonAnswer(status: string, answer: object): Buffer {
  const body = JSON.stringify(answer);
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n`;
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** The writes of a streamed HTTP response: what precedes the text, each delta, what follows it. */
export function streamedAnswer(deltas: number): readonly Buffer[] {
  let number = 0;
  const event = (type: string, payload: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...payload })}\n\n`;
  const place = { item_id: messageId, output_index: 0, content_index: 0 };
  const head =
    'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  const begun = [
    event('response.created', { response: response(0, 'in_progress') }),
    event('response.in_progress', { response: response(0, 'in_progress') }),
    event('response.output_item.added', {
      output_index: 0,
      item: { ...message(0), status: 'in_progress', content: [] },
    }),
    event('response.content_part.added', { ...place, part: outputText('') }),
  ].join('');
  const said = Array.from({ length: deltas }, () =>
    event('response.output_text.delta', { ...place, delta: deltaText, logprobs: [] }),
  );
  const text = textOf(deltas);
  const ended = [
    event('response.output_text.done', { ...place, text, logprobs: [] }),
    event('response.content_part.done', { ...place, part: outputText(text) }),
    event('response.output_item.done', { output_index: 0, item: message(deltas) }),
    event('response.completed', { response: response(deltas, 'completed') }),
  ].join('');
  return [
    Buffer.from(head + chunk(begun)),
    ...said.map((text) => Buffer.from(chunk(text))),
    Buffer.from(`${chunk(ended)}0\r\n\r\n`),
  ];
}

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const outputText = (text: string) => ({ type: 'output_text', annotations: [], logprobs: [], text });

const message = (deltas: number) => ({
  id: messageId,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [outputText(textOf(deltas))],
});

function response(deltas: number, status: 'in_progress' | 'completed'): object {
  const isOver = status === 'completed';
  return {
    id: 'resp_bench',
    object: 'response',
    created_at: 1_760_000_000,
    status,
    error: null,
    incomplete_details: null,
    model: 'echo',
    output: isOver ? [message(deltas)] : [],
    parallel_tool_calls: true,
    usage: isOver
      ? {
          input_tokens: inputTokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: deltas,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: inputTokens + deltas,
        }
      : null,
  };
}
