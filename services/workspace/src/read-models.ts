import { join } from 'node:path';
import type { ReadModels } from '@sluice/read-model';
import { destinationsProjection } from './projections/destinations.ts';
import { filesProjection } from './projections/files.ts';
import { modelAliasStatesProjection } from './projections/model-alias-states.ts';
import { presetsProjection } from './projections/presets.ts';
import { workspaceMembersProjection } from './projections/workspace-members.ts';
import { workspaceStatesProjection } from './projections/workspace-states.ts';
import { workspacesProjection } from './projections/workspaces.ts';

/** The projections of this service, for tools that maintain read models. */
export const workspaceReadModels: ReadModels = {
  schema: 'workspace',
  migrations: join(import.meta.dirname, 'migrations'),
  projections: [
    workspacesProjection,
    workspaceStatesProjection,
    workspaceMembersProjection,
    filesProjection,
    modelAliasStatesProjection,
    presetsProjection,
    destinationsProjection,
  ],
  restating: [
    'workspace.publish_workspace_changes',
    'workspace.publish_workspace_limits',
    'workspace.publish_workspace_names',
    'workspace.publish_route_changes',
    'workspace.publish_destination_changes',
  ],
};
