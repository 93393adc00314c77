import { Fault, type Rejection } from '@sluice/errors';
import type { FileContent } from '@sluice/inference';
import type { Principal } from '@sluice/inference-port';
import type { WebFetcher } from '@sluice/web-fetch';
import { contentOf, type FileCalls } from '@sluice/workspace-files';
import { refusedFile } from './refused-file.ts';

export interface FileSources {
  /** Absent: no file can be fetched. */
  readonly webFetcher?: Pick<WebFetcher, 'fetchFile'> | undefined;
  /** Absent: there are no files of workspaces here. */
  readonly files?: FileCalls | undefined;
}

export interface LoadedFile {
  /** Bytes, or their base64. */
  readonly source: Uint8Array | string;
  readonly contentType: string;
  readonly name: string | undefined;
}

interface Loading {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly bytesMax: number;
  /** The field that has the file, for a refusal. */
  readonly field: string;
}

const bytesPerQuad = 3;
const charactersPerQuad = 4;

/** Loads a file from where the request says that it is. */
export async function loadFile(
  file: FileContent,
  sources: FileSources,
  loading: Loading,
): Promise<LoadedFile | Rejection> {
  const { source, filename: name } = file;
  const { field, bytesMax } = loading;
  switch (source.type) {
    case 'data': {
      const { base64, mediaType: contentType } = source;
      if ((base64.length / charactersPerQuad) * bytesPerQuad > bytesMax + bytesPerQuad)
        return tooLarge(field, bytesMax);
      return { source: base64, contentType, name };
    }
    case 'url':
      return await fetchFile(source.url, name, sources, loading);
    case 'id':
      return await readOwn(source.id, name, sources, loading);
  }
}

async function fetchFile(
  url: string,
  name: string | undefined,
  { webFetcher }: FileSources,
  { principal: { accountId: account }, signal, bytesMax, field }: Loading,
): Promise<LoadedFile | Rejection> {
  if (!webFetcher) return refusedFile(field, 'no file can be fetched here');
  const fetched = await webFetcher.fetchFile({ url, account, signal }, bytesMax);
  if ('error' in fetched) return refusedFile(field, `cannot be fetched: ${fetched.error}`);
  const { bytes: source, contentType } = fetched;
  const [last = ''] = new URL(fetched.url).pathname.split('/').slice(-1);
  return { source, contentType, name: name ?? (nameOf(last) || undefined) };
}

function nameOf(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function readOwn(
  fileId: string,
  name: string | undefined,
  { files }: FileSources,
  { principal: { accountId, workspaceId }, bytesMax, field }: Loading,
): Promise<LoadedFile | Rejection> {
  if (!files) return refusedFile(field, 'there are no files of workspaces here');
  const named = { accountId, workspaceId, fileId };
  try {
    const { file } = await files.getFile(named);
    if (!file) throw new Fault('not_found');
    if (file.bytes > bytesMax) return tooLarge(field, bytesMax);
    const parts = await Array.fromAsync(contentOf(files, named));
    return { source: Buffer.concat(parts), contentType: file.mediaType, name: name ?? file.name };
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'not_found')) throw error;
    return refusedFile(field, `there is no file ${fileId}`);
  }
}

function tooLarge(field: string, bytesMax: number): Rejection {
  return refusedFile(field, `must have at most ${String(bytesMax)} bytes`);
}
