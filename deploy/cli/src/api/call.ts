import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Output } from '../output.ts';
import { ApiRefused, callApi } from './call-api.ts';
import type { Api } from './find-api.ts';
import type { BodyFile, Call } from './request.ts';
import { isFields, show } from './show.ts';
import { withWholeHashes } from './whole-hashes.ts';

/** Makes the request and shows its answer. Returns the exit code. Throws ApiRefused. */
export async function call(
  asked: Call,
  { api, output }: { readonly api: Api; readonly output: Output },
): Promise<number> {
  const answer = await callApi(api, await completed(asked, api));
  if (asked.json) output.line(JSON.stringify(answer ?? null, null, 2));
  else show(answer, asked, output);
  return 0;
}

/** Reads the files of a call and finds its hashes. Throws ApiRefused. */
export async function completed(asked: Call, api: Api): Promise<Call> {
  const { files, ...request } = await withWholeHashes(api, asked);
  return { ...request, body: await withFiles(request.body, files), files: [] };
}

/** Adds what the files hold. A field that has a flag of its own is as the flag says. */
async function withFiles(body: Call['body'], files: readonly BodyFile[]): Promise<Call['body']> {
  let more: Record<string, unknown> = {};
  for (const file of files) {
    const read = await readBodyFile(file);
    if (file.kind !== 'body') more[file.field] = read;
    else if (isFields(read)) more = { ...read, ...more };
    else throw new ApiRefused('--body-file holds no object.');
  }
  return body && { ...more, ...body };
}

const names = { text: 'text', secret: 'credential', json: 'file', body: 'file' } as const;

async function readBodyFile({ path, kind }: BodyFile): Promise<unknown> {
  const read = await (path === '-' ? text(process.stdin) : readFile(path, 'utf8')).catch(
    (error: unknown) => {
      throw new ApiRefused(`The ${names[kind]} cannot be read: ${(error as Error).message}.`);
    },
  );
  if (kind === 'text') return read;
  if (kind === 'secret') return read.trim();
  try {
    return JSON.parse(read);
  } catch {
    // The errors of the parser show the text, which may hold a secret.
    throw new ApiRefused('The file is no JSON.');
  }
}
