import { describe } from 'vitest';
import { testForgery } from './forgery.ts';
import { sharedInstance } from './shared/instance.ts';

/** processes.spec.ts shows the same of an event store that is a process of its own. */
describe('the event store of all-in-one', () => {
  testForgery(async () => {
    const instance = await sharedInstance();
    const foreignEvents = async () => {
      const metrics = await (await fetch(`${instance.adminUrl}/metrics`)).text();
      const counts = metrics.matchAll(
        /^projection_foreign_events_total\{[^}]*account[^}]*\} (\d+)$/gm,
      );
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    return { ...instance, foreignEvents };
  });
});
