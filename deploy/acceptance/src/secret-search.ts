import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** What is looked for: a name for the failure, and the text itself. */
export type Marks = ReadonlyMap<string, string>;

/**
 * Where a mark is found below a folder, as `name in file`: as it is, in base64 however it is aligned,
 * in hexadecimal, and percent-encoded. Every byte of every file is read.
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

/** Where a mark is in a text. */
export function foundInText(text: string, marks: Marks): readonly string[] {
  return [...marks]
    .filter(([, mark]) => formsOf(mark).some((form) => text.includes(form)))
    .map(([name]) => name);
}

function formsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  // Of what base64 makes of it, the part that no neighbour has a say in.
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
