import { type Case, type Dialect, dialects, type Model } from '../testing/case.ts';
import { bodies, one, user, weather } from './words.ts';

const tools = [{ type: 'service:datetime', parameters: { timezone: 'Asia/Kolkata' } }];
const call = 'call service_datetime';
const item = {
  type: 'service:datetime',
  id: 'st_1',
  status: 'completed',
  datetime: '2026-11-20T12:00:00.000+00:00',
  timezone: 'UTC',
};

/** Scripts that the simulator plays, by the name of the case. */
const scripts = {
  'one call': `agent: ${call}`,
  'two steps': `agent: say one and ${call} then ${call} and ${call} then say done`,
  'a tool that fails': `agent: ${call} {"timezone":"Mars"}`,
  'a later turn that fails': `agent: ${call} then (error-400)`,
};

const responses = {
  ...Object.fromEntries(Object.entries(scripts).map(([name, input]) => [name, { input, tools }])),
  'calls for ever': { input: `agent: ${call} forever`, tools, max_tool_calls: 2 },
  'a stop condition': {
    input: `agent: ${call} forever`,
    tools,
    stop_server_tools_when: [{ type: 'step_count_is', step_count: 1 }],
  },
  'a call of the client beside': {
    input: `agent: ${call} and call get_weather {"city":"x"}`,
    tools: [...tools, weather],
  },
  'an item of before': { input: [user('a'), item, user('b')], tools },
  'an unknown zone': {
    input: 'a',
    tools: [{ type: 'service:datetime', parameters: { timezone: 'Mars' } }],
  },
};
const messages = Object.fromEntries(
  Object.entries(scripts).map(([name, text]) => [name, { messages: [user(text)], tools }]),
);
const limited = Object.fromEntries(
  Object.entries(messages).map(([name, body]) => [name, { ...body, max_tokens: 1_000 }]),
);

const files = 'call service_files';
/** Writes a file, and asks for others that no case has written. */
const filesScript =
  `agent: ${files} {"operation":"write","filename":"notes.txt","content":"one"} ` +
  `then ${files} {"operation":"read","filename":"none.txt"} ` +
  `and ${files} {"operation":"list","filename_filter":"none"} then say done`;
const filesTools = [{ type: 'service:files' }];
const asked = { messages: [user(filesScript)] };
const filesOf = (body: object) => ({ 'files of the workspace': { ...body, tools: filesTools } });

const looped: readonly Case[] = dialects.flatMap((dialect) => {
  const models = one(dialect);
  return [
    ...bodies(`${dialect}/loops`, { ...responses, ...filesOf({ input: filesScript }) }, { models }),
    ...bodies(
      `chat/completions/${dialect}/loops`,
      { ...messages, ...filesOf(asked) },
      { models, path: '/chat/completions' },
    ),
    ...bodies(
      `messages/${dialect}/loops`,
      { ...limited, ...filesOf({ ...asked, max_tokens: 1_000 }) },
      { models, path: '/messages' },
    ),
  ];
});

/** An endpoint that searches the web itself. */
const searching = (dialect: Dialect): Readonly<Record<string, Model>> => ({
  m: {
    endpoints: [
      {
        dialect,
        facts: {
          native_tools: ['web_search'],
          pricing: { prompt: '0.000001', completion: '0.000002', web_search: '0.01' },
        },
      },
    ],
  },
});

const question = user('call web_search Which moons does Saturn have?');
const searchTools = [{ type: 'web_search', search_context_size: 'low' }];
const chatSearch = { messages: [question], tools: searchTools };
const anthropicSearch = {
  messages: [question],
  max_tokens: 1_000,
  tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }],
};

/** Searches that an endpoint makes in place of the service. */
const nativeSearches = (['openai-responses', 'anthropic-messages'] as const).flatMap((dialect) => {
  const models = searching(dialect);
  const search = (door: string, body: object, path: string) =>
    bodies(`${door}${dialect}/loops`, { 'search of the endpoint': body }, { models, path });
  return [
    ...search('', { input: [question], tools: searchTools }, '/responses'),
    ...search('chat/completions/', chatSearch, '/chat/completions'),
    ...search('messages/', anthropicSearch, '/messages'),
  ];
});

/** Tools of OpenAI's API at an endpoint that lacks them. */
const shortKinds = bodies(
  'openai-chat/loops',
  {
    'shell of OpenAI': { input: 'call service_shell', tools: [{ type: 'shell' }] },
    'patch of OpenAI': { input: 'call service_apply_patch', tools: [{ type: 'apply_patch' }] },
    'picture of OpenAI': {
      input: 'call service_image_generation',
      tools: [{ type: 'image_generation', model: '$painter', quality: 'low' }],
    },
  },
  { models: { ...one('openai-chat'), painter: { endpoints: [{ dialect: 'google-gemini' }] } } },
);

/** Loops of server tools at each door, with each dialect of providers, streamed and whole. */
export const loops: readonly Case[] = [...looped, ...nativeSearches, ...shortKinds];
