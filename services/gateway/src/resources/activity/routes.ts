import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import { AccountKind } from '@sluice/protos/sluice/account/v1/account';
import type { ActivityRow, ListActivityRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Clock } from '@sluice/clock-and-ids';
import type { AccountCalls, KeyCalls, LedgerCalls, WorkspaceCalls } from '../../clients/calls.ts';
import { findAccount } from '../../clients/find-account.ts';
import { findKey } from '../../clients/find-key.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf } from '../../http/caller.ts';
import { type DayRange, lastCompletedDays } from './completed-days.ts';
import { activityQuery, type ActivityQuery, activityReply } from './schema.ts';
import { activityView } from './view.ts';

export interface ActivityDependencies {
  readonly accounts: AccountCalls;
  readonly keys: KeyCalls;
  readonly ledger: LedgerCalls;
  readonly workspaces: Pick<WorkspaceCalls, 'getWorkspace'>;
  readonly clock: Clock;
}

/** Serves the usage of an account per day, model and endpoint, for the last 30 complete days. */
export function activityRoutes(app: App, dependencies: ActivityDependencies): void {
  const { ledger, clock } = dependencies;
  app.route({
    method: 'GET',
    url: '/v1/activity',
    config: { auth: 'management', errors: [400, 404] },
    schema: {
      operationId: 'getActivity',
      summary: 'Read the use per day, model and endpoint of the last 30 days',
      querystring: activityQuery,
      response: { 200: activityReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { query } = request;
      const days = daysOf(query, lastCompletedDays(clock.now()));
      await requireOrganization(dependencies, accountId, query);
      const byApp = query.group_by === 'app';
      const rows = await allRows(ledger, {
        accountId,
        ...days,
        keyHash: query.api_key_hash,
        userId: query.user_id,
        workspaceId: query.workspace_id,
        byWorkspace: query.group_by === 'workspace',
        app: query.app,
        byApp,
      });
      await requireKnown(dependencies, accountId, query, rows);
      return { data: rows.map((row) => activityView(row, { byApp })) };
    },
  });
}

function daysOf({ date }: ActivityQuery, completed: DayRange): DayRange {
  if (date === undefined) return completed;
  const { fromDay, toDay } = completed;
  const isDay = !Number.isNaN(Date.parse(`${date}T00:00:00Z`));
  if (isDay && date >= fromDay && date <= toDay && isOfCalendar(date))
    return { fromDay: date, toDay: date };
  const message = `must be a UTC day from ${fromDay} to ${toDay}`;
  throw rejectionToFault(invalidRequest([{ path: 'date', message }]));
}

/** A 31 November would silently be another day. */
function isOfCalendar(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}

async function requireOrganization(
  { accounts }: ActivityDependencies,
  accountId: string,
  { user_id: userId }: ActivityQuery,
): Promise<void> {
  if (userId === undefined) return;
  const { kind } = await findAccount(accounts, accountId);
  if (kind === AccountKind.ACCOUNT_KIND_ORGANIZATION) return;
  const issue = { path: 'user_id', message: 'is for organizations only' };
  throw rejectionToFault(invalidRequest([issue]));
}

/** Requires a filter that has usage, or a key or workspace of the account. */
async function requireKnown(
  { keys, workspaces }: ActivityDependencies,
  accountId: string,
  { api_key_hash: keyHash, workspace_id: workspaceId }: ActivityQuery,
  rows: readonly ActivityRow[],
): Promise<void> {
  if (rows.length > 0) return;
  if (keyHash !== undefined) await findKey(keys, accountId, keyHash);
  if (workspaceId !== undefined) await workspaces.getWorkspace({ accountId, workspaceId });
}

/** Far above what 30 days of any account have. */
const rowsMax = 200_000;

/** Returns the rows, the newest day first. */
async function allRows(
  ledger: LedgerCalls,
  question: Omit<ListActivityRequest, 'offset'>,
): Promise<readonly ActivityRow[]> {
  const all: ActivityRow[] = [];
  for (;;) {
    const { rows, isLast } = await ledger.listActivity({ ...question, offset: all.length });
    all.push(...rows);
    if (isLast) return all;
    if (all.length >= rowsMax)
      throw new Fault('internal', { message: 'more activity than can be answered at once' });
  }
}
