import { exampleOf } from './arguments.ts';
import { isObject, type Prompt } from './prompt.ts';

/** Asks for JSON in words, as gateways do where an API has no field for it. A schema may follow. */
const words =
  /^Answer with (?:one JSON object and nothing else|nothing but a JSON value)(?:.*schema: (\{.*\}))?/m;

/** Returns the JSON that a prompt asks for; undefined: it asks for none. Without a schema the object has the reply. */
export function jsonAnswer(prompt: Prompt, reply: string): string | undefined {
  if (prompt.answerSchema !== undefined) return JSON.stringify(exampleOf(prompt.answerSchema));
  const asked = prompt.turns.flatMap(({ role, text }) =>
    role === 'system' ? (words.exec(text) ?? []) : [],
  );
  const schema = schemaIn(asked[1]);
  if (schema) return JSON.stringify(exampleOf(schema));
  return prompt.wantsJson || asked.length > 0 ? JSON.stringify({ answer: reply }) : undefined;
}

function schemaIn(text: string | undefined): object | undefined {
  try {
    const schema: unknown = JSON.parse(text ?? '');
    return isObject(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}
