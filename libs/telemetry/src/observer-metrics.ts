import { requestBoundaries } from './boundaries.ts';
import type { Instruments } from './instruments.ts';

/** Returns the metrics of destinations, and of contents that are stored. */
export function observerMetrics(instruments: Instruments) {
  return {
    contentsDropped: instruments.counter(
      'routing.contents.dropped',
      'Number of responses whose contents did not reach the observer.',
    ),
    /** `outcome` is stored, unreadable or omitted (failures that routing did not publish). */
    observerMessages: instruments.counter<'outcome'>(
      'observer.messages',
      'Number of parts of generations taken by the observer.',
      { outcome: ['stored', 'unreadable', 'omitted'] },
    ),
    /**
     * `full`: the store has as many bytes as it may. `orphaned`: the workspace was deleted before. `expired` and
     * `deleted` (with the workspace) were stored.
     */
    observerContents: instruments.counter<'outcome'>(
      'observer.contents',
      'Number of generations whose contents were stored for their workspace, or not, or were deleted.',
      { outcome: ['stored', 'full', 'orphaned', 'unreadable', 'expired', 'deleted'] },
    ),
    /** `destination` is an id, or `other`. `outcome` is delivered, retried or dead. */
    observerGenerations: instruments.counter<'type' | 'destination' | 'outcome'>(
      'observer.generations',
      'Number of generations sent to destinations, by the outcome of the attempt.',
      { type: [], destination: [], outcome: ['delivered', 'retried', 'dead'] },
    ),
    observerLost: instruments.counter<'type' | 'destination'>(
      'observer.lost',
      'Number of generations that destinations did not get, because they were too far behind.',
    ),
    /** `of` is generations, contents (of destinations) or stored_contents (of workspaces). */
    observerGaps: instruments.counter<'of'>(
      'observer.gaps',
      'Number of times that messages for the observer were lost, or may be: by its absence or by the bus.',
      { of: ['generations', 'contents', 'stored_contents'] },
    ),
    observerLag: instruments.histogram(
      'observer.lag',
      's',
      'Seconds from the end of a generation to its delivery.',
      requestBoundaries,
    ),
  };
}
