import { SecretTable } from '@sluice/sealed-secrets';

/** The sealed configs of destinations. */
export const destinationSecrets = new SecretTable({
  secrets: 'destination_secrets',
  recordColumn: 'destination_id',
  records: 'destinations',
});
