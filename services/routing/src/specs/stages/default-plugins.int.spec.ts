import { deepEqual, equal, match } from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import type { PluginId } from '../../request/plugins.ts';
import type { InputStage } from '../../stages/stage.ts';
import { doors } from '../../testing/doors.ts';
import { routingHarness, textOf, type RoutingHarness } from '../../testing/routing-harness.ts';

const seen: Record<string, unknown>[] = [];
/** Notes the plugins that stages see. */
const noting: InputStage = {
  at: 'input',
  name: 'noting',
  run: async (call) => {
    seen.push({ ...call.plugins });
    return { call };
  },
};

let routing: RoutingHarness;
let caller = 0;
beforeAll(async () => {
  routing = await routingHarness({ stages: [noting] });
});
afterAll(() => routing.stop());
afterEach(() => {
  routing.policies.defaultPlugins = [];
  seen.length = 0;
});

/** Calls as another key each time: no earlier policy is known. */
async function call(door: (typeof doors)[number], fields: object) {
  caller += 1;
  const principal = {
    accountId: 'account',
    workspaceId: `workspace-${String(caller)}`,
    keyHash: 'key',
    limitNanoUsd: null,
    limitReset: null,
    includeByokInLimit: false,
  };
  const { dialect, asks } = door;
  const body = { model: 'sim/echo', ...asks('hi'), ...fields };
  const reply = await routing.call(body, { principal, dialect });
  return { status: reply.status, headers: reply.headers, text: await textOf(reply) };
}

const plugin = (id: PluginId, settings: object = {}) => ({ id, ...settings });
const off = { enabled: false };

describe.each(doors)('the default plugins of a workspace at $dialect', (door) => {
  test('hold for a request that does not name them', async () => {
    routing.policies.defaultPlugins = [
      plugin('moderation'),
      plugin('web', { ...off, max_uses: 2 }),
    ];
    equal((await call(door, {})).status, 200);
    deepEqual(seen, [
      { moderation: plugin('moderation'), web: { id: 'web', ...off, max_uses: 2 } },
    ]);
  });

  test('give way to the entry of a request, as a whole', async () => {
    routing.policies.defaultPlugins = [plugin('web', { ...off, max_uses: 2 })];
    const { status, headers } = await call(door, { plugins: [plugin('web', off)] });
    equal(status, 200);
    equal(headers['x-service-warning'], undefined);
    deepEqual(seen, [{ web: plugin('web', off) }]);
  });

  test('stay as they are if the workspace prevents overrides, and the client is told', async () => {
    routing.policies.defaultPlugins = [
      { ...plugin('web', { ...off, max_uses: 2 }), prevent_overrides: true },
    ];
    const { status, headers } = await call(door, {
      plugins: [plugin('moderation'), plugin('web', off)],
    });
    equal(status, 200);
    deepEqual(seen, [
      { moderation: plugin('moderation'), web: { id: 'web', ...off, max_uses: 2 } },
    ]);
    match(JSON.stringify(headers), /the workspace prevents overrides: plugins\[1\] \(web\)/);
  });

  test('do not spare a request the check of its own entry', async () => {
    routing.policies.defaultPlugins = [{ ...plugin('web', off), prevent_overrides: true }];
    const { status, text } = await call(door, {
      plugins: [plugin('web', { ...off, max_results: 26 })],
    });
    equal(status, 400);
    match(text, /plugins\[0\]\.max_results/);
  });

  test('that routing cannot read let nothing through', async () => {
    routing.policies.defaultPlugins = [plugin('web', { max_results: 26 })];
    equal((await call(door, {})).status, 503);
  });
});
