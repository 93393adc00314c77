const quote = 0x22;
const backslash = 0x5c;
const openings = new Set(Buffer.from('[{'));
const closings = new Set(Buffer.from(']}'));
const comma = 0x2c;
const colon = 0x3a;

/**
 * The elements of a list in a JSON object, as they are written: JSON.parse would round their numbers. The bytes
 * must be a JSON object; no elements when its last field of that name is no list.
 */
export function elementsOf(json: Uint8Array, name: string): readonly Uint8Array[] {
  const elements: Uint8Array[] = [];
  let depth = 0;
  /** The start of the current token, on the level of fields and on that of their elements. */
  let start = 0;
  let field: string | undefined;
  const end = (at: number) => {
    const element = trimmed(json.subarray(start, at));
    if (depth === 2 && field === name && element.length > 0) elements.push(element);
    start = at + 1;
  };
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === quote) at = endOfText(json, at);
    else if (openings.has(byte)) {
      depth += 1;
      if (depth <= 2) start = at + 1;
    } else if (closings.has(byte)) {
      if (depth <= 2) end(at);
      depth -= 1;
    } else if (byte === comma && depth <= 2) end(at);
    else if (byte === colon && depth === 1) {
      field = textOf(json.subarray(start, at));
      if (field === name) elements.length = 0;
    }
  }
  return elements;
}

/** The place of its last quote. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}

function textOf(json: Uint8Array): string {
  return JSON.parse(Buffer.from(json).toString()) as string;
}

function trimmed(json: Uint8Array): Uint8Array {
  const isSpace = (byte: number | undefined) => byte !== undefined && byte <= 0x20;
  let [from, to] = [0, json.length];
  while (from < to && isSpace(json[from])) from += 1;
  while (to > from && isSpace(json[to - 1])) to -= 1;
  return json.subarray(from, to);
}
