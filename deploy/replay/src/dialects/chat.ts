import { count, type Json, list, object, text } from '../json.ts';
import { plainArguments, type Telling } from '../telling.ts';

/** Reads chat completions: chunks, or one whole completion. */
export function chatTelling(chunks: readonly Json[]): Telling {
  let said = '';
  let thoughts = '';
  let usage: Json = {};
  const calls: { id: string; index: unknown; name: string; arguments: string }[] = [];
  for (const chunk of chunks) {
    const choice = list(chunk['choices'])[0] ?? {};
    const message = object(choice['delta'] ?? choice['message']);
    said += text(message['content']);
    thoughts += text(message['reasoning_content']) || text(message['reasoning']);
    for (const call of list(message['tool_calls'])) {
      const called = object(call['function']);
      const id = text(call['id']);
      const known = calls.findLast(({ index }) => index === call['index']);
      const isSame = known && chunk['object'] !== 'chat.completion' && (!id || id === known.id);
      const open = isSame ? known : { id, index: call['index'], name: '', arguments: '' };
      if (!isSame) calls.push(open);
      open.name ||= text(called['name']);
      open.arguments += text(called['arguments']);
    }
    usage = object(chunk['usage'] ?? object(chunk['x_groq'])['usage'] ?? usage);
  }
  return {
    text: said,
    thoughts,
    calls: calls.map((call) => ({ name: call.name, arguments: plainArguments(call.arguments) })),
    inputTokens: count(usage['prompt_tokens']),
    outputTokens: count(usage['completion_tokens']),
  };
}
