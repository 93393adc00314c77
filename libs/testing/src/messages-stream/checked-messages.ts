import {
  checkedStream,
  type FrameChecker,
  namedEvent,
  readWhole,
} from '../checked-stream/checked-stream.ts';
import { MessageChecker, type MessageEvent } from './message-checker.ts';
import { messageRule } from './rules.ts';

/** Holds the frames of a stream of message events against every rule. */
function messageFrames(generationId: string | undefined): FrameChecker<MessageEvent> {
  const checker = new MessageChecker(generationId);
  return {
    check: messageRule,
    frame: (frame) => checker.take(namedEvent(frame, messageRule)),
    end: () => messageRule('end-once', checker.isEnded, () => 'there is none'),
  };
}

interface Expectation {
  readonly generationId?: string | undefined;
  /** True once the reader has left: the stream need not end. */
  readonly isLeft?: () => boolean;
}

/** Yields the same bytes, checked as they pass. */
export function checkedMessages(
  body: AsyncIterable<Uint8Array>,
  { generationId, isLeft }: Expectation = {},
): AsyncGenerator<Uint8Array, void> {
  return checkedStream(body, messageFrames(generationId), isLeft);
}

/** Returns the events of a whole stream. Throws BrokenRule. */
export function readMessages(text: string, generationId?: string): readonly MessageEvent[] {
  return readWhole(text, messageFrames(generationId));
}
