import { isRejection, type Rejection } from '@sluice/errors';
import {
  type ContentPart,
  type FileContent,
  type InputItem,
  nanoUsdToNumber,
} from '@sluice/inference';
import type { CanonicalCall } from '../../request/call.ts';
import { responsesWords } from '../../request/field-words.ts';
import { settingsOf } from '../../request/plugins.ts';
import type {
  AttemptStage,
  InputContext,
  InputResult,
  InputStage,
  ResponseStage,
  StageRefusal,
  StageReport,
  TurnStage,
} from '../stage.ts';
import { handlingOf } from './handling.ts';
import {
  type FileResult,
  type HandledFile,
  type ParsedFile,
  parseFile,
  type ParserOptions,
} from './parse-file.ts';
import { partsOf } from './parsed-file.ts';
import { refusedFile } from './refused-file.ts';
import { filesOf, rewriteFiles } from './request-files.ts';

export interface FileParserOptions {
  readonly fileParser: ParserOptions;
}

/** Files of one request. */
const filesMax = 64;
/** Files that are read at the same time for one request. */
const parallelMax = 4;
/** Characters of the texts of all files of one request. */
const charactersMax = 8_000_000;

/**
 * Turns the files of a request into texts, so that every model reads them (contract inference.md 7.2). `added` scans
 * the texts like all that comes from outside.
 */
export function fileParserStage(
  { fileParser }: FileParserOptions,
  added: ResponseStage<'turn', TurnStage>,
): InputStage {
  return {
    at: 'input',
    name: 'file-parser',
    concerns: (call) => settingsOf(call, 'file-parser') !== undefined,
    async run(call, context) {
      const handled = handledFiles(call, takesFiles(context));
      if (handled.length === 0) return { call };
      if (handled.length > filesMax)
        return refusedFile(
          handled[filesMax]?.field ?? '',
          `a request has at most ${String(filesMax)} files`,
        );
      const results = await parseAll(handled, (one) =>
        parseFile(one, fileParser, { call, context }),
      );
      if (isRejection(results)) return results;
      return await withTexts(call, { handled, results }, async (items) => {
        const scan = await added.open(call, context);
        return (await scan?.runAdded?.(items)) ?? { items };
      });
    },
  };
}

/** Removes the pictures of parsed files for models that see none. */
export function filePicturesStage(): ResponseStage<'attempt', AttemptStage> {
  return {
    at: 'attempt',
    name: 'file-parser',
    open: ({ parsedFiles }) =>
      parsedFiles?.some(({ content }) => content.some(({ type }) => type === 'image_url'))
        ? { forAttempt: withoutUnseen }
        : undefined,
  };
}

/** Returns a call without the files that become texts where no endpoint takes them: any model may serve it. */
export function withoutParsed(call: CanonicalCall): CanonicalCall {
  const settings = settingsOf(call, 'file-parser');
  if (!settings) return call;
  const inference = rewriteFiles(call.inference, (file) =>
    handlingOf(file, settings, false) === 'native' ? [file] : [],
  );
  return { ...call, inference };
}

function handledFiles(call: CanonicalCall, takes: boolean): readonly HandledFile[] {
  const settings = settingsOf(call, 'file-parser');
  const { inference, words = responsesWords } = call;
  if (!settings || inference.embedding || inference.ranking) return [];
  const files = filesOf(inference);
  const fields = call.files?.fields ?? [];
  const isNamed = fields.length === files.length;
  return files.map((file, index) => ({
    file,
    field: (isNamed && fields[index]) || words.input,
    handling: handlingOf(file, settings, takes),
  }));
}

/** Returns true if an endpoint of the model that is tried first takes files. */
function takesFiles({ candidates = [] }: InputContext): boolean {
  const [first] = candidates;
  return candidates.some(
    ({ model, endpoint }) =>
      model.id === first?.model.id && endpoint.inputModalities.includes('file'),
  );
}

async function parseAll(
  files: readonly HandledFile[],
  parse: (file: HandledFile) => Promise<FileResult | Rejection>,
): Promise<readonly FileResult[] | Rejection> {
  const results: FileResult[] = [];
  let characters = 0;
  for (let from = 0; from < files.length; from += parallelMax) {
    const some = await Promise.all(files.slice(from, from + parallelMax).map(parse));
    for (const one of some) {
      if (isRejection(one)) return one;
      characters += charactersOf(one);
      if (characters > charactersMax)
        return refusedFile(files[results.length]?.field ?? '', 'the files have too much text');
      results.push(one);
    }
  }
  return results;
}

function charactersOf({ parsed }: FileResult): number {
  const content = parsed?.annotation.content ?? [];
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
}

interface Handled {
  readonly handled: readonly HandledFile[];
  readonly results: readonly FileResult[];
}

type Scan = (
  items: readonly InputItem[],
) => Promise<
  | StageRefusal
  | (Pick<InputResult, 'detections' | 'reports'> & { readonly items: readonly InputItem[] })
>;

/** Puts the texts in the place of their files, as the content filters leave them. */
async function withTexts(
  call: CanonicalCall,
  { handled, results }: Handled,
  scan: Scan,
): Promise<InputResult | StageRefusal> {
  const parsed = results.flatMap((result) => result.parsed ?? []);
  const contents = results.map(({ parsed: one }, index) =>
    one ? partsOf(one.annotation, handled[index]?.file.cache) : undefined,
  );
  const items = contents.flatMap((content): readonly InputItem[] =>
    content ? [{ type: 'message', role: 'user', content }] : [],
  );
  const scanned = items.length > 0 ? await scan(items) : { items };
  if (isRejection(scanned)) return scanned;
  const { reports = [], detections = [] } = scanned;
  const texts = scanned.items.values();
  const replaced = results.map(({ parts }, index): readonly ContentPart[] | undefined => {
    if (!contents[index]) return parts;
    const item = texts.next().value;
    return item?.type === 'message' ? item.content : [];
  });
  const next = replaced.values();
  const inference = rewriteFiles(
    call.inference,
    (file: FileContent) => next.next().value ?? [file],
  );
  if (parsed.length === 0) return { call: { ...call, inference } };
  const parsedFiles = parsed.map(({ annotation }) => annotation);
  return {
    call: {
      ...call,
      inference: { ...inference, items: withoutEmpty(inference.items) },
      parsedFiles,
    },
    reports: [reportOf(parsed), ...reports],
    detections,
  };
}

/** The message that only carried the annotations of an earlier answer says nothing to the model. */
function withoutEmpty(items: readonly InputItem[]): readonly InputItem[] {
  return items.filter(
    (item) =>
      item.type !== 'message' ||
      item.role !== 'assistant' ||
      item.content.some((part) => part.type !== 'text' || part.text !== ''),
  );
}

function reportOf(parsed: readonly ParsedFile[]): StageReport {
  const engine = [...new Set(parsed.map((one) => one.engine))].join(', ');
  const pages = parsed.reduce((sum, one) => sum + one.pages, 0);
  const cost = parsed.reduce((sum, one) => sum + one.costNanoUsd, 0n);
  const files = parsed.map((one) => ({
    hash: one.annotation.hash,
    engine: one.engine,
    pages: one.pages,
    ...(one.emptyPages > 0 && { pages_without_text: one.emptyPages }),
    ...(one.isCut && { is_cut: true }),
  }));
  return {
    type: 'plugin',
    name: 'file-parser',
    summary: `read ${String(parsed.length)} files with ${engine}`,
    data: { engine, pages, files },
    cost_usd: nanoUsdToNumber(cost),
  };
}

const withoutUnseen: AttemptStage['forAttempt'] = (request, { endpoint }) => {
  if (endpoint.inputModalities.includes('image')) return { request };
  const items = request.items.map((item): InputItem => {
    if (item.type === 'message') return { ...item, content: item.content.filter(isSeen) };
    if (item.type !== 'function-call-output' && item.type !== 'custom-tool-call-output')
      return item;
    if (typeof item.output === 'string') return item;
    return { ...item, output: item.output.filter(isSeen) };
  });
  return { request: { ...request, items } };
};

const isSeen = (part: ContentPart) => part.type !== 'image' || part.isOptional !== true;
