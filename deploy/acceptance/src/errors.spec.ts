import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { ask, type Door, doors, refusal, type Told } from './doors.ts';
import { type Answer, type Call, json, manage, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

/** More than the other tests of this file need of a key, and not too many to use up. */
const perMinute = 200;

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance({
    SLUICE_UPSTREAM_TIMEOUT_MS: '5000',
    SLUICE_INFERENCE_REQUESTS_PER_MINUTE: String(perMinute),
  });
});
afterAll(() => sluice?.dispose());

const respond = (input: string, call: Call = {}) =>
  json(sluice, '/responses', { body: { model: 'sim/echo', input }, ...call });

function refused(answer: Answer, status: number, message?: string, errorType?: string): void {
  equal(answer.status, status, JSON.stringify(answer.body));
  equal(answer.body['error']?.['code'], status);
  ok(text(answer.body['error']?.['message']).length > 0);
  if (message !== undefined) equal(answer.body['error']?.['message'], message);
  if (errorType !== undefined) equal(answer.body['error']?.['metadata']?.['error_type'], errorType);
}

async function makeKey(body: object): Promise<{ key: string; hash: string }> {
  const made = await manage(sluice, '/keys', { body });
  equal(made.status, 201, JSON.stringify(made.body));
  return { key: text(made.body['key']), hash: text(made.body['data']?.['hash']) };
}

describe('400', () => {
  test.for([
    ['is no JSON', '{'],
    ['is no object', '[]'],
    ['has no input', { model: 'sim/echo' }],
    ['has no model', { input: 'x' }],
    ['has an unknown model', { model: 'nobody/nothing', input: 'x' }],
    ['refers to an earlier response', { model: 'sim/echo', input: 'x', previous_response_id: 'r' }],
    ['wants to be stored', { model: 'sim/echo', input: 'x', store: true }],
    ['wants to run in the background', { model: 'sim/echo', input: 'x', background: true }],
    ['is too hot', { model: 'sim/echo', input: 'x', temperature: 3 }],
    ['wants no output', { model: 'sim/echo', input: 'x', max_output_tokens: 0 }],
    ['has an unknown kind of tool', { model: 'sim/echo', input: 'x', tools: [{ type: 'nail' }] }],
    [
      'answers a call that nobody made',
      {
        model: 'sim/echo',
        input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }],
      },
    ],
  ] as const)('for a body that %s', async ([, body]) => {
    refused(await json(sluice, '/responses', { body }), 400);
  });

  test('names the field', async () => {
    const body = { model: 'sim/echo', input: 'x', top_p: 'high' };
    const answer = await json(sluice, '/responses', { body });
    refused(answer, 400, undefined, 'invalid_request');
    const issues = answer.body['error']?.['metadata']?.['issues'];
    equal(issues?.[0]?.['path'], 'top_p');
    equal(issues?.[1], undefined);
  });

  test('for a key with a negative limit or an unknown field', async () => {
    refused(await manage(sluice, '/keys', { body: { name: 'n', limit: -1 } }), 400);
    refused(await manage(sluice, '/keys', { body: { name: 'n', colour: 'red' } }), 400);
    refused(await manage(sluice, '/keys', { body: {} }), 400);
  });
});

describe('401', () => {
  test('without a key', async () => {
    const answer = await respond('x', { key: null });
    refused(answer, 401, 'Missing Authentication header', 'authentication');
  });

  test('with a key that is mistyped, unknown or deleted', async () => {
    refused(await respond('x', { key: 'sk-sluice-v1-short' }), 401, 'Invalid credentials');
    const { api_key } = sluice.bootstrap;
    const mistyped =
      api_key.slice(0, -8) + (api_key.at(-8) === 'a' ? 'b' : 'a') + api_key.slice(-7);
    refused(await respond('x', { key: mistyped }), 401, 'Invalid credentials');
    const { key, hash } = await makeKey({ name: 'short-lived' });
    equal((await respond('x', { key })).status, 200);
    const deleted = await manage(sluice, `/keys/${hash}`, { method: 'DELETE' });
    deepEqual([deleted.status, deleted.body], [200, { deleted: true }]);
    refused(await respond('x', { key }), 401, 'Invalid credentials');
  });

  test('with a key that has expired', async () => {
    const expiresAt = new Date(Date.now() + 1_500);
    const { key } = await makeKey({ name: 'expires', expires_at: expiresAt.toISOString() });
    equal((await respond('x', { key })).status, 200);
    await new Promise((resolve) => setTimeout(resolve, expiresAt.getTime() - Date.now() + 5));
    refused(await respond('x', { key }), 401, 'API key expired', 'authentication');
  });
});

describe('402', () => {
  test('for a key that has used its limit up', async () => {
    const { key, hash } = await makeKey({ name: 'small', limit: 0.000_2 });
    let answer = await respond('hello', { key });
    equal(answer.status, 200, JSON.stringify(answer.body));
    for (let asked = 0; asked < 200 && answer.status === 200; asked++)
      answer = await respond('hello', { key });
    refused(answer, 402, undefined);
    const { body } = await manage(sluice, `/keys/${hash}`);
    ok(Number(body['data']?.['usage']) <= 0.000_2);
  });

  test('for a key that may spend nothing, until its limit is raised', async () => {
    const { key, hash } = await makeKey({ name: 'none', limit: 0 });
    refused(await respond('x', { key }), 402, undefined, 'payment_required');
    const raised = await manage(sluice, `/keys/${hash}`, { method: 'PATCH', body: { limit: 1 } });
    equal(raised.status, 200);
    equal((await respond('x', { key })).status, 200);
  });
});

describe('403', () => {
  test('for a management key on inference', async () => {
    const key = sluice.bootstrap.management_key;
    refused(
      await respond('x', { key }),
      403,
      'Management keys cannot be used for inference',
      'permission_denied',
    );
  });

  test('for a regular key on management', async () => {
    for (const path of ['/keys', '/credits'])
      refused(
        await json(sluice, path),
        403,
        'Only management keys can perform this operation',
        'permission_denied',
      );
  });
});

describe('404', () => {
  test('for a path that does not exist', async () => {
    refused(await json(sluice, '/nothing-here'), 404, undefined, 'not_found');
  });

  test('for a key that does not exist', async () => {
    refused(await manage(sluice, `/keys/${'0'.repeat(64)}`), 404, undefined, 'not_found');
  });
});

test('413 for a body over the limit', async () => {
  const body = JSON.stringify({ model: 'sim/echo', input: 'x'.repeat(33 * 1024 * 1024) });
  refused(await json(sluice, '/responses', { body }), 413, undefined, 'payload_too_large');
});

describe('what a provider does', () => {
  test('429 when it limits the rate, with its hint', async () => {
    const answer = await respond('[sim:error-429]');
    refused(answer, 429, undefined, 'rate_limit_exceeded');
    equal(answer.headers.get('retry-after'), '1');
  });

  test('502 when it breaks or says nothing that can be read', async () => {
    refused(await respond('[sim:error-500]'), 502, undefined, 'provider_unavailable');
    refused(await respond('[sim:malformed]'), 502, undefined, 'provider_unavailable');
  });

  test('524 when it does not answer in time', async () => {
    refused(await respond('[sim:hang]'), 524, undefined, 'timeout');
  });

  test('529 when it says that it is overloaded', async () => {
    refused(await respond('[sim:error-529]'), 529, undefined, 'provider_overloaded');
  });
});

describe('429 of our own', () => {
  test('for a key that asks too often, at every door, with when it may ask again', async () => {
    const { key } = await makeKey({ name: 'asks too often' });
    const limited = new Map<string, Told>();
    const ways = doors.flatMap((door) => [false, true].map((stream) => ({ door, stream })));
    // The rate recovers while the test runs: each way is tried until it has met the limit.
    for (let round = 0; limited.size < ways.length; round++) {
      ok(round < 10 * perMinute, 'the limit was never met');
      const { door, stream } = ways[round % ways.length] as { door: Door; stream: boolean };
      const answer = await ask(sluice, door, stream, { content: 'x', model: 'no/model', key });
      if (answer.status === 429) limited.set(`${door.path} ${String(stream)}`, answer);
    }
    const answers = ways.map(({ door, stream }) => limited.get(`${door.path} ${String(stream)}`));
    const told = answers.filter((answer) => answer !== undefined);
    deepEqual(refusal(told, 'rate_limit_error'), [
      429,
      'rate_limit_exceeded',
      'Rate limit exceeded',
    ]);
    for (const { headers } of told) {
      deepEqual(
        [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')],
        [String(perMinute), '0'],
      );
      ok(Number(headers.get('x-ratelimit-reset')) > 0);
      ok(Number(headers.get('retry-after')) >= 1);
    }
  });

  test('for an address that keeps presenting bad keys', async () => {
    const statuses = new Set<number>();
    let last: Answer | undefined;
    for (let tried = 0; tried < 200 && last?.status !== 429; tried++) {
      last = await json(sluice, '/key', { key: 'bad' });
      statuses.add(last.status);
    }
    deepEqual([...statuses], [401, 429]);
    ok(last);
    refused(last, 429, 'Rate limit exceeded', 'rate_limit_exceeded');
    ok(Number(last.headers.get('retry-after')) >= 1);
    ok(last.headers.get('x-ratelimit-limit'));
  });
});

test('an error never shows an upstream address or a stack', async () => {
  const answer = await respond('[sim:error-500]');
  const shown = JSON.stringify(answer.body);
  ok(!/127\.0\.0\.1|\.ts:\d|at /.test(shown), shown);
});
