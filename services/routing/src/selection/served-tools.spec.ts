import { isRejection } from '@sluice/errors';
import type { NativeToolKind } from '@sluice/providers';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { createCatalog } from '@sluice/catalog';
import { composeDemands } from '@sluice/policy';
import { describe, expect, test } from 'vitest';
import { parseResponsesRequest } from '../dialects/responses/read/parse-request.ts';
import { choose } from './choose.ts';

const chat = sampleEndpoint('a/b', 'groq');
const { endpoint } = sampleEndpoint('a/b', 'openai');
const native = sampleEndpoint('a/b', 'openai', {
  endpoint: { ...endpoint, dialect: 'openai-responses' },
});
const only = (kind: NativeToolKind) =>
  sampleEndpoint('a/b', 'openai', {
    endpoint: { ...endpoint, dialect: 'openai-responses', nativeTools: [kind] },
  });
const named = { type: 'function', name: 'f' };

function chosen(endpoints: readonly (typeof chat)[], fields: object) {
  const body = JSON.stringify({ model: 'a/b', input: 'x', ...fields });
  const call = parseResponsesRequest(Buffer.from(body));
  if (isRejection(call)) throw new Error(call.message);
  return choose(call, {
    catalog: createCatalog([sampleModel('a/b', { endpoints })], []),
    guardrails: composeDemands([]),
    inputTokens: 1,
    contextTokens: 1,
    now: () => new Date(0),
    condition: () => undefined,
    sticky: undefined,
    random: () => 0,
  });
}

function servedBy(endpoints: readonly (typeof chat)[], fields: object) {
  const plan = chosen(endpoints, fields);
  if (isRejection(plan)) throw new Error(plan.message);
  return {
    providers: plan.attempts.map((one) => one.endpoint.endpoint.provider),
    leftOut: plan.served?.leftOut ?? [],
    tools: plan.served?.request.tools.length,
  };
}

describe('a tool that only some dialects have', () => {
  const tools = [named, { type: 'apply_patch' }];

  test('goes to the endpoints that have it', () => {
    expect(servedBy([chat, native], { tools })).toEqual({
      providers: ['openai'],
      leftOut: [],
      tools: undefined,
    });
  });

  test('is left out if no endpoint that may serve has it', () => {
    const without = { providers: ['groq'], leftOut: ['apply_patch'], tools: 1 };
    expect(servedBy([chat], { tools })).toEqual(without);
    const provider = { ignore: ['openai'] };
    expect(servedBy([chat, native], { tools, provider })).toEqual(without);
  });

  test.each<[string, object]>([
    ['alone', { tools: [{ type: 'apply_patch' }] }],
    ['forced', { tools, tool_choice: { type: 'apply_patch' } }],
    ['under the strict mode', { tools, unsupported_features: 'strict' }],
  ])('%s is refused there', (_, fields) => {
    const refusal = chosen([chat], fields);
    expect(isRejection(refusal) && refusal.message).toBe(
      'No endpoint of a/b meets tools: none runs apply_patch',
    );
  });

  test.each([
    [[only('local_shell'), chat], 'apply_patch'],
    [[chat], 'local_shell, apply_patch'],
    [[only('apply_patch'), only('local_shell')], 'all of local_shell, apply_patch'],
  ])('is named in the refusal, and no tool that an endpoint runs (%#)', (endpoints, named) => {
    const kinds = [{ type: 'local_shell' }, { type: 'apply_patch' }];
    const refusal = chosen(endpoints, { tools: kinds, unsupported_features: 'strict' });
    expect(isRejection(refusal) && refusal.message).toBe(
      `No endpoint of a/b meets tools: none runs ${named}`,
    );
  });
});
