import { readFile, stat } from 'node:fs/promises';
import { InvalidCatalog, parseCatalogFile, type PriceBook, priceBookOf } from '@sluice/catalog';
import { rerate, type Rerated } from '@sluice/ledger/rerate';
import { loadByokTerms } from '@sluice/routing/config';
import { count, counted } from '../amounts.ts';
import { csvOf } from '../analytics/csv.ts';
import { formatUsd } from '../credits/usd.ts';
import { clean, type Output } from '../output.ts';
import { tableOf } from '../projections/table.ts';
import type { RerateCommand } from './command.ts';

/** A file of prices cannot be used; the message is a sentence that names the place. */
export class PricesUnreadable extends Error {
  override readonly name = 'PricesUnreadable';
}

interface Surroundings {
  readonly postgresUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
}

/** Prints what usage cost and would have cost, for each account. Returns the exit code. */
export async function tellRerated(
  command: RerateCommand,
  { postgresUrl, env, output }: Surroundings,
): Promise<number> {
  const { from, to, accountId, by, form } = command;
  const terms = loadByokTerms(env);
  const prices = await readPrices(command.prices);
  const rows = await rerate({ postgresUrl, from, to, accountId, by, prices, terms });
  const named = rows.map((row) => namedRow(row, command));
  if (form === 'csv') {
    for (const line of csvOf(columnsOf(command), named)) output.line(line);
  } else if (form === 'json') output.line(jsonOf(command, { rows: named, total: totalOf(rows) }));
  else tellTable(command, rows, output);
  return 0;
}

const bytesMax = 16_777_216;

async function readPrices(path: string): Promise<PriceBook> {
  let text: string;
  try {
    if ((await stat(path)).size > bytesMax) throw new Error('it is larger than 16 MiB');
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new PricesUnreadable(`The prices cannot be read: ${(error as Error).message}.`);
  }
  try {
    return priceBookOf(parseCatalogFile(text));
  } catch (error) {
    if (!(error instanceof InvalidCatalog)) throw error;
    throw new PricesUnreadable(`The prices cannot be used. ${error.message}.`);
  }
}

type Amounts = Omit<Rerated, 'accountId' | 'workspaceId' | 'model'>;

const keptOf = ({ kept }: Pick<Rerated, 'kept'>) =>
  Object.values(kept).reduce((sum, facts) => sum + facts, 0n);

/** The names of the columns in CSV and JSON. */
function columnsOf({ by }: RerateCommand): readonly string[] {
  return [
    'account_id',
    ...by.map((one) => (one === 'workspace' ? 'workspace_id' : one)),
    ...amountColumns,
  ];
}

const amountColumns = [
  'facts',
  'kept_facts',
  'credits_nano_usd',
  'rerated_credits_nano_usd',
  'credits_difference_nano_usd',
  'byok_nano_usd',
  'rerated_byok_nano_usd',
  'byok_difference_nano_usd',
];

function namedRow(row: Rerated, { by }: RerateCommand): Readonly<Record<string, unknown>> {
  return {
    account_id: row.accountId,
    ...(by.includes('workspace') && { workspace_id: row.workspaceId }),
    ...(by.includes('model') && { model: row.model }),
    ...namedAmounts(row),
  };
}

function namedAmounts(row: Amounts): Readonly<Record<string, bigint>> {
  return {
    facts: row.facts,
    kept_facts: keptOf(row),
    credits_nano_usd: row.creditsNanoUsd,
    rerated_credits_nano_usd: row.reratedCreditsNanoUsd,
    credits_difference_nano_usd: row.reratedCreditsNanoUsd - row.creditsNanoUsd,
    byok_nano_usd: row.byokNanoUsd,
    rerated_byok_nano_usd: row.reratedByokNanoUsd,
    byok_difference_nano_usd: row.reratedByokNanoUsd - row.byokNanoUsd,
  };
}

function jsonOf(
  { from, to }: RerateCommand,
  { rows, total }: { readonly rows: readonly object[]; readonly total: Amounts },
): string {
  const whole = {
    from: from.toISOString(),
    to: to?.toISOString() ?? null,
    rows,
    total: { ...namedAmounts(total), kept: total.kept },
  };
  // An amount may be above the whole numbers of JSON.
  return JSON.stringify(whole, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

function totalOf(rows: readonly Rerated[]): Amounts {
  const sum = (field: (row: Rerated) => bigint) => rows.reduce((all, row) => all + field(row), 0n);
  return {
    facts: sum(({ facts }) => facts),
    kept: {
      not_listed: sum(({ kept }) => kept.not_listed),
      tool_mode_unknown: sum(({ kept }) => kept.tool_mode_unknown),
      receipt_amount: sum(({ kept }) => kept.receipt_amount),
      byok_estimate: sum(({ kept }) => kept.byok_estimate),
      older_rule: sum(({ kept }) => kept.older_rule),
    },
    creditsNanoUsd: sum(({ creditsNanoUsd }) => creditsNanoUsd),
    reratedCreditsNanoUsd: sum(({ reratedCreditsNanoUsd }) => reratedCreditsNanoUsd),
    byokNanoUsd: sum(({ byokNanoUsd }) => byokNanoUsd),
    reratedByokNanoUsd: sum(({ reratedByokNanoUsd }) => reratedByokNanoUsd),
  };
}

const keptSentences = {
  not_listed: 'the prices have no such model, endpoint or tool',
  tool_mode_unknown: 'the price of the tool depends on a mode that is not known',
  receipt_amount: 'a receipt said the amount',
  byok_estimate: 'an estimate with an own credential may be cut by its hold',
  older_rule: 'an older release charged what is free today',
} as const satisfies Record<keyof Rerated['kept'], string>;

function tellTable({ by }: RerateCommand, rows: readonly Rerated[], output: Output): void {
  const total = totalOf(rows);
  const isByok = total.byokNanoUsd > 0n;
  const heading = [
    'ACCOUNT',
    ...by.map((one) => one.toUpperCase()),
    'FACTS',
    'CREDITS',
    'RERATED',
    'DIFFERENCE',
    ...(isByok ? ['BYOK', 'RERATED', 'DIFFERENCE'] : []),
  ];
  const cells = (row: Amounts) => [
    count(row.facts),
    ...amountCells(row.creditsNanoUsd, row.reratedCreditsNanoUsd),
    ...(isByok ? amountCells(row.byokNanoUsd, row.reratedByokNanoUsd) : []),
  ];
  const lines = rows.map((row) => [
    clean(row.accountId),
    ...by.map((one) => clean(one === 'workspace' ? row.workspaceId : row.model)),
    ...cells(row),
  ]);
  const last = ['all', ...by.map(() => ''), ...cells(total)];
  for (const line of tableOf(
    [heading, ...lines, ...(rows.length > 1 ? [last] : [])],
    output.columns,
  ))
    output.line(line);
  for (const [reason, sentence] of Object.entries(keptSentences)) {
    const facts = total.kept[reason as keyof Rerated['kept']];
    if (facts > 0n) output.line(`${counted(facts, 'fact')} kept the price: ${sentence}.`);
  }
  output.line(`Nothing was changed (${counted(total.facts, 'fact')}).`);
}

function amountCells(before: bigint, after: bigint): readonly string[] {
  const difference = after - before;
  return [
    formatUsd(before),
    formatUsd(after),
    `${difference > 0n ? '+' : ''}${formatUsd(difference)}`,
  ];
}
