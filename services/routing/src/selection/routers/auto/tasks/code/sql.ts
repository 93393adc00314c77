import { task } from '../task.ts';

export const codeSql = task('code:sql', 'code', {
  strong:
    'sql, mysql, postgres*, sqlite, mariadb, sql server, snowflake, bigquery, t-sql, plpgsql, left join, ' +
    'inner join, window function, foreign key, group by, create table, materialized view, select query, ' +
    'query plan, explain analyze, execution plan, upsert, duplicate emails, find duplicates, ' +
    'second highest, write a query, a query that, query that returns, running total, partition by, ' +
    'last order, letzte bestellung, pro kunde, clients sans commande, older than 30 days, left outer, ' +
    'cte, common table, tabellen, tables orders, requête sql, what index, pedidos por mes, ' +
    'consulta para, per category by, select, in postgres, in mysql, in sqlite, jsonb, recursive cte, ' +
    'seq scan, slow query, query slow, query returns, alter table, add column, drop column, ' +
    'delete duplicates, doppelte zeilen, zeilen löschen, sql-abfrage, abfrage die, a query, the query, ' +
    'gimme a query, stored proc, trigger that, deadlocks in, isolation level, transaction isolation, ' +
    'vacuum, explain the plan, index would help, which index, covering index, denormaliz*, normaliz*, ' +
    '3nf, er diagram, entity relationship, star schema, data warehouse, dbt, oracle query, ' +
    'top 10 customers, rank within, row_number, unpivot, consecutive days, text-to-sql, one select, ' +
    'output sql, postgresql, redshift, consulta sql, consulta para obtener, vue matérialisée, ' +
    'requête pour, vista materializada, en sql server, 查询, 数据库, 表里, sql语句, 索引, 部门, クエリ, テーブルから, sqlを, ' +
    'запрос, таблиц*, базе данных, базы данных, субд, many to many, average order value, meinen index, ' +
    'float or numeric, manager_id, hierarchy, lignes en double, latest message for, count, ventas por, ' +
    'speed up a count',
  words:
    'query, queries, join, database, datenbank, indexes, indices, schema, primary key, stored procedure, ' +
    'table for, abfrage, requête, consulta, clickhouse, duckdb, orm, index to, add an index, lookups, ' +
    'per account, ordered by, jointure, per user, timestamp column, distinct, pivot, rows where, ' +
    'in batches, order by, normalize the, per customer, tables, per month and, per country, foreign, ' +
    'integrity, nested key, rows without, without locking, join on, count of, sum of, salario, ' +
    'empleados, transaction, between two accounts, tabla, subquery, deduplicate rows, constraint, ' +
    'nullable',
  weak:
    'table, column, row, migration, duplicates, rows, columns, index, batches, having, aggregate, ' +
    'orders and, tabelle',
});
