import { deepEqual, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { localSecrets } from './local-secrets.ts';

async function dataDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-secrets-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('the secrets of a data directory are made once', async () => {
  const directory = await dataDirectory();
  const made = await localSecrets(directory);
  await mkdir(join(directory, 'postgres'));
  deepEqual(await localSecrets(directory), made);
});

test.each(['postgres', 'eventstore', 'bootstrap.json'])(
  'a pepper that is lost is not made again beside %s',
  async (name) => {
    const directory = await dataDirectory();
    await localSecrets(directory);
    if (name !== 'bootstrap.json') await mkdir(join(directory, name));
    await writeFile(join(directory, name === 'bootstrap.json' ? name : `${name}/data`), '{}');
    await rm(join(directory, 'secrets'), { recursive: true });
    await rejects(localSecrets(directory), {
      name: 'SetupProblem',
      message: /key-pepper is missing, .* put the file back from the backup/,
    });
  },
);

test('an empty folder is no sign that the directory was used', async () => {
  const directory = await dataDirectory();
  await mkdir(join(directory, 'eventstore'));
  await localSecrets(directory);
});
