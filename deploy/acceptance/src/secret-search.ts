import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The texts to search for, by a name for the failure. */
export type Marks = ReadonlyMap<string, string>;

/**
 * Finds marks below a folder, as `name in file`: plain, in base64 with any alignment, in hexadecimal, and
 * percent-encoded. It reads every byte of every file.
 */
export async function foundIn(
  folder: string,
  marks: Marks,
  isSkipped: (path: string) => boolean = () => false,
): Promise<readonly string[]> {
  const needles = [...marks].flatMap(([name, text]) =>
    formsOf(text).map((form) => ({ name, form: Buffer.from(form) })),
  );
  const found: string[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file);
    if (isSkipped(path)) continue;
    const bytes = await readFile(file);
    for (const { name, form } of needles)
      if (bytes.includes(form)) found.push(`${name} in ${path}`);
  }
  return [...new Set(found)];
}

/** Returns the marks in a text. */
export function foundInText(text: string, marks: Marks): readonly string[] {
  return [...marks]
    .filter(([, mark]) => formsOf(mark).some((form) => text.includes(form)))
    .map(([name]) => name);
}

function formsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  // The part of its base64 form that no neighbor changes.
  const aligned = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4),
  );
  return [
    ...new Set([
      text,
      JSON.stringify(text).slice(1, -1),
      encodeURIComponent(text),
      bytes.toString('hex'),
      ...aligned,
      ...aligned.map((each) => each.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ];
}
