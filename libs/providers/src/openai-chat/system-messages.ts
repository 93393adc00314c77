import type { InferenceRequest } from '@sluice/inference';
import type { ChatOptions, Endpoint } from '../endpoint.ts';
import { asString } from '../json-reader.ts';
import { errorObject } from '../error-object.ts';
import type { ChatContent } from './content.ts';

interface Message {
  readonly role: string;
}

interface Instruction extends Message {
  readonly role: 'system' | 'developer' | 'user';
  readonly content: ChatContent;
}

/** Returns the messages with all instructions in one message, the first one, in their order. */
export function withOneSystemMessage<Other extends Message>(
  messages: readonly (Other | Instruction)[],
): readonly (Other | Instruction)[] {
  const instructions = messages.filter(isInstruction);
  const [first, ...others] = instructions;
  if (!first || (others.length === 0 && messages[0] === first)) return messages;
  const rest = messages.filter((message) => !isInstruction(message));
  return [{ ...first, content: joined(instructions) }, ...rest];
}

function isInstruction(message: Message): message is Instruction {
  return message.role === 'system' || message.role === 'developer';
}

const between = '\n\n';

function joined(instructions: readonly Instruction[]): ChatContent {
  const contents = instructions.map(({ content }) => content);
  if (contents.every((content) => typeof content === 'string')) return contents.join(between);
  return contents.flatMap((content) =>
    typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
  );
}

/** Returns true if a request has instructions that are not the first message alone. */
export function hasLateInstructions({ items }: Pick<InferenceRequest, 'items'>): boolean {
  return items.some(
    (item, at) =>
      at > 0 && item.type === 'message' && (item.role === 'system' || item.role === 'developer'),
  );
}

/** Words of templates that take one system message, the first one. Most are Jinja templates of open models. */
const refusals = [
  /system (?:message|prompt|role|instruction)s?\b.{0,60}\b(?:beginning|first|start|one|single|once)\b/i,
  /\b(?:one|single|multiple|first)\b.{0,40}\bsystem (?:message|prompt|instruction)/i,
];
const charactersMax = 4_000;

/** Returns true if a server refuses a request because of its system messages. */
export function refusesSystemMessages(status: number, body: unknown): boolean {
  if (status !== 400 && status !== 422 && status !== 500) return false;
  const said = asString(errorObject(body)['message'])?.slice(0, charactersMax) ?? '';
  return refusals.some((pattern) => pattern.test(said));
}

/** Returns the endpoint that gets one system message. */
export function oneSystemEndpoint(endpoint: Endpoint, options: ChatOptions): Endpoint {
  return { ...endpoint, chat: { ...options, takesOneSystemMessage: true } };
}
