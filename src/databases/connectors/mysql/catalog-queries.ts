import type { Connection } from 'mysql2'
import { runInternalQuery } from './ask.ts'
import { unqualifyViewQuery } from './plain-view-query.ts'

/** A table or view of the database. `estimate` is the engine's, which may be 40 % off; null of a view. */
export interface RelationRow {
  readonly name: string
  readonly type: string
  readonly comment: string
  readonly estimate: number | null
  /** A view's query with plain names of tables; null of tables, and of views where it cannot be had. */
  readonly definition: string | null
}

export interface ColumnRow {
  readonly relation: string
  readonly name: string
  /** In full: `decimal(10,2)`, `int(10) unsigned`, `enum('a','b')`. */
  readonly type: string
  readonly nullable: boolean
  readonly comment: string
}

/** One column of a key; those of one key have the same name and table, and come in order. */
export interface KeyRow {
  readonly key: string
  readonly relation: string
  readonly column: string
  /** Null for a primary key, and for one that refers to another database. */
  readonly target: string | null
  readonly targetColumn: string | null
  readonly isPrimary: boolean
}

/** A sequence of MariaDB can be read like a table, but is none. */
export const readRelations = async (connection: Connection): Promise<readonly RelationRow[]> =>
  (
    await runInternalQuery<[string, string, string, number | string | null, string | null, string]>(
      connection,
      `select t.table_name, t.table_type, t.table_comment, t.table_rows, v.view_definition, t.table_schema
       from information_schema.tables t
         left join information_schema.views v on v.table_schema = t.table_schema and v.table_name = t.table_name
       where t.table_schema = database() and t.table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
       order by t.table_name`,
    )
  ).map(([name, type, comment, estimate, query, database]) => ({
    name,
    type,
    comment: type === 'VIEW' ? '' : comment,
    estimate: estimate === null ? null : Number(estimate),
    definition: query === null ? null : unqualifyViewQuery(query, database),
  }))

/** Columns that the role may SELECT: one may be listed for another privilege alone. */
export const readColumns = async (connection: Connection): Promise<readonly ColumnRow[]> =>
  (
    await runInternalQuery<[string, string, string, string, string]>(
      connection,
      `select table_name, column_name, column_type, is_nullable, column_comment from information_schema.columns
       where table_schema = database() and find_in_set('select', lower(privileges)) > 0
       order by table_name, ordinal_position`,
    )
  ).map(([relation, name, type, nullable, comment]) => ({
    relation,
    name,
    type,
    nullable: nullable === 'YES',
    comment,
  }))

export const readKeys = async (connection: Connection): Promise<readonly KeyRow[]> =>
  (
    await runInternalQuery<[string, string, string, string | null, string | null, string | null]>(
      connection,
      `select constraint_name, table_name, column_name, referenced_table_name, referenced_column_name,
         referenced_table_schema
       from information_schema.key_column_usage
       where table_schema = database()
         and (constraint_name = 'PRIMARY' or referenced_table_schema = database())
       order by table_name, constraint_name, ordinal_position`,
    )
  ).map(([key, relation, column, target, targetColumn]) => ({
    key,
    relation,
    column,
    target,
    targetColumn,
    isPrimary: key === 'PRIMARY' && target === null,
  }))

/**
 * MariaDB's JSON is LONGTEXT with a check: `table` and `column` of each. MySQL has a type for it, and its view of
 * checks names no table.
 */
export const readJsonChecks = async (
  connection: Connection,
): Promise<readonly (readonly [string, string])[]> =>
  await runInternalQuery<[string, string]>(
    connection,
    `select table_name, constraint_name from information_schema.check_constraints
     where constraint_schema = database() and lower(check_clause) = concat('json_valid(\`', lower(constraint_name), '\`)')`,
  )
