import { isPlainId } from '@sluice/clock-and-ids';
import { Fault, invalidRequest, type Issue, rejectionToFault } from '@sluice/errors';
import {
  type EffectiveGuardrail,
  type GetEffectivePolicyRequest,
  Guardrail,
} from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { guardrailIdFrom } from '../commands/configured-guardrail.ts';
import { existingWorkspace } from '../commands/existing-workspace.ts';
import { allowedPhrases } from '../queries/allowed-phrases.ts';
import { effectiveGuardrails } from '../queries/effective-guardrails.ts';
import { findGuardrail } from '../queries/find-guardrail.ts';
import {
  type ListAssignments,
  listKeyAssignments,
  listMemberAssignments,
} from '../queries/list-assignments.ts';
import { listGuardrails } from '../queries/list-guardrails.ts';
import { unsupportedFeaturesMode } from '../queries/unsupported-features-mode.ts';
import type { AskingDependencies, Handlers } from './dependencies.ts';
import { requireReadablePolicy } from './require-readable-policy.ts';
import {
  effectiveMessage,
  fromRow,
  keyAssignmentMessage,
  memberAssignmentMessage,
} from './guardrail-message.ts';

const pageRowsMax = 100;
/** Below what a client of gRPC takes: 4 MiB. */
const pageBytesMax = 3 * 1024 * 1024;
/** Matches an id that may become part of a stream's name. */

const retryAfterSeconds = 1;

/** The read-only calls, answered from the read model. */
export function asking({ readModel, directory, isComplete }: AskingDependencies) {
  async function pageOf(request: SentPage): Promise<ListAssignments> {
    const { accountId, guardrailId, offset, limit } = request;
    const named = guardrailId === '' ? null : guardrailIdFrom(guardrailId);
    if (named !== null) await findGuardrail(readModel, { accountId, guardrailId: named });
    return { accountId, guardrailId: named, offset, limit: rowsOf(limit) };
  }
  return {
    async getEffectivePolicy(request) {
      requireRequester(request);
      // A read model that lacks guardrails would allow requests that they forbid.
      if (!(await isComplete())) throw new Fault('unavailable', { retryAfterSeconds });
      const [holding, unsupportedFeatures] = await Promise.all([
        effectiveGuardrails(readModel, request),
        unsupportedFeaturesMode(readModel, request.accountId),
      ]);
      await requireReadablePolicy(readModel, request, holding);
      const guardrails = holding.map(effectiveMessage);
      // Only the filter of injections has a use for them.
      const phrases = guardrails.some(looksForInjections)
        ? await allowedPhrases(readModel, request.accountId)
        : [];
      return { guardrails, allowedPhrases: [...phrases], unsupportedFeatures };
    },
    async getGuardrail({ accountId, guardrailId }) {
      const place = { accountId, guardrailId: guardrailIdFrom(guardrailId) };
      return { guardrail: fromRow(await findGuardrail(readModel, place)) };
    },
    async listGuardrails({ accountId, workspaceId: sent, offset, limit }) {
      const workspaceId = await existingWorkspace(directory, accountId, sent);
      const page = { accountId, workspaceId, offset, limit: rowsOf(limit) };
      const { rows, totalCount } = await listGuardrails(readModel, page);
      return { guardrails: fitting(rows.map(fromRow)), totalCount };
    },
    async listKeyAssignments(request) {
      const { rows, totalCount } = await listKeyAssignments(readModel, await pageOf(request));
      const hashes = rows.map(({ keyHash }) => keyHash);
      const known = rows.length > 0 ? await directory.findKeys(request.accountId, hashes) : [];
      const names = new Map(known.map(({ hash, name }) => [hash, name]));
      const assignments = rows.map((row) =>
        keyAssignmentMessage(row, names.get(row.keyHash) ?? row.keyLabel),
      );
      return { assignments, totalCount };
    },
    async listMemberAssignments(request) {
      const { rows, totalCount } = await listMemberAssignments(readModel, await pageOf(request));
      return { assignments: rows.map(memberAssignmentMessage), totalCount };
    },
  } satisfies Partial<Handlers>;
}

function looksForInjections({ rules }: EffectiveGuardrail): boolean {
  return (rules?.builtinFilters?.filters ?? []).some(
    ({ slug }) => slug === 'regex-prompt-injection',
  );
}

interface SentPage {
  readonly accountId: string;
  readonly guardrailId: string;
  readonly offset: number;
  readonly limit: number;
}

function rowsOf(limit: number): number {
  return Math.min(Math.max(limit, 1), pageRowsMax);
}

/** Returns as many guardrails as fit into one message, and always the first. */
function fitting(guardrails: readonly Guardrail[]): Guardrail[] {
  let bytes = 0;
  const fit = guardrails.filter((guardrail) => {
    if (bytes > pageBytesMax) return false;
    bytes += Guardrail.encode(guardrail).finish().length;
    return bytes <= pageBytesMax;
  });
  return fit.length > 0 ? fit : guardrails.slice(0, 1);
}

function requireRequester(request: GetEffectivePolicyRequest): void {
  const { accountId, workspaceId, keyHash, userId } = request;
  const issues: Issue[] = [];
  const require = (id: string, path: string) => {
    if (!isPlainId(id)) issues.push({ path, message: 'is missing or malformed' });
  };
  require(accountId, 'account_id');
  require(workspaceId, 'workspace_id');
  require(keyHash, 'key_hash');
  if (userId !== '') require(userId, 'user_id');
  if (issues.length > 0) throw rejectionToFault(invalidRequest(issues));
}
