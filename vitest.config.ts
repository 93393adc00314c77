import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**'];

/** The suffix says the cost: pure, one real dependency, a whole running instance. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'spec',
          include: ['{libs,services,deploy}/**/*.spec.ts'],
          exclude: [...exclude, '**/*.int.spec.ts', 'deploy/acceptance/**'],
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
          include: ['deploy/acceptance/**/*.spec.ts'],
          exclude,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
