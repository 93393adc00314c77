import { Type, type Static } from 'typebox';
import { closed, limitUsdMax, nullable } from '../../http/schemas/fields.ts';
import { workspaceRef } from './schema.ts';

export const budgetView = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  limit_usd: Type.Number(),
  reset_interval: nullable(Type.Enum(['daily', 'weekly', 'monthly'] as const, { type: 'string' })),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type BudgetView = Static<typeof budgetView>;

const policy = { include_byok_in_budgets: Type.Boolean() };
export const budgetReply = Type.Object({ data: budgetView, ...policy });
export const budgetListReply = Type.Object({ data: Type.Array(budgetView), ...policy });

export const setBudgetBody = Type.Object(
  {
    limit_usd: Type.Number({
      exclusiveMinimum: 0,
      maximum: limitUsdMax,
      mustBe: `an amount of USD above 0, at most ${limitUsdMax}`,
    }),
    include_byok_in_budgets: Type.Optional(Type.Boolean()),
  },
  { ...closed, examples: [{ limit_usd: 100 }] },
);

export const anyBudgets = Type.Object({ workspace_ref: Type.String() });
export const oneBudget = Type.Object({
  workspace_ref: workspaceRef,
  interval: Type.Enum(['daily', 'weekly', 'monthly', 'lifetime'] as const, {
    type: 'string',
    mustBe: 'daily, weekly, monthly or lifetime',
  }),
});
