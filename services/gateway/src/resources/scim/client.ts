import type {
  ChangeMappingRoleRequest,
  CreateMappingRequest,
  DeleteMappingRequest,
  ListGroupsRequest,
  ListGroupsResponse,
  ListMappingsRequest,
  ListMappingsResponse,
  ScimMapping,
  ScimServiceService,
  ScimSyncJob,
} from '@sluice/protos/sluice/account/v1/scim';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { Calls } from '@sluice/rpc';
import { present } from '../../clients/present.ts';

/** The account service's calls about directory groups. */
export type ScimCalls = Calls<ScimServiceService>;

/** All calls throw not_found for a resource of another account. */
export interface ScimClient {
  listGroups(request: ListGroupsRequest): Promise<ListGroupsResponse>;
  listMappings(request: ListMappingsRequest): Promise<ListMappingsResponse>;
  findMapping(accountId: string, mappingId: string): Promise<ScimMapping>;
  /** Throws conflict where the group is mapped to the workspace already. */
  createMapping(request: CreateMappingRequest): Promise<ScimMapping>;
  changeRole(request: ChangeMappingRoleRequest): Promise<ScimMapping>;
  deleteMapping(request: DeleteMappingRequest): Promise<void>;
  /** The job that is open, where there is one. */
  requestSync(context: CommandContext): Promise<ScimSyncJob>;
  findSyncJob(accountId: string, jobId: string): Promise<ScimSyncJob>;
}

export function scimClient(calls: ScimCalls): ScimClient {
  return {
    listGroups: (request) => calls.listGroups(request),
    listMappings: (request) => calls.listMappings(request),
    async findMapping(accountId, mappingId) {
      return present((await calls.getMapping({ accountId, mappingId })).mapping);
    },
    async createMapping(request) {
      return present((await calls.createMapping(request)).mapping);
    },
    async changeRole(request) {
      return present((await calls.changeMappingRole(request)).mapping);
    },
    async deleteMapping(request) {
      await calls.deleteMapping(request);
    },
    async requestSync(context) {
      return present((await calls.requestSync({ context })).job);
    },
    async findSyncJob(accountId, jobId) {
      return present((await calls.getSyncJob({ accountId, jobId })).job);
    },
  };
}
