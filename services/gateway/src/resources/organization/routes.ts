import type { Account } from '@sluice/protos/sluice/account/v1/account';
import type { Ids } from '@sluice/clock-and-ids';
import type { AccountCalls } from '../../clients/calls.ts';
import { present } from '../../clients/present.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { listMembersQuery, memberListReply, settingsReply, updateSettingsBody } from './schema.ts';
import { pageOf } from '../../http/schemas/page.ts';
import { memberView } from './view.ts';

export interface OrganizationDependencies {
  readonly accounts: AccountCalls;
  readonly ids: Ids;
}

export function organizationRoutes(app: App, { accounts, ids }: OrganizationDependencies): void {
  const config = { auth: 'management', organization: true, errors: [] } as const;
  const routes = new AccountRoutes(app, ids, config);
  routes.get('/v1/organization/members', {
    operationId: 'listOrganizationMembers',
    summary: 'List the members of the organization, those who joined first first',
    query: listMembersQuery,
    answer: memberListReply,
    config: { errors: [400] },
    handle: async ({ accountId, query }) => {
      const found = await accounts.listMembers({ accountId, ...pageOf(query) });
      return { data: found.members.map(memberView), total_count: found.totalCount };
    },
  });
  routes.get('/v1/organization/settings', {
    operationId: 'getOrganizationSettings',
    summary: 'Read what is set for all keys of the organization',
    answer: settingsReply,
    handle: async ({ accountId }) => settingsView(await accounts.getAccount({ accountId })),
  });
  routes.change('PATCH', '/v1/organization/settings', {
    operationId: 'updateOrganizationSettings',
    summary: 'Change what is set for all keys of the organization',
    body: updateSettingsBody,
    answer: settingsReply,
    handle: async ({ context, body }) => {
      const { is_filtered_model_catalog_enabled: isFilteredModelCatalogEnabled } = body;
      const command = { context, isFilteredModelCatalogEnabled };
      return settingsView(await accounts.changeOrganizationSettings(command));
    },
  });
}

function settingsView({ account }: { readonly account: Account | undefined }) {
  const { accountId, isFilteredModelCatalogEnabled } = present(account);
  const settings = { is_filtered_model_catalog_enabled: isFilteredModelCatalogEnabled };
  return { data: { id: accountId, ...settings } };
}
