import { deepEqual, equal } from 'node:assert/strict';
import { until } from '@sluice/patience';
import { describe, test } from 'vitest';
import { CountingEngine } from '../testing/counting-engine.ts';
import type { Engine, FoundEngine } from './engine.ts';
import { EngineSearch } from './engine-search.ts';

const logger = { info() {}, warn() {} };
const pausesMs = { first: 1, longest: 4 };

function searching(answers: (FoundEngine | Error)[], first: FoundEngine = { missing: 'away' }) {
  const found: Engine[] = [];
  let asked = 0;
  const search = new EngineSearch({
    first,
    async findAgain() {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? { missing: 'none' };
      asked += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onFound: (engine) => found.push(engine),
    logger,
    pausesMs,
  });
  return { search, found, asked: () => asked };
}

describe('the search for an engine', () => {
  test('goes on until one works, also after an error', async () => {
    const engine = new CountingEngine();
    const { search, found, asked } = searching([{ missing: 'busy' }, new Error('broken'), engine]);
    equal(search.description, 'away');
    search.start();
    await until(() => found.length > 0);
    deepEqual([found, search.engine, asked()], [[engine], engine, 3]);
    equal(search.description, engine.description);
    await search.stop();
  });

  test('gives the reason of the last try', async () => {
    const { search, asked } = searching([{ missing: 'busy' }]);
    search.start();
    await until(() => asked() > 2);
    equal(search.engine, undefined);
    equal(search.description, 'busy');
    await search.stop();
  });

  test('does not begin where there is an engine, and ends with the service', async () => {
    const engine = new CountingEngine();
    const { search, asked } = searching([engine], engine);
    search.start();
    await search.stop();
    equal(asked(), 0);

    const gate = Promise.withResolvers<FoundEngine>();
    const late = new CountingEngine();
    let stopped = 0;
    late.stop = async () => void (stopped += 1);
    let begun = 0;
    const other = new EngineSearch({
      first: { missing: 'away' },
      findAgain: () => {
        begun += 1;
        return gate.promise;
      },
      onFound: () => {
        throw new Error('the service has ended');
      },
      logger,
      pausesMs,
    });
    other.start();
    await until(() => begun > 0);
    const ended = other.stop();
    gate.resolve(late);
    await ended;
    equal(stopped, 1);
  });
});
