import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { ApiRefused, requestApi } from '../api/call-api.ts';
import type { Api } from '../api/find-api.ts';
import { show } from '../api/show.ts';
import type { Output } from '../output.ts';
import type { FilesCommand } from './command.ts';
import { contentMsMax, downloadFile } from './download.ts';

interface Surroundings {
  readonly api: Api;
  readonly output: Output;
}

/** Carries the command out. Returns the exit code. Throws ApiRefused. */
export async function files(asked: FilesCommand, { api, output }: Surroundings): Promise<number> {
  if (asked.name === 'download') {
    await downloadFile(api, { id: asked.id, path: asked.output, key: 'api' });
    output.line(`The file is in ${asked.output}.`);
    return 0;
  }
  const body = new FormData();
  const content = await blobOf(asked.path);
  body.set('file', content, asked.filename ?? basename(asked.path));
  const request = { method: 'POST', body, timeoutMs: contentMsMax, key: 'api' } as const;
  const answer = await requestApi(api, '/files', request);
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
