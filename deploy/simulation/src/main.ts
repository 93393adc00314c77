import { readSettings } from '@sluice/testing/settings';
import { simulate, type Simulated } from './simulate.ts';

/** `SEEDS=200 SEED=1 npm run sim`: that many seeds from one on. The last line is JSON; 0 only when all holds. */
const { seeds, first } = readSettings((settings) => ({
  seeds: settings.wholeNumber('SEEDS', process.env['SEED'] === undefined ? 200 : 1),
  first: settings.wholeNumber('SEED', 1),
}));
const findingsShownMax = 5;
const slowSyncMsMax = 300;
const failed: number[] = [];
const runs: Omit<Simulated, 'ledger'>[] = [];
const startedMs = performance.now();
for (let seed = first; seed < first + seeds; seed++) {
  const durability = seed % 4 < 2 ? 'overlap' : 'strict';
  // Power is lost during a slow sync more often.
  const disk = seed % 8 < 4 ? {} : { syncMsMax: slowSyncMsMax };
  const variation = { hasTools: seed % 2 === 0, durability, disk } as const;
  const { ledger: _ledger, ...run } = await simulate(seed, variation);
  runs.push(run);
  if (run.findings.length === 0) continue;
  failed.push(seed);
  for (const finding of run.findings.slice(0, findingsShownMax))
    console.log(`NOT SO: seed ${seed}: ${finding}`);
  console.log(`again: make sim SEED=${seed}`);
}
const sum = (of: (run: Omit<Simulated, 'ledger'>) => number) =>
  runs.reduce((total, run) => total + of(run), 0);
const money = (of: (run: Omit<Simulated, 'ledger'>) => bigint) =>
  String(runs.reduce((total, run) => total + of(run), 0n));
const result = {
  seeds,
  requests: sum(({ requests }) => requests),
  kills: sum(({ kills }) => kills),
  overspend_nano: money(({ overspendNanoUsd }) => overspendNanoUsd),
  lost: sum(({ lost }) => lost),
  unknown: sum(({ unknown }) => unknown),
  double: sum(({ double }) => double),
  billed_nano: money(({ billedNanoUsd }) => billedNanoUsd),
  receipt_nano: money(({ receiptNanoUsd }) => receiptNanoUsd),
  interrupted: sum(({ interrupted }) => interrupted),
  answered: sum(({ answered }) => answered),
  refused: sum(({ refused }) => refused),
  steps: sum(({ steps }) => steps),
  seconds: Math.round((performance.now() - startedMs) / 1_000),
  virtual_seconds: Math.round(sum(({ virtualMs }) => virtualMs) / 1_000),
  failed,
  ok: failed.length === 0,
};
console.log(JSON.stringify(result));
process.exit(result.ok ? 0 : 1);
