import type { JetStreamManager, StoredMsg, StreamInfo } from '@nats-io/jetstream';
import type { BusMessage, NoticeMark, NoticesRead } from '../bus.ts';
import { toMessage } from '../message.ts';
import { isMissing } from '../streams.ts';
import { noticeStream } from '../subjects.ts';

/** Bounds one read, so that a caller that missed many makes progress in each. */
const noticesMax = 256;

/** Reads the stream of notices behind a mark. A missing stream is made, and nothing is known of what it had. */
export async function readNotices(
  manager: JetStreamManager,
  after: NoticeMark | undefined,
  makeStream: () => Promise<void>,
): Promise<NoticesRead> {
  const info = await streamInfo(manager, makeStream);
  const { first_seq: first, last_seq: last, last_ts: lastAt, messages } = info.state;
  const end = {
    mark: { created: info.created, sequence: last, at: messages > 0 ? lastAt : '' },
    notices: [],
    isEnd: true,
  };
  if (after?.created !== info.created || last < after.sequence || first > after.sequence + 1)
    return { ...end, isContinued: false };
  if (last === after.sequence)
    return { ...end, isContinued: messages === 0 || after.at === '' || lastAt === after.at };
  const upTo = Math.min(last, after.sequence + noticesMax);
  // The message at the mark is read again: a broker that lost its newest messages gives their places to others.
  const isMarkKept = after.sequence > 0 && after.at !== '' && first <= after.sequence;
  const from = isMarkKept ? after.sequence : after.sequence + 1;
  const stored = await readPlaces(manager, from, upTo);
  const [atMark, ...others] = isMarkKept ? stored : [undefined, ...stored];
  const isSame = !atMark || atMark.timestamp === after.at;
  const read = others.filter((one) => one !== undefined);
  const newest = read.at(-1);
  if (!isSame || !newest || read.length < others.length) return { ...end, isContinued: false };
  return {
    mark: { created: info.created, sequence: upTo, at: newest.timestamp },
    notices: read.map((message) => noticeOf(message)),
    isEnd: upTo === last,
    isContinued: true,
  };
}

async function streamInfo(
  manager: JetStreamManager,
  makeStream: () => Promise<void>,
): Promise<StreamInfo> {
  try {
    return await manager.streams.info(noticeStream.name);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeStream();
    return await manager.streams.info(noticeStream.name);
  }
}

/** Reads the messages at these places. A place is undefined if the stream no longer has its message. */
async function readPlaces(
  manager: JetStreamManager,
  from: number,
  upTo: number,
): Promise<readonly (StoredMsg | undefined)[]> {
  const places = Array.from({ length: upTo - from + 1 }, (_, index) => from + index);
  return Promise.all(
    places.map(
      async (seq) => (await manager.streams.getMessage(noticeStream.name, { seq })) ?? undefined,
    ),
  );
}

function noticeOf({ subject, header, data }: StoredMsg): BusMessage {
  const id = header.get('Nats-Msg-Id') || undefined;
  return toMessage({ subject, id, bytes: data, redelivered: false });
}
