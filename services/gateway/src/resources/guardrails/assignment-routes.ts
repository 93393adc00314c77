import type { Ids } from '@sluice/clock-and-ids';
import type { GuardrailCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
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

const config = { auth: 'management', errors: [400] } as const;
const ofOrganization = { ...config, organization: true } as const;

export function guardrailAssignmentsRoutes(
  app: App,
  dependencies: GuardrailAssignmentsDependencies,
): void {
  listKeyAssignments(app, dependencies);
  changeKeyAssignments(app, dependencies);
  listMemberAssignments(app, dependencies);
  changeMemberAssignments(app, dependencies);
}

function listKeyAssignments(app: App, { guardrails }: GuardrailAssignmentsDependencies): void {
  const page = async (
    accountId: string,
    guardrailId: string,
    query: Parameters<typeof pageOf>[0],
  ) => {
    const found = await guardrails.listKeyAssignments({ accountId, guardrailId, ...pageOf(query) });
    return { data: found.assignments.map(keyAssignmentView), total_count: found.totalCount };
  };
  app.route({
    method: 'GET',
    url: '/v1/guardrails/:id/assignments/keys',
    config,
    schema: {
      operationId: 'listKeyAssignmentsOfGuardrail',
      summary: 'List the keys that a guardrail is assigned to, newest first',
      params: wellFormedGuardrail,
      querystring: listAssignmentsQuery,
      response: { 200: keyAssignmentListReply },
    },
    handler: (request) => page(callerOf(request).accountId, request.params.id, request.query),
  });
  app.route({
    method: 'GET',
    url: '/v1/guardrails/assignments/keys',
    config,
    schema: {
      operationId: 'listKeyAssignments',
      summary: 'List which keys have which guardrail, newest first',
      querystring: listAssignmentsQuery,
      response: { 200: keyAssignmentListReply },
    },
    handler: (request) => page(callerOf(request).accountId, '', request.query),
  });
}

function changeKeyAssignments(
  app: App,
  { guardrails, ids }: GuardrailAssignmentsDependencies,
): void {
  app.route({
    method: 'POST',
    url: '/v1/guardrails/:id/assignments/keys',
    config,
    schema: {
      operationId: 'assignGuardrailToKeys',
      summary: 'Assign a guardrail to keys, in place of the ones that they have',
      params: wellFormedGuardrail,
      body: keyHashesBody,
      response: { 200: assignedReply },
    },
    handler: async (request) => {
      const { userId: assignedBy } = callerOf(request);
      const context = commandContextOf(request, ids);
      const { key_hashes: keyHashes } = request.body;
      const command = { context, guardrailId: request.params.id, keyHashes, assignedBy };
      return { assigned_count: (await guardrails.assignToKeys(command)).assignedCount };
    },
  });
  app.route({
    method: 'POST',
    url: '/v1/guardrails/:id/assignments/keys/remove',
    config,
    schema: {
      operationId: 'unassignGuardrailFromKeys',
      summary: 'Take a guardrail away from keys; those that do not have it are skipped',
      params: wellFormedGuardrail,
      body: keyHashesBody,
      response: { 200: unassignedReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const { key_hashes: keyHashes } = request.body;
      const command = { context, guardrailId: request.params.id, keyHashes };
      return { unassigned_count: (await guardrails.unassignFromKeys(command)).unassignedCount };
    },
  });
}

function listMemberAssignments(app: App, { guardrails }: GuardrailAssignmentsDependencies): void {
  const page = async (
    accountId: string,
    guardrailId: string,
    query: Parameters<typeof pageOf>[0],
  ) => {
    const question = { accountId, guardrailId, ...pageOf(query) };
    const { assignments, totalCount } = await guardrails.listMemberAssignments(question);
    const data = assignments.map((assignment) => memberAssignmentView(assignment, accountId));
    return { data, total_count: totalCount };
  };
  app.route({
    method: 'GET',
    url: '/v1/guardrails/:id/assignments/members',
    config,
    schema: {
      operationId: 'listMemberAssignmentsOfGuardrail',
      summary: 'List the members that a guardrail is assigned to, newest first',
      params: wellFormedGuardrail,
      querystring: listAssignmentsQuery,
      response: { 200: memberAssignmentListReply },
    },
    handler: (request) => page(callerOf(request).accountId, request.params.id, request.query),
  });
  app.route({
    method: 'GET',
    url: '/v1/guardrails/assignments/members',
    config,
    schema: {
      operationId: 'listMemberAssignments',
      summary: 'List which members have which guardrail, newest first',
      querystring: listAssignmentsQuery,
      response: { 200: memberAssignmentListReply },
    },
    handler: (request) => page(callerOf(request).accountId, '', request.query),
  });
}

function changeMemberAssignments(
  app: App,
  { guardrails, ids }: GuardrailAssignmentsDependencies,
): void {
  app.route({
    method: 'POST',
    url: '/v1/guardrails/:id/assignments/members',
    config: ofOrganization,
    schema: {
      operationId: 'assignGuardrailToMembers',
      summary: 'Assign a guardrail to members, in its workspace or in all of them',
      params: wellFormedGuardrail,
      body: memberUserIdsBody,
      response: { 200: assignedReply },
    },
    handler: async (request) => {
      const { userId: assignedBy } = callerOf(request);
      const context = commandContextOf(request, ids);
      const { member_user_ids: userIds } = request.body;
      const command = { context, guardrailId: request.params.id, userIds, assignedBy };
      return { assigned_count: (await guardrails.assignToMembers(command)).assignedCount };
    },
  });
  app.route({
    method: 'POST',
    url: '/v1/guardrails/:id/assignments/members/remove',
    config: ofOrganization,
    schema: {
      operationId: 'unassignGuardrailFromMembers',
      summary: 'Take a guardrail away from members; those that do not have it are skipped',
      params: wellFormedGuardrail,
      body: memberUserIdsBody,
      response: { 200: unassignedReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const { member_user_ids: userIds } = request.body;
      const command = { context, guardrailId: request.params.id, userIds };
      return { unassigned_count: (await guardrails.unassignFromMembers(command)).unassignedCount };
    },
  });
}
