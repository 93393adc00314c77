import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';

/** A file that has no room for a single byte. */
const full = '/dev/full';
const loggerModule = new URL('logger.ts', import.meta.url).href;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-logger-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Returns the output of a process that logs to a file and goes on. */
async function logging(file: string, lines: number, fileBytesMax = 1e6): Promise<string> {
  const script = `
    const { createLogger } = await import(${JSON.stringify(loggerModule)});
    const logger = createLogger({ service: 'spec', level: 'info', fileBytesMax: ${fileBytesMax}, file: ${JSON.stringify(file)} });
    for (let line = 0; line < ${lines}; line++) logger.info('x'.repeat(1000), { count: line });
    setTimeout(() => console.log('goes on'), 50);`;
  const args = ['--input-type=module', '--eval', script];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

describe('the log file', () => {
  test('holds a line for each message', async () => {
    const file = join(directory, 'whole.log');
    match(await logging(file, 3), /goes on/);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    deepEqual(
      lines.map((line) => (JSON.parse(line) as { count: number }).count),
      [0, 1, 2],
    );
  });

  test('holds the fields that have a name there, and nothing else', async () => {
    const file = join(directory, 'fields.log');
    const script = `
      const { createLogger } = await import(${JSON.stringify(loggerModule)});
      const logger = createLogger({ service: 'spec', level: 'info', file: ${JSON.stringify(file)} });
      logger.debug('not at this level');
      logger.info('a "line"', { status: 200, body: 'marked', route: '/v1/é', error: new Error('bad', { cause: new Error('deep') }) });
      createLogger({ service: 'spec', level: 'silent', file: ${JSON.stringify(file)} }).error('nor this');`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    match(
      await readFile(file, 'utf8'),
      /^\{"level":"info","time":"[^"]+","service":"spec","route":"[^"]+","status":200,"error":\{.*\},"msg":"a \\"line\\""\}\n$/,
    );
    const { time, error, ...rest } = JSON.parse(await readFile(file, 'utf8')) as {
      readonly time: string;
      readonly error: Readonly<Record<string, string>>;
    };
    equal(new Date(time).toISOString(), time);
    const { stack, ...told } = error;
    match(stack ?? '', /^Error: bad\n/);
    deepEqual(told, { name: 'Error', message: 'bad', cause: 'Error: deep' });
    deepEqual(rest, {
      level: 'info',
      service: 'spec',
      status: 200,
      route: '/v1/é',
      msg: 'a "line"',
    });
  });

  test('that has grown to its bound is put aside, and one older is kept', async () => {
    const file = join(directory, 'bounded.log');
    for (let start = 0; start < 2; start++) await logging(file, 66, 30_000);
    const [current, older] = await Promise.all(
      [file, `${file}.1`].map((path) => readFile(path, 'utf8')),
    );
    deepEqual((await readdir(directory)).filter((name) => name.startsWith('bounded')).length, 2);
    for (const content of [current, older]) {
      // Lines that are written together are put aside together.
      ok(content !== undefined && content.length < 61_000, `${content?.length} bytes`);
      for (const line of content.split('\n')) if (line !== '') JSON.parse(line);
    }
    equal((await stat(file)).mode & 0o777, 0o600);
  });

  test('has a warning, and what came before it, also of a process that dies of the next step', async () => {
    const file = join(directory, 'dead.log');
    const script = `
      const { createLogger } = await import(${JSON.stringify(loggerModule)});
      const logger = createLogger({ service: 'spec', level: 'info', file: ${JSON.stringify(file)} });
      logger.info('before');
      logger.warn('then');
      process.kill(process.pid, 'SIGKILL');`;
    const args = ['--input-type=module', '--eval', script];
    await rejects(promisify(execFile)(process.execPath, args), { signal: 'SIGKILL' });
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    deepEqual(
      lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
      ['before', 'then'],
    );
  });

  test.skipIf(!existsSync(full))('on a full disk does not end the process', async () => {
    match(await logging(full, 3_000), /goes on/);
  });
});
