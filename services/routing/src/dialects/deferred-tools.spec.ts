import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseChatRequest } from './chat-completions/parse-request.ts';
import { parseMessagesRequest } from './messages/parse-request.ts';
import { parseResponsesRequest } from './responses/read/parse-request.ts';
import { bodyChecks } from './testing/body-checks.ts';

const model = 'a/b';
const messages = [{ role: 'user', content: 'hello' }];
const parameters = { type: 'object' };
const deferred = { defer_loading: true };
const search = 'tool_search_tool_regex';

/** Each dialect, and a tool in its form. */
const dialects = [
  {
    name: 'responses',
    ...bodyChecks({ model, input: 'hello' }, parseResponsesRequest),
    tool: (name: string, more: object = {}) => ({ type: 'function', name, parameters, ...more }),
  },
  {
    name: 'chat-completions',
    ...bodyChecks({ model, messages }, parseChatRequest),
    tool: (name: string, more: object = {}) => ({
      type: 'function',
      function: { name, parameters, ...more },
    }),
  },
  {
    name: 'messages',
    ...bodyChecks({ model, messages, max_tokens: 9 }, parseMessagesRequest),
    tool: (name: string, more: object = {}) => ({ name, input_schema: parameters, ...more }),
  },
] as const;
const warning = 'defer_loading has no effect: all tools are offered at once';

describe.each(dialects)('$name', ({ accepted, tool }) => {
  test('tools that are not deferred need no search and no warning', () => {
    const { warning: told } = accepted({ tools: [tool('f', { defer_loading: false })] });
    equal(told, undefined);
  });
});

const [responses, chat, anthropic] = dialects;

test.each(['tool_search', 'service:tool_search'])('%s is refused at /chat/completions', (type) => {
  const tools = [{ type }, chat.tool('later', deferred)];
  deepEqual(chat.issues({ tools }), [
    `tools[0].type: the tool ${type} is known, but not here: ask POST /responses for it`,
  ]);
});

describe('a search that the client makes', () => {
  const find = { type: 'tool_search', execution: 'client', description: 'd', parameters };

  test('is left out, and the tools that it would find are offered', () => {
    const tools = [find, responses.tool('now'), responses.tool('later', deferred)];
    const { inference, leftOut, warning: told } = responses.accepted({ tools });
    deepEqual(
      inference.tools.map((one) => one.type === 'function' && [one.name, one.isDeferred]),
      [
        ['now', undefined],
        ['later', true],
      ],
    );
    deepEqual([leftOut, told], [['tool_search'], warning]);
  });

  test('is refused in strict mode, or without others', () => {
    const refusal =
      'tools[0].type: the tool tool_search of a client is known, but not available yet';
    const tools = [find, responses.tool('now')];
    deepEqual(responses.issues({ tools, unsupported_features: 'strict' }), [refusal]);
    deepEqual(responses.issues({ tools: [find] }), [refusal]);
  });
});

describe('with a search of the service, a deferred tool', () => {
  const searched = [
    { dialect: responses, find: { type: 'service:tool_search' }, kind: 'service:tool_search' },
    { dialect: responses, find: { type: 'tool_search' }, kind: 'tool_search' },
    { dialect: responses, find: { type: 'tool_search', execution: 'server' }, kind: 'tool_search' },
    { dialect: anthropic, find: { type: 'tool_search' }, kind: 'tool_search' },
    { dialect: anthropic, find: { type: search, name: 'find' }, kind: 'service:tool_search' },
    {
      dialect: anthropic,
      find: { type: `${search}_20251119`, name: 'find' },
      kind: 'service:tool_search',
    },
  ];

  test.each(searched)('is marked: $find.type', ({ dialect, find: given, kind }) => {
    const tools = [given, dialect.tool('now'), dialect.tool('later', deferred)];
    const { inference, leftOut, warning: told } = dialect.accepted({ tools });
    const [find, ...others] = inference.tools;
    equal(find?.type === 'native' && find.tool['type'], kind);
    deepEqual(
      others.map((one) => one.type === 'function' && [one.name, one.isDeferred]),
      [
        ['now', undefined],
        ['later', true],
      ],
    );
    deepEqual([leftOut, told], [[], undefined]);
  });

  test('needs a choice that leaves it to the model', () => {
    const refusal = 'tool_choice: must be auto or allowed_tools while tools are deferred';
    const tools = [{ type: 'service:tool_search' }, responses.tool('f', deferred)];
    deepEqual(responses.issues({ tools, tool_choice: 'required' }), [refusal]);
    const found = [{ type: search, name: 'find' }, anthropic.tool('f', deferred)];
    deepEqual(anthropic.issues({ tools: found, tool_choice: { type: 'any' } }), [refusal]);
  });

  test('is not found by the other search of Anthropic', () => {
    const tools = [{ type: 'tool_search_tool_bm25_20251119', name: 'f' }, anthropic.tool('g')];
    deepEqual(anthropic.issues({ tools }), [
      'tools[0].type: is not served: use tool_search_tool_regex',
    ]);
  });
});

describe('without a tool that finds it, a deferred tool', () => {
  const refusal = 'tools[0].defer_loading: needs the tool service:tool_search beside it';

  test('is refused on /responses', () => {
    deepEqual(responses.issues({ tools: [responses.tool('f', deferred)] }), [refusal]);
  });

  test('is offered on /messages, where agents search by a tool of their own, unless the mode is strict', () => {
    const tools = [anthropic.tool('f', deferred), anthropic.tool('ToolSearch')];
    equal(anthropic.accepted({ tools }).warning, warning);
    deepEqual(anthropic.issues({ tools, unsupported_features: 'strict' }), [refusal]);
  });
});

test('the tool that finds others is not deferred itself', () => {
  const tools = [{ type: 'tool_search', ...deferred }, responses.tool('f')];
  deepEqual(responses.issues({ tools }), [
    'tools[0].defer_loading: cannot be true for the tool that finds the others',
  ]);
});

test('a conversation in which a client searched for tools elsewhere goes on without the search', () => {
  const found = responses.tool('found', deferred);
  const input = [
    ...messages,
    { type: 'tool_search_call', call_id: 's', execution: 'client', arguments: { query: 'f' } },
    { type: 'tool_search_output', call_id: 's', execution: 'client', tools: [found] },
    { type: 'function_call', call_id: 'c', name: 'found', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'done' },
  ];
  const tools = [{ type: 'tool_search', execution: 'client' }, responses.tool('f')];
  const { inference, warning: told } = responses.accepted({ input, tools });
  deepEqual(
    inference.items.map(({ type }) => type),
    ['message', 'function-call', 'function-call-output'],
  );
  equal(told, 'item tool_search_call left out, item tool_search_output left out');
  deepEqual(responses.issues({ input, tools: [tools[1]], unsupported_features: 'strict' }), [
    'input[1].execution: must be server: the service searches',
    'input[2].execution: must be server: the service searches',
  ]);
});

test.each([
  [{ query: 'f' }, ['message', 'native']],
  // A search of another service has arguments of its own.
  [{ paths: ['crm'] }, ['message']],
])('an earlier search of the service with %j is made again', (args, types) => {
  const input = [
    ...messages,
    { type: 'tool_search_call', call_id: null, execution: 'server', arguments: args },
    { type: 'tool_search_output', call_id: null, execution: 'server', tools: [] },
  ];
  const tools = [{ type: 'tool_search' }, responses.tool('f', deferred)];
  const { inference, warning: told } = responses.accepted({ input, tools });
  deepEqual(
    inference.items.map(({ type }) => type),
    types,
  );
  equal(told, undefined);
});

test('a hosted tool of a provider is offered at once, too', () => {
  const mcp = { type: 'mcp', server_label: 's', server_url: 'https://a.example' };
  const tools = [{ ...mcp, ...deferred }, { type: 'tool_search' }];
  deepEqual(responses.accepted({ tools }).inference.tools, [
    { type: 'native', tool: mcp },
    { type: 'native', tool: { type: 'tool_search' } },
  ]);
});
