import { Type } from 'typebox';
import { nullable } from './fields.ts';

/** To the last digit. */
const nanoUsd = (description: string) => Type.String({ description: `nano-USD: ${description}` });
const leasedNow = 'null of a past instant';

export const budgetProofParameters = Type.Object({
  id: Type.String({
    description:
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
        description:
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
