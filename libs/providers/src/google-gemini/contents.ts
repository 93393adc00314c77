import { textOf, type ContentPart, type MediaSource } from '@sluice/inference';
import { asObject, parseExact } from '../json-reader.ts';
import type { PlainItem } from '../plain-request.ts';
import {
  type Content,
  type Part,
  type Signed,
  withPlaceholders,
  withSignatures,
} from './signatures.ts';

/** Marks thoughts of this dialect. Only they can be replayed to it. */
export const geminiReasoningFormat = 'google-gemini-v1';

export interface Conversation {
  readonly system: readonly Part[];
  readonly contents: readonly Content[];
}

/**
 * Converts the conversation for generateContent: user and model alternate, and system texts are separate.
 * The signature of a thought is attached to the part that follows it.
 */
export function conversationOf(
  items: readonly PlainItem[],
  { signed }: { readonly signed: Signed },
): Conversation {
  const system: Part[] = [];
  const contents: { role: Content['role']; parts: Part[] }[] = [];
  const names = calledNames(items);
  let signatures: string[] = [];
  const say = (role: Content['role'], parts: readonly Part[]): void => {
    const last = contents.at(-1);
    if (parts.length === 0) {
      if (role === 'user' && last?.role !== role) contents.push({ role, parts: [] });
      return;
    }
    const said = role === 'model' ? withSignatures(parts, signatures) : parts;
    signatures = [];
    if (last?.role === role) last.parts.push(...said);
    else contents.push({ role, parts: [...said] });
  };
  for (const item of items)
    switch (item.type) {
      case 'message':
        if (item.role === 'system' || item.role === 'developer')
          system.push(...partsOf(item.content));
        else say(item.role === 'assistant' ? 'model' : 'user', partsOf(item.content));
        break;
      case 'function-call':
        say('model', [callPart(item.name, item.arguments)]);
        break;
      case 'function-call-output':
        say('user', answerParts(names.get(item.callId) ?? item.callId, item.output));
        break;
      case 'reasoning':
        if (item.signature !== undefined) signatures.push(item.signature);
        break;
      case 'native':
        say('model', item.text === '' ? [] : [{ text: item.text }]);
    }
  // The API needs at least one message.
  if (contents.length === 0)
    return { system: [], contents: [spoken({ role: 'user', parts: system })] };
  const turns = contents.map((turn) => withPlaceholders(spoken(turn), signed));
  return { system, contents: turns[0]?.role === 'user' ? turns : [opening, ...turns] };
}

/** Precedes a conversation that the model begins. The API requires that the user begins. */
const opening: Content = { role: 'user', parts: [{ text: '(The conversation begins.)' }] };

/** Stands for the words of a user who says nothing. The API refuses a turn without parts. */
const silence: readonly Part[] = [{ text: '(The user says nothing.)' }];

function spoken(turn: Content): Content {
  return turn.parts.length > 0 ? turn : { ...turn, parts: silence };
}

/** Maps call ids to function names. In Gemini an answer names its function instead of its call. */
function calledNames(items: readonly PlainItem[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const item of items) if (item.type === 'function-call') names.set(item.callId, item.name);
  return names;
}

function callPart(name: string, text: string): Part {
  return { functionCall: { name, args: asObject(parseExact(text)) ?? {} } };
}

/**
 * Returns a tool's answer as an object: JSON objects unchanged, other text under `output`. Media follow as parts. An
 * object with a `$ref` is a text, because Gemini takes it for the name of a part and refuses one that it does not find.
 */
function answerParts(name: string, output: string | readonly ContentPart[]): readonly Part[] {
  const text = typeof output === 'string' ? output : textOf(output);
  const object = refWord.test(text) ? undefined : asObject(parseExact(text));
  const response = object ?? { output: text };
  const media = typeof output === 'string' ? [] : output.filter(({ type }) => type !== 'text');
  return [{ functionResponse: { name, response } }, ...partsOf(media)];
}

/** A name that is `$ref` once its escapes are read. A string may have it, too: then the answer is only a text. */
const refWord = /(?:\$|\\u0024)(?:r|\\u0072)(?:e|\\u0065)(?:f|\\u0066)/;

/** Converts the parts of one message. */
export function partsOf(content: readonly ContentPart[]): readonly Part[] {
  return content.flatMap((part): readonly Part[] => {
    switch (part.type) {
      case 'text':
        return part.text === '' ? [] : [{ text: part.text }];
      case 'audio':
        return [{ inlineData: { mimeType: `audio/${part.format}`, data: part.data } }];
      case 'image':
      case 'file':
      case 'video':
        return [mediaPart(part.source)];
    }
  });
}

function mediaPart(source: MediaSource): Part {
  switch (source.type) {
    case 'data':
      return { inlineData: { mimeType: source.mediaType, data: source.base64 } };
    case 'url':
      return { fileData: { fileUri: source.url } };
    case 'id':
      return { fileData: { fileUri: source.id } };
  }
}
