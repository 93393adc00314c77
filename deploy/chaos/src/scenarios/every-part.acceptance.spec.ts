import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { perform } from '../perform.ts';
import { everyPart } from './every-part.ts';

/** processes.spec.ts kills each part once. */
const kills = 2;

describe('kills of any part while requests are answered', () => {
  test('lose no usage and no delivery, count none twice, and overspend no limit', async () => {
    const settings = { KILLS: String(kills), RPS: '40', SEED: '1' };
    const { findings, numbers, audited, delivered, hasSandbox } = await perform(
      everyPart,
      settings,
    );
    deepEqual(findings, []);
    deepEqual([numbers.lost, numbers.double, numbers.overspend_nano], [0, 0, '0']);
    equal(numbers.billed_nano, numbers.receipt_nano);
    equal(audited.open, 0);
    ok(audited.capLooks > 20, `${audited.capLooks} looks at the caps`);
    ok(audited.conservationLooks > 2, `${audited.conservationLooks} looks at what was admitted`);
    equal(numbers.kills, kills);
    ok(numbers.receipts > 100, `${numbers.receipts} receipts`);
    ok(delivered.generations > 50, `${delivered.generations} generations`);
    // A kill of a busy routing takes the contents that wait in its memory, which may be most of them.
    ok(delivered.withoutContents < delivered.generations, 'all contents are gone');
    ok(audited.refused > 0, 'no limit was put to the test');
    equal(audited.commands > 0, hasSandbox, `${audited.commands} commands of the sandbox`);
  });
});
