import { Type } from 'typebox';

/** USD, all time: what was bought or granted, and what was spent of it. */
export const creditsReply = Type.Object({
  data: Type.Object({ total_credits: Type.Number(), total_usage: Type.Number() }),
});
