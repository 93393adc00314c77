import type { Ids } from '@sluice/clock-and-ids';
import type { GuardrailCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import {
  assignedReply,
  keyAssignmentListReply,
  keyHashesBody,
  listAssignmentsQuery,
  memberAssignmentListReply,
  memberUserIdsBody,
  unassignedReply,
} from './assignment-schema.ts';
import { wellFormedGuardrail } from './schema.ts';
import { pageOf } from '../../http/schemas/page.ts';
import { keyAssignmentView, memberAssignmentView } from './view.ts';

export interface GuardrailAssignmentsDependencies {
  readonly guardrails: GuardrailCalls;
  readonly ids: Ids;
}

const organization = { organization: true } as const;

export function guardrailAssignmentsRoutes(
  app: App,
  { guardrails, ids }: GuardrailAssignmentsDependencies,
): void {
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: [400] });
  keyRoutes(routes, guardrails);
  memberRoutes(routes, guardrails);
}

function keyRoutes(routes: AccountRoutes, guardrails: GuardrailCalls): void {
  const list = {
    query: listAssignmentsQuery,
    answer: keyAssignmentListReply,
    handle: async ({ accountId, params, query }: Listed) => {
      const page = { accountId, guardrailId: params.id ?? '', ...pageOf(query) };
      const found = await guardrails.listKeyAssignments(page);
      return { data: found.assignments.map(keyAssignmentView), total_count: found.totalCount };
    },
  };
  routes.get('/v1/guardrails/:id/assignments/keys', {
    operationId: 'listKeyAssignmentsOfGuardrail',
    summary: 'List the keys that a guardrail is assigned to, newest first',
    params: wellFormedGuardrail,
    ...list,
  });
  routes.get('/v1/guardrails/assignments/keys', {
    operationId: 'listKeyAssignments',
    summary: 'List which keys have which guardrail, newest first',
    ...list,
  });
  routes.change('POST', '/v1/guardrails/:id/assignments/keys', {
    operationId: 'assignGuardrailToKeys',
    summary: 'Assign a guardrail to keys, in place of the ones that they have',
    params: wellFormedGuardrail,
    body: keyHashesBody,
    answer: assignedReply,
    handle: async ({ caller: { userId: assignedBy }, context, params, body }) => {
      const { key_hashes: keyHashes } = body;
      const command = { context, guardrailId: params.id, keyHashes, assignedBy };
      return { assigned_count: (await guardrails.assignToKeys(command)).assignedCount };
    },
  });
  routes.change('POST', '/v1/guardrails/:id/assignments/keys/remove', {
    operationId: 'unassignGuardrailFromKeys',
    summary: 'Take a guardrail away from keys; those that do not have it are skipped',
    params: wellFormedGuardrail,
    body: keyHashesBody,
    answer: unassignedReply,
    handle: async ({ context, params, body: { key_hashes: keyHashes } }) => {
      const command = { context, guardrailId: params.id, keyHashes };
      return { unassigned_count: (await guardrails.unassignFromKeys(command)).unassignedCount };
    },
  });
}

function memberRoutes(routes: AccountRoutes, guardrails: GuardrailCalls): void {
  const list = {
    query: listAssignmentsQuery,
    answer: memberAssignmentListReply,
    handle: async ({ accountId, params, query }: Listed) => {
      const page = { accountId, guardrailId: params.id ?? '', ...pageOf(query) };
      const { assignments, totalCount } = await guardrails.listMemberAssignments(page);
      const data = assignments.map((assignment) => memberAssignmentView(assignment, accountId));
      return { data, total_count: totalCount };
    },
  };
  routes.get('/v1/guardrails/:id/assignments/members', {
    operationId: 'listMemberAssignmentsOfGuardrail',
    summary: 'List the members that a guardrail is assigned to, newest first',
    params: wellFormedGuardrail,
    ...list,
  });
  routes.get('/v1/guardrails/assignments/members', {
    operationId: 'listMemberAssignments',
    summary: 'List which members have which guardrail, newest first',
    ...list,
  });
  routes.change('POST', '/v1/guardrails/:id/assignments/members', {
    operationId: 'assignGuardrailToMembers',
    summary: 'Assign a guardrail to members, in its workspace or in all of them',
    params: wellFormedGuardrail,
    body: memberUserIdsBody,
    answer: assignedReply,
    config: organization,
    handle: async ({ caller: { userId: assignedBy }, context, params, body }) => {
      const { member_user_ids: userIds } = body;
      const command = { context, guardrailId: params.id, userIds, assignedBy };
      return { assigned_count: (await guardrails.assignToMembers(command)).assignedCount };
    },
  });
  routes.change('POST', '/v1/guardrails/:id/assignments/members/remove', {
    operationId: 'unassignGuardrailFromMembers',
    summary: 'Take a guardrail away from members; those that do not have it are skipped',
    params: wellFormedGuardrail,
    body: memberUserIdsBody,
    answer: unassignedReply,
    config: organization,
    handle: async ({ context, params, body: { member_user_ids: userIds } }) => {
      const command = { context, guardrailId: params.id, userIds };
      return { unassigned_count: (await guardrails.unassignFromMembers(command)).unassignedCount };
    },
  });
}

interface Listed {
  readonly accountId: string;
  /** Without an id, the assignments of all guardrails are listed. */
  readonly params: { readonly id?: string };
  readonly query: Parameters<typeof pageOf>[0];
}
