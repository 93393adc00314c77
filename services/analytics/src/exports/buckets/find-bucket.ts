import { Fault } from '@sluice/errors';
import { readS3Bucket, type S3Bucket } from '@sluice/file-store';
import type {
  DestinationUseServiceService,
  UsableDestination,
} from '@sluice/protos/sluice/workspace/v1/destination_use';
import type { Calls } from '@sluice/rpc';
import { ExportFailed } from '../export-job.ts';

export type DestinationCalls = Calls<typeof DestinationUseServiceService>;

/** Names a destination. */
export interface DestinationPlace {
  readonly accountId: string;
  /** Empty: of any workspace of the account. */
  readonly workspaceId: string;
  readonly destinationId: string;
}

/** The bucket of a destination, with its secrets. It is held in memory only. */
export interface OpenBucket extends S3Bucket {
  /** The first folder of all names. Empty: none. */
  readonly prefix: string;
  /** Headers that the account adds to each request. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

const pageMax = 500;
const pagesMax = 10;
/** Headers that belong to the connection or to the body, which no destination sets. */
const ours =
  /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/;
const headerValueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns true for an enabled destination of type s3. */
export async function hasBucket(calls: DestinationCalls, place: DestinationPlace) {
  return (await find(calls, place)) !== undefined;
}

/** Opens the bucket of a destination. Throws ExportFailed if there is none any more. */
export async function openBucket(
  calls: DestinationCalls,
  place: DestinationPlace,
): Promise<OpenBucket> {
  const { accountId, destinationId } = place;
  const secretId = (await find(calls, place))?.secretId;
  const opened =
    secretId === undefined
      ? undefined
      : await calls.openConfig({ accountId, destinationId, secretId }).catch(gone);
  if (!opened) throw new ExportFailed('Its destination is deleted, disabled or was just changed');
  const { headers, ...config } = JSON.parse(opened.config) as Record<string, unknown>;
  const prefix = typeof config['prefix'] === 'string' ? config['prefix'] : '';
  return { ...readS3Bucket(config), prefix, headers: headersOf(headers) };
}

async function find(
  calls: DestinationCalls,
  { accountId, workspaceId, destinationId }: DestinationPlace,
): Promise<UsableDestination | undefined> {
  let afterDestinationId = '';
  for (let page = 0; page < pagesMax; page += 1) {
    const asked = { accountId, workspaceId, afterDestinationId, limit: pageMax };
    const { destinations } = await calls.listUsable(asked);
    const found = destinations.find((one) => one.destination?.destinationId === destinationId);
    if (found) return found.destination?.type === 's3' ? found : undefined;
    const last = destinations.at(-1)?.destination?.destinationId;
    if (destinations.length < pageMax || last === undefined) return undefined;
    afterDestinationId = last;
  }
  return undefined;
}

function gone(error: unknown): undefined {
  if (error instanceof Fault && error.code === 'not_found') return undefined;
  throw error;
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {};
  const usable: [string, string][] = [];
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && headerValueForm.test(value) && !ours.test(name.toLowerCase()))
      usable.push([name.toLowerCase(), value]);
  return Object.fromEntries(usable);
}
