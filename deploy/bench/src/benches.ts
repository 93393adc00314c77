import { readSettings } from '@sluice/testing/settings';
import { chosenSubject, runBench, say, wholeNumber } from './program.ts';

/** Maps `bench:NAME` to its program. Each loads its modules when it runs, and ends the process. */
export const benches: Readonly<Record<string, () => Promise<never>>> = {
  /** `EVENTS=1000000` */
  async eventstore() {
    const { eventStoreBench } = await import('./eventstore/eventstore-bench.ts');
    const events = wholeNumber('EVENTS', 1_000_000);
    return await runBench('eventstore', () => eventStoreBench(events));
  },

  /** `KEYS=10000` */
  async management() {
    const { managementBench } = await import('./management/management-bench.ts');
    const keys = wholeNumber('KEYS', 10_000);
    return await runBench('management', () => managementBench(keys));
  },

  /** `KEYS=100000` */
  async scale() {
    const { firstStep, scaleBench } = await import('./scale/scale-bench.ts');
    const keys = wholeNumber('KEYS', 100_000, firstStep);
    return await runBench('scale', () => scaleBench(keys));
  },

  async spool() {
    const { busBench, spoolBench } = await import('./spool/spool-bench.ts');
    return await runBench('spool', async () => [...(await spoolBench()), ...(await busBench())]);
  },

  async sandbox() {
    const { sandboxBench } = await import('./sandbox/sandbox-bench.ts');
    return await runBench('sandbox', sandboxBench);
  },

  /** `ROUNDS=150`. The exit code is 1 when a bound is broken. */
  async fetch() {
    const { fetchBench } = await import('./fetch/fetch-bench.ts');
    const rounds = wholeNumber('ROUNDS', 150);
    return await runBench('fetch', () => fetchBench(rounds), { isGate: true });
  },

  /** `STREAMS=1000 SECONDS=20 SUBJECT=sluice` */
  async streams() {
    const { streamsBench } = await import('./streams/streams-bench.ts');
    const name = chosenSubject();
    const options = { streams: wholeNumber('STREAMS', 1_000), seconds: wholeNumber('SECONDS', 20) };
    const kept = name === 'sluice' ? 'streams' : 'streams_two';
    return await runBench(kept, () => streamsBench({ name, ...options }));
  },

  /** `ROUNDS=300`; or `NEIGHBOUR=1`, which measures an account beside a slow one. */
  async filters() {
    if (process.env['NEIGHBOUR'] !== undefined) {
      const { neighborBench } = await import('./filters/neighbor.ts');
      return await runBench('filters_neighbor', neighborBench);
    }
    const { filtersBench } = await import('./filters/filters-bench.ts');
    const rounds = wholeNumber('ROUNDS', 300);
    return await runBench('filters', () => filtersBench(rounds));
  },

  async vectors() {
    const { vectorsBench } = await import('./vectors/vectors-bench.ts');
    return await runBench('vectors', vectorsBench);
  },

  /** `LOOPS=600` */
  async tools() {
    const { measureTools } = await import('./tools/tools-bench.ts');
    const loops = wholeNumber('LOOPS', 600);
    return await runBench('tools', () => measureTools(loops), { endsInJson: true });
  },

  async plugins() {
    const { measurePlugins } = await import('./plugins/plugins-bench.ts');
    return await runBench('plugins', measurePlugins, { endsInJson: true });
  },

  async classifier() {
    const { classifyPrompt, measureClassifier } =
      await import('./plugins/classifier/classifier-bench.ts');
    const { scoreTable } = await import('./plugins/classifier/score.ts');
    say(scoreTable(classifyPrompt).join('\n'));
    return await runBench('classifier', async () => measureClassifier());
  },

  /** `ROWS=200000 SPREAD=usual SECONDS=30` */
  async analytics() {
    const { analyticsBench } = await import('./analytics/analytics-bench.ts');
    const { besideBench } = await import('./analytics/beside-bench.ts');
    const { visibleBench } = await import('./analytics/visible-bench.ts');
    const rows = wholeNumber('ROWS', 200_000, 1_000);
    const spread = process.env['SPREAD'] === 'uniform' ? 'uniform' : 'usual';
    const seconds = wholeNumber('SECONDS', 30, 5);
    const measure = async () => [
      ...(await visibleBench(seconds)),
      ...(await analyticsBench({ rows, spread })),
      // The last one: it keeps this process on one processor.
      ...(await besideBench()),
    ];
    return await runBench('analytics', measure, { endsInJson: true });
  },

  /** `FACTS=100000 ROWS=1000000` */
  async ledger() {
    const { ledgerBench } = await import('./ledger/ledger-bench.ts');
    const facts = wholeNumber('FACTS', 100_000, 1_000);
    const rows = wholeNumber('ROWS', 1_000_000, 0);
    return await runBench('ledger', () => ledgerBench({ facts, rows }), { endsInJson: true });
  },

  /** `SECONDS=60 SUBJECT=sluice STREAMING=1` */
  async overload() {
    const { runOverload } = await import('./overload/run-overload.ts');
    return await runOverload();
  },

  /**
   * `RATE=1000 SECONDS=30 CONTENTS=none,sealed`; or `LATENCY=on RATE=200 SECONDS=5 ROUNDS=12`, which measures the
   * requests instead.
   */
  async destinations() {
    const endsInJson = true;
    if (process.env['LATENCY'] === 'on') {
      const { latencyBench } = await import('./destinations/latency-bench.ts');
      const rounds = wholeNumber('ROUNDS', 12);
      const rate = { perSecond: wholeNumber('RATE', 200), seconds: wholeNumber('SECONDS', 5) };
      const measure = () => latencyBench({ rounds, ...rate });
      return await runBench('destinations-latency', measure, { endsInJson });
    }
    const { destinationsBench } = await import('./destinations/destinations-bench.ts');
    const contents = readSettings((given) => given.names('CONTENTS', ['none', 'sealed']));
    const rate = { perSecond: wholeNumber('RATE', 1_000), seconds: wholeNumber('SECONDS', 30, 5) };
    const measure = () => destinationsBench({ contents, ...rate });
    return await runBench('destinations', measure, { endsInJson });
  },
};
