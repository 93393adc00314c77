export {
  inMemoryCredentials,
  type InMemoryCredentials,
  type KeptCredential,
} from './testing/in-memory-credentials.ts';
export { inMemoryLedger, type InMemoryLedger } from './testing/in-memory-ledger.ts';
export {
  type AssignedGuardrail,
  inMemoryPolicies,
  type InMemoryPolicies,
} from './testing/in-memory-policies.ts';
