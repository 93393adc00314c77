import { SecretTable } from '@sluice/sealed-secrets';

/** The sealed secrets of provider credentials. */
export const byokSecrets = new SecretTable({
  secrets: 'byok_secrets',
  recordColumn: 'credential_id',
  records: 'byok_credentials',
});
