import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { eventually, type Json, json, list, manage, text } from './http.ts';
import { inSecondOrganization } from './organization.ts';
import { listenOnLoopback, type Loopback } from './loopback.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const signingSecret = 'a-secret-of-the-receiver-0123456789';
const received: Received[] = [];
let receiver: Loopback;
let sluice: Running;

beforeAll(async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      received.push({ path, headers, body: Buffer.concat(chunks) });
      response.end();
    });
  });
  receiver = await listenOnLoopback(server);
  sluice = await sharedInstance({ kind: 'outward' });
});
afterAll(() => receiver?.stop());

const broadcast = (isOn: boolean) =>
  manage(sluice, '/workspaces/default', {
    method: 'PATCH',
    body: { is_observability_broadcast_enabled: isOn },
  });
const create = async (body: object) => {
  const made = await manage(sluice, '/observability/destinations', { body });
  equal(made.status, 201, JSON.stringify(made.body));
  return text(made.body['data']?.['id']);
};
const ask = async (input: string, headers = {}) => {
  const body = { model: 'sim/echo', input, session_id: 'session-1' };
  const answer = await json(sluice, '/responses', { body, headers });
  equal(answer.status, 200);
  return text(answer.headers.get('x-generation-id'));
};
/** The generations that a path got, by their ids. */
const generationsAt = (path: string) =>
  received
    .filter((one) => one.path === path)
    .flatMap(({ body }) => list((JSON.parse(body.toString()) as Json)['generations']));
const generationAt = (path: string, id: string) =>
  eventually(
    () => Promise.resolve(generationsAt(path).find((one) => text(one['id']) === id)),
    (found) => found !== undefined,
  );

describe('destinations of a workspace', () => {
  let webhook = '';

  test('are made, and show no secret', async () => {
    webhook = await create({
      type: 'webhook',
      name: 'all',
      config: { url: `${receiver.url}/all`, signingSecret },
      broadcast_generation_cost: true,
    });
    const shown = await manage(sluice, `/observability/destinations/${webhook}`);
    ok(!JSON.stringify(shown.body).includes(signingSecret));
  });

  test('get what a test sends, with a signature', async () => {
    equal((await broadcast(true)).status, 200);
    const tested = await eventually(
      () => manage(sluice, `/observability/destinations/${webhook}/test`, { method: 'POST' }),
      (answer) => answer.status === 200,
    );
    match(JSON.stringify(tested.body), /delivered/);
    const [first] = received;
    ok(first);
    const { headers, body } = first;
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
    const hmac = createHmac('sha256', signingSecret).update(signed).update(body).digest('base64');
    equal(headers['webhook-signature'], `v1,${hmac}`);
  });

  test('get generations with their contents, unless they or the request do not want that', async () => {
    await create({
      type: 'webhook',
      name: 'private',
      config: { url: `${receiver.url}/private` },
      privacy_mode: true,
    });
    // Routing hears of the switch within a moment.
    const id = await eventually(
      async () => {
        const asked = await ask('what is in the box?');
        return 'output' in ((await generationAt('/all', asked)) ?? {}) ? asked : undefined;
      },
      (found) => found !== undefined,
    );
    const whole = await generationAt('/all', id ?? '');
    match(JSON.stringify(whole?.['input']), /what is in the box\?/);
    equal(whole?.['session_id'], 'session-1');
    ok(whole?.['cost'] !== undefined);
    const bare = await generationAt('/private', id ?? '');
    ok(bare && !('input' in bare) && !('cost' in bare));
    const unlogged = await ask('a secret question', { 'x-service-log-content': 'false' });
    ok(!('input' in ((await generationAt('/all', unlogged)) ?? {})));
    ok(!received.some(({ body }) => body.includes('a secret question')));
  });

  test('get nothing once the workspace does not broadcast', async () => {
    const silent = async () =>
      (await manage(sluice, `/observability/destinations/${webhook}/status`)).body['data'];
    const slug = 'second';
    const made = await manage(sluice, '/workspaces', {
      body: { name: slug, slug, is_observability_broadcast_enabled: true },
    });
    const workspace_id = text(made.body['data']?.['id']);
    const issued = await manage(sluice, '/keys', { body: { name: slug, workspace_id } });
    const config = { url: `${receiver.url}/second` };
    await create({ type: 'webhook', name: slug, workspace_id, config });
    equal((await broadcast(false)).status, 200);
    await eventually(silent, (now) => text(now?.['state'] ?? '') === 'disabled');
    const unheard = await ask('nobody hears this');
    // One log has the generations of both workspaces, in their order: what ended before has come by then.
    const heard = await ask('somebody hears this', {
      authorization: `Bearer ${text(issued.body['key'])}`,
    });
    ok(await generationAt('/second', heard));
    ok(!generationsAt('/all').some((one) => text(one['id']) === unheard));
  });
});

describe('contents that a workspace stores', () => {
  const change = (body: object) => manage(sluice, '/workspaces/default', { method: 'PATCH', body });
  const contentOf = (id: string, headers = {}) =>
    json(sluice, `/generation/content?id=${id}`, { headers });
  const storedContent = (id: string, headers = {}) =>
    eventually(
      () => contentOf(id, headers),
      (answer) => answer.status === 200,
    );
  /** Another workspace that stores contents: its key, and one of its generations. */
  const other = { slug: 'keeps', hash: '', headers: {}, generationId: '' };

  test('are read with the key that asked, once the workspace stores them', async () => {
    const changed = await change({ is_observability_io_logging_enabled: true });
    equal(changed.body['data']?.['is_observability_io_logging_enabled'], true);
    // Routing hears of the setting within a moment, and contents come a moment after the answer.
    const asked: string[] = [];
    const stored = await eventually(
      async () => {
        asked.push(await ask('keep this question'));
        const answers = await Promise.all(asked.slice(-3).map((id) => contentOf(id)));
        const [first] = answers;
        ok(first);
        return answers.find(({ status }) => status === 200) ?? first;
      },
      (answer) => answer.status === 200,
    );
    const data = stored.body['data'];
    deepEqual(data?.['input'], { messages: [{ role: 'user', content: 'keep this question' }] });
    match(JSON.stringify(data['output']), /keep this question/);
    deepEqual([data['error'], data['is_truncated']], [null, false]);
  });

  test('are none of a request that opts out, or with zero data retention', async () => {
    const unlogged = await ask('forget this question', { 'x-service-log-content': 'false' });
    const body = { model: 'sim/trio', input: 'retain nothing', provider: { zdr: true } };
    const zdr = await json(sluice, '/responses', { body });
    // Contents of earlier requests have come by the time that these have.
    const later = await ask('keep this one, too');
    await storedContent(later);
    for (const id of [unlogged, text(zdr.headers.get('x-generation-id'))])
      equal((await contentOf(id)).status, 404, id);
    equal((await manage(sluice, `/generation/content?id=${later}`)).status, 200);
    const keyless = await json(sluice, `/generation/content?id=${later}`, { key: null });
    equal(keyless.status, 401);
  });

  test('are unknown to another account, and closed to keys of another workspace', async () => {
    const { slug } = other;
    const made = await manage(sluice, '/workspaces', {
      body: { name: slug, slug, is_observability_io_logging_enabled: true },
    });
    const workspace_id = text(made.body['data']?.['id']);
    const issued = await manage(sluice, '/keys', { body: { name: slug, workspace_id } });
    other.hash = text(issued.body['data']?.['hash']);
    other.headers = { authorization: `Bearer ${text(issued.body['key'])}` };
    other.generationId = await ask('keep this here', other.headers);
    await storedContent(other.generationId, other.headers);
    equal((await contentOf(other.generationId)).status, 403);
    const { bootstrap } = await inSecondOrganization(sluice);
    for (const key of [bootstrap.api_key, bootstrap.management_key]) {
      const foreign = { authorization: `Bearer ${key}` };
      equal((await contentOf(other.generationId, foreign)).status, 404);
    }
  });

  test('are none once the workspace stores none', async () => {
    equal((await change({ is_observability_io_logging_enabled: false })).status, 200);
    const off = await eventually(
      async () => {
        const id = await ask('nobody keeps this');
        await storedContent(await ask('keep this after it', other.headers), other.headers);
        return contentOf(id);
      },
      (answer) => answer.status === 404,
    );
    match(JSON.stringify(off.body), /content_not_stored/);
  });

  test('are gone with their workspace', async () => {
    const { slug, hash, generationId } = other;
    equal((await manage(sluice, `/keys/${hash}`, { method: 'DELETE' })).status, 200);
    equal((await manage(sluice, `/workspaces/${slug}`, { method: 'DELETE' })).status, 200);
    await eventually(
      () => manage(sluice, `/generation/content?id=${generationId}`),
      (answer) => answer.status === 404,
    );
  });
});
