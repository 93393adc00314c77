import { deepEqual, equal, ok } from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, test } from 'vitest';
import { aDestination, observed } from '../testing/a-generation.ts';
import { webhook } from './webhook.ts';

const now = new Date('2026-11-27T10:00:05.400Z');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const url = 'https://hooks.example/sluice';

async function requestFor(config: Readonly<Record<string, unknown>>, batch = [observed()]) {
  const destination = aDestination({ type: 'webhook', config });
  const [request] = await webhook.requests(destination, batch, { now });
  ok(request);
  return { ...request, body: String(request.body) };
}

/** Verifies a request in the way that the documentation shows receivers. */
function isGenuine(
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  key: Buffer,
): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = createHmac('sha256', key).update(signed).digest();
  const given = Buffer.from(headers['webhook-signature']?.split(',')[1] ?? '', 'base64');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

describe('a webhook', () => {
  test('gets generations as JSON with a signature that its secret verifies', async () => {
    const request = await requestFor({ url, signingSecret: secret });
    equal(request.method, 'POST');
    equal(request.url, url);
    equal(request.headers['webhook-timestamp'], '1795773605');
    ok(isGenuine(request, Buffer.alloc(32, 7)));
    ok(!isGenuine(request, Buffer.alloc(32, 8)));
    ok(!isGenuine({ ...request, body: `${request.body} ` }, Buffer.alloc(32, 7)));
    const { type, generations } = JSON.parse(request.body) as {
      type: string;
      generations: Record<string, unknown>[];
    };
    equal(type, 'generations.finished');
    deepEqual(
      generations.map(({ id, user, model }) => [id, user, model]),
      [['gen-1', 'customer-7', 'openai/gpt-5']],
    );
    for (const name of ['cost', 'identity', 'request_context', 'input', 'output'])
      ok(!(name in (generations[0] ?? {})), name);
  });

  test('may be called by PUT, and without a signature if it has no secret', async () => {
    const request = await requestFor({ url, method: 'PUT' });
    equal(request.method, 'PUT');
    equal(request.headers['webhook-signature'], undefined);
  });

  test('gets the same id for the same generations, and another for others', async () => {
    const idOf = async (batch = [observed()]) =>
      (await requestFor({ url }, batch)).headers['webhook-id'];
    equal(await idOf(), await idOf());
    ok((await idOf()) !== (await idOf([observed({ generationId: 'gen-2' })])));
  });
});
