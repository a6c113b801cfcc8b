import type { DatabaseSync } from 'node:sqlite'

/** Modules that prepare the statements for writing to their own tables when a table is first used, even for reading. */
const modules = /\busing\s+["'`[]?(?:rtree|rtree_i32|geopoly)\b/i

/**
 * Makes what must be called before each statement: an authorizer that allows only reading would refuse R*Tree tables,
 * so they are used once without it, again after each change of the schema. `guard` sets the authorizer.
 */
export const makeRtreeTables = (database: DatabaseSync, guard: () => void): (() => void) => {
  let known: unknown = null

  const connect = (): void => {
    const tables = database
      .prepare(
        "select name, sql from sqlite_schema where type = 'table' and sql like 'create virtual table%'",
      )
      .all() as unknown as readonly { readonly name: string; readonly sql: string }[]
    for (const { name, sql } of tables) {
      if (!modules.test(sql)) continue
      try {
        database.prepare(`select 1 from "${name.replaceAll('"', '""')}" limit 0`).all()
      } catch {
        // It is damaged: the statement that asks for it says so.
      }
    }
  }

  return () => {
    database.setAuthorizer(null)
    try {
      const version = database.prepare('pragma schema_version').get()?.schema_version
      if (version !== known) connect()
      known = version
    } finally {
      guard()
    }
  }
}
