import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Ends a test that hangs. It is no bound of what a test waits for: `libs/patience` has those. */
const hangMs = 600_000;

/** Most files wait for a server: two processors are not left to one of them. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

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
    ],
    exclude,
    globalSetup: ['libs/testing/src/containers/infrastructure.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
};

/** The suffix says the cost: pure, one real dependency, a whole running instance. */
export default defineConfig({
  test: {
    projects: [
      ...(process.argv.includes('containers') ? [containers] : []),
      {
        test: {
          name: 'spec',
          // Specs share no state but modules: loading these anew for each file is two thirds of the time.
          isolate: false,
          maxWorkers,
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
          maxWorkers,
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
          // Alone: it measures how a whole instance answers.
          sequence: { groupOrder: 1 },
          include: ['deploy/acceptance/**/*.spec.ts', 'deploy/chaos/**/*.acceptance.spec.ts'],
          exclude,
          testTimeout: hangMs,
          hookTimeout: hangMs,
          fileParallelism: false,
        },
      },
    ],
  },
});
