import type { Connection, Database, Queryable } from '@sluice/read-model';

/** Returns the same database for another schema of it, over the same connections. */
export function inSchema(database: Database, schema: string): Database {
  const choose = { text: `SET LOCAL search_path = "${schema}"`, values: [] };
  const within = async <Result>(
    connection: Pick<Database, 'transaction'>,
    work: (transaction: Queryable) => Promise<Result>,
  ): Promise<Result> =>
    await connection.transaction(async (transaction) => {
      await transaction.query(choose);
      return await work(transaction);
    });
  return {
    ...database,
    schema,
    installation: database.installation === database.schema ? schema : database.installation,
    query: async (statement) => await within(database, (one) => one.query(statement)),
    transaction: async (work) => await within(database, work),
    async connect(): Promise<Connection> {
      const connection = await database.connect();
      return {
        ...connection,
        query: async (statement) => await within(connection, (one) => one.query(statement)),
        transaction: async (work) => await within(connection, work),
      };
    },
  };
}

/** Returns a database whose statements all belong to a transaction that is under way. */
export function within(database: Database, transaction: Queryable, schema: string): Database {
  return {
    ...database,
    schema,
    query: async (statement) => await transaction.query(statement),
    transaction: async (work) => await work(transaction),
  };
}
