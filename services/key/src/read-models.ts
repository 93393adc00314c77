import { join } from 'node:path';
import type { ReadModels } from '@sluice/read-model';
import { apiKeysProjection } from './projections/api-keys.ts';
import { byokCredentialsProjection } from './projections/byok-credentials.ts';
import { keyStatesProjection } from './projections/key-states.ts';

/** The projections of this service, for tools that maintain read models. */
export const keyReadModels: ReadModels = {
  schema: 'key',
  migrations: join(import.meta.dirname, 'migrations'),
  projections: [apiKeysProjection, keyStatesProjection, byokCredentialsProjection],
  restating: [
    'key.publish_credential_changes',
    'key.publish_key_changes',
    'key.publish_key_limits',
    'key.publish_key_names',
  ],
};
