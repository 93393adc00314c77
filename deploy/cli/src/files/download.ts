import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiRefused, requestApi } from '../api/call-api.ts';
import type { Api } from '../api/find-api.ts';

/** The time that a content may take. */
export const contentMsMax = 1_800_000;

/** Writes the bytes of a file of the workspace to a file that is not there yet. Throws ApiRefused. */
export async function downloadFile(
  api: Api,
  { id, path, key }: { readonly id: string; readonly path: string; readonly key?: 'api' },
): Promise<void> {
  const at = `/files/${encodeURIComponent(id)}/content`;
  const request = { method: 'GET', timeoutMs: contentMsMax, ...(key && { key }) };
  const { body } = await requestApi(api, at, request);
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
