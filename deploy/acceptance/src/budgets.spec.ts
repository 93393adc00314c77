import { deepEqual, equal, match } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { type Answer, eventually, json, list, manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

/** A workspace with a key of its own. */
async function workspace(slug: string) {
  const created = await manage(sluice, '/workspaces', { body: { name: slug, slug } });
  const id = text(created.body['data']?.['id']);
  const issued = await manage(sluice, '/keys', { body: { name: slug, workspace_id: id } });
  const key = text(issued.body['key']);
  const ask = (more: object = {}) =>
    json(sluice, '/responses', { key, body: { model: 'sim/echo', input: 'hello', ...more } });
  const budget = (interval: string, limit_usd: number) =>
    manage(sluice, `/workspaces/${slug}/budgets/${interval}`, {
      method: 'PUT',
      body: { limit_usd },
    });
  const withdraw = (interval: string) =>
    manage(sluice, `/workspaces/${slug}/budgets/${interval}`, { method: 'DELETE' });
  return { id, ask, budget, withdraw };
}

/** Asks until that is the status, for as long as a change may take. */
const until = (ask: () => Promise<Answer>, status: number) =>
  eventually(ask, (answer) => answer.status === status);

const month = new Date();
const nextMonth = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1)).toISOString();

describe('the budgets of a workspace', () => {
  test('stop its keys, the broadest that is exceeded is named, and what was spent before counts', async () => {
    const { ask, budget, withdraw } = await workspace('spenders');
    equal((await ask()).status, 200);
    await budget('lifetime', 0.000_000_002);
    await budget('daily', 0.000_000_001);
    // Before the first request is counted the budget is too small, and not yet exceeded.
    const refused = await eventually(ask, ({ body }) =>
      text(body['error']?.['message'] ?? '').includes('exceeded'),
    );
    const { metadata, ...told } = refused.body['error'] ?? {};
    const { needed_usd, ...figures } = metadata ?? {};
    equal(Number(needed_usd) > 0, true);
    deepEqual(told, {
      code: 403,
      message: 'Workspace lifetime budget of $0.000000002 exceeded. Contact your org admin.',
    });
    deepEqual(figures, {
      reason: 'workspace_budget_exceeded',
      scope: 'workspace',
      limit_usd: 2e-9,
      interval: null,
      left_usd: 0,
      held_usd: 0,
      error_type: 'permission_denied',
    });
    await withdraw('lifetime');
    await withdraw('daily');
    await until(ask, 200);
    await budget('monthly', 0.000_001);
    const monthly = (await until(ask, 403)).body['error']?.['metadata'];
    deepEqual([monthly?.['interval'], monthly?.['resets_at']], ['monthly', nextMonth]);
    await budget('monthly', 1);
    await until(ask, 200);
  });

  test('that a smaller answer fits into say how small, and give it to who names no limit', async () => {
    const { ask, budget } = await workspace('small');
    await budget('daily', 0.001);
    const dear = await until(() => ask({ max_output_tokens: 4_000 }), 403);
    const { error_type, reason, affordable_output_tokens } = dear.body['error']?.['metadata'] ?? {};
    deepEqual([error_type, reason], ['permission_denied', 'workspace_budget_exceeded']);
    match(
      text(dear.body['error']?.['message']),
      /^Workspace daily budget of \$0\.001: \$0\.00\d+ is left, and this request needs up to \$0\.008\d*\. A max_output_tokens of \d+ or less fits$/,
    );
    const affordable = Number(affordable_output_tokens);
    equal(affordable > 16 && affordable < 500, true);
    equal((await ask()).status, 200);
  });

  test('of others stop nobody', async () => {
    const [poor, rich] = [await workspace('poor'), await workspace('rich')];
    await poor.budget('lifetime', 0.000_000_001);
    await until(poor.ask, 403);
    equal((await rich.ask()).status, 200);
  });

  test('are proved by their figures', async () => {
    const { id, ask, budget } = await workspace('proven');
    await budget('lifetime', 1);
    equal((await ask()).status, 200);
    const [shown] = await eventually(
      async () => {
        const answer = await fetch(new URL(`/proof/budget/${id}`, sluice.bootstrap.base_url), {
          headers: { authorization: `Bearer ${sluice.bootstrap.management_key}` },
        });
        const body = (await answer.json()) as { data?: { budgets: unknown } };
        return answer.status === 200 ? list(body.data?.budgets) : [];
      },
      ([budgetShown]) => Number(budgetShown?.['settled_nano_usd'] ?? 0) > 0,
    );
    deepEqual(
      [shown?.['scope'], shown?.['limit_nano_usd'], shown?.['is_within_limit']],
      ['workspace', '1000000000', true],
    );
    match(text(shown?.['held_nano_usd']), /^\d+$/);
  });
});
