import type { AccountClient } from '../../clients/account-client.ts';
import type { App } from '../app-types.ts';
import { callerOf } from '../caller.ts';
import { listMembersQuery, memberListReply } from '../schemas/organization.ts';
import { pageOf } from '../schemas/page.ts';
import { memberView } from '../views/member-view.ts';

export interface OrganizationDependencies {
  readonly accounts: AccountClient;
}

const config = { auth: 'management', organization: true, errors: [] } as const;

export function organizationRoutes(app: App, dependencies: OrganizationDependencies): void {
  listMembers(app, dependencies);
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
      const { accountId } = callerOf(request).key;
      const { members, totalCount } = await accounts.listMembers({
        accountId,
        ...pageOf(request.query),
      });
      return { data: members.map(memberView), total_count: totalCount };
    },
  });
}
