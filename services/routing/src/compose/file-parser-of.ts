import { createDocumentReader } from '@sluice/document-text';
import type { FileSources } from '../stages/file-parser/load-file.ts';
import type { FileParserLimits, ParserOptions } from '../stages/file-parser/parse-file.ts';

/** The limits of the plugin `file-parser`. */
export interface FileParserSettings extends FileParserLimits {
  /** Processor time of one file, in milliseconds. */
  readonly readMs: number;
}

export const defaultFileParser: FileParserSettings = {
  bytesMax: 20_971_520,
  pagesMax: 1_000,
  readMs: 10_000,
};

export interface FileParserDeps extends FileSources {
  /** Replaces single defaults. */
  readonly fileParser?: Partial<FileParserSettings>;
}

/** The parser of files, and its threads. */
export interface OpenFileParser extends ParserOptions {
  stop(): Promise<void>;
}

/** Opens the parser of files. Its threads start with the first file. */
export function fileParserOf({ webFetcher, files, fileParser }: FileParserDeps): OpenFileParser {
  const limits = { ...defaultFileParser, ...fileParser };
  const documents = createDocumentReader(limits);
  return { webFetcher, files, documents, limits, stop: () => documents.stop() };
}
