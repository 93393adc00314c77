import { Fault } from '@sluice/errors';
import type { CountedNames, LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database, Queryable } from '@sluice/read-model';
import type { Calls } from '@sluice/rpc';
import { type CountedFact, type UsageCorrection, writeCounted } from '@sluice/usage-facts';
import { correctedUsage, expiredUsage } from '../messages/corrected-usage.ts';
import { readCursor, writeCursor } from '../messages/fact-cursor.ts';
import { readFirstFacts } from '../queries/fact-rows.ts';
import { readFactDays } from '../queries/read-fact-days.ts';
import { readCorrections } from '../queries/read-corrections.ts';
import { readExpiries } from '../queries/read-expiries.ts';
import { type LogEntry, readFactLog } from '../queries/read-fact-log.ts';
import { readArchived } from '../store/archived-days.ts';

const limitMax = 200;
const namesMax = 2_000;
/** An answer with one fact more stays below the most that a message of gRPC may have. */
const charactersMax = 1_048_576;
const start = { position: 0n, place: 0n };

/** Reads out everything that was counted, for services that derive something from it. */
export function factCalls(
  database: Database,
): Pick<Calls<typeof LedgerServiceService>, 'readFacts' | 'listCountedNames'> {
  return {
    async readFacts({ after, limit }) {
      if (limit < 1 || limit > limitMax)
        throw new Fault('invalid_request', { message: `limit is not from 1 to ${limitMax}` });
      const entries = await entriesAfter(database, after, limit + 1);
      const counted = await countedFacts(database, entries.slice(0, limit));
      const page = counted.slice(0, fitting(counted));
      const last = entries[page.length - 1];
      return {
        facts: page.filter((one) => one !== undefined).map(writeCounted),
        next: last ? writeCursor(last) : after,
        isLast: page.length === entries.length,
      };
    },
    async listCountedNames({ after, limit }) {
      if (limit < 1 || limit > namesMax)
        throw new Fault('invalid_request', { message: `limit is not from 1 to ${namesMax}` });
      const entries = await entriesAfter(database, after, limit + 1);
      const page = entries.slice(0, limit);
      const names = await Promise.all(
        [...Map.groupBy(page, ({ kind }) => kind)].map(([kind, some]) =>
          namesOf(database, kind, some),
        ),
      );
      const last = page.at(-1);
      return {
        names: names.flat(),
        next: last ? writeCursor(last) : after,
        isLast: page.length === entries.length,
      };
    },
  };
}

/** Returns the names of entries of one kind. Archived facts have none. */
async function namesOf(
  database: Queryable,
  kind: LogEntry['kind'],
  entries: readonly LogEntry[],
): Promise<readonly CountedNames[]> {
  const ids = entries.map(({ usageId }) => usageId);
  const days = await readFactDays(database, ids);
  return days.map(({ usageIds, day, isOperatorsOwn, countedAt }) => ({
    usageIds: [...usageIds],
    kind,
    day,
    isOperatorsOwn,
    countedAt: kind === 'recorded' ? countedAt.toISOString() : '',
  }));
}

/** The entry of the cursor is read too: it must still be the one that the cursor names. */
async function entriesAfter(
  database: Queryable,
  after: string,
  limit: number,
): Promise<readonly LogEntry[]> {
  if (after === '') return await readFactLog(database, { from: start, limit });
  const from = readCursor(after);
  if (!from) throw new Fault('invalid_request', { message: 'after is malformed' });
  const [known, ...entries] = await readFactLog(database, { from, limit: limit + 1 });
  const isKnown =
    known?.position === from.position &&
    known.place === from.place &&
    known.usageId === from.usageId;
  if (!isKnown)
    throw new Fault('not_found', {
      message: 'The ledger has no such cursor: read from the beginning',
    });
  return entries;
}

/** Returns the facts of entries, in their order. Undefined: the fact is archived. */
async function countedFacts(
  database: Queryable,
  entries: readonly LogEntry[],
): Promise<readonly (CountedFact | undefined)[]> {
  const ids = (kind: LogEntry['kind']) =>
    entries.filter((entry) => entry.kind === kind).map(({ usageId }) => usageId);
  const [facts, days, corrections, expiries] = await Promise.all([
    unlessNone(ids('recorded'), (some) => readFirstFacts(database, some)),
    unlessNone(ids('recorded'), (some) => readFactDays(database, some)),
    unlessNone(ids('corrected'), (some) => readCorrections(database, some)),
    unlessNone(ids('expired'), (some) => readExpiries(database, some)),
  ]);
  const found = new Map<string, CountedFact>();
  const add = (kind: LogEntry['kind'], usageId: string, counted: CountedFact) =>
    found.set(`${kind}/${usageId}`, counted);
  const correct = (kind: LogEntry['kind'], correction: UsageCorrection) =>
    add(kind, correction.fact.usageId, {
      kind: 'corrected',
      correction,
      countedAt: correction.correctedAt,
    });
  const times = new Map(
    days.flatMap(({ usageIds, countedAt }) =>
      usageIds.map((usageId) => [usageId, countedAt.toISOString()]),
    ),
  );
  for (const fact of facts) {
    const countedAt = times.get(fact.usageId) ?? '';
    add('recorded', fact.usageId, { kind: 'recorded', fact, countedAt });
  }
  for (const one of corrections) correct('corrected', correctedUsage(one));
  for (const one of expiries) correct('expired', expiredUsage(one));
  const counted = entries.map(({ kind, usageId }) => found.get(`${kind}/${usageId}`));
  const missing = counted.indexOf(undefined);
  if (missing !== -1 && !(await readArchived(database)))
    throw new Error(`invariant: the log names ${entries[missing]?.usageId}, which is not there`);
  return counted;
}

async function unlessNone<Row>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  return ids.length === 0 ? [] : await read(ids);
}

/** Returns how many entries fit into an answer: at least one. */
function fitting(counted: readonly (CountedFact | undefined)[]): number {
  let left = charactersMax;
  const beyond = counted.findIndex((one) => {
    if (!one) return false;
    const { routing, trace, providerUsage } =
      one.kind === 'recorded' ? one.fact : one.correction.fact;
    left -= routing.length + trace.length + providerUsage.length + otherCharacters;
    return left < 0;
  });
  return beyond < 0 ? counted.length : Math.max(1, beyond);
}

/** Bounds the other texts of most facts together. */
const otherCharacters = 2_000;
