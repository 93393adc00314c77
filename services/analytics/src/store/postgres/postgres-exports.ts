import { type DimensionName, type ExportRequest, exportTables } from '@sluice/analytics-model';
import type { Database, Statement } from '@sluice/read-model';
import type { Cell, ExportRows, ExportSource } from '../export-source.ts';
import { buildQuery, numbered, Parameters } from './build-query.ts';
import {
  accountParameter,
  columnsOfQuestion,
  columnsOfTable,
  type ExportColumn,
} from './export-columns.ts';
import { dayOf } from './instants.ts';
import { type Kept, planOf } from './plan.ts';
import { readProgress } from './progress.ts';
import { dimensionValue, joinsOf, rollups } from './tables.ts';
import { timedOut } from './timed-out.ts';

/** A page of rows takes few milliseconds of the event loop. */
const pageRows = 250;

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
      const statement = tableStatement(accountId, request, columns);
      return this.#rows(accountId, { columns, statement, warnings: warningsOf(request, kept) });
    }
    const { question } = request;
    const columns = columnsOfQuestion(question);
    const { segments, warnings } = planOf(question, kept);
    if (segments.length === 0) return { columns, warnings, pages: noPages() };
    // `buildQuery` asks for one row more than its limit.
    const statement = buildQuery(accountId, { ...question, limit: question.limit - 1 }, segments);
    return this.#rows(accountId, { columns, statement, warnings });
  }

  #rows(
    accountId: string,
    parts: {
      readonly columns: readonly ExportColumn[];
      readonly statement: Statement;
      readonly warnings: readonly string[];
    },
  ): ExportRows {
    const { columns, statement, warnings } = parts;
    const questions = this.#questions;
    async function* pages(): AsyncGenerator<readonly (readonly Cell[])[]> {
      const asked = { statement, rows: pageRows };
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

function tableStatement(
  accountId: string,
  { table, startMs, endMs, filters }: TableExport,
  columns: readonly ExportColumn[],
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

function warningsOf({ table, startMs }: TableExport, kept: Kept): readonly string[] {
  const firstMs = { facts: kept.factsMs, usage_hour: kept.hoursMs, usage_day: kept.daysMs }[table];
  if (startMs >= firstMs) return [];
  return [`usage before ${new Date(firstMs).toISOString()} is not kept in this detail`];
}
