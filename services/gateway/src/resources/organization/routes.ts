import type { Account } from '@sluice/protos/sluice/account/v1/account';
import type { Ids } from '@sluice/clock-and-ids';
import type { AccountCalls } from '../../clients/calls.ts';
import { present } from '../../clients/present.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
import { listMembersQuery, memberListReply, settingsReply, updateSettingsBody } from './schema.ts';
import { pageOf } from '../../http/schemas/page.ts';
import { memberView } from './view.ts';

export interface OrganizationDependencies {
  readonly accounts: AccountCalls;
  readonly ids: Ids;
}

const config = { auth: 'management', organization: true, errors: [] } as const;

export function organizationRoutes(app: App, dependencies: OrganizationDependencies): void {
  listMembers(app, dependencies);
  readSettings(app, dependencies);
  updateSettings(app, dependencies);
}

function listMembers(app: App, { accounts }: OrganizationDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/organization/members',
    config: { ...config, errors: [400] },
    schema: {
      operationId: 'listOrganizationMembers',
      summary: 'List the members of the organization, those who joined first first',
      querystring: listMembersQuery,
      response: { 200: memberListReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { members, totalCount } = await accounts.listMembers({
        accountId,
        ...pageOf(request.query),
      });
      return { data: members.map(memberView), total_count: totalCount };
    },
  });
}

function readSettings(app: App, { accounts }: OrganizationDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/organization/settings',
    config,
    schema: {
      operationId: 'getOrganizationSettings',
      summary: 'Read what is set for all keys of the organization',
      response: { 200: settingsReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      return settingsView(await accounts.getAccount({ accountId }));
    },
  });
}

function updateSettings(app: App, { accounts, ids }: OrganizationDependencies): void {
  app.route({
    method: 'PATCH',
    url: '/v1/organization/settings',
    config,
    schema: {
      operationId: 'updateOrganizationSettings',
      summary: 'Change what is set for all keys of the organization',
      body: updateSettingsBody,
      response: { 200: settingsReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const { is_filtered_model_catalog_enabled: isFilteredModelCatalogEnabled } = request.body;
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
