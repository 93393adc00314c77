import { type Case, dialects } from '../testing/case.ts';
import {
  assistant,
  bodies,
  call,
  clock,
  one,
  output,
  picture,
  tools,
  user,
  weather,
} from './words.ts';

const thought = (format: string) => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'hm' }],
  content: [{ type: 'reasoning_text', text: 'hm' }],
  signature: 'c2ln',
  encrypted_content: 'c2Vh',
  format,
});
const marked = (text: string) => ({
  type: 'input_text',
  text,
  prompt_cache_breakpoint: { mode: 'explicit' },
});
const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    list: { type: 'array', minItems: 3, items: { type: 'string', pattern: '^a' } },
    choice: { oneOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['list'],
};
const thinking = { reasoning: { effort: 'high' }, max_output_tokens: 8_000 };
const formats = ['openai-responses-v1', 'anthropic-claude-v1', 'google-gemini-v1', 'unknown'];
const search = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { type: 'search', query: 'q' },
};
const patched = {
  type: 'apply_patch_call',
  id: 'apc_1',
  call_id: 'p',
  status: 'completed',
  operation: { type: 'update_file', path: 'a', diff: '+x' },
};
const patch = { type: 'apply_patch' };
const crm = { type: 'namespace', name: 'crm', description: 'd', tools: [weather] };

/** Requests in each dialect: the body that its provider gets, the cost, and the fields that the answer repeats. */
const said = {
  text: { input: 'hello there' },
  instructions: { instructions: 'Be brief.', input: 'hello' },
  'instructions alone': { instructions: 'Say hello.' },
  'assistant first': { input: [assistant('Hello!'), user('hi')] },
  'two of each voice': {
    input: [user('a'), user('b'), assistant('c'), assistant('d'), user('e')],
  },
  'developer and system in the middle': {
    input: [
      user('a'),
      { role: 'developer', content: 'b' },
      { role: 'system', content: 'c' },
      user('d'),
    ],
  },
  'answer to be gone on with': { input: [user('a'), assistant('The answer is \n')] },
  'empty texts': {
    input: [
      user(''),
      user('a'),
      assistant(''),
      user([
        { type: 'input_text', text: '' },
        { type: 'input_text', text: 'b' },
      ]),
    ],
  },
  'refusal in the history': {
    input: [user('a'), assistant([{ type: 'refusal', refusal: 'no' }]), user('b')],
  },
  'pictures and files': {
    input: [
      user([
        picture,
        { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'low' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
        { type: 'input_text', text: 'what?' },
      ]),
    ],
  },
  'a file by its address': {
    input: [
      user([
        { type: 'input_file', file_url: 'https://a.example/b.pdf' },
        { type: 'input_text', text: 'x' },
      ]),
    ],
  },
  sound: {
    input: [
      user([
        { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
        { type: 'input_text', text: 'x' },
      ]),
    ],
  },
  film: {
    input: [
      user([
        { type: 'input_video', video_url: 'https://a.example/b.mp4' },
        { type: 'input_text', text: 'x' },
      ]),
    ],
  },
  tools: { input: 'hello', tools },
  'tool is called': { input: 'call get_weather', tools },
  'strict tool': { input: 'call get_weather', tools: [{ ...weather, strict: true }] },
  'custom tool is called': { input: 'call sql', tools },
  'tool is forced': { input: 'a', tools, tool_choice: { type: 'function', name: 'get_time' } },
  'custom tool is forced': { input: 'a', tools, tool_choice: { type: 'custom', name: 'sql' } },
  'some tool is forced': { input: 'a', tools, tool_choice: 'required' },
  'no tool of several': { input: 'a', tools, tool_choice: 'none', parallel_tool_calls: false },
  'some tools of several': {
    input: 'a',
    tools,
    tool_choice: {
      type: 'allowed_tools',
      mode: 'required',
      tools: [{ type: 'function', name: 'get_time' }],
    },
  },
  'answers that come late': {
    input: [user('a'), call('1'), call('2'), user('b'), output('2'), assistant('c'), output('1')],
    tools,
  },
  'two answers to one call': {
    input: [user('a'), call('1'), output('1'), output('1', 'rain')],
    tools,
  },
  'call without an answer': {
    input: [user('a'), call('1'), user('b')],
    tools: [{ ...weather, async: true }],
  },
  'calls of several turns': {
    input: [user('a'), call('1'), output('1'), call('2'), output('2'), assistant('b'), user('c')],
    tools,
  },
  'picture out of a tool': {
    input: [user('a'), call('1'), output('1', [{ type: 'input_text', text: 'see' }, picture])],
    tools,
  },
  'arguments that are no JSON': {
    input: [user('a'), { ...call('1'), arguments: 'nonsense' }, output('1')],
    tools,
  },
  'custom tool in the history': {
    input: [
      user('a'),
      { type: 'custom_tool_call', call_id: '1', name: 'sql', input: 'SELECT' },
      { type: 'custom_tool_call_output', call_id: '1', output: 'x' },
    ],
    tools,
  },
  'call in a namespace': {
    input: [user('a'), { ...call('1'), namespace: 'crm' }, output('1'), user('b')],
    tools,
  },
  'what others did': { input: [user('a'), search, assistant('b'), user('c')] },
  ...Object.fromEntries(
    formats.map((format) => [
      `thoughts of ${format}`,
      { input: [user('a'), thought(format), call('1'), output('1')], tools, ...thinking },
    ]),
  ),
  'thoughts are lost': { input: [user('a'), call('1'), output('1')], tools, ...thinking },
  'thoughts and a forced tool': { input: 'a', tools, tool_choice: 'required', ...thinking },
  'thoughts and sampling': { input: 'a', temperature: 0.3, top_p: 0.5, ...thinking },
  'thoughts with little room': {
    input: 'a',
    reasoning: { effort: 'low' },
    max_output_tokens: 100,
  },
  'budget of thoughts': { input: 'a', reasoning: { max_tokens: 2_000 }, max_output_tokens: 4_000 },
  'thoughts to be kept': {
    input: 'a',
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'medium', summary: 'auto' },
    max_output_tokens: 8_000,
  },
  'no thoughts': { input: 'a', reasoning: { effort: 'none' } },
  sampling: {
    input: 'a',
    temperature: 1.8,
    top_p: 0.5,
    top_k: 3,
    frequency_penalty: 1,
    presence_penalty: -1,
    top_logprobs: 2,
  },
  'schema of the answer': {
    input: 'a',
    text: { format: { type: 'json_schema', name: 'a', schema }, verbosity: 'low' },
  },
  'strict schema of the answer': {
    input: 'a',
    text: { format: { type: 'json_schema', name: 'a', schema, strict: true } },
  },
  'any JSON': { input: 'a JSON', text: { format: { type: 'json_object' } } },
  'places worth caching': {
    input: [user(['a', 'b', 'c', 'd', 'e', 'f'].map(marked))],
    cache_control: { type: 'ephemeral', ttl: '1h' },
    prompt_cache_key: 'k',
  },
  'who asks': {
    input: 'a',
    user: 'somebody',
    safety_identifier: 'end user',
    session_id: 'session',
    metadata: { a: 'b' },
    trace: { trace_id: 't', anything: { else: 1 } },
  },
  'tier of the service': { input: 'a', service_tier: 'flex' },
  'picture for an answer': {
    input: 'a',
    modalities: ['text', 'image'],
    image_config: { size: 'big' },
  },
  'stored prompt': { prompt: { id: 'pmpt_1', version: '2', variables: { a: 'b' } } },
  'tool of one provider': { input: 'a', tools: [patch, { type: 'shell' }], tool_choice: patch },
  'tool of one provider in the history': {
    input: [
      user('a'),
      patched,
      { type: 'apply_patch_call_output', call_id: 'p', status: 'completed' },
    ],
    tools: [patch],
  },
  'tools of a namespace': { input: 'a', tools: [crm, clock] },
  'change of the effort': {
    input: [user('a'), { type: 'configuration_update', reasoning: { effort: 'low' } }, user('b')],
  },
  'limit of the output': { input: 'one two three four five six', max_output_tokens: 2 },
};

export const wire: readonly Case[] = dialects.flatMap((dialect) =>
  bodies(`${dialect}/requests`, said, { models: one(dialect), modes: ['whole'] }),
);
