import { equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { grantNanoUsd, type GrantQuestion } from './index.ts';

const budget = (limitNanoUsd: bigint | undefined, settledNanoUsd = 0n, leasedNanoUsd = 0n) => ({
  limitNanoUsd,
  settledNanoUsd,
  leasedNanoUsd,
});
const asking = (needNanoUsd: bigint, more: Partial<GrantQuestion> = {}): GrantQuestion => ({
  grantedNanoUsd: 0n,
  knownNanoUsd: 0n,
  needNanoUsd,
  wantedNanoUsd: needNanoUsd,
  usualHoldNanoUsd: 10n,
  ...more,
});

describe('a grant', () => {
  test('is what is wanted while much is left', () => {
    equal(grantNanoUsd(budget(1_000n), asking(10n, { wantedNanoUsd: 100n }), 2n), 100n);
  });

  test('is the share of the replica when more is wanted', () => {
    equal(grantNanoUsd(budget(1_000n), asking(10n, { wantedNanoUsd: 900n }), 2n), 250n);
    equal(grantNanoUsd(budget(1_000n), asking(10n, { wantedNanoUsd: 900n }), 5n), 100n);
  });

  test('is exactly the need when the share is less than a usual hold', () => {
    equal(grantNanoUsd(budget(1_000n, 960n), asking(10n, { wantedNanoUsd: 40n }), 3n), 10n);
    equal(grantNanoUsd(budget(1_000n, 960n), asking(0n, { wantedNanoUsd: 40n }), 3n), 0n);
  });

  test('is the rest when more is needed than is left, and nothing when nothing is', () => {
    equal(grantNanoUsd(budget(1_000n, 900n, 95n), asking(10n), 1n), 5n);
    equal(grantNanoUsd(budget(1_000n, 900n, 100n), asking(10n), 1n), 0n);
    equal(grantNanoUsd(budget(1_000n, 900n, 500n), asking(10n), 1n), 0n);
  });

  test('is given once, although the answer to the first question was lost', () => {
    const again = asking(10n, { grantedNanoUsd: 10n, knownNanoUsd: 0n });
    equal(grantNanoUsd(budget(1_000n, 0n, 10n), again, 1n), 0n);
    const more = asking(15n, { grantedNanoUsd: 30n, knownNanoUsd: 20n });
    equal(grantNanoUsd(budget(1_000n, 0n, 30n), more, 1n), 5n);
  });

  test('knows no bound where there is no cap', () => {
    equal(grantNanoUsd(budget(undefined, 9n, 9n), asking(1n, { wantedNanoUsd: 7n }), 4n), 7n);
  });

  test('never exceeds the room, and never falls short of a need that fits', () => {
    const amount = fc.bigInt({ min: 0n, max: 1_000n });
    fc.assert(
      fc.property(
        fc.tuple(amount, amount, amount),
        fc.tuple(amount, amount, amount, amount, amount),
        fc.bigInt({ min: 1n, max: 9n }),
        ([limit, settled, leased], [granted, known, need, wanted, usual], replicas) => {
          const asked = asking(need, {
            grantedNanoUsd: granted,
            knownNanoUsd: known,
            wantedNanoUsd: wanted,
            usualHoldNanoUsd: usual,
          });
          const grant = grantNanoUsd(budget(limit, settled, leased), asked, replicas);
          const room = limit - settled - leased;
          ok(grant >= 0n && (grant === 0n || grant <= room));
          const unseen = granted > known ? granted - known : 0n;
          if (need - unseen <= room) ok(grant >= need - unseen);
        },
      ),
    );
  });
});
