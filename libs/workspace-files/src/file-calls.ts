import type { FileServiceService } from '@sluice/protos/sluice/workspace/v1/file';
import type { Calls } from '@sluice/rpc';

/** The calls of the workspace service about files. Each throws not_found for a file of another workspace. */
export type FileCalls = Calls<FileServiceService>;
