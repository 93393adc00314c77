import { deepEqual, equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { afterAll, describe, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'sluice-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(program: string, env: Readonly<Record<string, string>>) {
  const { HOME = '' } = process.env;
  const ended = spawnSync(process.execPath, [join(root, program)], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...bareEnvironment, HOME, SLUICE_DATA_DIR: join(folder, 'data'), ...env },
  });
  return { status: ended.status, lines: ended.stderr.trim().split('\n') };
}

describe('a start with invalid settings', () => {
  test.each(['deploy/all-in-one/src/main.ts', 'deploy/processes/src/main.ts'])(
    'of %s names all of them in one line, and makes nothing',
    (program) => {
      const { status, lines } = start(program, {
        SLUICE_PORT: 'eighty',
        SLUICE_INFERENCE_OPEN_MAX: '-1',
        SLUICE_UPSTREAM_TIMEOUT_MS: '5',
        SLUICE_SUSPENSE_HOURS: '0',
        SLUICE_CATALOG: join(folder, 'none.yaml'),
        SLUICE_TRANSIT_URL: 'https://transit.test',
        SLUICE_FILES_S3_BUCKET: 'files',
      });
      equal(status, 1);
      equal(lines.length, 1, lines.join('\n'));
      for (const told of [
        /SLUICE_PORT must be a whole number from 0 to 65535/,
        /SLUICE_INFERENCE_OPEN_MAX must be a whole number of at least 1/,
        /SLUICE_UPSTREAM_TIMEOUT_MS must be a whole number from 100 to 600000/,
        /SLUICE_SUSPENSE_HOURS must be a whole number from 1 to 8760/,
        /SLUICE_CATALOG must be the path of a readable file/,
        /SLUICE_TRANSIT_TOKEN is missing/,
        /SLUICE_FILES_S3_SECRET_ACCESS_KEY is missing/,
      ])
        match(lines[0] ?? '', told);
      equal(existsSync(join(folder, 'data')), false);
    },
  );

  test('of one service names them without a stack', () => {
    const { status, lines } = start('services/routing/src/main.ts', {
      SLUICE_DURABILITY: 'maybe',
      SLUICE_RPC_TOKEN: 'secret-that-is-long',
    });
    deepEqual([status, lines.length], [1, 1]);
    match(lines[0] ?? '', /^routing could not start\. Settings: SLUICE_LEDGER_ADDRESS is missing/);
    match(lines[0] ?? '', /SLUICE_DURABILITY must be one of strict, overlap/);
    equal(lines[0]?.includes('secret-that-is-long'), false);
  });
});
