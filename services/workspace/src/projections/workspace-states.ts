import { foldStreams, type Projection } from '@sluice/read-model';
import { evolve, initial } from '../domain/workspace/state.ts';
import { workspaceEvents } from '../store/workspace-events.ts';

/** Keeps the table `workspace_states`, with the budgets. A deleted workspace keeps its row. */
export const workspaceStatesProjection: Projection = {
  projection: 'workspace.workspace_states',
  version: 1,
  streamPrefixes: [workspaceEvents.streamPrefix],
  tables: ['workspace_states'],
  apply: foldStreams({
    table: 'workspace_states',
    streamPrefix: workspaceEvents.streamPrefix,
    initial,
    evolve,
    codec: workspaceEvents,
    accountIdOf: (workspace) => (workspace.kind === 'none' ? undefined : workspace.accountId),
  }),
};
