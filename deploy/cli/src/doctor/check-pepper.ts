import { Fault } from '@sluice/errors';
import { examinePepper } from '@sluice/key/peppers';
import { keyReadModels } from '@sluice/key/read-models';
import { openDatabase, StatementFailed } from '@sluice/read-model';
import { type Finding, fine, wrong } from './finding.ts';
import { type DoctorSettings, isUnknown } from './settings.ts';

const check = 'key pepper';
const undefinedTable = '42P01';

/** Compares the peppers of the settings with the check values that the key service keeps in PostgreSQL. */
export async function checkPepper({
  postgres,
  peppers,
}: DoctorSettings): Promise<readonly Finding[]> {
  if (isUnknown(peppers)) return [wrong(check, peppers.unknown, 'put it back from the backup')];
  if (isUnknown(postgres)) return [];
  if (peppers.byVersion.size === 0)
    return [fine(check, 'Not compared: the doctor was not given SLUICE_KEY_PEPPER')];
  const url = postgres.reveal();
  const database = openDatabase({ url, schema: keyReadModels.schema, connectionsMax: 1 });
  try {
    let known = 0;
    for (const [version, pepper] of peppers.byVersion) {
      const standing = await examinePepper(database, version, pepper);
      if (standing === 'other')
        return [
          wrong(
            check,
            `The keys in the database were made under another pepper of version ${version} ` +
              `than ${peppers.source}`,
            'give the key service the right one; under another one each key would be refused',
          ),
        ];
      if (standing === 'same') known += 1;
    }
    return [
      known > 0
        ? fine(check, `The keys in the database were made under ${peppers.source}`)
        : fine(check, 'Not known yet: no key service of this version has started'),
    ];
  } catch (error) {
    return [failure(error)];
  } finally {
    await database.stop();
  }
}

function failure(error: unknown): Finding {
  if (error instanceof StatementFailed && error.sqlState === undefinedTable)
    return fine(check, 'Not known yet: no key service of this version has started');
  if (!(error instanceof Fault)) throw error;
  return wrong(check, 'Not compared: PostgreSQL cannot be read', 'mend the lines above');
}
