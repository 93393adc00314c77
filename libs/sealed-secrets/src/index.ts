export {
  assertEnvelopeKeys,
  type KeyCheckDependencies,
  WrongEnvelopeKeys,
} from './check-envelope-keys.ts';
export {
  eraseUnusedSecrets,
  lookAfterSecrets,
  rewrapSecrets,
  type SecretCareDependencies,
} from './look-after-secrets.ts';
export { openSecret, ownerOf, type SealDependencies, sealSecret } from './seal-secret.ts';
export { envelopeOf, rowOf, type SealedRow } from './sealed-row.ts';
export { type SecretPlace, SecretTable } from './secret-table.ts';
