import type { Clock } from '@sluice/clock-and-ids';
import type { Egress } from '@sluice/egress';
import { type KeyManagement, open } from '@sluice/envelope';
import { Fault } from '@sluice/errors';
import {
  type GetContentsRequest,
  type GetContentsResponse,
  ObserverServiceService,
} from '@sluice/protos/sluice/observer/v1/observer';
import type { Database } from '@sluice/read-model';
import { implement, type RpcService } from '@sluice/rpc';
import type { ActiveDestination, Destinations } from '../clients/destinations.ts';
import { send } from '../delivery/send.ts';
import { loggedRecordId, mayRead } from '../domain/logged-contents.ts';
import { testGeneration } from '../domain/test-generation.ts';
import { senders } from '../senders/index.ts';
import { type ContentBounds, findContents } from '../store/contents.ts';
import { countLetters, listLetters, replay } from '../store/dead-letters.ts';
import { type DeliveryStatus, readStatus } from '../store/status.ts';

export interface ObserverRpcDeps {
  readonly database: Database;
  readonly destinations: Destinations;
  readonly egress: Pick<Egress, 'send'>;
  readonly clock: Clock;
  /** Opens contents. */
  readonly keys: KeyManagement;
  readonly contentBounds: ContentBounds;
  /** Told that there may be something to send. */
  readonly onReplay: () => void;
}

const limitMax = 100;
const idsMax = 100;
const flaggedMs = 24 * 3_600_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function observerRpc(deps: ObserverRpcDeps): RpcService {
  const { database, clock, onReplay } = deps;
  return implement(ObserverServiceService, {
    testDestination: (request) => testDestination(deps, request),
    async getDestinationStatus({ accountId, destinationId }) {
      const now = clock.now();
      const status = await readStatus(database.forAccount(accountId), destinationId, now);
      return shownStatus(status ?? neverActive, now);
    },
    async listDeadLetters({ accountId, destinationId, offset, limit }) {
      const account = database.forAccount(accountId);
      const range = { offset, limit: Math.min(Math.max(limit, 1), limitMax) };
      const listed = await listLetters(account, destinationId, range);
      return {
        deadLetters: listed.map(({ httpStatus, failedAt, ...letter }) => ({
          ...letter,
          httpStatus: httpStatus ?? undefined,
          failedAt: failedAt.toISOString(),
        })),
        totalCount: await countLetters(account, destinationId),
      };
    },
    async replayDeadLetters({ accountId, destinationId, deadLetterIds }) {
      if (deadLetterIds.length > idsMax || !deadLetterIds.every((id) => uuid.test(id)))
        throw new Fault('invalid_request');
      const count = await database.transaction((transaction) =>
        replay(transaction, { accountId, destinationId }, deadLetterIds),
      );
      onReplay();
      return { count };
    },
    getContents: (request) => getContents(deps, request),
  });
}

const foreign = 'These contents are of another workspace, or of another member';

async function getContents(
  { database, keys, clock, contentBounds }: ObserverRpcDeps,
  { accountId, generationId, reader }: GetContentsRequest,
): Promise<GetContentsResponse> {
  if (!/^[\x21-\x7e]{1,256}$/.test(generationId)) throw new Fault('not_found');
  const storedAfter = new Date(clock.now().getTime() - contentBounds.ageMsMax);
  const found = await findContents(database.forAccount(accountId), generationId, storedAfter);
  if (!found) throw new Fault('not_found');
  if (!mayRead(reader, found)) throw new Fault('permission_denied', { message: foreign });
  const owner = { accountId, recordId: loggedRecordId(generationId) };
  return { contents: Buffer.from(await open(keys, owner, found.sealed)) };
}

async function testDestination(
  { destinations, egress, clock }: ObserverRpcDeps,
  { accountId, destinationId }: { readonly accountId: string; readonly destinationId: string },
) {
  const active = await activeOf(destinations, accountId, destinationId);
  const sender = senders[active.type];
  if (!sender) throw new Fault('not_found');
  const destination = await destinations.open(active);
  const now = clock.now();
  const startedMs = performance.now();
  const generation = testGeneration(active, now);
  const batch = [{ generation, contents: undefined }];
  const { outcome, httpStatus, problem } = await send({ sender, destination, batch, egress, now });
  const tookMs = BigInt(Math.round(performance.now() - startedMs));
  return { outcome, httpStatus, problem, tookMs };
}

/** A destination that was made a moment ago may not be known yet. */
async function activeOf(
  destinations: Destinations,
  accountId: string,
  destinationId: string,
): Promise<ActiveDestination> {
  const known = destinations.find(destinationId);
  const found = known?.accountId === accountId ? known : undefined;
  if (found) return found;
  const listed = await destinations.refresh(accountId);
  const fresh = listed.find((one) => one.destinationId === destinationId);
  if (!fresh) throw new Fault('not_found');
  return fresh;
}

/** Nothing was ever for it: it was not enabled yet, or its workspace does not broadcast. */
const neverActive: DeliveryStatus = {
  isActive: false,
  attempts: 0,
  nextAttemptAt: null,
  isLeased: false,
  delivered: 0n,
  lost: 0n,
  lastLostAt: null,
  lastDeliveredAt: null,
  lastError: '',
  lastErrorAt: null,
  failingSince: null,
  deadLetters: 0n,
  backlog: 0n,
  oldestAt: null,
};

function shownStatus(status: DeliveryStatus, now: Date) {
  const { oldestAt, failingSince } = status;
  return {
    state: stateOf(status),
    lagMs: oldestAt ? BigInt(Math.max(0, now.getTime() - oldestAt.getTime())) : 0n,
    backlog: status.backlog,
    delivered: status.delivered,
    deadLetters: status.deadLetters,
    lost: status.lost,
    lastLostAt: textOf(status.lastLostAt),
    attempts: status.attempts,
    nextAttemptAt: textOf(status.nextAttemptAt),
    lastDeliveredAt: textOf(status.lastDeliveredAt),
    lastError: status.lastError,
    lastErrorAt: textOf(status.lastErrorAt),
    failingSince: textOf(failingSince),
    isFlagged: failingSince !== null && now.getTime() - failingSince.getTime() >= flaggedMs,
  };
}

function stateOf({ isActive, nextAttemptAt, backlog, isLeased }: DeliveryStatus): string {
  if (!isActive) return 'disabled';
  if (nextAttemptAt && backlog > 0n) return 'waiting';
  return isLeased || backlog > 0n ? 'delivering' : 'idle';
}

const textOf = (at: Date | null) => at?.toISOString();
