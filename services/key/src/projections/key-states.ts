import { endStreams, foldStreams, type Projection } from '@sluice/read-model';
import { type ApiKey, evolve, initial } from '../domain/api-key/state.ts';
import { apiKeyEvents } from '../store/api-key-events.ts';

/**
 * Keeps the table `key_states`, from which a presented key is resolved. A deleted key keeps its row. A key whose stream
 * is gone from the event store gets one.
 */
export const keyStatesProjection: Projection = {
  projection: 'key.key_states',
  version: 1,
  streamPrefixes: [apiKeyEvents.streamPrefix],
  tables: ['key_states'],
  apply: foldStreams({
    table: 'key_states',
    streamPrefix: apiKeyEvents.streamPrefix,
    initial,
    evolve,
    codec: apiKeyEvents,
    accountIdOf: (key) => (key.status === 'none' ? undefined : key.accountId),
  }),
  applyGone: endStreams<ApiKey>({
    table: 'key_states',
    streamPrefix: apiKeyEvents.streamPrefix,
    state: { status: 'deleted', accountId: '' },
  }),
};
