import { Type } from 'typebox';
import { hash, instant, uuid } from '../../http/schemas/examples.ts';
import { closed, flag, nullable, pastInstant, text, whole } from '../../http/schemas/fields.ts';
import { reply } from '../../http/schemas/replies.ts';

/** An exact amount, as decimal text. */
const nanoUsd = (description: string, example: string) =>
  text(`${description}, in nano-USD.`, example);
const leasedNow = 'null: a past instant';

export const budgetProofParameters = Type.Object({
  id: text(
    'The hash of a key, the id of a workspace or of a guardrail, or `credits` for those of the account.',
    'credits',
  ),
});

export const budgetProofQuery = Type.Object(
  {
    at: Type.Optional(pastInstant),
  },
  closed,
);

const assignee = Type.Object(
  { kind: text('The kind of the assignee.', 'key'), id: text('Id of the assignee.', hash) },
  { description: 'The assignee of a guardrail: each has a limit of its own.' },
);
const budget = Type.Object({
  scope: text('What the limit is of: account, key, workspace or guardrail.', 'key'),
  assignee: Type.Optional(assignee),
  window: text('The period that is counted.', 'month'),
  window_start: text('When the period began, in UTC.', '2026-11-01T00:00:00.000Z'),
  includes_byok: flag('Whether spend on own credentials counts.', false),
  limit_nano_usd: nanoUsd('What may be spent in the window', '25000000000'),
  settled_nano_usd: nanoUsd('What was spent and is counted', '880000'),
  suspended_nano_usd: nanoUsd('What a crash left open, neither spent nor free', '0'),
  leased_nano_usd: nullable(
    nanoUsd(`What replicas may spend without asking (${leasedNow})`, '1000000'),
  ),
  held_nano_usd: nullable(nanoUsd(`What of that open requests hold (${leasedNow})`, '22000')),
  leases: nullable(whole(`Number of leases that are out; ${leasedNow}.`, 1)),
  is_within_limit: flag('Whether the spend is within the limit.'),
});
export const budgetProofReply = reply(
  Type.Object({
    id: text('What the question was about.', 'credits'),
    at: text('The instant, in UTC.', instant),
    budgets: Type.Array(budget, {
      description: 'The budget of each limit that the question concerns.',
    }),
  }),
);

const day = (mustBe: string, description: string, example: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      format: 'date',
      mustBe,
      description,
      examples: [example],
    }),
  );

export const conservationProofQuery = Type.Object(
  {
    from: day(
      'the first UTC day of the admission, like 2026-01-31; all days before `to` when absent',
      'The first UTC day of the admission; all days before `to` when absent.',
      '2026-11-01',
    ),
    to: day(
      'the last UTC day of the admission; all days from `from` on when absent',
      'The last UTC day of the admission; all days from `from` on when absent.',
      '2026-11-30',
    ),
  },
  closed,
);

const attempts = (description: string, ...example: readonly number[]) =>
  whole(`Number of ${description}.`, ...example);
const usageIds = Type.Array(Type.String(), {
  description: 'Ids of usage facts, as evidence: at most 1,000.',
  examples: [[uuid]],
});

export const conservationProofReply = reply(
  Type.Object({
    from: nullable(text('The first UTC day that counts.', '2026-11-01')),
    to: nullable(text('The last UTC day that counts.', '2026-11-30')),
    at: text('The instant of the snapshot.', instant),
    reported_at: nullable(
      text('The oldest last report of a replica; null: none has reported.', instant),
    ),
    admitted: attempts('attempts whose intent is on the disk of a replica', 41),
    settled: attempts('attempts whose usage is counted', 40),
    under_way: attempts('attempts whose usage is on the disk of a replica and not counted yet', 1),
    released: attempts('attempts that gave nothing and cost nothing'),
    open: Type.Object(
      {
        attempts: attempts('attempts that have not ended'),
        hold_nano_usd: nanoUsd('What is held for them', '0'),
        usage_ids: usageIds,
      },
      { description: 'The attempts that have not ended.' },
    ),
    settled_nano_usd: nanoUsd('What the settled attempts cost', '880000'),
    suspense: Type.Object(
      {
        attempts: attempts('settled attempts with something in suspense'),
        held_nano_usd: nanoUsd('What of their holds is neither charged nor free', '0'),
        claimed_nano_usd: nanoUsd('What providers ask for beyond the holds', '0'),
        usage_ids: usageIds,
      },
      { description: 'Holds whose true price is not known.' },
    ),
    is_conserved: flag(
      'Whether admitted = settled + under_way + released + open, and none of them is negative.',
    ),
  }),
);
