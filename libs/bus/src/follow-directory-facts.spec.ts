import { deepEqual, throws } from 'node:assert/strict';
import { eventually } from '@sluice/patience';
import { beforeEach, describe, onTestFinished, test } from 'vitest';
import { followDirectoryFacts, requireWellFormed } from './follow-directory-facts.ts';
import { inMemoryBus, type InMemoryBus } from './in-memory-bus.ts';
import { directoryStream, subjectFilters, subjects } from './subjects.ts';

let bus: InMemoryBus;
let logged: string[];
let handled: object[];
beforeEach(() => {
  bus = inMemoryBus();
  [logged, handled] = [[], []];
});

function follow(changed: Partial<InMemoryBus> = {}) {
  const stopping = new AbortController();
  const log = (message: string) => void logged.push(message);
  const handle = async (data: object) => {
    requireWellFormed('keyHash' in data);
    handled.push(data);
  };
  const following = followDirectoryFacts(
    {
      bus: { ...bus, ...changed },
      logger: { warn: log, error: log },
      signal: stopping.signal,
    },
    [{ durable: 'spec', filter: subjectFilters.keyDeleted, handle }],
  );
  onTestFinished(async () => {
    stopping.abort();
    await following;
    await bus.stop();
  });
}
const publish = (id: string, message: object) =>
  bus.publishFact(subjects.keyDeleted('org_1'), id, message);

describe('the facts of the directory', () => {
  test('are handled in their order; a malformed one is logged and skipped', async () => {
    await bus.ensureStream(directoryStream);
    follow();
    const malformed = [['no', 'object'], { accountId: 'org_1' }];
    for (const [index, message] of malformed.entries()) await publish(`bad-${index}`, message);
    await publish('good', { keyHash: 'ab' });
    await eventually(() => deepEqual(handled, [{ keyHash: 'ab' }]));
    deepEqual(logged, [
      'a fact of the directory cannot be read',
      'a fact of the directory cannot be read',
    ]);
  });

  test('are followed once their stream can be made', async () => {
    let tries = 0;
    follow({
      async ensureStream(definition) {
        if (tries++ < 2) throw new Error('the bus is away');
        await bus.ensureStream(definition);
      },
    });
    await eventually(() => publish('good', { keyHash: 'ab' }));
    await eventually(() => deepEqual(handled, [{ keyHash: 'ab' }]));
    const notYet = 'the facts of the directory are not followed yet';
    deepEqual(logged, [notYet, notYet]);
  });

  test('say when a member is malformed', () => {
    requireWellFormed(true);
    throws(() => requireWellFormed(false), { name: 'MalformedFact' });
  });
});
