/** PostgreSQL lacks something that only its administrator can give. No waiting mends it; the operator does, at any time. */
export class SetupMissing extends Error {
  override readonly name = 'SetupMissing';
}
