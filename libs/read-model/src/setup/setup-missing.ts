/** PostgreSQL lacks something that no waiting mends; its administrator does, at any time. */
export class SetupMissing extends Error {
  override readonly name = 'SetupMissing';
}
