import { readFileSync } from 'node:fs'
import type { Connector } from '../../../../src/domain/database.ts'
import type { Dialect } from '../../../../src/domain/sql.ts'

/** A database with the tables that the hostile corpus names, and how to look at it from outside. */
export interface SafeguardSubject {
  readonly connector: Connector
  /** All that a statement could have changed: rows, schema, sequences, rights, locks that outlive a statement. */
  readonly look: () => Promise<string>
  readonly close: () => Promise<void>
}

/** A kind of database and the user whom the connector logs in as. */
export interface SafeguardCase {
  readonly name: string
  readonly dialect: Dialect
  readonly open: (folder: string) => Promise<SafeguardSubject>
}

/** What the guard refuses in this dialect (fixtures/guard), with files that are to be written put into `folder`. */
export const hostileStatements = (dialect: Dialect, folder: string): readonly string[] =>
  readFileSync(new URL('../../../../fixtures/guard/hostile.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { dialect: string; sql: string })
    .filter(line => line.dialect === dialect)
    .map(line => line.sql.replaceAll('/tmp/', `${folder}/`))
