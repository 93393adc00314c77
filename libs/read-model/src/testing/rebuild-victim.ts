import { inMemoryEventStore } from '@sluice/es';
import { rebuildProjection } from '../index.ts';
import { appendTexts, texts, thingsProjection } from './things.ts';

/** A rebuild that stops for ever in the middle of a transaction, to be killed there. */
const [postgresUrl = '', schema = '', migrations = ''] = process.argv.slice(2);
const eventStore = inMemoryEventStore({ now: () => new Date() });
for (let number = 0; number < 1_000; number++)
  await appendTexts(eventStore, `thing-${number}`, ...texts(number, 2));
let applied = 0;
await rebuildProjection({
  postgresUrl,
  eventStore,
  readModels: { schema, migrations },
  projection: {
    ...thingsProjection,
    async apply(transaction, events) {
      await thingsProjection.apply(transaction, events);
      applied += events.length;
      if (applied < 1_000) return;
      process.stdout.write('in the middle\n');
      await new Promise((resolve) => {
        setTimeout(resolve, 60_000);
      });
    },
  },
  onProgress: () => undefined,
  signal: new AbortController().signal,
});
