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
    said += contentOf(message['content'], 'text') + text(message['refusal']);
    thoughts +=
      text(message['reasoning_content']) ||
      text(message['reasoning']) ||
      contentOf(message['content'], 'thinking');
    for (const call of list(message['tool_calls'])) {
      const called = object(call['function']);
      const id = text(call['id']);
      const known = calls.findLast(({ index }) => index === call['index']);
      const isSame = known && chunk['object'] !== 'chat.completion' && (!id || id === known.id);
      const open = isSame ? known : { id, index: call['index'], name: '', arguments: '' };
      if (!isSame) calls.push(open);
      open.name ||= text(called['name']);
      open.arguments += argumentsOf(called['arguments']);
    }
    usage = object(chunk['usage'] ?? object(chunk['x_groq'])['usage'] ?? usage);
  }
  return {
    text: said,
    thoughts,
    calls: calls.map((call) => ({ name: call.name, arguments: plainArguments(call.arguments) })),
    isCounted: Object.keys(usage).length > 0,
    inputTokens: count(usage['prompt_tokens']),
    outputTokens: outputTokens(usage),
  };
}

/** Some servers send the arguments as an object. */
function argumentsOf(given: unknown): string {
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : text(given);
}

/** Returns the text of one kind. Mistral sends a list of texts and thoughts, and a thought is a list of texts. */
function contentOf(content: unknown, kind: 'text' | 'thinking'): string {
  if (!Array.isArray(content)) return kind === 'text' ? text(content) : '';
  return list(content)
    .filter(({ type }) => type === kind)
    .map((piece) => (kind === 'text' ? text(piece['text']) : contentOrText(piece['thinking'])))
    .join('');
}

function contentOrText(thinking: unknown): string {
  return text(thinking) || contentOf(thinking, 'text');
}

/** Returns the output with its thoughts. xAI counts them beside the output, which only its total shows. */
function outputTokens(usage: Json): number {
  const output = count(usage['completion_tokens']);
  const thoughts = count(object(usage['completion_tokens_details'])['reasoning_tokens']);
  const isBeside = count(usage['prompt_tokens']) + output + thoughts === usage['total_tokens'];
  return isBeside ? output + thoughts : output;
}
