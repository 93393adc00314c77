import {
  checkedStream,
  dataMark,
  type FrameChecker,
  jsonOf,
  readWhole,
} from '../checked-stream/checked-stream.ts';
import { type Chunk, ChunkChecker } from './chunk-checker.ts';
import { chatRule } from './rules.ts';

/** Holds the frames of a stream of chunks against every rule. */
class ChunkFrames implements FrameChecker<Chunk> {
  readonly check = chatRule;
  readonly #checker: ChunkChecker;
  #isDone = false;

  constructor(generationId: string | undefined) {
    this.#checker = new ChunkChecker(generationId);
  }

  frame(frame: string): Chunk | undefined {
    chatRule('done-mark', !this.#isDone, () => 'something comes after it');
    const isData = frame.startsWith(dataMark) && !frame.includes('\n');
    chatRule('frames', isData, () => frame.slice(0, 80));
    const data = frame.slice(dataMark.length);
    if (data !== '[DONE]') return this.#checker.take(jsonOf(data, chatRule));
    chatRule('finish-once', this.#checker.isEnded, () => 'the mark comes before the last chunk');
    this.#isDone = true;
    return undefined;
  }

  end(): void {
    chatRule('finish-once', this.#checker.isEnded, () => 'there is no last chunk');
    chatRule('done-mark', this.#isDone, () => 'it is missing');
  }
}

interface Expectation {
  readonly generationId?: string | undefined;
  /** True once the reader has left: the stream need not end. */
  readonly isLeft?: () => boolean;
}

/** Yields the same bytes, checked as they pass. */
export function checkedChunks(
  body: AsyncIterable<Uint8Array>,
  { generationId, isLeft }: Expectation = {},
): AsyncGenerator<Uint8Array, void> {
  return checkedStream(body, new ChunkFrames(generationId), isLeft);
}

/** Returns the chunks of a whole stream. Throws BrokenRule. */
export function readChunks(text: string, generationId?: string): readonly Chunk[] {
  return readWhole(text, new ChunkFrames(generationId));
}
