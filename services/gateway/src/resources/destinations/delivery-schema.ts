import { Type } from 'typebox';
import { instant, uuid } from '../../http/schemas/examples.ts';
import { closed, count, flag, nullable, oneOf, text } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';

const replayedMax = 100;
const time = (description: string) => nullable(text(description, instant));
const status = nullable(count('Status of the last answer of the receiver; null: none came.', 200));

export const destinationTestView = Type.Object({
  outcome: oneOf(
    ['delivered', 'retry', 'refused'],
    'Whether the receiver took it; retry: it may take it later.',
    'delivered',
  ),
  http_status: status,
  problem: nullable(text('Why it was not delivered; null: it was.', 'the receiver answered 401')),
  took_ms: count('Milliseconds until the outcome was known.', 120),
});
export const testReply = reply(destinationTestView);

export const destinationStatusView = Type.Object({
  state: oneOf(
    ['idle', 'delivering', 'waiting', 'disabled'],
    'What the delivery does; waiting: for its next attempt.',
    'idle',
  ),
  lag_ms: count('Milliseconds since the end of the oldest generation that is not handled yet.'),
  backlog: count('Number of generations that are not handled yet, counted up to 10000.'),
  delivered: count('Number of delivered generations.', 1_000),
  dead_letters: count('Number of generations that were not delivered after all attempts.'),
  lost: count(
    'Number of generations that the destination did not get, because they were too many.',
  ),
  last_lost_at: time('When generations were lost last, in UTC; null: never.'),
  attempts: count('Number of failed attempts since the last delivery.'),
  next_attempt_at: time('When it is tried again, in UTC; null: it need not wait.'),
  last_delivered_at: time('When a generation was delivered last, in UTC; null: never.'),
  last_error: nullable(text('What the last error was; null: none.', 'the receiver answered 503')),
  last_error_at: time('When the last error happened, in UTC; null: never.'),
  failing_since: time('When it began to fail, in UTC; null: the last attempt was delivered.'),
  is_flagged: flag('Whether nothing was delivered for 24 hours, although it was tried.', false),
});
export const statusReply = reply(destinationStatusView);

export const deadLettersQuery = Type.Object(pageFields, closed);

export const deadLetterView = Type.Object({
  id: text('Id of the dead letter.', uuid),
  generation_id: text('Id of the generation.', 'gen-0190a0000000700080000000000000c1'),
  problem: text('Why it was not delivered.', 'the receiver answered 400'),
  http_status: status,
  attempts: count('Number of attempts.', 5),
  failed_at: text('When the last attempt failed, in UTC.', instant),
  is_replaying: flag('Whether it waits to be sent again.', false),
});
export const deadLetterListReply = pageReply(deadLetterView);

export const replayBody = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(
        Type.String({ format: 'uuid', maxLength: 36, mustBe: 'the id of a dead letter' }),
        {
          minItems: 1,
          maxItems: replayedMax,
          mustBe: `1 to ${replayedMax} ids of dead letters`,
          description: 'Ids of the dead letters to send again; absent: all of the destination.',
          examples: [[uuid]],
        },
      ),
    ),
  },
  { ...closed, examples: [{}] },
);

export const replayView = Type.Object({
  count: count('Number of dead letters that wait to be sent again.', 3),
});
export const replayReply = reply(replayView);
