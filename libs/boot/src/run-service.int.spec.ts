import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'vitest';

const lib = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
const script = `
const { Type } = await import(${JSON.stringify(import.meta.resolve('typebox'))});
const { loadConfig, processSettings } = await import(${lib('index.ts')});
const { runService } = await import(${lib('run-service.ts')});
const say = (line) => console.log(line);
const step = (name) => {
  say(name);
  if (process.env.BREAK === name) throw new Error('broken');
};
const part = (name) => ({ name, stop: async () => say('stop ' + name) });
await runService({
  name: 'spec',
  config: (env) => loadConfig(Type.Object(processSettings), env),
  connect: async (config, { lifecycle }) => {
    step('connect');
    lifecycle.add(part('client'));
    return 'client';
  },
  create: (client, { config }) => ({
    ...part('service'),
    start: async () => step('start with ' + client),
    unreadiness: () => ['not yet'],
    degradation: () => ['a little'],
  }),
  listen: async (service, { lifecycle }) => {
    step('listen');
    lifecycle.add(part('server'));
    return 'here';
  },
});
say('end');
`;

/** Runs the service in a process of its own and sends SIGTERM when it serves. */
async function run(env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, SLUICE_ADMIN_PORT: '0', ...env },
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (chunk.includes('"spec serves"')) child.kill('SIGTERM');
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  const lines = out.trim().split('\n');
  const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  return { said: lines.filter((line) => !line.startsWith('{')), logged, err, code };
}

describe('a service as a process of its own', () => {
  test('starts in order, serves until a signal, and stops in the reverse order', async () => {
    const { said, logged, code } = await run();
    deepEqual(said, [
      'connect',
      'start with client',
      'listen',
      'stop server',
      'stop service',
      'stop client',
      'end',
    ]);
    const [{ service, level, msg, address }] = logged;
    deepEqual([service, level, msg, address], ['spec', 'info', 'spec serves', 'here']);
    equal(code, 0);
  });

  test('that cannot start says why, stops what has started, and ends with 1', async () => {
    const { said, logged, code } = await run({ BREAK: 'listen' });
    deepEqual(said.slice(-3), ['stop service', 'stop client', 'end']);
    deepEqual([logged[0].msg, logged[0].error.message], ['spec could not start', 'broken']);
    equal(code, 1);
  });

  test('with a wrong setting names it and ends with 1', async () => {
    const { said, err, code } = await run({ SLUICE_ADMIN_PORT: '-1' });
    match(
      err,
      /^spec could not start. Settings: SLUICE_ADMIN_PORT must be a whole number from 0 to 65535$/m,
    );
    deepEqual([said, code], [['end'], 1]);
  });
});
