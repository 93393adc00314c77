import type { Ids } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type { GetDestinationStatusResponse } from '@sluice/protos/sluice/observer/v1/observer';
import type { DestinationCalls, ObserverCalls } from '../../clients/calls.ts';
import { present } from '../../clients/present.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { pageOf } from '../../http/schemas/page.ts';
import {
  deadLetterListReply,
  deadLettersQuery,
  replayBody,
  replayReply,
  statusReply,
  testReply,
} from './delivery-schema.ts';
import { wellFormedDestinationId } from './schema.ts';

export interface DeliveryDependencies {
  readonly destinations: Pick<DestinationCalls, 'getDestination'>;
  /** Undefined where there is no observer service. */
  readonly observer: ObserverCalls | undefined;
  readonly ids: Ids;
}

const path = '/v1/observability/destinations/:id';

/** The delivery to a destination. The workspace service says whether the account has the destination. */
export function deliveryRoutes(app: App, dependencies: DeliveryDependencies): void {
  const routes = new AccountRoutes(app, dependencies.ids, { auth: 'management', errors: [404] });
  const own = finder(dependencies);
  statusRoutes(routes, own);
  deadLetterRoutes(routes, own);
}

type Own = ReturnType<typeof finder>;

function finder({ destinations, observer }: DeliveryDependencies) {
  return async (accountId: string, { id }: { readonly id: string }) => {
    const destinationId = id.toLowerCase();
    const { destination } = await destinations.getDestination({ accountId, destinationId });
    if (!observer)
      throw new Fault('unavailable', { message: 'The observer service is not running' });
    const isEnabled = present(present(destination).settings).enabled;
    return { observer, isEnabled, asked: { accountId, destinationId } };
  };
}

function statusRoutes(routes: AccountRoutes, own: Own): void {
  routes.change('POST', `${path}/test`, {
    operationId: 'testDestination',
    summary: 'Send a made-up generation to a destination now',
    params: wellFormedDestinationId,
    answer: testReply,
    config: { errors: [400, 404, 409], body: 'none' },
    handle: async ({ context, params }) => {
      const { observer: calls, asked, isEnabled } = await own(context.accountId, params);
      if (!isEnabled)
        throw new Fault('conflict', { message: 'The destination is disabled: enable it first' });
      const { outcome, httpStatus, problem, tookMs } = await calls
        .testDestination(asked)
        .catch(silentWorkspace);
      const shown = { http_status: httpStatus ?? null, problem: problem || null };
      return { data: { outcome: outcome as 'delivered', ...shown, took_ms: Number(tookMs) } };
    },
  });
  routes.get(`${path}/status`, {
    operationId: 'getDestinationStatus',
    summary: 'Read how the delivery to a destination goes',
    params: wellFormedDestinationId,
    answer: statusReply,
    config: { errors: [400, 404] },
    handle: async ({ accountId, params }) => {
      const { observer: calls, asked } = await own(accountId, params);
      return { data: statusView(await calls.getDestinationStatus(asked)) };
    },
  });
}

/** The account has the destination, and it is enabled: the observer does not know it while its workspace is silent. */
function silentWorkspace(error: unknown): never {
  if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
  throw new Fault('conflict', {
    message: 'The workspace does not broadcast: set is_observability_broadcast_enabled first',
  });
}

function deadLetterRoutes(routes: AccountRoutes, own: Own): void {
  routes.get(`${path}/dead-letters`, {
    operationId: 'listDeadLetters',
    summary: 'List the generations that a destination did not take, the newest first',
    params: wellFormedDestinationId,
    query: deadLettersQuery,
    answer: deadLetterListReply,
    config: { errors: [400, 404] },
    handle: async ({ accountId, params, query }) => {
      const { observer: calls, asked } = await own(accountId, params);
      const { deadLetters, totalCount } = await calls.listDeadLetters({
        ...asked,
        ...pageOf(query),
      });
      const data = deadLetters.map((letter) => ({
        id: letter.deadLetterId,
        generation_id: letter.generationId,
        problem: letter.problem,
        http_status: letter.httpStatus ?? null,
        attempts: letter.attempts,
        failed_at: letter.failedAt,
        is_replaying: letter.isReplaying,
      }));
      return { data, total_count: Number(totalCount) };
    },
  });
  routes.change('POST', `${path}/replay`, {
    operationId: 'replayDeadLetters',
    summary: 'Send dead letters of a destination again',
    params: wellFormedDestinationId,
    body: replayBody,
    answer: replayReply,
    handle: async ({ context, params, body }) => {
      const { observer: calls, asked } = await own(context.accountId, params);
      const deadLetterIds = (body.ids ?? []).map((id) => id.toLowerCase());
      const { count } = await calls.replayDeadLetters({ ...asked, deadLetterIds });
      return { data: { count: Number(count) } };
    },
  });
}

function statusView(status: GetDestinationStatusResponse) {
  return {
    state: status.state as 'idle',
    lag_ms: Number(status.lagMs),
    backlog: Number(status.backlog),
    delivered: Number(status.delivered),
    dead_letters: Number(status.deadLetters),
    lost: Number(status.lost),
    last_lost_at: status.lastLostAt ?? null,
    attempts: status.attempts,
    next_attempt_at: status.nextAttemptAt ?? null,
    last_delivered_at: status.lastDeliveredAt ?? null,
    last_error: status.lastError || null,
    last_error_at: status.lastErrorAt ?? null,
    failing_since: status.failingSince ?? null,
    is_flagged: status.isFlagged,
  };
}
