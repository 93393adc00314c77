import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Output } from '../output.ts';
import type { Call } from '../resources/call.ts';
import { ApiRefused, callApi } from './call-api.ts';
import type { Api } from './find-api.ts';
import { show } from './show.ts';
import { withWholeHashes } from './whole-hashes.ts';

/** Makes the request and shows its answer. Returns the exit code. Throws ApiRefused. */
export async function call(
  asked: Call,
  { api, output }: { readonly api: Api; readonly output: Output },
): Promise<number> {
  const { file, ...request } = await withWholeHashes(api, asked);
  const body = file ? { ...request.body, [file.field]: await readField(file) } : request.body;
  const answer = await callApi(api, { ...request, body });
  if (asked.json) output.line(JSON.stringify(answer ?? null, null, 2));
  else show(answer, asked, output);
  return 0;
}

async function readField({ path, isSecret }: NonNullable<Call['file']>): Promise<string> {
  try {
    const read = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8');
    return isSecret ? read.trim() : read;
  } catch (error) {
    const name = isSecret ? 'credential' : 'text';
    throw new ApiRefused(`The ${name} cannot be read: ${(error as Error).message}.`);
  }
}
