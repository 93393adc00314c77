import { Fault } from '@sluice/errors';
import type { ScimGroup, ScimMapping, ScimSyncJob } from '@sluice/protos/sluice/account/v1/scim';
import type { Clock } from '@sluice/clock-and-ids';
import type { ScimCalls } from '../clients/calls.ts';

export interface InMemoryScim {
  readonly calls: ScimCalls;
  /** A group that the directory of an account has; the answer is its id. */
  group(accountId: string, displayName: string): string;
  finish(jobId: string, outcome: Partial<ScimSyncJob>): void;
  /** The deleted mappings, with the choice about their members. */
  readonly keptMembers: boolean[];
}

const uuidOf = (count: number) => `44444444-4444-4444-8444-${String(count).padStart(12, '0')}`;

/** The account service's calls about directory groups over maps; each workspace id is there. */
export function inMemoryScim(clock: Clock): InMemoryScim {
  const groups: (ScimGroup & { accountId: string })[] = [];
  const mappings = new Map<string, ScimMapping & { accountId: string }>();
  const jobs = new Map<string, ScimSyncJob & { accountId: string }>();
  const keptMembers: boolean[] = [];
  let count = 0;
  const times = () => ({
    createdAt: clock.now().toISOString(),
    updatedAt: clock.now().toISOString(),
  });
  const own = (accountId: string, mappingId: string) => {
    const mapping = mappings.get(mappingId);
    if (mapping?.accountId !== accountId) throw new Fault('not_found');
    return mapping;
  };
  const calls: ScimCalls = {
    async listGroups({ accountId, offset, limit }) {
      const found = groups.filter((group) => group.accountId === accountId);
      return { groups: found.slice(offset, offset + limit), totalCount: found.length };
    },
    async listMappings({ accountId, offset, limit }) {
      const found = [...mappings.values()]
        .filter((one) => one.accountId === accountId)
        .toReversed();
      return { mappings: found.slice(offset, offset + limit), totalCount: found.length };
    },
    getMapping: async ({ accountId, mappingId }) => ({ mapping: own(accountId, mappingId) }),
    async createMapping({ context, groupId, workspaceId, role }) {
      const { accountId = '' } = context ?? {};
      const isThere = groups.some((one) => one.accountId === accountId && one.groupId === groupId);
      if (!isThere) throw new Fault('not_found');
      const isMapped = [...mappings.values()].some(
        (one) => one.groupId === groupId && one.workspaceId === workspaceId,
      );
      if (isMapped) throw new Fault('conflict');
      const mapping = { mappingId: uuidOf(++count), groupId, workspaceId, role, ...times() };
      mappings.set(mapping.mappingId, { ...mapping, accountId });
      return { mapping };
    },
    async changeMappingRole({ context, mappingId, role }) {
      const updatedAt = clock.now().toISOString();
      const mapping = { ...own(context?.accountId ?? '', mappingId), role, updatedAt };
      mappings.set(mappingId, mapping);
      return { mapping };
    },
    async deleteMapping({ context, mappingId, keepMembers }) {
      own(context?.accountId ?? '', mappingId);
      mappings.delete(mappingId);
      keptMembers.push(keepMembers);
      return {};
    },
    async requestSync({ context }) {
      const { accountId = '' } = context ?? {};
      const open = [...jobs.values()].find(
        (job) => job.accountId === accountId && job.finishedAt === undefined,
      );
      if (open) return { job: open };
      const nothing = {
        syncedGroups: undefined,
        deletedGroups: undefined,
        errorMessage: undefined,
      };
      const job = {
        jobId: uuidOf(++count),
        status: 'queued',
        createdAt: clock.now().toISOString(),
        ...nothing,
      };
      jobs.set(job.jobId, { ...job, accountId });
      return { job };
    },
    async getSyncJob({ accountId, jobId }) {
      const job = jobs.get(jobId);
      if (job?.accountId !== accountId) throw new Fault('not_found');
      return { job };
    },
  };
  return {
    calls,
    keptMembers,
    group(accountId, displayName) {
      const groupId = uuidOf(++count);
      const externalId = `00g-${displayName}`;
      groups.push({ accountId, groupId, externalId, displayName, ...times() });
      return groupId;
    },
    finish(jobId, outcome) {
      const job = jobs.get(jobId);
      if (job) jobs.set(jobId, { ...job, finishedAt: clock.now().toISOString(), ...outcome });
    },
  };
}
