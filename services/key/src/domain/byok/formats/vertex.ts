import { type Check, ofForm, parseJson, slug, text, type Form } from './fields.ts';

const privateKey =
  /^-----BEGIN PRIVATE KEY-----\n([A-Za-z0-9+/=\n]{64,8192})\n-----END PRIVATE KEY-----\n?$/;

/** A token is asked for where the credential says: only the provider's own hosts are believed. */
const serviceAccount = (isGoogleUrl: Check): Form => ({
  required: {
    type: text(/^service_account$/),
    project_id: slug,
    private_key: text(privateKey),
    client_email: text(/^[A-Za-z0-9._-]{1,128}@[A-Za-z0-9.-]{1,255}$/),
  },
  optional: {
    private_key_id: slug,
    client_id: slug,
    auth_uri: isGoogleUrl,
    token_uri: isGoogleUrl,
    auth_provider_x509_cert_url: isGoogleUrl,
    client_x509_cert_url: isGoogleUrl,
    universe_domain: text(/^googleapis\.com$/),
    region: text(/^(?:global|[a-z]{2,16}(?:-[a-z0-9]{2,24}){0,3})$/),
    bucket: text(/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/),
  },
});

/** Returns the private key without its header and footer. */
export function vertexSecret(credential: string, isUrl: Check): string | undefined {
  const account = ofForm(parseJson(credential), serviceAccount(isUrl));
  const body = privateKey.exec(String(account?.['private_key']))?.[1];
  return body?.replaceAll('\n', '');
}
