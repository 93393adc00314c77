import { type Finding, fine, wrong } from './finding.ts';
import { type DoctorSettings, isUnknown } from './settings.ts';

const check = 'file parser';

/**
 * Names the engines of the plugin `file-parser`. Without a key of the default engine nothing is wrong: Sluice reads the
 * texts of PDFs itself.
 */
export async function checkFileParser({
  fileEngines: engines,
}: DoctorSettings): Promise<readonly Finding[]> {
  if (isUnknown(engines)) return [wrong(check, engines.unknown, 'correct the setting')];
  if (!engines.names.includes('mistral-ocr'))
    return [
      fine(
        check,
        'MISTRAL_API_KEY is not set, so that PDFs are read by Sluice itself, without their scanned pages',
      ),
    ];
  return [fine(check, `PDFs go to ${engines.names.join(', ')}`)];
}
