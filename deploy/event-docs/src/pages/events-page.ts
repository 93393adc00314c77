import type { Documented } from '../documented.ts';
import { busSection } from './bus-section.ts';
import { storedSection } from './stored-section.ts';

/** `docs/events.md`, before it is formatted. */
export function eventsPage({ streams, facts }: Documented, command: string): string {
  return [
    '# Events',
    '',
    `\`${command}\` writes this page from the sources, and a test compares them. Change the sources.`,
    '',
    'Sluice has two kinds of events. The services that own accounts, keys, workspaces and guardrails fold',
    'their state from events **in the event store**. Facts for others go **over NATS**.',
    'This page lists both in one line each. [asyncapi.yaml](asyncapi.yaml) has every field with its',
    'meaning, an example of each event and message, earlier versions, publishers and consumers.',
    '',
    ...storedSection(streams),
    ...busSection(facts),
  ].join('\n');
}
