import { Type, type Static } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import {
  closed,
  createdAt,
  flag,
  limitUsdMax,
  nullable,
  number,
  oneOf,
  text,
  updatedAt,
} from '../../http/schemas/fields.ts';
import { listReply, reply } from '../../http/schemas/replies.ts';
import { workspaceRef } from './schema.ts';

const limitUsd = number('What may be spent in each period, in USD.', 100);
const includesByok = flag('Whether spend on own credentials counts against the budgets.', false);

export const budgetView = Type.Object({
  id: text('Id of the budget.', uuid),
  workspace_id: text('Id of the workspace.', uuid),
  limit_usd: limitUsd,
  reset_interval: nullable(
    oneOf(
      ['daily', 'weekly', 'monthly'],
      'The period after which the limit begins anew; null: never.',
      'monthly',
    ),
  ),
  created_at: createdAt,
  updated_at: updatedAt,
});
export type BudgetView = Static<typeof budgetView>;

const policy = { include_byok_in_budgets: includesByok };
export const budgetReply = Type.Object({ ...reply(budgetView).properties, ...policy });
export const budgetListReply = Type.Object({ ...listReply(budgetView).properties, ...policy });

export const setBudgetBody = Type.Object(
  {
    limit_usd: Type.Number({
      ...limitUsd,
      exclusiveMinimum: 0,
      maximum: limitUsdMax,
      mustBe: `an amount of USD above 0, at most ${limitUsdMax}`,
    }),
    include_byok_in_budgets: Type.Optional(includesByok),
  },
  { ...closed, examples: [{ limit_usd: 100 }] },
);

export const anyBudgets = Type.Object({
  workspace_ref: text('Id or slug of the workspace.', 'research'),
});
export const oneBudget = Type.Object({
  workspace_ref: workspaceRef,
  interval: Type.Enum(['daily', 'weekly', 'monthly', 'lifetime'] as const, {
    type: 'string',
    mustBe: 'daily, weekly, monthly or lifetime',
    description: 'The period after which the budget begins anew.',
  }),
});
