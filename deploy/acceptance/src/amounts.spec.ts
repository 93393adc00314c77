import { deepEqual, equal, match } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { type Answer, eventually, json, list, manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { sluice as commandLine } from './sluice.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

/** Amounts as JSON writes them, in the order of their size. 9007199.254740993 is 2^53 + 1 nano-USD. */
const allowed = ['1e-9', '9007199.254740993', '999999999', '999999999.999999999', '1e9'];
/** All are tried on keys, whose limits one parser reads with those of budgets and guardrails. */
const ends = ['1e-9', '1e9'];
const refused = ['-1', '1e-10', '1000000000.000000001', '1000000001', '1e30', '"5"'];

let count = 0;
/** A workspace with a key of its own. */
async function workspace() {
  const slug = `amounts-${String((count += 1))}`;
  const created = await manage(sluice, '/workspaces', { body: { name: slug, slug } });
  const id = text(created.body['data']?.['id']);
  const issued = await manage(sluice, '/keys', { body: { name: slug, workspace_id: id } });
  return { slug, id, key: text(issued.body['key']) };
}

const ask = async (key: string): Promise<Answer> =>
  await json(sluice, '/responses', { key, body: { model: 'sim/echo', input: 'hello' } });

/** The smallest amount pays for no request, the others for any. */
async function isInForce(key: string, amount: string): Promise<void> {
  const wanted = amount === '1e-9' ? [402, 403] : [200];
  await eventually(
    () => ask(key),
    ({ status }) => wanted.includes(status),
  );
}

describe('the limit of a key', () => {
  test.each(allowed)('may be %s USD, and holds', async (amount) => {
    const { id } = await workspace();
    const body = `{"name":"a key","workspace_id":"${id}","limit":${amount}}`;
    const issued = await manage(sluice, '/keys', { body });
    deepEqual([issued.status, issued.body['data']?.['limit']], [201, Number(amount)]);
    await isInForce(text(issued.body['key']), amount);
    const hash = text(issued.body['data']?.['hash']);
    const changed = await manage(sluice, `/keys/${hash}`, { method: 'PATCH', body: '{"limit":1}' });
    equal(changed.status, 200);
    const patch = { method: 'PATCH', body: `{"limit":${amount}}` };
    equal((await manage(sluice, `/keys/${hash}`, patch)).status, 200);
    await isInForce(text(issued.body['key']), amount);
  });

  test.each(refused)('is not %s USD', async (amount) => {
    const issued = await manage(sluice, '/keys', { body: `{"name":"a key","limit":${amount}}` });
    equal(issued.status, 400);
    match(text(issued.body['error']?.['message']), /limit/);
  });
});

describe('the budget of a workspace', () => {
  test.each(ends)('may be %s USD, and holds', async (amount) => {
    const { slug, key } = await workspace();
    const body = `{"limit_usd":${amount}}`;
    const set = await manage(sluice, `/workspaces/${slug}/budgets/daily`, { method: 'PUT', body });
    deepEqual([set.status, set.body['data']?.['limit_usd']], [200, Number(amount)]);
    await isInForce(key, amount);
  });

  test.each([...refused, '0'])('is not %s USD', async (amount) => {
    const { slug } = await workspace();
    const call = { method: 'PUT', body: `{"limit_usd":${amount}}` };
    equal((await manage(sluice, `/workspaces/${slug}/budgets/daily`, call)).status, 400);
  });
});

describe('the limit of a guardrail', () => {
  test.each(ends)('may be %s USD, and holds', async (amount) => {
    const { id, key } = await workspace();
    const values = `"limit_usd":${amount},"reset_interval":"daily"`;
    const body = `{"name":"a guardrail ${amount}","workspace_id":"${id}",${values}}`;
    const created = await manage(sluice, '/guardrails', { body });
    equal(created.status, 201);
    const guardrail = text(created.body['data']?.['id']);
    const hash = await hashOf(id);
    const assigned = await manage(sluice, `/guardrails/${guardrail}/assignments/keys`, {
      body: { key_hashes: [hash] },
    });
    equal(assigned.status, 200);
    await isInForce(key, amount);
  });

  test.each([...refused, '0'])('is not %s USD', async (amount) => {
    const body = `{"name":"no guardrail","limit_usd":${amount},"reset_interval":"daily"}`;
    equal((await manage(sluice, '/guardrails', { body })).status, 400);
  });
});

describe('the highest price of a provider', () => {
  const asked = async (price: string) =>
    await json(sluice, '/responses', {
      body: `{"model":"sim/echo","input":"hello","provider":{"max_price":{"prompt":${price}}}}`,
    });
  test.each(['"999999999.999999999999999999"', '999999'])('may be %s USD', async (price) => {
    equal((await asked(price)).status, 200);
  });
  test.each(['0', '1e-30'])('of %s USD excludes what costs more', async (price) => {
    equal((await asked(price)).status, 404);
  });
  test.each(['-1', '"1000000000"', '1000000', '1e30', '"much"'])('is not %s', async (price) => {
    const { status, body } = await asked(price);
    equal(status, 400);
    match(text(body['error']?.['message']), /max_price/);
  });
});

describe('credits', () => {
  const credits = async (words: string) =>
    await commandLine(sluice, [
      'credits',
      ...words.split(' '),
      '--account',
      sluice.bootstrap.organization_id,
    ]);

  test('are given, bought and taken back up to a billion USD at once', async () => {
    for (const words of [
      'grant 1000000000 --id g1',
      'purchase 999999999.999999999 --id p1',
      'refund 999999999.999999999 --purchase p1 --id r1',
    ])
      equal((await credits(words)).code, 0, words);
    const total = async () =>
      Number((await manage(sluice, '/credits')).body['data']?.['total_credits']);
    await eventually(total, (usd) => Math.round(usd) === 1_000_000_100);
    equal((await ask(sluice.bootstrap.api_key)).status, 200);
    for (const words of ['grant 1000000000.000000001', 'purchase 1000000001', 'grant 0'])
      equal((await credits(words)).code === 0, false, words);
  });
});

async function hashOf(workspaceId: string): Promise<string> {
  const { body } = await manage(sluice, `/keys?workspace_id=${workspaceId}`);
  const [first] = list(body['data']);
  return text(first?.['hash']);
}
