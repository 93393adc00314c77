import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  gatewayWorld,
  otherWorkspaceId,
  personalId,
  workspaceId,
} from '../../testing/gateway-world.ts';

const dataOf = ({ json }: { json: Record<string, unknown> }) =>
  json['data'] as Record<string, unknown>;
const pathsOf = ({ json }: { json: Record<string, unknown> }) =>
  (json['error'] as { metadata: { issues?: { path: string }[] } }).metadata.issues?.map(
    ({ path }) => path,
  );

async function worldWithKeys() {
  const world = await gatewayWorld();
  const { secret: key } = world.management({ creatorUserId: 'user_1' });
  const { secret: regular } = world.regular({});
  const ask = (line: string, body?: object, as = key) =>
    world.request(line, { key: as, ...(body === undefined ? {} : { body }) });
  return { ...world, ask, regular };
}
const save = `POST /v1/presets/support/responses?workspace_id=${workspaceId}`;
const body = {
  model: 'sim/echo',
  temperature: 0,
  instructions: 'Be brief.',
  input: 'x',
  stream: true,
};
const bodies = [
  ['responses', body],
  ['chat/completions', { ...body, system: 'Be brief.', instructions: null, messages: [] }],
  ['messages', { ...body, system: 'Be brief.', instructions: null, messages: [] }],
] as const;

describe('presets', () => {
  test.each(bodies)(
    'are made of a body of /%s, without what belongs to one request',
    async (path, sent) => {
      const { ask } = await worldWithKeys();
      const made = await ask(`POST /v1/presets/support/${path}`, sent);
      equal(made.status, 200, made.text);
      const { designated_version, slug, status, creator_user_id, id } = dataOf(made);
      deepEqual([slug, status, creator_user_id], ['support', 'active', 'user_1']);
      const version = designated_version as Record<string, unknown>;
      deepEqual(version['config'], { model: 'sim/echo', temperature: 0 });
      deepEqual(
        [version['system_prompt'], version['version'], version['preset_id']],
        ['Be brief.', 1, id],
      );
    },
  );

  test('are listed and read, with their versions', async () => {
    const { ask } = await worldWithKeys();
    const place = `?workspace_id=${workspaceId}`;
    await ask(save, body);
    await ask(save, { model: 'sim/chat' });
    const list = await ask(`GET /v1/presets${place}`);
    deepEqual([list.json['total_count'], (list.json['data'] as unknown[]).length], [1, 1]);
    const versions = await ask(`GET /v1/presets/support/versions${place}&limit=1`);
    equal(versions.json['total_count'], 2);
    const [newest] = versions.json['data'] as Record<string, unknown>[];
    deepEqual(newest?.['config'], { model: 'sim/chat' });
    const first = await ask(`GET /v1/presets/support/versions/1${place}`);
    equal(dataOf(first)['version'], 1);
    const back = await ask(`PATCH /v1/presets/support${place}`, { designated_version: 1 });
    equal((dataOf(back)['designated_version'] as Record<string, unknown>)['version'], 1);
    const off = await ask(`PATCH /v1/presets/support${place}`, {
      status: 'disabled',
      description: 'Off',
    });
    deepEqual([dataOf(off)['status'], dataOf(off)['description']], ['disabled', 'Off']);
  });

  test('are read with a regular key of their workspace alone, and changed with no such key', async () => {
    const { ask, regular } = await worldWithKeys();
    await ask(save, body);
    const read = async (line: string) => (await ask(line, undefined, regular)).status;
    equal(await read('GET /v1/presets/support'), 200);
    equal(await read(`GET /v1/presets/support?workspace_id=${workspaceId}`), 200);
    equal(await read(`GET /v1/presets/support?workspace_id=${otherWorkspaceId}`), 404);
    equal(await read('GET /v1/presets/support/versions/1'), 200);
    for (const [path] of bodies)
      equal((await ask(`POST /v1/presets/support/${path}`, body, regular)).status, 403);
    equal((await ask('PATCH /v1/presets/support', { name: 'x' }, regular)).status, 403);
  });

  test('of another account, and unknown ones, are not found', async () => {
    const { ask, management } = await worldWithKeys();
    await ask(save, body);
    const foreign = management({ accountId: personalId }).secret;
    const place = `?workspace_id=${workspaceId}`;
    for (const line of ['support', 'support/versions', 'support/versions/1'])
      equal((await ask(`GET /v1/presets/${line}${place}`, undefined, foreign)).status, 404);
    equal((await ask(`PATCH /v1/presets/support${place}`, { name: 'x' }, foreign)).status, 404);
    equal((await ask(`GET /v1/presets/none${place}`)).status, 404);
    equal((await ask(`GET /v1/presets/support/versions/9${place}`)).status, 404);
  });

  test.each<[string, object, string]>([
    [save, { temperature: 9 }, 'temperature'],
    [save, { temprature: 1 }, 'temprature'],
    [save, { tools: [{ type: 'function' }] }, 'tools[0].name'],
    ['POST /v1/presets/support/messages', { max_tokens: 0 }, 'max_tokens'],
    ['PATCH /v1/presets/support', { status: 'gone' }, 'status'],
    ['PATCH /v1/presets/support', { designated_version: 0 }, 'designated_version'],
    ['PATCH /v1/presets/support', { slug: 'x' }, 'slug'],
  ])('%s refuses %j by its place', async (line, sent, path) => {
    const { ask } = await worldWithKeys();
    await ask(save, body);
    const refused = await ask(line, sent);
    deepEqual([refused.status, pathsOf(refused)], [400, [path]]);
  });
});
