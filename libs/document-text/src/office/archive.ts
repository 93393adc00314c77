import { unzipSync } from 'fflate';
import { Unreadable } from '../content.ts';

/** Bytes of the parts of a document that are read, unpacked. */
const bytesMax = 64 * 1_048_576;
const entriesMax = 20_000;

/** Returns the names of all parts of a document. */
export function namesOf(bytes: Uint8Array): readonly string[] {
  const names: string[] = [];
  unzip(bytes, (name) => {
    names.push(name);
    if (names.length > entriesMax) throw new Unreadable('The document has too many parts');
    return false;
  });
  return names;
}

/** Returns the texts of the parts whose names match, by name. The parts of office documents are UTF-8. */
export function partsOf(bytes: Uint8Array, wanted: RegExp): ReadonlyMap<string, string> {
  let total = 0;
  const parts = unzip(bytes, (name, size) => {
    if (!wanted.test(name)) return false;
    total += size;
    if (total > bytesMax) throw new Unreadable('The document is too large when it is unpacked');
    return true;
  });
  const decoder = new TextDecoder();
  return new Map(Object.entries(parts).map(([name, part]) => [name, decoder.decode(part)]));
}

/** A part never becomes larger than the archive says: the unpacker has no more room for it. */
function unzip(bytes: Uint8Array, isWanted: (name: string, size: number) => boolean) {
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => isWanted(name, originalSize),
    });
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('The document is damaged');
  }
}
