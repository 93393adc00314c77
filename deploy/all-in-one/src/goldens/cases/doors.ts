import { type Case, type Dialect, dialects } from '../testing/case.ts';
import { fixtureNames, saysOrEnds } from '../testing/upstream.ts';
import { bodies, one } from './words.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const schema = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
  additionalProperties: false,
};
const png = 'aGk=';

const chatTool = { type: 'function', function: { name: 'get_weather', parameters } };
const chatCall = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{}' } };
const chatUser = (content: unknown) => ({ role: 'user', content });
const chatAsked = {
  messages: [chatUser('hi')],
  max_completion_tokens: 1_000,
  tools: [chatTool],
};
const chatRequests = {
  text: { messages: [{ role: 'system', content: 'Be brief.' }, chatUser('hello there')] },
  picture: {
    messages: [
      chatUser([
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        { type: 'text', text: 'what?' },
      ]),
    ],
  },
  'tool is called': { messages: [chatUser('call get_weather')], tools: [chatTool] },
  'answer of a tool': {
    messages: [
      chatUser('a'),
      { role: 'assistant', content: 'I look.', tool_calls: [chatCall] },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
    ],
    tools: [chatTool],
  },
  'thoughts of before': {
    messages: [
      chatUser('a'),
      {
        role: 'assistant',
        content: 'b',
        reasoning_details: [
          { type: 'reasoning.text', text: 'hm', index: 0, format: 'unknown', id: 'rs_1_0_at0' },
        ],
      },
      chatUser('c'),
    ],
    reasoning: { effort: 'low' },
    max_tokens: 8_000,
  },
  'form of the answer': {
    messages: [chatUser('a')],
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } },
  },
  sampling: { messages: [chatUser('a')], temperature: 0.5, stop: ['END'], seed: 7 },
  functions: {
    messages: [chatUser('call get_weather')],
    functions: [{ name: 'get_weather', parameters }],
  },
  'limit of the output': { messages: [chatUser('one two three four five')], max_tokens: 2 },
  'no such role': { messages: [{ role: 'king', content: 'a' }] },
};

const tool = { name: 'get_weather', input_schema: parameters };
const messagesAsked = {
  messages: [chatUser('hi')],
  max_tokens: 1_000,
  tools: [tool],
};
const use = { type: 'tool_use', id: 'c1', name: 'get_weather', input: {} };
const messagesRequests = {
  text: { system: 'Be brief.', messages: [chatUser('hello there')], max_tokens: 100 },
  picture: {
    messages: [
      chatUser([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'text', text: 'what?' },
      ]),
    ],
    max_tokens: 100,
  },
  'tool is called': {
    messages: [chatUser('call get_weather')],
    tools: [tool, { type: 'code_execution_20250522', name: 'code_execution' }],
    max_tokens: 100,
  },
  'answer of a tool': {
    messages: [
      chatUser('a'),
      { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, use] },
      chatUser([{ type: 'tool_result', tool_use_id: 'c1', content: 'ENOENT', is_error: true }]),
    ],
    tools: [tool],
    max_tokens: 100,
  },
  'thoughts of before': {
    messages: [
      chatUser('a'),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
          { type: 'text', text: 'b' },
        ],
      },
      chatUser('c'),
    ],
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    max_tokens: 8_000,
  },
  'form of the answer': {
    messages: [chatUser('a')],
    output_config: { format: { type: 'json_schema', schema }, effort: 'low' },
    max_tokens: 100,
  },
  sampling: {
    messages: [chatUser('a')],
    temperature: 0.5,
    stop_sequences: ['END'],
    max_tokens: 100,
  },
  'limit of the output': { messages: [chatUser('one two three four five')], max_tokens: 2 },
  'no such role': { messages: [{ role: 'king', content: 'a' }], max_tokens: 100 },
};

/** Each recorded answer, streamed and whole, and requests, as these doors tell them. */
function doorCases(
  path: string,
  asked: object,
  requests: Readonly<Record<string, object>>,
): readonly Case[] {
  return dialects.flatMap((dialect) => {
    const folder = `${path.slice(1)}/${dialect}`;
    const recorded = fixtureNames(dialect).map((name): Case => ({
      name: `${folder}/fixtures/${name}`,
      path,
      body: asked,
      models: one(dialect, saysOrEnds(dialect, name)),
    }));
    const said = bodies(`${folder}/requests`, requests, {
      path,
      models: one(dialect),
      modes: ['whole'],
    });
    return [...recorded, ...said];
  });
}

const csv = Buffer.from('a,b\n1,2\n').toString('base64');
const parsing = { plugins: [{ id: 'file-parser' }] };
const sums = { type: 'text', text: 'what?' };

/** Files that become texts, streamed and whole, at each door and with each dialect of providers once. */
const parsedFiles: readonly Case[] = [
  ...bodies(
    'file-parser',
    {
      responses: {
        ...parsing,
        input: [
          chatUser([
            {
              type: 'input_file',
              filename: 'sums.csv',
              file_data: `data:text/csv;base64,${csv}`,
            },
            { type: 'input_text', text: 'what?' },
          ]),
        ],
      },
    },
    { models: one('google-gemini'), headers: { 'x-service-metadata': 'enabled' } },
  ),
  ...bodies(
    'file-parser',
    {
      'chat completions': {
        ...parsing,
        messages: [
          chatUser([
            {
              type: 'file',
              file: { filename: 'sums.csv', file_data: `data:text/csv;base64,${csv}` },
            },
            sums,
          ]),
        ],
      },
    },
    { path: '/chat/completions', models: one('openai-chat') },
  ),
  ...bodies(
    'file-parser',
    {
      messages: {
        ...parsing,
        max_tokens: 100,
        messages: [
          chatUser([
            {
              type: 'document',
              title: 'sums.csv',
              source: { type: 'base64', media_type: 'text/csv', data: csv },
            },
            sums,
          ]),
        ],
      },
    },
    { path: '/messages', models: one('anthropic-messages') },
  ),
];

const embeddingDialects: readonly Dialect[] = ['openai-chat', 'openai-responses', 'google-gemini'];

const vectors = embeddingDialects.flatMap((dialect) =>
  bodies(
    `embeddings/${dialect}/requests`,
    {
      'one text': { input: 'a' },
      'two texts': { input: ['a', 'b'], dimensions: 3, encoding_format: 'float' },
      tokens: { input: [1, 2, 3] },
      nothing: { input: [] },
    },
    {
      path: '/embeddings',
      modes: ['whole'],
      models: {
        m: { endpoints: [{ dialect, facts: { output_modalities: ['embeddings'] } }] },
      },
    },
  ),
);

const rankingDialects: readonly Dialect[] = ['openai-chat', 'openai-responses'];

const ranks = rankingDialects.flatMap((dialect) =>
  bodies(
    `rerank/${dialect}/requests`,
    {
      texts: { query: 'a', documents: ['b', 'c'], top_n: 1 },
      'a picture': {
        query: 'a',
        documents: [{ text: 'b', image: 'https://example.com/b.png' }, 'c'],
      },
      nothing: { query: 'a', documents: [] },
    },
    {
      path: '/rerank',
      modes: ['whole'],
      models: {
        m: {
          endpoints: [
            {
              dialect,
              facts: { output_modalities: ['rerank'], input_modalities: ['text', 'image'] },
            },
          ],
        },
      },
    },
  ),
);

export const doors: readonly Case[] = [
  ...doorCases('/chat/completions', chatAsked, chatRequests),
  ...doorCases('/messages', messagesAsked, messagesRequests),
  ...parsedFiles,
  ...vectors,
  ...ranks,
];
