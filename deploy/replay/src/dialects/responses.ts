import { count, type Json, list, object, text } from '../json.ts';
import { plainArguments, type Telling } from '../telling.ts';

/** Reads a response of OpenAI's dialect. A stream is read by its terminal event, which has all of it. */
export function responsesTelling(response: Json): Telling {
  const output = list(response['output']);
  const partsOf = (item: Json, field: string) =>
    list(item[field]).map((part) => text(part['text'] ?? part['refusal']));
  const usage = object(response['usage']);
  return {
    text: output
      .filter(({ type }) => type === 'message')
      .flatMap((item) => partsOf(item, 'content'))
      .join(''),
    thoughts: output
      .filter(({ type }) => type === 'reasoning')
      .flatMap((item) => [...partsOf(item, 'summary'), ...partsOf(item, 'content')])
      .join(''),
    calls: output
      .filter(({ type }) => type === 'function_call')
      .map((item) => ({
        name: text(item['name']),
        arguments: plainArguments(text(item['arguments'])),
      })),
    isCounted: Object.keys(usage).length > 0,
    inputTokens: count(usage['input_tokens']),
    outputTokens: count(usage['output_tokens']),
  };
}

/** Returns the response of a terminal event; undefined if the stream has none. */
export function terminalResponse(events: readonly Json[]): Json | undefined {
  const ends = ['response.completed', 'response.incomplete', 'response.failed'];
  const last = events.findLast(({ type }) => ends.includes(text(type)));
  return last && object(last['response']);
}

/**
 * Returns the whole response of a recorded stream. Some servers leave `output` of the last event empty, and the items
 * are in the events before it.
 */
export function recordedResponse(events: readonly Json[]): Json | undefined {
  const response = terminalResponse(events);
  if (!response || list(response['output']).length > 0) return response;
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  const place = (event: Json) => count(event['output_index']);
  const output = done.toSorted((one, other) => place(one) - place(other));
  return { ...response, output: output.map((event) => object(event['item'])) };
}
