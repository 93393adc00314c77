import type { AskedExport, ExportFormat } from '@sluice/analytics-model';

export type ExportStatus = 'queued' | 'running' | 'completed' | 'failed';

/** An export as it is asked for. */
export interface NewExport {
  /** A function of the command: a request that is sent again makes one export. */
  readonly exportId: string;
  readonly accountId: string;
  /** Empty: the default workspace of the account. */
  readonly workspaceId: string;
  readonly actorType: string;
  readonly actorId: string;
  readonly format: ExportFormat;
  readonly asked: AskedExport;
  /** The destination of type s3 whose bucket gets the rows. Null: they become a file of the workspace. */
  readonly destinationId: string | null;
  /** A question without a time range is about the days before this instant. */
  readonly askedAt: Date;
}

export interface ExportJob extends NewExport {
  readonly status: ExportStatus;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** The attempts that a process has begun. */
  readonly attempts: number;
  /** The attempts that ended because the process was stopped. */
  readonly excused: number;
  /** Null until all rows are in the file. */
  readonly rows: bigint | null;
  readonly bytes: bigint | null;
  readonly warnings: readonly string[];
  readonly fileId: string | null;
  /** `s3://bucket/folder/`: its objects are the parts. */
  readonly location: string | null;
  readonly parts: number | null;
  /** Why there is no file. */
  readonly failure: string | null;
}

export const mediaTypes = { parquet: 'application/vnd.apache.parquet', csv: 'text/csv' } as const;

export const jobBounds = {
  /** Exports of an account that are queued or running. */
  unfinished: 5,
  /** Attempts to make one file, without excused ones. */
  attempts: 3,
  /** The time that one of them may take. */
  minutes: 10,
  /** The time that a finished export is listed. */
  listedDays: 30,
} as const;

/** An export that cannot be made, however often it is tried. The message is for its owner. */
export class ExportFailed extends Error {
  override readonly name = 'ExportFailed';
}
