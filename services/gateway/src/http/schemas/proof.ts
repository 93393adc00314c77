import { Type } from 'typebox';

/** Nano-USD, to the last digit. */
const nanoUsd = Type.String();

export const budgetProofParameters = Type.Object({
  id: Type.String({
    description: 'the hash of a key, or `credits` for those of the account',
    examples: ['credits'],
  }),
});

export const budgetProofReply = Type.Object({
  data: Type.Object({
    id: Type.String(),
    at: Type.String(),
    budgets: Type.Array(
      Type.Object({
        scope: Type.String(),
        window: Type.String(),
        window_start: Type.String(),
        includes_byok: Type.Boolean(),
        limit_nano_usd: nanoUsd,
        settled_nano_usd: nanoUsd,
        leased_nano_usd: nanoUsd,
        leases: Type.Number(),
        is_within_limit: Type.Boolean(),
      }),
    ),
  }),
});
