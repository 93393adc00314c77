import { Type } from 'typebox';
import { closed, number, pastInstant } from '../../http/schemas/fields.ts';
import { reply } from '../../http/schemas/replies.ts';

export const creditsQuery = Type.Object({ at: Type.Optional(pastInstant) }, closed);

export const creditsReply = reply(
  Type.Object({
    total_credits: number('All credits that were granted or bought, in USD.', 100),
    total_usage: number('All that was spent, in USD.', 12.5),
  }),
);
