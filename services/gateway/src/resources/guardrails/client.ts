import type {
  AssignToKeysRequest,
  AssignToMembersRequest,
  CreateGuardrailRequest,
  DeleteGuardrailRequest,
  Guardrail,
  GuardrailServiceService,
  ListGuardrailsRequest,
  ListGuardrailsResponse,
  ListKeyAssignmentsRequest,
  ListKeyAssignmentsResponse,
  ListMemberAssignmentsRequest,
  ListMemberAssignmentsResponse,
  SetAllowedPhrasesRequest,
  SetUnsupportedFeaturesModeRequest,
  TestGuardrailRequest,
  TestGuardrailResponse,
  UnassignFromKeysRequest,
  UnassignFromMembersRequest,
  UpdateGuardrailRequest,
} from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { Calls } from '@sluice/rpc';
import { present } from '../../clients/present.ts';

/** The calls of the gateway to the guardrail service. */
export type GuardrailCalls = Omit<Calls<GuardrailServiceService>, 'getEffectivePolicy'>;

export interface GuardrailClient {
  create(request: CreateGuardrailRequest): Promise<Guardrail>;
  /** Throws not_found for another account's, and for a default one that is not configured. */
  find(accountId: string, guardrailId: string): Promise<Guardrail>;
  /** The whole page, in as many calls as it takes. */
  list(request: ListGuardrailsRequest): Promise<ListGuardrailsResponse>;
  update(request: UpdateGuardrailRequest): Promise<Guardrail>;
  remove(request: DeleteGuardrailRequest): Promise<void>;
  /** Scans a text with the content filters of a guardrail. */
  test(request: TestGuardrailRequest): Promise<TestGuardrailResponse>;
  allowedPhrases(accountId: string): Promise<readonly string[]>;
  setAllowedPhrases(request: SetAllowedPhrasesRequest): Promise<readonly string[]>;
  /** `lenient` or `strict`, for requests of the account that do not say it. */
  unsupportedFeatures(accountId: string): Promise<string>;
  setUnsupportedFeatures(request: SetUnsupportedFeaturesModeRequest): Promise<string>;
  /** Returns the number of those that have it now. */
  assignToKeys(request: AssignToKeysRequest): Promise<number>;
  assignToMembers(request: AssignToMembersRequest): Promise<number>;
  /** Returns the number of those that had it. */
  unassignFromKeys(request: UnassignFromKeysRequest): Promise<number>;
  unassignFromMembers(request: UnassignFromMembersRequest): Promise<number>;
  listKeyAssignments(request: ListKeyAssignmentsRequest): Promise<ListKeyAssignmentsResponse>;
  listMemberAssignments(
    request: ListMemberAssignmentsRequest,
  ): Promise<ListMemberAssignmentsResponse>;
}

export function guardrailClient(calls: GuardrailCalls): GuardrailClient {
  return {
    async create(request) {
      return present((await calls.createGuardrail(request)).guardrail);
    },
    async find(accountId, guardrailId) {
      return present((await calls.getGuardrail({ accountId, guardrailId })).guardrail);
    },
    async list(request) {
      const guardrails: Guardrail[] = [];
      for (;;) {
        const offset = request.offset + guardrails.length;
        const limit = request.limit - guardrails.length;
        const page = await calls.listGuardrails({ ...request, offset, limit });
        guardrails.push(...page.guardrails);
        const isWhole = guardrails.length >= request.limit || page.guardrails.length === 0;
        const isEnd = request.offset + guardrails.length >= page.totalCount;
        if (isWhole || isEnd) return { guardrails, totalCount: page.totalCount };
      }
    },
    async update(request) {
      return present((await calls.updateGuardrail(request)).guardrail);
    },
    async remove(request) {
      await calls.deleteGuardrail(request);
    },
    test: (request) => calls.testGuardrail(request),
    allowedPhrases: async (accountId) => (await calls.getAllowedPhrases({ accountId })).phrases,
    setAllowedPhrases: async (request) => (await calls.setAllowedPhrases(request)).phrases,
    unsupportedFeatures: async (accountId) =>
      (await calls.getUnsupportedFeaturesMode({ accountId })).mode,
    setUnsupportedFeatures: async (request) =>
      (await calls.setUnsupportedFeaturesMode(request)).mode,
    assignToKeys: async (request) => (await calls.assignToKeys(request)).assignedCount,
    assignToMembers: async (request) => (await calls.assignToMembers(request)).assignedCount,
    unassignFromKeys: async (request) => (await calls.unassignFromKeys(request)).unassignedCount,
    unassignFromMembers: async (request) =>
      (await calls.unassignFromMembers(request)).unassignedCount,
    listKeyAssignments: (request) => calls.listKeyAssignments(request),
    listMemberAssignments: (request) => calls.listMemberAssignments(request),
  };
}
