import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { root } from './command.ts';

const compose = (...args: readonly string[]) => ({
  with: (secrets: Readonly<Record<string, string>>) =>
    spawnSync('docker', ['compose', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...secrets },
    }),
});
const secrets = {
  SLUICE_POSTGRES_PASSWORD: 'a'.repeat(64),
  SLUICE_EVENTSTORE_PASSWORD: 'f'.repeat(64),
  SLUICE_EVENTSTORE_USER_PASSWORD: '1'.repeat(64),
  SLUICE_NATS_TOKEN: 'b'.repeat(64),
  SLUICE_NATS_READER_PASSWORD: 'e'.repeat(64),
  SLUICE_RPC_TOKEN: 'c'.repeat(64),
  SLUICE_KEY_PEPPER: 'd'.repeat(64),
};
const hasCompose = compose('version').with({}).status === 0;
if (!hasCompose)
  console.log('docker compose is not here: docker-compose.yml is checked as text only');

describe('docker-compose.yml', () => {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

  test.runIf(hasCompose)('is accepted by docker compose, and runs every service', () => {
    const answer = compose(
      '--profile',
      '*',
      '--env-file',
      '/dev/null',
      'config',
      '--services',
    ).with(secrets);
    equal(answer.status, 0, answer.stderr);
    deepEqual(answer.stdout.trim().split('\n').toSorted(), [
      'account',
      'analytics',
      'bootstrap',
      'certificates',
      'doctor',
      'eventstore',
      'eventstore-user',
      'gateway',
      'guardrail',
      'key',
      'ledger',
      'nats',
      'postgres',
      'routing',
      'sandbox',
      'simulator',
      'workspace',
    ]);
  });

  test.runIf(hasCompose)('says which secret is missing', () => {
    const { SLUICE_KEY_PEPPER: _, ...others } = secrets;
    const answer = compose('--env-file', '/dev/null', 'config', '--quiet').with(others);
    notEqual(answer.status, 0);
    match(answer.stderr, /SLUICE_KEY_PEPPER.*make compose/);
  });

  test('has no secret of its own, and demands each that a service needs', () => {
    for (const name of Object.keys(secrets)) {
      match(text, new RegExp(String.raw`\$\{${name}:\?`));
      equal(new RegExp(String.raw`\$\{${name}(?!:\?|\w)`).test(text), false, name);
    }
  });

  test('restarts EventStoreDB always, and gives the services a user that is no administrator', () => {
    const [, node = ''] = text.split('\n  eventstore:\n');
    match(node.split(/\n {2}\S/)[0] ?? '', /^ {4}restart: always$/m);
    equal(/SLUICE_EVENTSTORE_URL: esdb:\/\/admin:/.test(text), false);
    match(text, /SLUICE_EVENTSTORE_URL: esdb:\/\/sluice:/);
  });

  test('runs NATS so that what is acknowledged is on disk', () => {
    match(text, /deploy\/compose\/nats-server\.conf:/);
    const config = readFileSync(join(root, 'deploy', 'compose', 'nats-server.conf'), 'utf8');
    match(config, /^\s*sync_interval: always$/m);
    // Unquoted, a token of digits would be a number to NATS.
    match(text, /NATS_TOKEN: '"\$\{SLUICE_NATS_TOKEN/);
  });
});
