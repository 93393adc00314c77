import { busSection } from './bus-section.ts';
import { type StoredSection, storedSection } from './stored-section.ts';

/** `docs/events.md`, before it is formatted. */
export function eventsPage(sources: StoredSection & { readonly command: string }): string {
  return [
    '# Events',
    '',
    `Written by \`${sources.command}\` from the sources, and compared with them by a test:`,
    'change the sources, not this page.',
    '',
    'Sluice has two kinds. What the services that own accounts, keys and workspaces know is the fold of',
    'events **in the event store**, each read by its own service only. What others may know goes',
    '**over NATS**, as facts.',
    '',
    ...storedSection(sources),
    ...busSection(sources.facts),
  ].join('\n');
}
