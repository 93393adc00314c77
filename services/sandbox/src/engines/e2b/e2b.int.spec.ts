import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict';
import { until } from '@sluice/patience';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Box, Command, Engine } from '../../engine/engine.ts';
import { type E2bDouble, startE2b } from '../../testing/e2b/e2b-double.ts';
import { e2bOptions, machinesHere, smallTemplate } from '../../testing/engines-here.ts';
import { findE2b } from './e2b.ts';

const disabled = { type: 'disabled' } as const;
const machines = await machinesHere();
const reason = 'missing' in machines ? ` (not here: ${machines.missing})` : '';
const bwrap = 'missing' in machines ? '' : machines.bwrap;

const command = (script: string, rest: Partial<Command> = {}): Command => ({
  argv: ['/bin/bash', '-c', script],
  timeoutMs: 60_000,
  outputBytesMax: 1_048_576,
  ...rest,
});

describe.skipIf(reason !== '')(`E2B${reason}`, () => {
  let e2b: E2bDouble;
  let engine: Engine;
  beforeAll(async () => {
    e2b = await startE2b(bwrap, smallTemplate);
    engine = (await findE2b(e2bOptions(e2b))) as Engine;
  });
  afterAll(async () => {
    await engine.stop();
    await e2b.close();
  });
  const opened = () => engine.open({ id: 'one', network: disabled });
  const within = async (work: (box: Box) => Promise<void>) => {
    const box = await opened();
    try {
      await work(box);
    } finally {
      await box.close();
    }
  };

  test('is not used without a key, or with another one, which no reason shows', async () => {
    const missing = async (change: object) => {
      const found = await findE2b({ ...e2bOptions(e2b), ...change });
      return 'missing' in found ? found.missing : '';
    };
    equal(await missing({ apiKey: undefined }), 'E2B_API_KEY is not set');
    const other = e2b.apiKey.replaceAll('0', 'f');
    const words = await missing({ apiKey: other });
    match(words, /^E2B does not work here: .*401/);
    doesNotMatch(words, new RegExp(other.slice(4)));
  });

  test.each([
    [
      { cpuCount: 2, memoryMB: 512 },
      /has 2 processors and 512 MiB of memory, which is more: .* 1 /,
    ],
    [
      { cpuCount: 1, memoryMB: 128 },
      /has 1 processors and 128 MiB .* which is less: .* 1 and 144 /,
    ],
    [{ cpuCount: 1, memoryMB: 4_096 }, /which is more/],
  ])('is not used with a template of another size: %j', async (template, words) => {
    const other = await startE2b(bwrap, template);
    const found = await findE2b(e2bOptions(other));
    match('missing' in found ? found.missing : '', words);
    deepEqual(other.machineIds(), [], 'the machine that was tried is ended');
    await other.close();
  });

  test('gets the network that the policy means, and closed ports', async () => {
    const allowedDomains = ['example.com', '*.example.org'];
    const box = await engine.open({ id: 'net', network: { type: 'allowlist', allowedDomains } });
    await box.close();
    const { network, allow_internet_access } = e2b.created.at(-1) ?? {};
    equal(allow_internet_access, true);
    deepEqual(network, {
      allowOut: allowedDomains,
      denyOut: ['0.0.0.0/0'],
      allowPublicTraffic: false,
    });
    await within(async () => {
      const { network: closed, allow_internet_access: isOpen } = e2b.created.at(-1) ?? {};
      deepEqual([isOpen, closed], [false, { denyOut: ['0.0.0.0/0'], allowPublicTraffic: false }]);
    });
    const wide = { type: 'allowlist', allowedDomains: ['*'] } as const;
    const count = e2b.created.length;
    await rejects(engine.open({ id: 'wide', network: wide }), { code: 'invalid_request' });
    equal(e2b.created.length, count, 'no machine was made');
  });

  test('runs commands whose inputs and outputs are any bytes', async () => {
    await within(async (box) => {
      const input = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 256));
      const { stdout, outcome } = await box.run(command('cat; exit 3', { input }));
      ok(stdout.equals(input));
      deepEqual(outcome, { type: 'exited', exitCode: 3 });
      const ran = await box.run(
        command('printf "\\377\\376"; printf "\\200" >&2; sleep 100', { timeoutMs: 1_500 }),
      );
      deepEqual(
        [ran.outcome.type, ran.stdout, ran.stderr],
        ['timed_out', Buffer.of(255, 254), Buffer.of(128)],
      );
      const long = `: ${'x'.repeat(120_000)}; echo on; id -u; sudo -n true`;
      const last = await box.run(command(long));
      match(last.stdout.toString(), /^on\n1000\n$/);
    });
  });

  test('says that a machine whose time is over is lost', async () => {
    const box = await opened();
    const running = box.run(command('sleep 1000'));
    await until(() => e2b.programCount() === 1);
    await e2b.expire();
    const ran = await running;
    match(ran.outcome.type === 'killed' ? ran.outcome.reason : '', /its files are lost/);
    match(await box.lost, /its files are lost/);
    await rejects(box.run(command('true')), { code: 'unavailable' });
  });

  test('ends its machines when it stops', async () => {
    const second = (await findE2b(e2bOptions(e2b))) as Engine;
    const before = e2b.machineIds().length;
    await second.open({ id: 'one', network: disabled });
    equal(e2b.machineIds().length, before + 1);
    await second.stop();
    equal(e2b.machineIds().length, before);
  });
});
