import {
  type DimensionName,
  type ExportRequest,
  type ExportTableName,
  exportTables,
} from '@sluice/analytics-model';
import type { Database, Statement } from '@sluice/read-model';
import type { Cell, ExportRows, ExportSource } from '../export-source.ts';
import { buildQuery } from './build-query.ts';
import { columnsOfQuestion, type ExportColumn } from '../export-columns.ts';
import { accountParameter, columnsOfTable, type TableColumn } from './export-columns.ts';
import { dayMs, dayOf } from '../instants.ts';
import { Parameters } from './parameters.ts';
import type { Kept } from '../plan.ts';
import { readProgress } from './progress.ts';
import { readPlanOf } from './read-plan.ts';
import { numbered } from './read-segments.ts';
import { dimensionValue, joinsOf, rollups } from '../tables.ts';
import { timedOut } from './timed-out.ts';

/** A page of rows takes few milliseconds of the event loop. */
const pageRows = 250;

const answerNames = { bucket: 'bucket_second', valueOf: (metric: string) => metric };

type TableExport = Extract<ExportRequest, { kind: 'table' }>;

/** Reads exports from the tables of PostgreSQL, as the account that they belong to. */
export class PostgresExports implements ExportSource {
  readonly #questions: Database;

  /** A statement of this database ends when a page takes too long. */
  constructor(questions: Database) {
    this.#questions = questions;
  }

  async read(accountId: string, request: ExportRequest): Promise<ExportRows> {
    const { kept } = await readProgress(this.#questions, { lock: false });
    if (request.kind === 'table') {
      const columns = columnsOfTable(request.table);
      const statements = slicesOf(request, kept).map((slice) =>
        tableStatement(accountId, slice, columns),
      );
      return this.#rows(accountId, { columns, statements, warnings: warningsOf(request, kept) });
    }
    const { question } = request;
    const columns = columnsOfQuestion(question, answerNames);
    const { segments, warnings } = readPlanOf(question, kept);
    if (segments.length === 0) return { columns, warnings, pages: noPages() };
    // `buildQuery` asks for one row more than its limit.
    const asked = { ...question, limit: question.limit - 1 };
    const statements = [buildQuery(accountId, asked, segments)];
    return this.#rows(accountId, { columns, statements, warnings });
  }

  #rows(
    accountId: string,
    parts: {
      readonly columns: readonly ExportColumn[];
      readonly statements: readonly Statement[];
      readonly warnings: readonly string[];
    },
  ): ExportRows {
    const { columns, statements, warnings } = parts;
    const questions = this.#questions;
    async function* pages(): AsyncGenerator<readonly (readonly Cell[])[]> {
      const asked = { statements, rows: pageRows };
      try {
        for await (const rows of questions.pagesOf<Record<string, unknown>>(accountId, asked))
          yield rows.map((row) => columns.map((column) => column.of(row)));
      } catch (error) {
        timedOut(error);
      }
    }
    const shown = columns.map(({ name, kind }) => ({ name, kind }));
    return { columns: shown, warnings, pages: pages() };
  }
}

async function* noPages(): AsyncGenerator<readonly (readonly Cell[])[]> {}

/** The rows of one statement are sorted at once. A slice bounds the time and the memory of that. */
const sliceMs = { facts: dayMs, usage_hour: 7 * dayMs, usage_day: 31 * dayMs } as const;

/** Splits the time range into the parts that are read one behind the other, without the time that is not kept. */
function slicesOf(request: TableExport, kept: Kept): readonly TableExport[] {
  const { table, endMs } = request;
  const slices: TableExport[] = [];
  const startMs = Math.max(request.startMs, keptFrom(table, kept));
  for (let atMs = startMs; atMs < endMs; atMs += sliceMs[table])
    slices.push({ ...request, startMs: atMs, endMs: Math.min(endMs, atMs + sliceMs[table]) });
  return slices;
}

function tableStatement(
  accountId: string,
  { table, startMs, endMs, filters }: TableExport,
  columns: readonly TableColumn[],
): Statement {
  const parameters = new Parameters();
  parameters.add(accountId, 'text');
  const [start, end] = [startMs, endMs].map((ms) => parameters.add(new Date(ms), 'timestamptz'));
  const wheres = [
    `one.account = (SELECT id FROM accounts WHERE account_id = ${accountParameter})`,
    `one.at >= ${start}`,
    `one.at < ${end}`,
    // The partitions of facts are days.
    ...(table === 'facts'
      ? [
          `one.day >= ${parameters.add(dayOf(startMs), 'date')}`,
          `one.day <= ${parameters.add(dayOf(endMs), 'date')}`,
        ]
      : []),
    ...filters.map((filter) => numbered(filter, parameters, accountParameter)),
  ];
  const selected = columns.map(({ name, sql }) => `${sql} AS ${name}`);
  const order = rollups.find((one) => one.table === table)?.refs ?? ['fact_id'];
  const text = `SELECT ${selected.join(', ')}
    FROM ${table} AS one ${joinsOf('one', exportTables[table].dimensions)}
    ${nameJoin('workspace', 'workspace', 'workspace')}
    ${nameJoin('key', 'key', 'api_key_id')}
    ${nameJoin('member', 'member', 'user')}
    WHERE ${wheres.join(' AND ')}
    ORDER BY one.at, ${order.map((column) => `one.${column}`).join(', ')}`;
  return { text, values: parameters.values };
}

function nameJoin(alias: string, kind: string, dimension: DimensionName): string {
  return `LEFT JOIN names AS ${alias} ON ${alias}.account_id = ${accountParameter}
      AND ${alias}.kind = '${kind}' AND ${alias}.entity_id = ${dimensionValue(dimension)}`;
}

function keptFrom(table: ExportTableName, { factsMs, hoursMs, daysMs }: Kept): number {
  return { facts: factsMs, usage_hour: hoursMs, usage_day: daysMs }[table];
}

function warningsOf({ table, startMs }: TableExport, kept: Kept): readonly string[] {
  const firstMs = keptFrom(table, kept);
  if (startMs >= firstMs) return [];
  return [`usage before ${new Date(firstMs).toISOString()} is not kept in this detail`];
}
