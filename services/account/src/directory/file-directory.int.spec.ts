import { equal } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'vitest';
import { directoryContract } from '../testing/directory-contract.ts';
import { configuredDirectory } from './configured-directory.ts';

async function opened() {
  const folder = await mkdtemp(join(tmpdir(), 'sluice directory-'));
  return {
    folder,
    source: configuredDirectory({ url: pathToFileURL(folder).href, token: undefined }),
    say: (accountId: string, text: string) => writeFile(join(folder, `${accountId}.json`), text),
    close: () => rm(folder, { recursive: true }),
  };
}

directoryContract('a folder', opened);

test('a folder in which something else lies cannot be read', async () => {
  const { folder, source, close } = await opened();
  await mkdir(join(folder, 'org_1.json'));
  const pulled = await source.pull('org_1', new AbortController().signal);
  equal(pulled.kind === 'failed' && pulled.reason, 'The directory cannot be read');
  await close();
});

test('without a setting there is no directory', async () => {
  const pulled = await configuredDirectory({ url: '', token: undefined }).pull(
    '',
    new AbortController().signal,
  );
  equal(pulled.kind === 'failed' && pulled.reason, 'No directory is configured');
});
