import { isApiKey, ofForm, parseJson, text, type Form } from './fields.ts';

const accessKey: Form = {
  required: {
    accessKeyId: text(/^[A-Z0-9]{16,128}$/),
    secretAccessKey: text(/^[A-Za-z0-9/+=]{16,128}$/),
    region: text(/^[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d$/),
  },
};

/** The API key itself, or the secret of an access key. */
export function bedrockSecret(credential: string): string | undefined {
  if (!credential.trimStart().startsWith('{')) return isApiKey(credential) ? credential : undefined;
  const secret = ofForm(parseJson(credential), accessKey)?.['secretAccessKey'];
  return typeof secret === 'string' ? secret : undefined;
}
