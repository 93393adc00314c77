import { exportTables, type ExportRequest, measureNames } from '@sluice/analytics-model';
import type { Database } from '@sluice/read-model';
import type { Cell, ExportRows, ExportSource } from '../export-source.ts';
import { planOf, type Segment } from '../plan.ts';
import { rollups } from '../tables.ts';
import { buildQuery } from './build-query.ts';
import { dimensionColumns } from '../tables.ts';
import type { ClickHouse, ClickHouseStatement } from './engine.ts';
import { columnsOfQuestion, type ExportColumn } from '../export-columns.ts';
import { columnsOfTable } from './export-columns.ts';
import { Parameters } from './parameters.ts';
import { type Progress, readProgress } from './progress.ts';
import { sealedSegments } from './segments.ts';
import { bucketStarts, sourcesOf } from './sources.ts';

/** The time limit of a whole export. */
const exportMsMax = 600_000;

const answerNames = { bucket: 'bucket', valueOf: (metric: string) => `value_${metric}` };

type TableExport = Extract<ExportRequest, { kind: 'table' }>;

/** Reads exports from the tables of ClickHouse. */
export class ClickHouseExports implements ExportSource {
  readonly #clickHouse: ClickHouse;
  readonly #database: Database;

  constructor({ clickHouse, database }: { clickHouse: ClickHouse; database: Database }) {
    this.#clickHouse = clickHouse;
    this.#database = database;
  }

  async read(accountId: string, request: ExportRequest): Promise<ExportRows> {
    const progress = await readProgress(this.#database, { lock: false });
    if (request.kind === 'table') {
      const columns = columnsOfTable(request.table, accountId);
      const { segments, warnings } = partsOfTable(request, progress);
      const statement = tableStatement(accountId, request, sealedSegments(segments, progress));
      return this.#rows({
        columns,
        warnings,
        statement: segments.length > 0 ? statement : undefined,
      });
    }
    const { question } = request;
    const columns = columnsOfQuestion(question, answerNames);
    const { segments, warnings } = planOf(question, progress.kept);
    // `buildQuery` asks for one row more than its limit.
    const asked = { ...question, limit: question.limit - 1 };
    const statement = buildQuery(accountId, asked, sealedSegments(segments, progress));
    return this.#rows({
      columns,
      warnings,
      statement: segments.length > 0 ? statement : undefined,
    });
  }

  #rows(parts: {
    readonly columns: readonly ExportColumn[];
    readonly statement: ClickHouseStatement | undefined;
    readonly warnings: readonly string[];
  }): ExportRows {
    const { columns, statement, warnings } = parts;
    const clickHouse = this.#clickHouse;
    async function* pages(): AsyncGenerator<readonly (readonly Cell[])[]> {
      if (statement === undefined) return;
      type Stored = Readonly<Record<string, string | number | null>>;
      for await (const rows of clickHouse.pages<Stored>(statement, exportMsMax))
        yield rows.map((row) => columns.map((column) => column.of(row)));
    }
    const shown = columns.map(({ name, kind }) => ({ name, kind }));
    return { columns: shown, warnings, pages: pages() };
  }
}

/** Returns the part of the time range that is kept, as the table that is exported. */
function partsOfTable(
  { table, startMs, endMs }: TableExport,
  { kept }: Progress,
): { readonly segments: readonly Segment[]; readonly warnings: readonly string[] } {
  const firstMs = { facts: kept.factsMs, usage_hour: kept.hoursMs, usage_day: kept.daysMs }[table];
  const rollup = rollups.find((one) => one.table === table);
  const from = Math.max(startMs, firstMs);
  return {
    segments: from < endMs ? [{ rollup, startMs: from, endMs }] : [],
    warnings:
      startMs < firstMs
        ? [`usage before ${new Date(firstMs).toISOString()} is not kept in this detail`]
        : [],
  };
}

/** Selects the rows of a table. Those that are not added up yet are made of facts. */
function tableStatement(
  accountId: string,
  { table, filters }: TableExport,
  segments: readonly Segment[],
): ClickHouseStatement {
  const parameters = new Parameters();
  const account = parameters.add(accountId, 'String');
  const columns = exportTables[table].dimensions.map((name) => dimensionColumns[name]);
  const start = {
    facts: ['toUnixTimestamp64Milli(at) AS bucket', 'fact_id', 'revision'],
    usage_hour: [`toInt64(toUnixTimestamp(${bucketStarts.hour})) * 1000 AS bucket`],
    usage_day: [`toInt64(toUnixTimestamp(${bucketStarts.day})) * 1000 AS bucket`],
  }[table];
  const selected = [...start, ...columns, ...measureNames];
  const sources = sourcesOf({ account, segments, filters, selected, parameters });
  const keys = ['bucket', ...(table === 'facts' ? ['fact_id', 'revision'] : []), ...columns];
  const sums = measureNames.map((name) => `sum(${name}) AS sum_${name}`);
  const text = `WITH grouped AS (
      SELECT ${[...keys, ...sums].join(', ')} FROM (${sources.join(' UNION ALL ')}) AS source
      GROUP BY ${keys.join(', ')} HAVING ${measureNames.map((name) => `ifNull(sum_${name}, 0) <> 0`).join(' OR ')})
    SELECT ${[
      ...keys.map((key) => `grouped.${key} AS ${key}`),
      ...measureNames.map((name) => `grouped.sum_${name} AS ${name}`),
      'workspace.name AS workspace_name',
      'api_key.name AS key_name',
      'member.name AS user_name',
      'member.email AS user_email',
    ].join(', ')}
    FROM grouped
    ${nameJoin('workspace', 'workspace', 'workspace_id', account)}
    ${nameJoin('api_key', 'key', 'key_hash', account)}
    ${nameJoin('member', 'member', 'user_id', account)}
    ORDER BY ${keys.join(', ')}`;
  return { text, values: parameters.values };
}

function nameJoin(alias: string, kind: string, column: string, account: string): string {
  return `LEFT JOIN (
      SELECT entity_id, name, email FROM names FINAL WHERE account_id = ${account} AND kind = '${kind}'
    ) AS ${alias} ON ${alias}.entity_id = grouped.${column}`;
}
