export {
  createDocumentReader,
  type DocumentReader,
  type DocumentReaderOptions,
  type DocumentRequest,
  type ReadDocument,
  type ReadFailure,
} from './document-reader.ts';
export type { Kind } from './kind.ts';
