import { type Chunk, ChunkChecker } from './chunk-checker.ts';
import { BrokenChatRule, chatRule } from './rules.ts';

const commentPattern = /^: [^\n]*$/;
const dataMark = 'data: ';

/** Reads the bytes of one stream, however they are cut, and holds them against every rule. */
class ChunkReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #checker: ChunkChecker;
  #waiting = '';
  #isDone = false;

  constructor(generationId: string | undefined) {
    this.#checker = new ChunkChecker(generationId);
  }

  read(bytes: Uint8Array): readonly Chunk[] {
    this.#waiting += this.#textOf(bytes);
    const frames = this.#waiting.split('\n\n');
    this.#waiting = frames.pop() ?? '';
    return frames.flatMap((frame) => this.#frame(frame));
  }

  end(): void {
    chatRule('frames', this.#waiting === '', () => `cut in the middle: ${this.#waiting}`);
    chatRule('finish-once', this.#checker.isEnded, () => 'there is no last chunk');
    chatRule('done-mark', this.#isDone, () => 'it is missing');
  }

  #textOf(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw new BrokenChatRule('frames', 'bytes that are no UTF-8');
    }
  }

  #frame(frame: string): readonly Chunk[] {
    if (commentPattern.test(frame)) return [];
    chatRule('done-mark', !this.#isDone, () => 'something comes after it');
    const isData = frame.startsWith(dataMark) && !frame.includes('\n');
    chatRule('frames', isData, () => frame.slice(0, 80));
    const data = frame.slice(dataMark.length);
    if (data !== '[DONE]') {
      const chunk = this.#checker.take(jsonOf(data));
      return chunk ? [chunk] : [];
    }
    chatRule('finish-once', this.#checker.isEnded, () => 'the mark comes before the last chunk');
    this.#isDone = true;
    return [];
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenChatRule('frames', `no JSON: ${text.slice(0, 80)}`);
  }
}

interface Expectation {
  readonly generationId?: string | undefined;
  /** True once the reader has left: the stream need not end. */
  readonly isLeft?: () => boolean;
}

/** The same bytes, checked as they pass: whoever reads them gets BrokenChatRule where a rule is broken. */
export async function* checkedChunks(
  body: AsyncIterable<Uint8Array>,
  { generationId, isLeft = () => false }: Expectation = {},
): AsyncGenerator<Uint8Array, void> {
  const reader = new ChunkReader(generationId);
  for await (const bytes of body) {
    reader.read(bytes);
    yield bytes;
  }
  if (!isLeft()) reader.end();
}

/** The chunks of a whole stream. Throws BrokenChatRule. */
export function readChunks(text: string, generationId?: string): readonly Chunk[] {
  const reader = new ChunkReader(generationId);
  const chunks = reader.read(Buffer.from(text));
  reader.end();
  return chunks;
}
