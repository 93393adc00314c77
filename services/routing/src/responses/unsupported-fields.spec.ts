import { describe, expect, test } from 'vitest';
import { call, output, refused, tool, type Body } from './testing/request-body.ts';

describe('what is not built yet is refused, never ignored:', () => {
  test.each<[Body, string]>([
    [{ plugins: [{ id: 'web' }] }, 'plugins'],
    [{ trace: { trace_id: 't' } }, 'trace'],
    [{ prompt: { id: 'p' } }, 'prompt'],
    [{ preset: 'p' }, 'preset'],
    [{ stop_server_tools_when: [] }, 'stop_server_tools_when'],
    [{ n: 2 }, 'n'],
    [{ truncation: 'auto' }, 'truncation'],
    [{ debug: { echo_upstream_body: true } }, 'debug.echo_upstream_body'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [{ tools: [{ type: 'service:bash' }] }, 'tools[0].type'],
    [{ tools: [tool('f', { defer_loading: true })] }, 'tools[0].defer_loading'],
    [{ input: [{ ...call('a'), namespace: 'n' }, output('a')] }, 'input[0].namespace'],
  ])('%o', (fields, path) => {
    expect(refused(fields)).toMatchObject({
      rejected: 'invalid_request',
      message: `Invalid request: ${path}: is not supported yet`,
    });
  });
});
