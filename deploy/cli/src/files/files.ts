import { createWriteStream, openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiRefused, requestApi } from '../api/call-api.ts';
import type { Api } from '../api/find-api.ts';
import { show } from '../api/show.ts';
import type { Output } from '../output.ts';
import type { FilesCommand } from './command.ts';

interface Surroundings {
  readonly api: Api;
  readonly output: Output;
}

/** The time that an upload may take. */
const timeoutMs = 1_800_000;

/** Carries the command out. Returns the exit code. Throws ApiRefused. */
export async function files(asked: FilesCommand, { api, output }: Surroundings): Promise<number> {
  if (asked.name === 'download') {
    await download(asked, api);
    output.line(`The file is in ${asked.output}.`);
    return 0;
  }
  const body = new FormData();
  const content = await blobOf(asked.path);
  body.set('file', content, asked.filename ?? basename(asked.path));
  const answer = await requestApi(api, '/files', { method: 'POST', body, timeoutMs });
  const file: unknown = await answer.json();
  if (asked.json) output.line(JSON.stringify(file, null, 2));
  else show(file, { columns: [] }, output);
  return 0;
}

async function blobOf(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (error) {
    throw new ApiRefused(`The file cannot be read: ${(error as Error).message}.`);
  }
}

async function download(
  { id, output: path }: Extract<FilesCommand, { name: 'download' }>,
  api: Api,
): Promise<void> {
  const at = `/files/${encodeURIComponent(id)}/content`;
  const { body } = await requestApi(api, at, { method: 'GET', timeoutMs });
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  let isOurs = false;
  target.on('open', () => (isOurs = true));
  try {
    await pipeline(body ? Readable.fromWeb(body) : Readable.from([]), target);
  } catch (error) {
    // Half a file looks like a whole one.
    if (isOurs) await rm(path, { force: true });
    throw new ApiRefused(`The file cannot be written: ${(error as Error).message}.`);
  }
}
