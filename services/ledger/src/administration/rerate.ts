import type { PriceBook } from '@sluice/catalog';
import {
  Allowances,
  costAtPrices,
  type FeeTerms,
  keptReasons,
  type KeptReason,
  type RatedFact,
} from '@sluice/rating';
import { openDatabase, type Queryable } from '@sluice/read-model';
import { amountsOf, isOperatorsOwn, readFact, type UsageFact } from '@sluice/usage-facts';
import { currentFact, type FactRow, selectFacts } from '../queries/fact-rows.ts';
import { requireFactsFrom } from '../store/archived-days.ts';

/** A dimension that sums may be split by, beside the account. */
export const rerateDimensions = ['workspace', 'model'] as const;
export type RerateDimension = (typeof rerateDimensions)[number];

export interface RerateOptions {
  readonly postgresUrl: string;
  /** `ledger` when absent; only tests set it. */
  readonly schema?: string;
  /** Facts that were admitted from this instant on, and before the other one. */
  readonly from: Date;
  readonly to?: Date | undefined;
  /** All accounts when absent. */
  readonly accountId?: string | undefined;
  readonly by: readonly RerateDimension[];
  readonly prices: PriceBook;
  readonly terms: FeeTerms;
}

/** The cost of usage as it was charged and at other prices. Nano-USD. */
export interface Rerated {
  readonly accountId: string;
  /** Empty unless the sums are split by them. */
  readonly workspaceId: string;
  readonly model: string;
  /** Attempts of models and calls of tools that the account was served. */
  facts: bigint;
  /** Facts among them that keep their price. */
  readonly kept: Record<KeptReason, bigint>;
  /** The amount that credits paid, and at the other prices. */
  creditsNanoUsd: bigint;
  reratedCreditsNanoUsd: bigint;
  /** The same of the list price of own credentials, which no credits pay. */
  byokNanoUsd: bigint;
  reratedByokNanoUsd: bigint;
}

const pageFacts = 1_000;
const statementTimeoutMs = 600_000;
const groupsMax = 1_000_000;

const inRange = `admitted_at >= $1 AND ($2::timestamptz IS NULL OR admitted_at < $2)
    AND ($3::text IS NULL OR account_id = $3)`;

const facts = `
  SELECT counted.*, correction.source AS "correctionSource", correction.absorbed_nano_usd AS "absorbedNanoUsd"
  FROM (${selectFacts} WHERE ${inRange}) AS counted
    LEFT JOIN corrections AS correction ON correction.usage_id = counted."usageId"
  ORDER BY counted."admittedAt", counted."usageId"`;

const freeBefore = `
  SELECT account_id AS "accountId", sum(free_nano_usd)::bigint AS "freeNanoUsd" FROM usage_facts
  WHERE is_byok AND ${inRange}
  GROUP BY account_id`;

type RatedRow = FactRow & {
  readonly correctionSource: string | null;
  readonly absorbedNanoUsd: bigint | null;
};

/**
 * Computes what the counted usage would have cost at other prices, in the order of its admission and on one snapshot.
 * Changes nothing. Throws Fault read_model_unavailable, and FactsArchived if facts of the month are in files only.
 */
export async function rerate(options: RerateOptions): Promise<readonly Rerated[]> {
  const { postgresUrl: url, schema = 'ledger', from, to, accountId } = options;
  const database = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs });
  const values = [from.toISOString(), to?.toISOString() ?? null, accountId ?? null];
  try {
    return await database.transaction(async (transaction) => {
      await transaction.query({
        text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
        values: [],
      });
      await requireFactsFrom(transaction, new Date(`${from.toISOString().slice(0, 7)}-01`));
      const sums = new ReratedSums(options, await allowancesAt(transaction, options));
      await transaction.query({ text: `DECLARE rerated NO SCROLL CURSOR FOR ${facts}`, values });
      for (;;) {
        const page = await nextPage(transaction);
        for (const rated of page) sums.add(rated);
        if (page.length < pageFacts) return sums.rows();
      }
    });
  } finally {
    await database.stop();
  }
}

/** Returns the allowances with what was free of the first month before the first fact. */
async function allowancesAt(
  transaction: Queryable,
  { from, accountId, terms }: RerateOptions,
): Promise<Allowances> {
  const month = from.toISOString().slice(0, 7);
  const values = [`${month}-01T00:00:00.000Z`, from.toISOString(), accountId ?? null];
  const rows = await transaction.query<{ accountId: string; freeNanoUsd: bigint }>({
    text: freeBefore,
    values,
  });
  const allowances = new Allowances(terms);
  for (const row of rows) allowances.begin(row.accountId, month, row.freeNanoUsd);
  return allowances;
}

async function nextPage(transaction: Queryable): Promise<readonly RatedFact[]> {
  const text = `FETCH ${pageFacts} FROM rerated`;
  const rows = await transaction.query<RatedRow>({ text, values: [] });
  return rows.map(({ correctionSource, absorbedNanoUsd, ...row }) => {
    const { estimatedFact } = row as FactRow;
    return {
      fact: currentFact(row),
      ...(estimatedFact !== null && { estimate: readFact(JSON.parse(estimatedFact)) }),
      ...(correctionSource !== null && {
        correction: { source: correctionSource, absorbedNanoUsd: absorbedNanoUsd ?? 0n },
      }),
    };
  });
}

class ReratedSums {
  readonly #options: Pick<RerateOptions, 'by' | 'prices'>;
  readonly #allowances: Allowances;
  readonly #rows = new Map<string, Rerated>();

  constructor(options: Pick<RerateOptions, 'by' | 'prices'>, allowances: Allowances) {
    this.#options = options;
    this.#allowances = allowances;
  }

  add(rated: RatedFact): void {
    const { fact } = rated;
    // The operator pays for it.
    if (isOperatorsOwn(fact)) return;
    const cost = costAtPrices(this.#options.prices, rated);
    const row = this.#rowOf(fact);
    row.facts += 1n;
    const before = amountsOf(fact);
    row.creditsNanoUsd += before.creditsNanoUsd;
    row.byokNanoUsd += before.byokNanoUsd;
    const after = this.#amountsAt(fact, cost);
    row.reratedCreditsNanoUsd += after.creditsNanoUsd;
    row.reratedByokNanoUsd += after.byokNanoUsd;
    if (typeof cost === 'string') row.kept[cost] += 1n;
  }

  rows(): readonly Rerated[] {
    return [...this.#rows.values()].toSorted((a, b) =>
      a.accountId === b.accountId
        ? compare(`${a.workspaceId}\0${a.model}`, `${b.workspaceId}\0${b.model}`)
        : compare(a.accountId, b.accountId),
    );
  }

  #amountsAt(fact: UsageFact, cost: bigint | KeptReason): ReturnType<typeof amountsOf> {
    if (typeof cost === 'string') {
      if (fact.isByok) this.#allowances.keep(fact);
      return amountsOf(fact);
    }
    return amountsOf({
      ...fact,
      ...(fact.isByok ? this.#allowances.rate(fact, cost) : { costNanoUsd: cost }),
    });
  }

  #rowOf({ accountId, workspaceId: workspace, model: used }: UsageFact): Rerated {
    const { by } = this.#options;
    const workspaceId = by.includes('workspace') ? workspace : '';
    const model = by.includes('model') ? used : '';
    const key = `${accountId}\0${workspaceId}\0${model}`;
    const known = this.#rows.get(key);
    if (known) return known;
    if (this.#rows.size >= groupsMax) throw new Error(`more than ${groupsMax} groups`);
    const row = { ...noAmounts, accountId, workspaceId, model, kept: noneKept() };
    this.#rows.set(key, row);
    return row;
  }
}

const noAmounts = {
  facts: 0n,
  creditsNanoUsd: 0n,
  reratedCreditsNanoUsd: 0n,
  byokNanoUsd: 0n,
  reratedByokNanoUsd: 0n,
};

function noneKept(): Record<KeptReason, bigint> {
  const none = keptReasons.map((reason): [KeptReason, bigint] => [reason, 0n]);
  return Object.fromEntries(none) as Record<KeptReason, bigint>;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
