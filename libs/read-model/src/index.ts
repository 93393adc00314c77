export { openDatabase, type Database, type DatabaseOptions } from './database.ts';
export type { Connection } from './connection.ts';
export { StatementFailed } from './failure.ts';
export { migrate } from './migrate.ts';
export {
  startProjector,
  type ProjectionFailure,
  type Projector,
  type ProjectorLogger,
  type ProjectorOptions,
} from './projector.ts';
export type { Queryable, SqlValue, Statement } from './statement.ts';
