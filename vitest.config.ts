import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './deploy/testrun/src/longest-first.ts';

/** Ends a test that hangs. It is no bound of what a test waits for: `libs/patience` has those. */
const hangMs = 600_000;

const processors = availableParallelism();
/** Specs compute. */
const specWorkers = Math.max(2, processors - 1);
/** The others wait for servers and processes for most of their time. */
const intWorkers = 3 * processors;
const acceptanceWorkers = 2 * processors;

const exclude = ['**/node_modules/**'];

/** `npm run test:containers` alone: it needs Docker. */
const containers = {
  test: {
    name: 'containers',
    include: [
      'libs/bus/src/nats-bus.int.spec.ts',
      'libs/eventstore/src/contract.int.spec.ts',
      'libs/eventstore/src/wire-faults.int.spec.ts',
      'libs/eventstore/src/lost-connections.int.spec.ts',
      'libs/read-model/src/*.int.spec.ts',
      'services/*/src/projections/*.int.spec.ts',
      'services/analytics/src/store/clickhouse/*.int.spec.ts',
    ],
    exclude,
    globalSetup: ['libs/testing/src/containers/infrastructure.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
};

/**
 * The suffix says the cost: pure, one real dependency, a whole running instance. One kind after the other. Files share the
 * modules of their worker (`isolate: false`): to load them anew for each file takes more time than the tests.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      ...(process.argv.includes('containers') ? [containers] : []),
      {
        test: {
          name: 'spec',
          maxWorkers: specWorkers,
          isolate: false,
          testTimeout: hangMs,
          hookTimeout: hangMs,
          include: ['{libs,services,deploy}/**/*.spec.ts'],
          exclude: [
            ...exclude,
            '**/*.int.spec.ts',
            '**/*.acceptance.spec.ts',
            'deploy/acceptance/**',
          ],
        },
      },
      {
        test: {
          name: 'int',
          sequence: { groupOrder: 1 },
          maxWorkers: intWorkers,
          isolate: false,
          include: ['{libs,services,deploy}/**/*.int.spec.ts'],
          exclude: [...exclude, 'deploy/acceptance/**'],
          globalSetup: ['libs/testing/src/infrastructure.ts'],
          testTimeout: hangMs,
          hookTimeout: hangMs,
        },
      },
      {
        test: {
          name: 'acceptance',
          sequence: { groupOrder: 2 },
          maxWorkers: acceptanceWorkers,
          isolate: false,
          globalSetup: ['deploy/acceptance/src/shared/setup.ts'],
          include: ['deploy/acceptance/**/*.spec.ts', 'deploy/chaos/**/*.acceptance.spec.ts'],
          exclude,
          testTimeout: hangMs,
          hookTimeout: hangMs,
        },
      },
    ],
  },
});
