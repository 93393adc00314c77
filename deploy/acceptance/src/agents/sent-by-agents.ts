import {
  type Answered,
  type Called,
  readChat,
  readMessages,
  readResponses,
} from './read-streams.ts';

/** One request as an agent sends it, without its prompts. */
export interface Sent {
  readonly agent: string;
  /** The name of the agent in the books. */
  readonly app: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body for a model, with the calls and outputs so far. */
  readonly body: (model: string, calls: readonly Called[]) => object;
  readonly read: (text: string) => Answered;
}

export const asked = 'Please call run_command and tell me.';
const schema = {
  type: 'object',
  properties: { command: { type: 'string' } },
  required: ['command'],
  additionalProperties: false,
};
const empty = { type: 'object', properties: {}, required: [], additionalProperties: false };
const say = (text: string) => ({ type: 'input_text', text });

/** `codex exec` with its defaults: hosted tools, a namespace, ids of its own on each item. */
const codex: Sent = {
  agent: 'codex 0.169.0',
  app: 'Codex',
  path: '/responses',
  headers: {
    originator: 'codex_exec',
    'user-agent': 'codex_exec/0.169.0 (Debian 12.0.0; x86_64) dumb (codex_exec; 0.169.0)',
    accept: 'text/event-stream',
    'x-codex-beta-features': 'remote_compaction_v2',
    'x-codex-window-id': '01a20cde-6ef9-7150-b860-af6e5ea89ae4:0',
    'x-codex-turn-metadata': '{"turn_trigger":"exec","sandbox":"none"}',
    'session-id': '01a20cde-6ef9-7150-b860-af6e5ea89ae4',
    'thread-id': '01a20cde-6ef9-7150-b860-af6e5ea89ae4',
  },
  body: (model, calls) => ({
    model,
    stream: true,
    input: [
      { type: 'message', id: 'msg_a', role: 'developer', content: [say('You are an agent.')] },
      { type: 'message', id: 'msg_b', role: 'developer', content: [say('One.'), say('Two.')] },
      { type: 'message', id: 'msg_c', role: 'user', content: [say('<cwd>/work</cwd>')] },
      { type: 'message', id: 'msg_d', role: 'user', content: [say(asked)] },
      ...calls.flatMap(({ id, name, input, output }) => [
        { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: input },
        { type: 'function_call_output', id: `fco_${id}`, call_id: id, output },
      ]),
    ],
    tools: [
      {
        type: 'function',
        name: 'run_command',
        description: 'Runs.',
        strict: false,
        parameters: schema,
      },
      { type: 'custom', name: 'apply_patch', description: 'Edits.', format: { type: 'text' } },
      {
        type: 'namespace',
        name: 'multi_agent_v1',
        description: 'Tools for agents.',
        tools: [
          {
            type: 'function',
            name: 'spawn_agent',
            description: 'Spawns.',
            strict: false,
            parameters: schema,
          },
          {
            type: 'function',
            name: 'wait_agent',
            description: 'Waits.',
            strict: false,
            parameters: empty,
          },
        ],
      },
      { type: 'web_search', external_web_access: false },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { summary: 'auto' },
    store: false,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: '01a20cde-6ef9-7150-b860-af6e5ea89ae4',
    client_metadata: { turn_id: '01a20cde', 'x-codex-window-id': '01a20cde:0' },
  }),
  read: readResponses,
};

/** `opencode run` by its OpenAI package. */
const opencode: Sent = {
  agent: 'opencode 1.18.33',
  app: 'opencode',
  path: '/responses',
  headers: {
    'user-agent': 'opencode/1.18.33 ai-sdk/provider-utils/4.0.40 runtime/bun/1.3.14',
    'x-session-affinity': 'ses_df31fc879ffe2jlcRhWROmvHhx',
    'x-session-id': 'ses_df31fc879ffe2jlcRhWROmvHhx',
  },
  body: (model, calls) => ({
    model,
    input: [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: [say(`"${asked}"`)] },
      ...calls.flatMap(({ id, name, input, output }) => [
        { type: 'function_call', call_id: id, name, arguments: input },
        { type: 'function_call_output', call_id: id, output },
      ]),
    ],
    max_output_tokens: 16_000,
    store: false,
    prompt_cache_key: 'ses_df31fc879ffe2jlcRhWROmvHhx',
    tools: [
      {
        type: 'function',
        name: 'run_command',
        description: 'Runs.',
        parameters: schema,
        strict: false,
      },
    ],
    tool_choice: 'auto',
    stream: true,
  }),
  read: readResponses,
};

const chatTools = [
  { type: 'function', function: { name: 'run_command', description: 'Runs.', parameters: schema } },
];
const chatCalls = (calls: readonly Called[], content: (output: string) => unknown) =>
  calls.flatMap(({ id, name, input, output }) => [
    {
      role: 'assistant',
      content: 'I run it.',
      tool_calls: [{ id, type: 'function', function: { name, arguments: input } }],
    },
    { role: 'tool', tool_call_id: id, content: content(output) },
  ]);

/** `qwen --prompt`: parts everywhere, also in the outputs of tools. */
const qwen: Sent = {
  agent: 'qwen 0.24.4',
  app: 'Qwen Code',
  path: '/chat/completions',
  headers: {
    'user-agent': 'QwenCode/0.24.4 (linux; x64)',
    'x-stainless-lang': 'js',
    'x-stainless-package-version': '5.11.0',
    'x-stainless-retry-count': '0',
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
  },
  body: (model, calls) => ({
    model,
    messages: [
      { role: 'system', content: 'You are an agent.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>\nToday is Tuesday.\n</system-reminder>' },
          { type: 'text', text: asked },
        ],
      },
      ...chatCalls(calls, (text) => [{ type: 'text', text }]),
    ],
    max_tokens: 16_000,
    stream: true,
    stream_options: { include_usage: true },
    tools: chatTools,
  }),
  read: readChat,
};

/** `cline` by its OpenAI-compatible provider. */
const cline: Sent = {
  agent: 'cline 3.0.65',
  app: 'AI SDK',
  path: '/chat/completions',
  headers: {
    'user-agent': 'ai-sdk/openai-compatible/3.0.37 ai-sdk/provider-utils/5.0.30 runtime/bun/1.3.13',
  },
  body: (model, calls) => ({
    model,
    messages: [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: asked },
      ...chatCalls(calls, (text) => text),
    ],
    tools: chatTools,
    tool_choice: 'auto',
    stream: true,
    stream_options: { include_usage: true },
  }),
  read: readChat,
};

const cached = { cache_control: { type: 'ephemeral' } };

/** `claude --print`: a system message in the middle, thoughts by themselves, a tool that is deferred. */
const claude: Sent = {
  agent: 'claude 2.1.330',
  app: 'Claude Code',
  path: '/messages?beta=true',
  headers: {
    'user-agent': 'claude-cli/2.1.330 (external, sdk-cli)',
    'anthropic-version': '2023-06-01',
    'anthropic-beta':
      'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,effort-2025-11-24',
    'anthropic-dangerous-direct-browser-access': 'true',
    'x-app': 'cli',
    'x-claude-code-session-id': '5e309b3f-c1fe-4c2b-911d-b723a6ed4a5a',
    'x-stainless-lang': 'js',
    'x-stainless-retry-count': '0',
  },
  body: (model, calls) => ({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>\nBe brief.\n</system-reminder>' },
          { type: 'text', text: asked },
        ],
      },
      { role: 'system', content: [{ type: 'text', text: '# Environment', ...cached }] },
      ...calls.flatMap(({ id, name, input, output }) => [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I run it.' },
            { type: 'tool_use', id, name, input: JSON.parse(input) as unknown },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: output, ...cached }],
        },
      ]),
    ],
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1' },
      { type: 'text', text: 'You are an agent.', ...cached },
    ],
    tools: [
      { name: 'run_command', description: 'Runs.', input_schema: schema },
      { name: 'Later', description: 'Deferred.', input_schema: empty, defer_loading: true },
    ],
    metadata: { user_id: '{"device_id":"a","session_id":"b"}' },
    max_tokens: 8_000,
    thinking: { type: 'adaptive', display: 'omitted' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'high' },
    stream: true,
  }),
  read: readMessages,
};

export const sentByAgents: readonly Sent[] = [codex, claude, opencode, qwen, cline];
