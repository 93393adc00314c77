import type { Body } from './request-body.ts';

const shellResult = { stdout: '', stderr: 'e', outcome: { type: 'exit', exit_code: -1 }, more: 1 };
/** A call of a local shell. */
export const exec = {
  type: 'exec',
  command: ['ls', '-l'],
  env: { A: 'b' },
  timeout_ms: 5,
  user: 'u',
};

/** One item of every kind that only one dialect has, with all fields of the contract. */
export const nativeItems: readonly Body[] = [
  {
    type: 'apply_patch_call',
    id: 'apc_1',
    call_id: 'c',
    status: 'in_progress',
    operation: { type: 'update_file', path: 'a', diff: '+x' },
  },
  { type: 'apply_patch_call_output', id: 'o', call_id: 'c', status: 'failed', output: 'no' },
  {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'searching',
    action: { type: 'search', query: 'q', queries: ['q'], sources: [{ type: 'url', url: 'u' }] },
    kept: true,
  },
  {
    type: 'web_search_call',
    id: 'ws_2',
    status: 'completed',
    action: { type: 'find_in_page', pattern: 'p', url: 'u' },
  },
  { type: 'file_search_call', id: 'f', queries: ['q'], status: 'failed', results: null },
  { type: 'image_generation_call', id: 'ig_1', status: 'generating', result: null, prompt: 'p' },
  {
    type: 'code_interpreter_call',
    id: 'ci_1',
    status: 'interpreting',
    code: '1',
    container_id: 'c',
    outputs: [
      { type: 'logs', logs: 'l' },
      { type: 'image', url: 'u' },
      { type: 'file', id: 'f', filename: 'n', size_bytes: 1 },
    ],
  },
  {
    type: 'computer_call',
    id: 'cu',
    call_id: 'c',
    status: 'completed',
    pending_safety_checks: [{ id: 'i', code: 'c', message: 'm' }],
    action: { anything: 1 },
  },
  {
    type: 'computer_call',
    id: 'cu',
    call_id: 'd',
    status: 'completed',
    pending_safety_checks: [{ id: 'i', code: null, message: null }],
    actions: [{ type: 'screenshot' }],
  },
  {
    type: 'computer_call_output',
    id: 'cuo',
    call_id: 'c',
    status: 'completed',
    output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
    acknowledged_safety_checks: [{ id: 'i', code: 'c', message: 'm' }],
  },
  {
    type: 'computer_call_output',
    call_id: 'd',
    output: { type: 'computer_screenshot', file_id: 'file_1' },
    acknowledged_safety_checks: null,
  },
  { type: 'local_shell_call', id: 'l', call_id: 'c', status: 'completed', action: exec },
  { type: 'local_shell_call_output', id: 'l', output: 'x', status: null },
  { type: 'shell_call', call_id: 's', action: { commands: ['ls'], timeout_ms: 1 }, arguments: '{' },
  {
    type: 'shell_call_output',
    call_id: 's',
    output: [shellResult, { stdout: '', stderr: '', outcome: { type: 'timeout' } }],
    max_output_length: 9,
  },
  {
    type: 'mcp_list_tools',
    id: 'm',
    server_label: 's',
    tools: [{ name: 'n', input_schema: {}, description: null, annotations: {} }],
  },
  { type: 'mcp_approval_request', id: 'm', server_label: 's', name: 'n', arguments: '{}' },
  { type: 'mcp_approval_response', approval_request_id: 'm', approve: false, reason: 'no' },
  {
    type: 'mcp_call',
    id: 'm',
    server_label: 's',
    name: 'n',
    arguments: '{}',
    error: { type: 'http_error', code: 500, message: 'x' },
  },
  { type: 'mcp_call', id: 'm', server_label: 's', name: 'n', arguments: '', error: 'broke' },
  { type: 'compaction', encrypted_content: 'x', kept: 1 },
  { type: 'context_compaction' },
  {
    type: 'agent_message',
    author: 'a',
    recipient: 'b',
    content: [
      { type: 'input_text', text: 't' },
      { type: 'encrypted_content', encrypted_content: 'x' },
    ],
    agent: { agent_name: 'n' },
  },
  { type: 'configuration_update', reasoning: { effort: 'none' } },
];

/** An answer of every tool of the service. */
export const serviceItems: readonly Body[] = [
  { type: 'service:web_search', status: 'completed', action: { type: 'search', query: 'q' } },
  { type: 'service:web_fetch', status: 'completed', url: 'u', httpStatus: 200 },
  { type: 'service:datetime', status: 'completed', datetime: 'now', timezone: 'UTC' },
  { type: 'service:code_interpreter', status: 'completed', stdout: '', exitCode: 1 },
  { type: 'service:file_search', status: 'completed', queries: [] },
  { type: 'service:image_generation', status: 'completed', imageUrl: 'u' },
  { type: 'service:browser_use', status: 'completed', action: 'click' },
  { type: 'service:bash', status: 'failed', command: 'ls', error: 'e' },
  { type: 'service:shell', status: 'failed', action: { commands: ['ls'] }, output: [shellResult] },
  { type: 'service:text_editor', status: 'completed', command: 'view', filePath: 'p' },
  { type: 'service:apply_patch', status: 'completed', operation: { type: 'delete_file' } },
  { type: 'service:tool_search', status: 'completed', query: 'x' },
  { type: 'service:memory', status: 'completed', action: 'read', key: 'k', value: [1] },
  { type: 'service:mcp', status: 'completed', serverLabel: 's', toolName: 't' },
  { type: 'service:experimental__search_models', status: 'incomplete', arguments: '{}' },
  { type: 'service:files', status: 'completed', operation: 'list', result: '{}' },
  { type: 'service:advisor', status: 'failed', advice: 'a', instance_name: 'n' },
  { type: 'service:subagent', status: 'in_progress', call_id: 'c', task_name: 't' },
  { type: 'service:fusion', status: 'completed', responses: [{ model: 'a/b', content: 'c' }] },
];
