import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**'];

/** `npm run test:containers` alone: it needs Docker. */
const containers = {
  test: {
    name: 'containers',
    include: [
      'libs/bus/src/nats-bus.int.spec.ts',
      'libs/eventstore/src/contract.int.spec.ts',
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
          include: ['{libs,services,deploy}/**/*.int.spec.ts'],
          exclude: [...exclude, 'deploy/acceptance/**'],
          globalSetup: ['libs/testing/src/infrastructure.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'acceptance',
          include: ['deploy/acceptance/**/*.spec.ts', 'deploy/chaos/**/*.acceptance.spec.ts'],
          exclude,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
