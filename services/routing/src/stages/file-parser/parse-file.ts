import type { DocumentReader, ReadDocument, ReadFailure } from '@sluice/document-text';
import { isRejection, type Rejection } from '@sluice/errors';
import type { ContentPart, FileContent } from '@sluice/inference';
import { abortSignalOf } from '@sluice/inference-port';
import type { CanonicalCall } from '../../request/call.ts';
import type { FileAnnotation } from '../../request/file-annotation.ts';
import type { StageContext } from '../stage.ts';
import { type Handling, isOwnId } from './handling.ts';
import {
  type EngineOptions,
  type EngineResult,
  readWithEngine,
  workType,
} from './read-with-engine.ts';
import { type FileSources, type LoadedFile, loadFile } from './load-file.ts';
import { refusedFile } from './refused-file.ts';

export interface FileParserLimits {
  /** Bytes of one file. */
  readonly bytesMax: number;
  /** Pages of one PDF. */
  readonly pagesMax: number;
}

export interface ParserOptions extends FileSources, EngineOptions {
  readonly documents: Pick<DocumentReader, 'read'>;
  readonly limits: FileParserLimits;
}

/** A file of a request, with its way to the model. */
export interface HandledFile {
  readonly file: FileContent;
  /** The field that has it, for a refusal. */
  readonly field: string;
  readonly handling: Handling;
}

/** A file that became a text. */
export interface ParsedFile {
  readonly annotation: FileAnnotation;
  /** `local`: Sluice itself. `replay`: an earlier answer had the text. */
  readonly engine: string;
  readonly pages: number;
  /** Pages that have no text, as scanned ones do. */
  readonly emptyPages: number;
  readonly isCut: boolean;
  readonly costNanoUsd: bigint;
}

/** The parts that take the place of a file, and how it was read if it was. */
export interface FileResult {
  readonly parts?: readonly ContentPart[];
  readonly parsed?: ParsedFile;
}

interface Parsing {
  readonly call: CanonicalCall;
  readonly context: StageContext;
}

/** More than any model reads. */
const tokensMax = 1_000_000;
const freeWorkMs = 10_000;

/** Reads one file, unless the endpoint does so. A file that cannot be read refuses the request. */
export async function parseFile(
  handled: HandledFile,
  options: ParserOptions,
  parsing: Parsing,
): Promise<FileResult | Rejection> {
  const { file, field, handling } = handled;
  const { principal } = parsing.context;
  const signal = abortSignalOf(parsing.context.signal);
  const isOwn = file.source.type === 'id' && isOwnId(file.source.id);
  if (handling === 'native' && !isOwn) return {};
  const { bytesMax } = options.limits;
  const loaded = await loadFile(file, options, { principal, signal, bytesMax, field });
  if (isRejection(loaded)) return loaded;
  if (handling === 'native') return { parts: [inlined(file, loaded)] };
  return await readLoaded(loaded, handled, options, parsing);
}

/** Returns a file of a workspace with its content: no endpoint knows its id. */
function inlined(file: FileContent, { source, contentType, name }: LoadedFile): FileContent {
  const base64 = typeof source === 'string' ? source : Buffer.from(source).toString('base64');
  const [mediaType = ''] = contentType.split(';');
  return { ...file, filename: name, source: { type: 'data', mediaType, base64 } };
}

async function readLoaded(
  loaded: LoadedFile,
  { field, handling }: HandledFile,
  options: ParserOptions,
  { call, context }: Parsing,
): Promise<FileResult | Rejection> {
  const known = call.files?.known ?? new Map<string, FileAnnotation>();
  const { work } = context;
  const readText = (skipsPdf: boolean) =>
    options.documents.read({
      source: loaded.source,
      contentType: loaded.contentType,
      url: '',
      tokensMax,
      pagesMax: options.limits.pagesMax,
      skipsPdf,
      knownHashes: [...known.keys()],
      account: context.principal.accountId,
      signal: abortSignalOf(context.signal),
    });
  const refused = ({ reason, error }: ReadFailure) =>
    reason === 'busy' ? busy : refusedFile(field, beginningSmall(error));
  const engine = handling === 'native' ? undefined : handling;
  let read = await readText(engine !== undefined && options.engines !== undefined);
  if ('error' in read) return refused(read);
  const replayed = known.get(read.hash ?? '');
  if (replayed) return { parsed: { ...factsOf(read), engine: 'replay', annotation: replayed } };
  let tried: EngineResult | undefined;
  if (read.kind === 'pdf' && engine && work) {
    const { pages = 0 } = read;
    const hosted = await readWithEngine({ engine, loaded, pages, call, work }, options);
    if (isRejection(hosted)) return hosted;
    tried = hosted;
    if (hosted?.content) {
      const annotation = annotationOf(loaded, read, hosted.content);
      return { parsed: { ...factsOf(read, hosted), engine, annotation } };
    }
  }
  if (read.content === '') read = await readText(false);
  if ('error' in read) return tried ? engineFailed(field, engine) : refused(read);
  await noteFree(read, { call, context });
  const text = read.isCut ? `${read.content}\n\n[The rest was cut.]` : read.content;
  const annotation = annotationOf(loaded, read, [{ type: 'text', text }]);
  return { parsed: { ...factsOf(read, tried), engine: 'local', annotation } };
}

/** Writes the usage fact of a file that Sluice itself has read. */
async function noteFree({ pages }: ReadDocument, { call, context }: Parsing): Promise<void> {
  const counts = { files: 1, ...(pages !== undefined && { pages }) };
  await context.work?.run(
    { type: workType, engine: '', worstNanoUsd: 0n, timeoutMs: freeWorkMs, call },
    async () => ({ result: true, isFailed: false, charge: { costNanoUsd: 0n, counts } }),
  );
}

function factsOf({ pages = 0, emptyPages = 0, isCut }: ReadDocument, tried?: EngineResult) {
  return { pages, emptyPages, isCut, costNanoUsd: tried?.costNanoUsd ?? 0n };
}

function annotationOf(
  { name }: LoadedFile,
  { hash = '' }: ReadDocument,
  content: FileAnnotation['content'],
): FileAnnotation {
  return { hash, ...(name !== undefined && { name }), content };
}

/** The sentence goes on after the field. */
const beginningSmall = (sentence: string) => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);

/** The engine failed, and the PDF has no text that can be read without it. */
function engineFailed(field: string, engine: string | undefined): Rejection {
  return {
    rejected: 'unavailable',
    message: `${field}: the engine ${String(engine)} cannot read the file now`,
  };
}

const busy: Rejection = {
  rejected: 'overloaded',
  message: 'Too many documents are being read. Try again later',
  retryAfterSeconds: 1,
};
