export {
  projectionSpecification,
  recordedEvents,
  type ProjectionSpecificationOptions,
} from './testing/projection-specification.ts';
export {
  testDatabase,
  type TestDatabase,
  type TestDatabaseOptions,
} from './testing/test-database.ts';
export { withoutAccountFilters, withoutPolicies } from './testing/without-walls.ts';
export { plainOwner, type PlainOwner } from './testing/plain-owner.ts';
