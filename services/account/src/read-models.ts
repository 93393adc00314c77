import { join } from 'node:path';
import type { ReadModels } from '@sluice/read-model';
import { accountsProjection } from './projections/accounts.ts';
import { endUsersProjection } from './projections/end-users.ts';
import { membersProjection } from './projections/members.ts';
import { privateEndpointsProjection } from './projections/private-endpoints.ts';
import { scimDirectoryProjection } from './projections/scim-directory.ts';
import { scimSyncsProjection } from './projections/scim-syncs.ts';

/** The projections of this service, for tools that maintain read models. */
export const accountReadModels: ReadModels = {
  schema: 'account',
  migrations: join(import.meta.dirname, 'migrations'),
  projections: [
    accountsProjection,
    membersProjection,
    endUsersProjection,
    scimDirectoryProjection,
    scimSyncsProjection,
    privateEndpointsProjection,
  ],
  restating: ['account.publish_member_names'],
};
