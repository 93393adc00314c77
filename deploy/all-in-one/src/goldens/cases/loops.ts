import { type Case, dialects } from '../testing/case.ts';
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

/** Loops of server tools at each door, with each dialect of providers, streamed and whole. */
export const loops: readonly Case[] = dialects.flatMap((dialect) => {
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
