import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { beforeEach, describe, test } from 'vitest';
import { createLogger } from '@sluice/logging';
import { until } from '@sluice/patience';
import type { Command } from '../engine/engine.ts';
import { createTelemetry, type Telemetry } from '@sluice/telemetry';
import { CountingEngine } from '../testing/counting-engine.ts';
import { Containers } from './containers.ts';

const disabled = { type: 'disabled' } as const;
const allowing = (...allowedDomains: string[]) => ({ type: 'allowlist', allowedDomains }) as const;
const command = (text: string): Command => ({
  argv: ['sh', text],
  timeoutMs: 1,
  outputBytesMax: 1,
});

describe('containers', () => {
  let engine: CountingEngine;
  let nowMs: number;
  let containers: Containers;
  let telemetry: Telemetry;
  const ref = (containerId: string, accountId = 'acc') => ({
    accountId,
    workspaceId: 'ws',
    containerId,
  });

  beforeEach(() => {
    engine = new CountingEngine();
    nowMs = 0;
    telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
    containers = new Containers({
      engine,
      metrics: telemetry.metrics,
      clock: { now: () => new Date(0), steadyMs: () => nowMs },
      logger: createLogger({ service: 'test', level: 'silent' }),
      containersMax: 4,
      accountContainersMax: 2,
      runningMax: 2,
      sleepAfterSeconds: 900,
    });
  });

  test('are made once, and once for each account and workspace', async () => {
    const [one, two] = await Promise.all([
      containers.open(ref('a'), { network: disabled }),
      containers.open(ref('a'), { network: disabled }),
    ]);
    deepEqual([one.isNew, two.isNew, engine.opened.length], [true, false, 1]);
    await containers.open(ref('a', 'other'), { network: disabled });
    await containers.open({ ...ref('a'), workspaceId: 'ws2' }, { network: disabled });
    equal(engine.opened.length, 3);
  });

  test('keep their network policy while they are warm', async () => {
    await containers.open(ref('a'), { network: allowing('b.com', 'A.com') });
    await containers.open(ref('a'), { network: allowing('a.com', 'b.com', 'b.com') });
    equal(containers.check(ref('a'), allowing('b.com', 'a.com')), true);
    equal(containers.check(ref('b'), disabled), false);
    throws(() => containers.check(ref('a'), disabled), { code: 'conflict' });
    for (const network of [disabled, allowing('a.com')])
      await rejects(containers.open(ref('a'), { network }), { code: 'conflict' });
  });

  test('sleep after their time, which each command renews', async () => {
    await containers.open(ref('a'), { network: disabled, sleepAfterSeconds: 10 });
    nowMs = 9_000;
    const ran = containers.run(ref('a'), command('one'));
    await until(() => engine.ending.length === 1);
    nowMs = 15_000;
    await containers.sweep();
    equal(engine.closed.length, 0, 'not while a command runs');
    engine.ending[0]?.();
    await ran;
    nowMs = 24_999;
    await containers.sweep();
    equal(engine.closed.length, 0);
    nowMs = 25_000;
    await containers.sweep();
    deepEqual(engine.closed, ['box-1']);
    await rejects(containers.run(ref('a'), command('two')), { code: 'not_found' });
    equal((await containers.open(ref('a'), { network: disabled })).isNew, true);
  });

  test('run their commands in order, and a bounded number at once', async () => {
    for (const [id, account] of [
      ['a', 'x'],
      ['b', 'x'],
      ['c', 'y'],
    ] as const)
      await containers.open(ref(id, account), { network: disabled });
    const running = [
      containers.run(ref('a', 'x'), command('a1')),
      containers.run(ref('b', 'x'), command('b1')),
      containers.run(ref('c', 'y'), command('c1')),
    ];
    await until(() => engine.started.length === 2);
    deepEqual(engine.started, ['a1', 'b1']);
    engine.ending[0]?.();
    await until(() => engine.started.length === 3);
    const second = containers.run(ref('b', 'x'), command('b2'));
    engine.ending[2]?.();
    await running[2];
    deepEqual(engine.started, ['a1', 'b1', 'c1']);
    engine.ending[1]?.();
    await until(() => engine.started.length === 4);
    engine.ending[3]?.();
    await Promise.all([...running, second]);
    deepEqual(engine.started, ['a1', 'b1', 'c1', 'b2']);
  });

  test('are bounded: those of single responses give way, named ones do not', async () => {
    await containers.open(ref('gen_1'), { network: disabled });
    nowMs = 1;
    await containers.open(ref('gen_2'), { network: disabled });
    await containers.open(ref('mine'), { network: disabled });
    deepEqual(engine.closed, ['box-1']);
    await containers.open(ref('mine2'), { network: disabled });
    deepEqual(engine.closed, ['box-1', 'box-2']);
    await rejects(containers.open(ref('mine3'), { network: disabled }), { code: 'rate_limited' });
    await containers.open(ref('a', 'other'), { network: disabled });
    await containers.open(ref('b', 'other'), { network: disabled });
    await rejects(containers.open(ref('a', 'third'), { network: disabled }), {
      code: 'rate_limited',
    });
  });

  test('are counted, without the names of their accounts', async () => {
    const disclosed = 'acc-canary';
    await containers.open(ref('a', disclosed), { network: disabled });
    const ran = containers.run(ref('a', disclosed), command('one'));
    await until(() => engine.ending.length === 1);
    engine.ending[0]?.();
    await ran;
    await rejects(containers.open(ref('a', disclosed), { network: allowing('a.com') }));
    await containers.open(ref('b', disclosed), { network: disabled });
    await rejects(containers.open(ref('c', disclosed), { network: disabled }));
    const text = await telemetry.prometheus();
    const valueOf = (series: string) =>
      Number(new RegExp(String.raw`^${series}[^}]*\} (\d+)$`, 'm').exec(text)?.[1]);
    deepEqual(
      [
        valueOf('sandbox_containers_starts_total\\{[^}]*outcome="made"'),
        valueOf('sandbox_refusals_total\\{[^}]*reason="conflict"'),
        valueOf('sandbox_refusals_total\\{[^}]*reason="rate_limited"'),
        valueOf('sandbox_command_duration_seconds_count\\{[^}]*outcome="exited"'),
      ],
      [2, 1, 1, 1],
    );
    equal(text.includes(disclosed), false);
  });

  test('that are lost are made anew', async () => {
    await containers.open(ref('a'), { network: disabled });
    engine.losing.get('box-1')?.('killed');
    await until(() => containers.warmCount === 0);
    equal((await containers.open(ref('a'), { network: disabled })).isNew, true);
  });
});
