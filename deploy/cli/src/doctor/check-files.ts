import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Finding, fine, wrong } from './finding.ts';
import { type DoctorSettings, isUnknown } from './settings.ts';

const check = 'files';
/** A place that no file has. */
const nowhere = { accountId: 'doctor', workspaceId: 'doctor', fileId: 'doctor' };

/** Names the place where contents of files lie, and asks the bucket if there is one. */
export async function checkFiles({ files }: DoctorSettings): Promise<readonly Finding[]> {
  if (isUnknown(files)) return [wrong(check, files.unknown, 'correct the setting')];
  const { bucket } = files;
  if (bucket === undefined)
    return [
      fine(
        check,
        'Contents lie on the disk of the workspace service: SLUICE_FILES_S3_BUCKET is needed for more than one',
      ),
    ];
  // The folder of a running service has its uploads.
  const directory = await mkdtemp(join(tmpdir(), 'sluice-doctor-'));
  try {
    const { store } = await files.open(directory);
    await store.open(nowhere, { offset: 0, length: 1 });
    return [fine(check, `Contents lie in the bucket ${bucket}, which answers`)];
  } catch (error) {
    const todo =
      'see that SLUICE_FILES_S3_URL, the region and the key are right, and that the key may read objects';
    return [wrong(check, (error as Error).message, todo)];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
