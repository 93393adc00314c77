import type { FileAnnotationBody } from '@sluice/client-schemas';

/** A file as a parser read it, in the words of the contract (inference.md 7.2). */
export type FileAnnotation = FileAnnotationBody['file'];

/** The files of a request whose plugin `file-parser` is on. */
export interface RequestFiles {
  /** The fields that have the files, in the order of the files in the request. */
  readonly fields: readonly string[];
  /** Files that an earlier answer has the content of, by their hashes. */
  readonly known: ReadonlyMap<string, FileAnnotation>;
}
