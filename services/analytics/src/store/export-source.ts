import type { ExportRequest } from '@sluice/analytics-model';

/** The kinds of columns. An instant is in milliseconds since 1970, in UTC. */
export type ColumnKind = 'text' | 'integer' | 'number' | 'instant';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A value of a row. An integer is a bigint, so that no digit is lost. Null: unset, or never recorded. */
export type Cell = string | bigint | number | null;

/** The rows of an export, in pages. All of them are of one moment. */
export interface ExportRows {
  readonly columns: readonly Column[];
  readonly warnings: readonly string[];
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** Reads what accounts export. */
export interface ExportSource {
  /** Pages throw timeout where one of them takes too long. */
  read(accountId: string, request: ExportRequest): Promise<ExportRows>;
}
