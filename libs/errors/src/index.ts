export { catalog, isErrorCode, type ErrorCode, type GrpcCode } from './catalog.ts';
export {
  Fault,
  isRejection,
  rejectionToFault,
  requireAccepted,
  type FaultDetails,
  type Rejection,
  type UsedUpRate,
} from './fault.ts';
export { invalidRequest, invalidValue, type Issue } from './issue.ts';
export { nameIssues } from './name-issues.ts';
export { retryAfterSecondsOf } from './retry-after.ts';
