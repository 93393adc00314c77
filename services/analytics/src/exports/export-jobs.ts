import { Fault } from '@sluice/errors';
import { type Database, type Page, readPage } from '@sluice/read-model';
import { type ExportJob, jobBounds, type NewExport } from './export-job.ts';

/** A job that this process has a lease of. */
export interface Leased {
  readonly exportId: string;
  readonly owner: string;
}

export interface MadeFile {
  readonly fileId: string;
  readonly bytes: bigint;
}

/** Objects in a bucket. */
export interface MadeParts {
  readonly location: string;
  readonly parts: number;
  readonly bytes: bigint;
}

const columns = `export_id AS "exportId", account_id AS "accountId", workspace_id AS "workspaceId",
  actor_type AS "actorType", actor_id AS "actorId", destination_id AS "destinationId", format, asked,
  asked_at AS "askedAt", status, created_at AS "createdAt", started_at AS "startedAt",
  finished_at AS "finishedAt", attempts, excused, rows, bytes,
  warnings, file_id AS "fileId", location, parts, failure`;

/** A process that dies leaves its jobs to others after this time. */
const leaseSeconds = 30;
const leased = `clock_timestamp() + interval '${leaseSeconds} seconds'`;

/** Keeps the jobs in PostgreSQL. Times are those of PostgreSQL, which all replicas share. */
export class ExportJobs {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds a job, unless it is there. Throws conflict when the account has too many that are not finished. */
  async add(job: NewExport): Promise<ExportJob> {
    const { exportId, accountId, workspaceId, actorType, actorId } = job;
    const { format, asked, askedAt, destinationId } = job;
    await this.#database.transaction(async (transaction) => {
      const lock = `SELECT pg_advisory_xact_lock(hashtextextended('export ' || $1, 0))`;
      await transaction.query({ text: lock, values: [accountId] });
      const [state] = await transaction.query<{ unfinished: number; known: boolean }>({
        text: `SELECT count(*) FILTER (WHERE status IN ('queued', 'running'))::int AS unfinished,
                 coalesce(bool_or(export_id = $2), false) AS known
               FROM exports WHERE account_id = $1`,
        values: [accountId, exportId],
      });
      if (!state || state.known) return;
      if (state.unfinished >= jobBounds.unfinished)
        throw new Fault('conflict', {
          message: `The account has ${jobBounds.unfinished} exports under way: wait until one is finished`,
        });
      await transaction.query({
        text: `INSERT INTO exports
            (export_id, account_id, workspace_id, actor_type, actor_id, format, asked, asked_at, destination_id)
          VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9)`,
        values: [
          exportId,
          accountId,
          workspaceId,
          actorType,
          actorId,
          format,
          JSON.stringify(asked),
          askedAt,
          destinationId,
        ],
      });
    });
    const added = await this.find(accountId, exportId);
    if (!added) throw new Fault('conflict');
    return added;
  }

  async find(accountId: string, exportId: string): Promise<ExportJob | undefined> {
    const [job] = await this.#database.forAccount(accountId).query<ExportJob>({
      name: 'find-export',
      text: `SELECT ${columns} FROM exports WHERE account_id = $1 AND export_id = $2`,
      values: [accountId, exportId],
    });
    return job;
  }

  /** Returns a page of the exports, the latest first. */
  async list(
    accountId: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<Page<ExportJob>> {
    return await readPage<ExportJob>(this.#database.forAccount(accountId), {
      name: 'exports',
      columns,
      from: 'exports WHERE account_id = $1',
      orderBy: 'created_at DESC, export_id DESC',
      values: [accountId],
      ...page,
    });
  }

  /** Takes the oldest job that no living process has. An account has one at a time. */
  async claim(owner: string): Promise<ExportJob | undefined> {
    const [job] = await this.#database.query<ExportJob>({
      name: 'claim-export',
      text: `UPDATE exports SET status = 'running', owner = $1, leased_until = ${leased}, attempts = attempts + 1,
          started_at = coalesce(started_at, clock_timestamp())
        WHERE export_id = (
          SELECT export_id FROM exports AS one
          WHERE (status = 'queued' OR (status = 'running' AND leased_until < clock_timestamp()))
            AND NOT EXISTS (
              SELECT FROM exports AS other WHERE other.account_id = one.account_id
                AND other.status = 'running' AND other.leased_until >= clock_timestamp())
          ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING ${columns}`,
      values: [owner],
    });
    return job;
  }

  /** Returns false if another process has the job. */
  async renew(job: Leased): Promise<boolean> {
    return await this.#change(job, `leased_until = ${leased}`, []);
  }

  /** Notes the number of rows, before the file that has them is there. */
  async noteRows(job: Leased, rows: number, warnings: readonly string[]): Promise<boolean> {
    return await this.#change(job, 'rows = $3, warnings = $4::text[]', [rows, warnings]);
  }

  async complete(job: Leased, made: MadeFile | MadeParts): Promise<void> {
    const ended = `status = 'completed', finished_at = clock_timestamp(), leased_until = NULL, bytes = $3`;
    if ('fileId' in made)
      await this.#change(job, `${ended}, file_id = $4`, [made.bytes, made.fileId]);
    else
      await this.#change(job, `${ended}, location = $4, parts = $5`, [
        made.bytes,
        made.location,
        made.parts,
      ]);
  }

  async fail(job: Leased, failure: string): Promise<void> {
    const ended = `status = 'failed', finished_at = clock_timestamp(), leased_until = NULL`;
    await this.#change(job, `${ended}, failure = $3, rows = NULL`, [failure]);
  }

  /** Gives the job back, for any process to try it again. `counts`: the attempt failed. */
  async release(job: Leased, { counts }: { readonly counts: boolean }): Promise<void> {
    const pause = counts ? `clock_timestamp() + interval '5 seconds'` : 'clock_timestamp()';
    await this.#change(job, `leased_until = ${pause}, excused = excused + $3`, [counts ? 0 : 1]);
  }

  /** Forgets exports that were finished long ago. Their files stay. */
  async forget(): Promise<void> {
    await this.#database.query({
      name: 'forget-exports',
      text: `DELETE FROM exports WHERE finished_at < clock_timestamp() - interval '${jobBounds.listedDays} days'`,
      values: [],
    });
  }

  async #change(
    { exportId, owner }: Leased,
    set: string,
    values: readonly (string | number | bigint | readonly string[])[],
  ): Promise<boolean> {
    const changed = await this.#database.query({
      text: `UPDATE exports SET ${set} WHERE export_id = $1 AND owner = $2 AND status = 'running' RETURNING export_id`,
      values: [exportId, owner, ...values],
    });
    return changed.length > 0;
  }
}
