import { ok } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import type {
  Guardrail,
  GuardrailValues,
  KeyAssignment,
  MemberAssignment,
} from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { Clock } from '@sluice/clock-and-ids';
import type { GuardrailCalls } from '../clients/calls.ts';

type Owned<Value> = Value & { readonly accountId: string };

/** The guardrail service's calls over maps: tenants and shapes as in the real one, without its rules. */
export function inMemoryGuardrails(clock: Clock): GuardrailCalls {
  const guardrails = new Map<string, Owned<Guardrail>>();
  const ofKeys = new Map<string, Owned<KeyAssignment>>();
  const ofMembers = new Map<string, Owned<MemberAssignment>>();
  const own = (accountId: string | undefined, id: string) => {
    const guardrail = guardrails.get(id);
    if (!guardrail || guardrail.accountId !== accountId) throw new Fault('not_found');
    return guardrail;
  };
  const page = <Row extends Owned<object>>(
    rows: Iterable<Row>,
    { accountId, offset, limit }: { accountId: string; offset: number; limit: number },
  ) => {
    const found = [...rows].filter((row) => row.accountId === accountId).toReversed();
    return { found: found.slice(offset, offset + limit), totalCount: found.length };
  };
  const assignment = (guardrailId: string, assignedBy: string | undefined) => ({
    assignmentId: `a${ofKeys.size + ofMembers.size}`,
    guardrailId,
    assignedBy,
    createdAt: clock.now().toISOString(),
  });
  const phrases = new Map<string, string[]>();
  const modes = new Map<string, string>();
  return {
    async createGuardrail({ context, workspaceId, values }) {
      ok(context && values);
      const createdAt = clock.now().toISOString();
      const guardrailId = `33333333-3333-4333-8333-${String(guardrails.size).padStart(12, '0')}`;
      const place = { guardrailId, workspaceId: workspaceId || undefined, isDefault: false };
      const guardrail = { ...place, values, createdAt };
      guardrails.set(guardrailId, { ...guardrail, accountId: context.accountId });
      return { guardrail };
    },
    getGuardrail: async ({ accountId, guardrailId }) => ({
      guardrail: own(accountId, guardrailId),
    }),
    getAllowedPhrases: async ({ accountId }) => ({ phrases: phrases.get(accountId) ?? [] }),
    async setAllowedPhrases({ context, phrases: wanted }) {
      ok(context);
      phrases.set(context.accountId, wanted);
      return { phrases: wanted };
    },
    getUnsupportedFeaturesMode: async ({ accountId }) => ({
      mode: modes.get(accountId) ?? 'lenient',
    }),
    async setUnsupportedFeaturesMode({ context, mode }) {
      ok(context);
      modes.set(context.accountId, mode);
      return { mode };
    },
    async testGuardrail({ accountId, guardrailId, text }) {
      const { values } = own(accountId, guardrailId);
      const filters = values?.rules?.customFilters?.filters ?? [];
      const detections = filters.flatMap(({ pattern, action, label = '[BLOCKED]' }) =>
        Array.from(text.matchAll(new RegExp(pattern, 'g')), ({ 0: found, index }) => ({
          filter: 'custom',
          label,
          action,
          rule: 'custom',
          start: index,
          end: index + found.length,
        })),
      );
      return { detections, omitted: 0n, redactedText: text, isCut: false };
    },
    async listGuardrails(request) {
      const { found, totalCount } = page(guardrails.values(), request);
      // One at a time: a page is put together from several answers.
      return { guardrails: found.slice(0, 1), totalCount };
    },
    async updateGuardrail({ context, guardrailId, values, fields }) {
      const before = own(context?.accountId, guardrailId);
      ok(values && before.values);
      const taken = Object.fromEntries(
        fields.map((field) => publicNames[field] ?? 'rules').map((name) => [name, values[name]]),
      );
      const updatedAt = clock.now().toISOString();
      const guardrail = { ...before, values: { ...before.values, ...taken }, updatedAt };
      guardrails.set(guardrailId, guardrail);
      return { guardrail };
    },
    async deleteGuardrail({ context, guardrailId }) {
      own(context?.accountId, guardrailId);
      guardrails.delete(guardrailId);
      return {};
    },
    async assignToKeys({ context, guardrailId, keyHashes, assignedBy }) {
      const { accountId } = own(context?.accountId, guardrailId);
      for (const keyHash of keyHashes) {
        const names = { keyHash, keyLabel: 'sk-…', keyName: 'a key' };
        ofKeys.set(keyHash, { ...assignment(guardrailId, assignedBy), ...names, accountId });
      }
      return { assignedCount: keyHashes.length };
    },
    async unassignFromKeys({ context, guardrailId, keyHashes }) {
      own(context?.accountId, guardrailId);
      return { unassignedCount: keyHashes.filter((hash) => ofKeys.delete(hash)).length };
    },
    async listKeyAssignments(request) {
      if (request.guardrailId !== '') own(request.accountId, request.guardrailId);
      const { found: assignments, totalCount } = page(ofKeys.values(), request);
      return { assignments, totalCount };
    },
    async assignToMembers({ context, guardrailId, userIds, assignedBy }) {
      const { accountId } = own(context?.accountId, guardrailId);
      for (const userId of userIds)
        ofMembers.set(userId, { ...assignment(guardrailId, assignedBy), userId, accountId });
      return { assignedCount: userIds.length };
    },
    async unassignFromMembers({ context, guardrailId, userIds }) {
      own(context?.accountId, guardrailId);
      return { unassignedCount: userIds.filter((userId) => ofMembers.delete(userId)).length };
    },
    async listMemberAssignments(request) {
      if (request.guardrailId !== '') own(request.accountId, request.guardrailId);
      const { found: assignments, totalCount } = page(ofMembers.values(), request);
      return { assignments, totalCount };
    },
  };
}

/** The public names of values that are no rules. */
const publicNames: Readonly<Record<string, keyof GuardrailValues>> = {
  name: 'name',
  description: 'description',
  limit_usd: 'limitNanoUsd',
  reset_interval: 'resetInterval',
  include_byok_in_budgets: 'includeByok',
};
