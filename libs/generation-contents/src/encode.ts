import type { ContentError, ContentMessage, Contents } from './contents.ts';

/** Bounds the bytes of encoded contents. A character may take several bytes, and JSON escapes some. */
export const contentBytesMax = 256 * 1_024;

const version = 1;

/** Returns UTF-8 JSON of at most `contentBytesMax` bytes. Contents that are longer lose their input. */
export function encodeContents(contents: Contents): Uint8Array {
  for (const left of [contents, withoutInput(contents), withoutAll(contents)]) {
    const bytes = Buffer.from(JSON.stringify({ v: version, ...left }));
    if (bytes.length <= contentBytesMax) return bytes;
  }
  throw new Error('invariant: empty contents fit');
}

const withoutInput = (contents: Contents): Contents => ({
  ...contents,
  system: [],
  input: [],
  tools: [],
  isCut: true,
});

const withoutAll = (contents: Contents): Contents => ({ ...withoutInput(contents), output: [] });

/** Returns undefined for bytes that are no contents of this version. */
export function decodeContents(bytes: Uint8Array): Contents | undefined {
  try {
    const read = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
    const { v, system, input, output, tools, isCut, error } = read;
    const lists = [system, input, output, tools];
    if (v !== version || !lists.every((list) => Array.isArray(list))) return undefined;
    return {
      system: system as Contents['system'],
      input: input as readonly ContentMessage[],
      output: output as readonly ContentMessage[],
      tools: tools as Contents['tools'],
      isCut: isCut === true,
      ...(error !== undefined && { error: error as ContentError }),
    };
  } catch {
    return undefined;
  }
}
