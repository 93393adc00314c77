import { Type } from 'typebox';
import { nullable } from '../../http/schemas/fields.ts';

/** To the last digit. */
const nanoUsd = (description: string) => Type.String({ description: `nano-USD: ${description}` });
const leasedNow = 'null of a past instant';

export const budgetProofParameters = Type.Object({
  id: Type.String({
    mustBe:
      'the hash of a key, the id of a workspace or of a guardrail, or `credits` for those of the account',
    examples: ['credits'],
  }),
});

export const budgetProofQuery = Type.Object(
  {
    at: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$',
        format: 'date-time',
        mustBe:
          'a past instant, an ISO 8601 time in UTC with seconds like 2026-01-31T12:00:00Z; now when absent',
      }),
    ),
  },
  { additionalProperties: false },
);

export const budgetProofReply = Type.Object({
  data: Type.Object({
    id: Type.String(),
    at: Type.String(),
    budgets: Type.Array(
      Type.Object({
        scope: Type.String({ description: 'account, key, workspace or guardrail' }),
        assignee: Type.Optional(
          Type.Object(
            { kind: Type.String(), id: Type.String() },
            { description: 'of a guardrail, whose limit is one of each of its assignees' },
          ),
        ),
        window: Type.String(),
        window_start: Type.String(),
        includes_byok: Type.Boolean(),
        limit_nano_usd: nanoUsd('what may be spent in the window'),
        settled_nano_usd: nanoUsd('what was spent and is counted'),
        suspended_nano_usd: nanoUsd('what a crash left open: neither spent nor free'),
        leased_nano_usd: nullable(nanoUsd(`what replicas may spend without asking; ${leasedNow}`)),
        held_nano_usd: nullable(nanoUsd(`of that, what requests under way hold; ${leasedNow}`)),
        leases: nullable(Type.Integer({ description: leasedNow })),
        is_within_limit: Type.Boolean(),
      }),
    ),
  }),
});

const day = (mustBe: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'date', mustBe }));

export const conservationProofQuery = Type.Object(
  {
    from: day(
      'the first UTC day of the admission, like 2026-01-31; all days before `to` when absent',
    ),
    to: day('the last UTC day of the admission; all days from `from` on when absent'),
  },
  { additionalProperties: false },
);

const attempts = (description: string) => Type.Integer({ description: `attempts: ${description}` });
const usageIds = Type.Array(Type.String(), { description: 'at most 1,000' });

export const conservationProofReply = Type.Object({
  data: Type.Object({
    from: nullable(Type.String()),
    to: nullable(Type.String()),
    at: Type.String({ description: 'the instant of the snapshot' }),
    reported_at: nullable(
      Type.String({ description: 'the oldest last report of a replica; null: none has reported' }),
    ),
    admitted: attempts('whose intent is on the disk of a replica'),
    settled: attempts('whose usage is counted'),
    under_way: attempts('whose usage is on the disk of a replica and not counted yet'),
    released: attempts('that gave nothing and cost nothing'),
    open: Type.Object({
      attempts: attempts('that have not ended'),
      hold_nano_usd: nanoUsd('what is held for them'),
      usage_ids: usageIds,
    }),
    settled_nano_usd: nanoUsd('what the settled ones cost'),
    suspense: Type.Object({
      attempts: attempts('of the settled ones: those with something in suspense'),
      held_nano_usd: nanoUsd('of their holds, neither charged nor free'),
      claimed_nano_usd: nanoUsd('what providers ask for beyond the holds'),
      usage_ids: usageIds,
    }),
    is_conserved: Type.Boolean({
      description: 'admitted = settled + under_way + released + open, none of them negative',
    }),
  }),
});
