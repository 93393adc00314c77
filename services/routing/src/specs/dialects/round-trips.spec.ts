import { deepEqual, notDeepEqual } from 'node:assert/strict';
import type { InferenceRequest, InputItem } from '@sluice/inference';
import { type Dialect, wireBody } from '@sluice/providers';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import {
  anyConversation,
  bodyOf,
  type ConversationDialect,
  conversations,
  parseCall,
} from '../../testing/conversations/index.ts';

// A client's words reach a provider that speaks the same dialect: the body that the provider gets says, read as that
// of a client, the same again.

type Conversation = (typeof conversations)[number];

const parsed = async (dialect: ConversationDialect, body: object): Promise<InferenceRequest> =>
  (await parseCall(dialect, body)).inference;

/** The newest Claude models think by effort, older ones by budget. */
function modelFor({ options }: InferenceRequest): string {
  return options?.reasoning?.tokensMax === undefined ? 'claude-opus-4-6' : 'claude-opus-4-1';
}

async function sentAgain(name: ConversationDialect, provider: Dialect, said: InferenceRequest) {
  const endpoint = {
    provider: 'p',
    dialect: provider,
    baseUrl: 'https://p.example',
    apiKey: undefined,
    upstreamModel: modelFor(said),
  };
  const body = JSON.parse(JSON.stringify(wireBody(endpoint, said))) as object;
  return await parsed(name, body);
}

/** Messages of one role that follow each other are one turn. */
function joined(items: readonly InputItem[]): readonly InputItem[] {
  const turns: InputItem[] = [];
  for (const item of items) {
    const last = turns.at(-1);
    if (item.type === 'message' && last?.type === 'message' && last.role === item.role)
      turns[turns.length - 1] = { ...last, content: [...last.content, ...item.content] };
    else turns.push(item);
  }
  return turns;
}

/** Leaves out the ids of thoughts, and the output limit that the messages API demands. */
function comparable({ items, maxOutputTokens, ...request }: InferenceRequest): object {
  const said = joined(items).map((item) =>
    item.type === 'reasoning' ? { ...item, id: undefined } : item,
  );
  return JSON.parse(
    JSON.stringify({ ...request, maxOutputTokens: maxOutputTokens ?? 4_096, items: said }),
  ) as object;
}

const kinds: readonly (readonly [ConversationDialect, Dialect])[] = [
  ['responses', 'openai-responses'],
  ['chat-completions', 'openai-chat'],
  ['messages', 'anthropic-messages'],
];

/** The conversations that come out in other words, and why. */
const repaired = { 'a call that nobody answered': 'it gets an answer, which providers demand' };
const ofOpenAi = {
  ...repaired,
  'a text up to which the prompt is worth caching': 'its marks have no lifetime',
  'a prompt that is worth caching': 'it caches each prompt by itself',
  'an answer of a tool in parts': 'one text is sent as a text',
  'a thought before a call': 'a thought of another provider is left out',
  'a thought that nobody can read': 'a thought of another provider is left out',
  'thoughts, tools and a budget': 'a thought of another provider is left out',
  'a budget to think': 'it has efforts alone',
  'an effort to think': 'an effort says already that the model thinks',
  'no thinking': 'its word for it is an effort',
  'a faster tier': 'its word for it is priority',
};
const inOtherWords: Readonly<Record<ConversationDialect, Readonly<Record<string, string>>>> = {
  responses: { ...ofOpenAi, 'a number of candidates': 'it has no such parameter' },
  'chat-completions': {
    ...ofOpenAi,
    'a picture from a tool': 'answers of tools are texts, so the user shows the picture',
  },
  messages: {
    ...repaired,
    'an empty text': 'it refuses texts that are empty',
    'no thinking': 'a model that is not told to think does not',
    sampling: 'newer models refuse temperature beside top_p',
    'a prompt that is worth caching': 'the end of the prompt is marked',
    'a key of the cache': 'it has no such parameter',
    'a faster tier': 'an endpoint of that tier is chosen',
  },
};

describe.each(kinds)('%s through %s', (name, provider) => {
  const there = async (conversation: Conversation): Promise<readonly [object, object]> => {
    const said = await parsed(name, bodyOf(conversation, name));
    return [comparable(await sentAgain(name, provider, said)), comparable(said)];
  };
  const others = inOtherWords[name];

  test.each(conversations.map((each) => [each.name, each] as const))('%s', async (about, each) => {
    const [again, said] = await there(each);
    if (others[about] === undefined) deepEqual(again, said);
    else notDeepEqual(again, said);
  });

  test('any texts, calls and answers of tools', async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const [again, said] = await there(conversation);
        deepEqual(again, said);
      }),
      { numRuns: 200 },
    );
  });
});
