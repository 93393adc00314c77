import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { subjects } from '@sluice/bus';
import { type KeyManagement, localKeyManagement, seal } from '@sluice/envelope';
import { type Contents, encodeContents } from '@sluice/generation-contents';
import { until } from '@sluice/patience';
import type { UsageFact } from '@sluice/usage-facts';
import { aFact } from '@sluice/usage-facts/testing';
import { describe, onTestFinished, test } from 'vitest';
import { accountId, observerWorld, type World, workspaceId } from '../testing/observer-world.ts';
import { receiver } from '../testing/receiver.ts';

const fact = (changes: Partial<UsageFact> = {}) => aFact({ accountId, workspaceId, ...changes });
const facts = (count: number, changes: Partial<UsageFact> = {}) =>
  Array.from({ length: count }, (_, index) =>
    fact({
      completedAt: new Date(Date.parse('2026-11-27T10:00:00Z') + index).toISOString(),
      ...changes,
    }),
  );
const idsOf = (all: readonly UsageFact[]) => all.map(({ generationId }) => generationId);

describe('a destination', () => {
  test('gets each generation once, in the order of their completion', async () => {
    const [world, hook] = [await observerWorld(), await receiver()];
    await world.add({ config: { url: hook.url } });
    const all = facts(30);
    await world.publish(...all);
    await until(() => hook.ids().length >= 30);
    // The same facts again, in other messages.
    await world.publish(...all);
    const later = fact();
    await world.publish(later);
    await until(() => hook.ids().includes(later.generationId));
    deepEqual(hook.ids(), [...idsOf(all), later.generationId]);
  });

  test('that is made later begins at now', async () => {
    const [world, first, second] = [await observerWorld(), await receiver(), await receiver()];
    await world.add({ config: { url: first.url } });
    const [before, after] = [fact(), fact()];
    await world.publish(before);
    await until(() => first.ids().length === 1);
    await world.add({ config: { url: second.url } });
    await world.publish(after);
    await until(() => second.ids().length === 1);
    deepEqual(second.ids(), [after.generationId]);
  });

  test('gets nothing that ended before it was switched on again', async () => {
    const [world, first, second] = [await observerWorld(), await receiver(), await receiver()];
    const usableSince = '2026-11-27T10:00:10.000Z';
    await world.add({ config: { url: first.url } });
    await world.add({ config: { url: second.url }, usableSince });
    const [between, after] = ['2026-11-27T10:00:09.999Z', usableSince].map((completedAt) =>
      fact({ completedAt }),
    );
    ok(between && after);
    await world.publish(between, after);
    await until(() => first.ids().length === 2 && second.ids().length > 0);
    deepEqual(second.ids(), [after.generationId]);
  });

  test('gets nothing of another workspace or account', async () => {
    const [world, hook] = [await observerWorld(), await receiver()];
    await world.add({ config: { url: hook.url } });
    const own = fact();
    await world.publish(fact({ workspaceId: 'other' }), fact({ accountId: 'acct_2' }), own);
    await until(() => hook.ids().length > 0);
    deepEqual(hook.ids(), [own.generationId]);
  });

  test('gets what its rules, keys and rate choose', async () => {
    const [world, rules, keys, none] = [
      await observerWorld(),
      await receiver(),
      await receiver(),
      await receiver(),
    ];
    const filterRules = JSON.stringify({
      groups: [{ rules: [{ field: 'model', operator: 'contains', value: 'large' }] }],
    });
    await world.add({ config: { url: rules.url }, settings: { filterRules } });
    await world.add({ config: { url: keys.url }, settings: { apiKeys: { hashes: ['key2'] } } });
    await world.add({ config: { url: none.url }, settings: { samplingRate: 0.0001 } });
    const [large, other] = [fact({ model: 'sim/large' }), fact({ keyHash: 'key2' })];
    await world.publish(fact(), large, other);
    await until(() => rules.ids().length > 0 && keys.ids().length > 0);
    deepEqual(rules.ids(), [large.generationId]);
    deepEqual(keys.ids(), [other.generationId]);
    equal(none.requests(), 0);
  });

  test('that hangs or fails delays no other one', async () => {
    const [world, hook, hanging, failing] = [
      await observerWorld(),
      await receiver(),
      await receiver(),
      await receiver(),
    ];
    let ended = () => {};
    hanging.onRequest = () => new Promise((resolve) => (ended = () => resolve(false)));
    failing.onRequest = (response) => {
      response.writeHead(500).end();
      return true;
    };
    for (const { url } of [hanging, failing, hook]) await world.add({ config: { url } });
    const all = facts(20);
    for (const one of all) {
      await world.publish(one);
      await until(() => hook.ids().includes(one.generationId));
    }
    deepEqual(hook.ids(), idsOf(all));
    equal(hanging.taken.length, 0);
    ended();
  });

  test('is served again after 429 and 500, and not before the time that it names', async () => {
    const [world, hook] = [await observerWorld(), await receiver()];
    const statuses = [429, 500];
    const seen: number[] = [];
    hook.onRequest = (response) => {
      seen.push(performance.now());
      const status = statuses.shift();
      if (status === undefined) return false;
      response.writeHead(status, status === 429 ? { 'retry-after': '1' } : {}).end();
      return true;
    };
    const id = await world.add({ config: { url: hook.url } });
    const one = fact();
    await world.publish(one);
    await until(() => hook.ids().length === 1);
    deepEqual(hook.ids(), [one.generationId]);
    const [first = 0, second = 0] = seen;
    ok(second - first >= 990, String(second - first));
    const status = await until(async () => {
      const now = await world.calls().getDestinationStatus({ accountId, destinationId: id });
      return now.delivered > 0n && now;
    });
    deepEqual([status.delivered, status.attempts, status.failingSince], [1n, 0, undefined]);
  });

  test('goes on where it was after a restart, and misses nothing meanwhile', async () => {
    const [world, hook] = [await observerWorld(), await receiver()];
    await world.add({ config: { url: hook.url } });
    const [before, meanwhile] = [facts(5), facts(5)];
    await world.publish(...before);
    await until(() => hook.ids().length === 5);
    await world.stop();
    await world.publish(...meanwhile);
    await world.restart();
    await until(() => hook.ids().length === 10);
    deepEqual(hook.ids(), [...idsOf(before), ...idsOf(meanwhile)]);
  });
});

describe('the contents of a generation', () => {
  const said = (content: string): Contents => ({
    system: [],
    input: [{ role: 'user', parts: [{ type: 'text', content }] }],
    output: [{ role: 'assistant', parts: [{ type: 'text', content: 'Forty-two.' }] }],
    tools: [],
    isCut: false,
  });
  /** Ends a generation with contents that are sealed for it, or for another one. */
  async function endWith(
    world: World,
    { keys, id, sealedFor = id }: { keys: KeyManagement; id: string; sealedFor?: string },
    contents: Contents,
  ) {
    const owner = { accountId, recordId: `contents/${sealedFor}` };
    const envelope = await seal(keys, owner, encodeContents(contents));
    const { keyVersion, wrappedKey, ciphertext } = envelope;
    return await world.end({
      generationId: id,
      turns: 1,
      contents: {
        keyVersion,
        wrappedKey: Buffer.from(wrappedKey),
        ciphertext: Buffer.from(ciphertext),
      },
    });
  }
  const keysOf = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'observer-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    return await localKeyManagement(join(folder, 'keys'));
  };

  test('are opened for a destination that wants them, and selected by', async () => {
    const keys = await keysOf();
    const [world, open, bare, rules] = [
      await observerWorld({ keys }),
      await receiver(),
      await receiver(),
      await receiver(),
    ];
    const filterRules = JSON.stringify({
      groups: [{ rules: [{ field: 'input', operator: 'contains', value: 'meaning' }] }],
    });
    await world.add({ config: { url: open.url } });
    await world.add({ config: { url: bare.url }, settings: { privacyMode: true } });
    await world.add({ config: { url: rules.url }, settings: { filterRules } });
    const [first, second] = facts(2, { hasEnd: true });
    ok(first && second);
    const asked = [
      [first, 'What is the time?'],
      [second, 'What is the meaning?'],
    ] as const;
    for (const [one, text] of asked) {
      await world.publish(one);
      await endWith(world, { keys, id: one.generationId }, said(text));
    }
    await until(() => [open, bare].every((one) => one.ids().length === 2));
    await until(() => rules.ids().length === 1);
    const shown = open.taken.flatMap(({ generations }) => generations);
    const texts = new Map(shown.map(({ id, input, output }) => [id, [input, output]]));
    for (const [one, text] of asked) {
      const json = JSON.stringify(texts.get(one.generationId));
      ok(json.includes(text) && json.includes('Forty-two.'), json);
    }
    ok(!JSON.stringify(bare.taken).includes('What is'));
    deepEqual(rules.ids(), [second.generationId]);
  });

  test('come in one message with those of others, or alone, as earlier releases sent them', async () => {
    const [world, hook] = [await observerWorld(), await receiver()];
    await world.add({ config: { url: hook.url } });
    const all = facts(3, { hasEnd: true });
    await world.publish(...all);
    const ends = idsOf(all).map((generationId) => ({
      generationId,
      accountId,
      workspaceId,
      turns: 1,
      endedAt: '2026-11-27T10:00:01.000Z',
    }));
    const [first, second, third] = ends;
    const foreign = { ...first, accountId: 'acct_2' };
    const subject = subjects.generationEnded(accountId);
    await world.bus.publishFact(subject, 'bundle', { ends: [first, foreign, second] });
    await world.bus.publishFact(subject, 'alone', third ?? {});
    await until(() => hook.ids().length === 3);
    deepEqual(hook.ids(), idsOf(all));
    match(
      await world.telemetry.prometheus(),
      /observer_messages_total\{[^}]*"unreadable"[^}]*\} 1/,
    );
  });

  test('that were sealed for another generation are left out, and the generation is sent', async () => {
    const keys = await keysOf();
    const [world, hook] = [await observerWorld({ keys }), await receiver()];
    await world.add({ config: { url: hook.url } });
    const one = fact({ hasEnd: true });
    await world.publish(one);
    const place = { keys, id: one.generationId, sealedFor: 'another' };
    await endWith(world, place, said('a secret'));
    await until(() => hook.ids().length === 1);
    ok(!JSON.stringify(hook.taken).includes('a secret'));
  });
});

describe('generations that a destination does not take', () => {
  test('become dead letters after five attempts, are listed, and can be replayed', async () => {
    const [world, hook] = [await observerWorld({ retryMs: 1 }), await receiver()];
    let isDown = true;
    hook.onRequest = (response) => {
      if (isDown) response.writeHead(503).end();
      return isDown;
    };
    const destinationId = await world.add({ config: { url: hook.url } });
    const one = fact();
    await world.publish(one);
    const listed = async () =>
      await world.calls().listDeadLetters({ accountId, destinationId, offset: 0, limit: 10 });
    await until(async () => (await listed()).totalCount === 1n);
    equal(hook.requests(), 5);
    const [letter] = (await listed()).deadLetters;
    deepEqual(
      [letter?.generationId, letter?.problem, letter?.httpStatus, letter?.attempts],
      [one.generationId, 'The destination answered with the status 503', 503, 5],
    );
    const foreign = { accountId: 'acct_2', destinationId, offset: 0, limit: 10 };
    equal((await world.calls().listDeadLetters(foreign)).totalCount, 0n);
    isDown = false;
    const asked = { accountId, destinationId, deadLetterIds: [] };
    deepEqual(await world.calls().replayDeadLetters(asked), { count: 1n });
    await until(() => hook.ids().length === 1);
    await until(async () => (await listed()).totalCount === 0n);
    deepEqual(hook.ids(), [one.generationId]);
  });

  test('because of one that is refused are delivered without it', async () => {
    const [world, hook] = [await observerWorld(), await receiver()];
    const all = facts(40);
    const bad = all[17]?.generationId ?? '';
    hook.onRequest = (response, { ids }) => {
      if (!ids.includes(bad)) return false;
      response.writeHead(400).end();
      return true;
    };
    const destinationId = await world.add({ config: { url: hook.url } });
    await world.publish(...all);
    await until(() => hook.ids().length === 39);
    deepEqual(
      hook.ids(),
      idsOf(all).filter((id) => id !== bad),
    );
    await until(async () => {
      const { deadLetters } = await world
        .calls()
        .listDeadLetters({ accountId, destinationId, offset: 0, limit: 10 });
      return deadLetters.length === 1 && deadLetters[0]?.generationId === bad;
    });
  });
});

describe('a hostile destination', () => {
  test.each([
    ['redirects to the metadata of the machine', 302, { location: 'http://169.254.169.254/' }],
    ['redirects to another server', 307, { location: 'https://example.com/' }],
  ])('that %s is not followed', async (_, status, headers) => {
    const [world, hook] = [await observerWorld({ retryMs: 1 }), await receiver()];
    hook.onRequest = (response) => {
      response.writeHead(status, headers).end();
      return true;
    };
    const destinationId = await world.add({ config: { url: hook.url } });
    const tested = await world.calls().testDestination({ accountId, destinationId });
    equal(tested.outcome, 'retry');
    equal(tested.problem, 'The server redirects, and redirects are not followed');
  });

  test('that answers without an end is cut off', async () => {
    const [world, hook] = [await observerWorld(), await receiver()];
    let written = 0;
    hook.onRequest = (response) => {
      const chunk = Buffer.alloc(65_536, 'a');
      const write = () => {
        while (!response.destroyed && written < 1e9) {
          written += chunk.length;
          if (!response.write(chunk)) break;
        }
      };
      response.on('drain', write).on('error', () => undefined);
      write();
      return true;
    };
    const destinationId = await world.add({ config: { url: hook.url } });
    const tested = await world.calls().testDestination({ accountId, destinationId });
    equal(tested.outcome, 'retry');
    ok(written < 100_000_000, String(written));
  });

  test('that resets its connections fails as one that is away does', async () => {
    const [world, hook] = [await observerWorld(), await receiver()];
    hook.onRequest = (response) => {
      response.socket?.resetAndDestroy();
      return true;
    };
    const destinationId = await world.add({ config: { url: hook.url } });
    const { outcome, problem } = await world.calls().testDestination({ accountId, destinationId });
    deepEqual([outcome, problem], ['retry', 'The connection to the server failed']);
  });

  test.each(['http://169.254.169.254/latest', 'https://10.0.0.1/', 'https://[::1]:4318/'])(
    'at %s is not called',
    async (url) => {
      const world = await observerWorld();
      const destinationId = await world.add({ config: { url } });
      const { outcome, problem } = await world
        .calls()
        .testDestination({ accountId, destinationId });
      equal(outcome, 'retry');
      ok(problem !== '', problem);
    },
  );
});

test('failures that routing did not publish are lost for the destinations of their workspace, once', async () => {
  const [world, hook] = [await observerWorld(), await receiver()];
  const own = await world.add({ config: { url: hook.url } });
  const foreign = await world.add({ workspaceId: 'workspace-2', config: { url: hook.url } });
  const failure = { generationId: 'gen-flood', turn: 1, omitted: 7n };
  await world.fail(failure);
  await world.fail(failure);
  await world.fail({ generationId: 'gen-last', turn: 1 });
  await until(() => hook.ids().includes('gen-last'));
  const status = async (destinationId: string) =>
    await world.calls().getDestinationStatus({ accountId, destinationId });
  deepEqual([(await status(own)).lost, (await status(foreign)).lost], [7n, 0n]);
  ok((await status(own)).lastLostAt !== undefined);
  const shown = await world.telemetry.prometheus();
  ok(shown.includes(`destination="${own}",otel_scope_name="sluice"} 7\n`));
});

test('a destination that is further behind than is kept loses generations, which are counted', async () => {
  const bounds = { ageMsMax: 3_600_000, workspaceBytesMax: 20_000, bytesMax: 1e9 };
  const [world, hook] = [await observerWorld({ bounds }), await receiver()];
  let isDown = true;
  hook.onRequest = (response) => {
    if (isDown) response.writeHead(503, { 'retry-after': '3600' }).end();
    return isDown;
  };
  const destinationId = await world.add({ config: { url: hook.url } });
  await world.publish(fact());
  await until(() => hook.requests() === 1);
  const all = facts(100);
  await world.publish(...all);
  const status = async () => await world.calls().getDestinationStatus({ accountId, destinationId });
  await until(async () => (await status()).lost > 0n);
  isDown = false;
  await world.database.query({
    text: `UPDATE deliveries SET next_attempt_at = '-infinity'`,
    values: [],
  });
  await until(() => hook.ids().includes(all.at(-1)?.generationId ?? ''));
  const { lost, lastLostAt } = await status();
  equal(Number(lost) + hook.ids().length, 101);
  ok(lastLostAt !== undefined);
  const shown = await world.telemetry.prometheus();
  const counted = `observer_lost_total{type="webhook",destination="${destinationId}",otel_scope_name="sluice"}`;
  ok(shown.includes(`${counted} ${String(lost)}\n`), counted);
  await world.remove(destinationId);
  await until(async () => !(await world.telemetry.prometheus()).includes(destinationId));
});
