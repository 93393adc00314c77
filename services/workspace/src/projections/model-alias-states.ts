import { foldStreams, type Projection } from '@sluice/read-model';
import { evolve, initial } from '../domain/model-aliases/state.ts';
import { modelAliasesEvents } from '../store/model-aliases-events.ts';

/** Keeps the table `model_alias_states`: one row for each account that has had an alias. */
export const modelAliasStatesProjection: Projection = {
  projection: 'workspace.model_alias_states',
  version: 1,
  streamPrefixes: [modelAliasesEvents.streamPrefix],
  tables: ['model_alias_states'],
  apply: foldStreams({
    table: 'model_alias_states',
    streamPrefix: modelAliasesEvents.streamPrefix,
    initial,
    evolve,
    codec: modelAliasesEvents,
    accountIdOf: ({ accountId }) => accountId,
  }),
};
