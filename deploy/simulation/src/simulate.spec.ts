import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, test, vi } from 'vitest';
import { delivered } from './delivered.ts';
import { type Mutation, simulate } from './index.ts';
import { regressions } from './regressions.ts';

/** The short form of `make sim SEEDS=200`, which the nightly job runs. */
const seeds = 8;
// A simulation that goes on after its time would be in the way of the next one's clock.
vi.setConfig({ testTimeout: 600_000 });

describe('whatever is killed, cut off, lost, late or repeated', () => {
  test('nothing is lost, billed twice, overspent or refused for no reason', async ({ signal }) => {
    const totals = { kills: 0, answered: 0, refused: 0, interrupted: 0, own: 0, fees: 0 };
    const bundles = { together: 0, again: 0, cut: 0 };
    for (let seed = 1; seed <= seeds && !signal.aborted; seed++) {
      const run = await simulate(seed);
      deepEqual(run.findings, [], `seed ${seed}`);
      totals.kills += run.kills;
      totals.answered += run.answered;
      totals.refused += run.refused;
      totals.interrupted += run.interrupted;
      const { together, again, cut } = delivered(run.ledger);
      bundles.together += together;
      bundles.again += again;
      bundles.cut += cut;
      const own = run.ledger.facts.filter(({ isByok }) => isByok);
      totals.own += own.length;
      totals.fees += own.filter(({ feeNanoUsd }) => feeNanoUsd > 0n).length;
    }
    // A simulation in which nothing happens shows nothing.
    ok(totals.kills > 10 * seeds, `${totals.kills} kills`);
    ok(totals.answered > 30 * seeds, `${totals.answered} answered`);
    ok(totals.refused > 5 * seeds, `${totals.refused} refused`);
    ok(totals.own > 4 * seeds && totals.fees > seeds, `${totals.own} own, ${totals.fees} fees`);
    ok(totals.interrupted > seeds / 2, `${totals.interrupted} interrupted`);
    ok(bundles.together > seeds, `${bundles.together} facts with others`);
    ok(bundles.again > seeds / 4, `${bundles.again} facts in a second bundle`);
    ok(bundles.cut > seeds / 4, `${bundles.cut} bundles counted in two transactions`);
  });

  test('the same holds for loops with tools, which are killed, capped and left, too', async ({
    signal,
  }) => {
    const totals = { searches: 0, own: 0, interrupted: 0, failed: 0, later: 0 };
    for (let seed = 1; seed <= seeds && !signal.aborted; seed++) {
      const run = await simulate(seed, { hasTools: true });
      deepEqual(run.findings, [], `seed ${seed} with tools`);
      const { facts } = run.ledger;
      const searches = facts.filter(({ toolType }) => toolType === 'service:web_search');
      totals.searches += searches.length;
      totals.own += searches.filter(({ isByok }) => isByok).length;
      totals.interrupted += searches.filter(({ outcome }) => outcome === 'interrupted').length;
      totals.failed += searches.filter(({ outcome }) => outcome === 'failed').length;
      totals.later += facts.filter(({ usageId }) => usageId.endsWith('/1/2')).length;
    }
    ok(totals.searches > 8 * seeds, `${totals.searches} searches`);
    ok(totals.own > seeds, `${totals.own} with an own key`);
    ok(totals.interrupted > seeds / 4, `${totals.interrupted} interrupted`);
    ok(totals.failed > seeds, `${totals.failed} failed`);
    ok(totals.later > 4 * seeds, `${totals.later} second turns`);
  });

  test('a power cut loses only calls that no client heard of, and none in strict', async ({
    signal,
  }) => {
    const unknown = { overlap: 0, strict: 0 };
    for (let seed = 8; seed <= 10 && !signal.aborted; seed++)
      for (const durability of ['overlap', 'strict'] as const) {
        const hasTools = seed % 2 === 0;
        // Power is lost during a slow sync more often.
        const run = await simulate(seed, { durability, hasTools, disk: { syncMsMax: 300 } });
        deepEqual(run.findings, [], `seed ${seed}, ${durability}`);
        unknown[durability] += run.unknown;
      }
    equal(unknown.strict, 0);
    ok(unknown.overlap > 0, 'no power cut hit a sync');
  });

  test.each(regressions)('seed $seed, which found $found, finds nothing', async ({ seed }) => {
    deepEqual((await simulate(seed, { durability: 'strict' })).findings, []);
  });

  test('the same seed does the same, to the last message', async () => {
    deepEqual(await simulate(4), await simulate(4));
  });
});

interface Mutant {
  readonly does: string;
  readonly mutation: Mutation;
  /** `strict` if absent. */
  readonly durability?: 'strict' | 'overlap';
  readonly finding: RegExp;
  /** It was found first with this seed. */
  readonly seed?: number;
}

const mutants: readonly Mutant[] = [
  {
    does: 'checks what is settled, then records',
    mutation: { ledger: { checksThenRecords: true } },
    finding: /leased of|overspent/,
  },
  {
    does: 'has no primary key',
    mutation: { ledger: { hasNoPrimaryKey: true } },
    finding: /is twice/,
    seed: 3,
  },
  {
    does: 'takes the highest sequence for the watermark',
    mutation: { ledger: { watermarkSkipsGaps: true } },
    finding: /where .* was charged|overspent/,
    seed: 7,
  },
  {
    does: 'frees dead leases before all is counted',
    mutation: { ledger: { freesBeforeCounting: true } },
    finding: /leased of|overspent/,
    seed: 6,
  },
  {
    does: 'keeps counted usage on lease',
    mutation: { ledger: { keepsCountedOnLease: true } },
    finding: /leased|refused/,
  },
  {
    does: 'keeps a quarter of each limit back',
    mutation: { ledger: { refusesEarly: true } },
    finding: /is refused where/,
    seed: 3,
  },
  {
    does: 'lets what is in suspense be spent',
    mutation: { ledger: { releasesSuspense: true } },
    finding: /leased of|overspent/,
  },
  {
    does: 'forgets what was free',
    mutation: { ledger: { forgetsWhatWasFree: true } },
    finding: /allowance.*(?:leased of|is off|overspent)/,
  },
  {
    does: 'moves no money for a fact',
    mutation: { ledger: { movesNothing: true } },
    finding: /in the books/,
  },
  {
    does: 'acknowledges before the disk has it',
    mutation: { disk: { lies: true } },
    finding: /where .* was charged|leased for ever/,
    seed: 6,
  },
  {
    does: 'tells a client of an answer before the disk has its intent',
    mutation: { disk: { lies: true } },
    durability: 'overlap',
    finding: /where .* was charged|leased for ever/,
    seed: 94,
  },
  {
    does: 'calls a provider before its intent is written',
    mutation: { disk: { writesLate: true } },
    durability: 'overlap',
    finding: /where .* was charged/,
    seed: 60,
  },
  {
    does: 'lets go of the spool too early',
    mutation: { disk: { releasesAll: true } },
    finding: /where .* was charged/,
    seed: 6,
  },
];

/** A change of the simulation may move a finding to another seed. */
const seedsMax = 60;

describe('a mutant is caught that', () => {
  test.each(mutants)(
    '$does',
    async ({ mutation, durability = 'strict', finding, seed: first = 1 }) => {
      let found: readonly string[] = [];
      for (let seed = first; seed < first + seedsMax && found.length === 0; seed++)
        found = (await simulate(seed, { ...mutation, durability })).findings;
      match(String(found[0]), finding);
    },
  );
});

test('what runs outside of a simulation keeps the real clock', async () => {
  const before = [globalThis.setTimeout, performance.now()] as const;
  await simulate(1);
  equal(globalThis.setTimeout, before[0]);
  ok(performance.now() > before[1]);
});
