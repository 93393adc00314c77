import { parse } from 'node:path/posix';
import { Fault, invalidValue } from '@sluice/errors';
import { contentOf } from '@sluice/workspace-files';
import type { SandboxToolOptions } from './options.ts';
import type { Sandbox } from './sandbox.ts';

interface Place extends Pick<SandboxToolOptions, 'files'> {
  readonly sandbox: Pick<Sandbox, 'writeFile'>;
}

interface Wanted {
  readonly container: {
    readonly accountId: string;
    readonly workspaceId: string;
    readonly containerId: string;
  };
  /** The files of the home by their paths. A file of such a name stays as it is: a command may have changed it. */
  readonly known: ReadonlyMap<string, bigint>;
  readonly ids: readonly string[];
}

/** Copies files of the workspace into the home directory. Throws faults that the model may read. */
export async function copyFiles(
  { sandbox, files }: Place,
  { container, known, ids }: Wanted,
): Promise<void> {
  if (ids.length === 0) return;
  if (!files) throw invalidValue('file_ids', 'there are no files here');
  const { accountId, workspaceId } = container;
  for (const fileId of new Set(ids)) {
    const asked = { accountId, workspaceId, fileId };
    const { file } = await files.getFile(asked).catch((error: unknown) => {
      const isMissing = error instanceof Fault && error.code === 'not_found';
      throw isMissing ? invalidValue('file_ids', `there is no file ${fileId}`) : error;
    });
    const name = homeName(fileId, file?.name ?? '');
    if (known.has(name)) continue;
    let offset = 0n;
    for await (const content of contentOf(files, asked)) {
      await sandbox.writeFile({ container, name, offset, content });
      offset += BigInt(content.length);
    }
  }
}

const idCharacters = 8;
/** The bytes that Linux allows in a name. */
const nameBytesMax = 255;

/** Returns the name of a file in the home directory. Files of the same name do not meet there. */
export function homeName(fileId: string, name: string): string {
  const { name: stem, ext } = parse(name);
  const characters = Array.from(new Intl.Segmenter().segment(stem), ({ segment }) => segment);
  const named = () => `${fileId.slice(-idCharacters)}-${characters.join('')}${ext}`;
  while (characters.length > 0 && Buffer.byteLength(named()) > nameBytesMax) characters.pop();
  return named();
}
