import { deepEqual } from 'node:assert/strict';
import type { JsonObject } from '@sluice/client-schemas';
import type { InputItem, Tool } from '@sluice/inference';
import { describe, test } from 'vitest';
import { readApprovals } from './read-approvals.ts';

const tools: readonly Tool[] = [
  { type: 'native', tool: { type: 'service:mcp_approval', parameters: { name: 'tickets/close' } } },
];
const native = (item: JsonObject): InputItem => ({ type: 'native', item, text: '' });
const call = { server_label: 'tickets', name: 'close', arguments: '{"id":1}' };
const request = native({ type: 'mcp_approval_request', id: 'mcpr_1', ...call });
const answer = (fields: JsonObject) =>
  native({ type: 'mcp_approval_response', approval_request_id: 'mcpr_1', ...fields });
const said = (role: 'user' | 'assistant'): InputItem => ({
  type: 'message',
  role,
  content: [{ type: 'text', text: 'hello' }],
});
const approved = { id: 'mcpr_1', name: 'tickets/close', arguments: '{"id":1}' };

describe('a request for approval', () => {
  test('that was approved is a call that waits', () => {
    const read = readApprovals([request, answer({ approve: true }), said('user')], tools);
    deepEqual(read, { items: [said('user')], approved: [approved] });
  });

  test('that was refused is a call whose output says so', () => {
    const read = readApprovals([request, answer({ approve: false, reason: 'too late' })], tools);
    deepEqual(read.approved, []);
    const [item] = read.items;
    deepEqual(item?.type === 'native' && item.item, {
      type: 'service:mcp',
      id: 'mcpr_1',
      instance_name: 'tickets/close',
      arguments: '{"id":1}',
      output: 'The user did not approve this call: too late',
      error: undefined,
    });
  });

  test.each([
    native({ type: 'mcp_call', id: 'mcp_1', ...call, output: 'closed' }),
    said('assistant'),
  ])('runs once: after $type it waits no more', (later) => {
    deepEqual(readApprovals([request, answer({ approve: true }), later], tools).approved, []);
  });

  test('without an answer is left out', () => {
    deepEqual(readApprovals([request, said('user')], tools), {
      items: [said('user')],
      approved: [],
    });
  });

  test('of a server that the request lacks stays, and its approval runs nothing', () => {
    const items = [request, answer({ approve: true })];
    deepEqual(readApprovals(items, []), { items, approved: [] });
  });
});
