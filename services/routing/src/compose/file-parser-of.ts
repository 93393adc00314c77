import { createDocumentReader } from '@sluice/document-text';
import type { FileSources } from '../stages/file-parser/load-file.ts';
import type { FileParserLimits, ParserOptions } from '../stages/file-parser/parse-file.ts';
import type { EngineOptions } from '../stages/file-parser/read-with-engine.ts';

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

export interface FileParserDeps extends FileSources, Pick<EngineOptions, 'catalog'> {
  /** Hosted engines. None if absent. */
  readonly fileEngines?: EngineOptions['engines'];
  /** Replaces single defaults. */
  readonly fileParser?: Partial<FileParserSettings>;
}

/** The parser of files, and its threads. */
export interface OpenFileParser extends ParserOptions {
  stop(): Promise<void>;
}

/** Opens the parser of files. Its threads start with the first file. */
export function fileParserOf(deps: FileParserDeps): OpenFileParser {
  const { webFetcher, files, catalog, fileEngines: engines, fileParser } = deps;
  const limits = { ...defaultFileParser, ...fileParser };
  const documents = createDocumentReader(limits);
  return {
    webFetcher,
    files,
    catalog,
    engines,
    documents,
    limits,
    stop: () => documents.stop(),
  };
}
