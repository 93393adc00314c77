import type { AuditServiceService } from '@sluice/protos/sluice/account/v1/audit';
import type { Calls } from '@sluice/rpc';

/** The account service's record of what was refused. */
export type AuditCalls = Calls<AuditServiceService>;
