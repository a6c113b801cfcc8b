import { existsSync, readFileSync } from 'node:fs'
import { constants, DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { introspect } from '../../../src/databases/connectors/sqlite/catalog.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeScopedGuard } from '../../../src/databases/guard/scope/apply-scope.ts'
import { scopedDatabase } from '../../../src/databases/guard/scope/scoped-database.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'
import { type ReadScope, unrestrictedScope } from '../../../src/domain/database.ts'

/** Evaluation data beside the checkout; without it there is nothing to measure. */
const data = new URL('../../../../shared/data/spider/', import.meta.url)

interface Question {
  readonly id: string
  readonly db_id: string
  readonly gold: string | null
  readonly excluded: string | null
}

const plain = makeGuard()

const guardOf = (catalog: Catalog, scope: ReadScope) =>
  makeScopedGuard(plain, { dialect: 'sqlite', find: scopedDatabase(catalog, scope).find })

const open = (folder: string, name: string) => {
  const file = fileURLToPath(new URL(`${folder}/${name}.sqlite`, data))
  const database = new DatabaseSync(file, { readOnly: true, enableDoubleQuotedStringLiterals: true })
  const catalog = introspect(database, file)
  /** Columns that SQLite says a statement reads, as `table.column` in lower case. */
  const readsOf = (sql: string): ReadonlySet<string> => {
    const reads = new Set<string>()
    database.setAuthorizer((code, table, column) => {
      if (code === constants.SQLITE_READ) reads.add(`${table}.${column}`.toLowerCase())
      return constants.SQLITE_OK
    })
    database.prepare(sql)
    database.setAuthorizer(null)
    return reads
  }
  return { catalog, readsOf }
}

describe.skipIf(!existsSync(data))('scopes on the evaluation data', () => {
  // One in `step` questions, since each is tried once for every column of its tables.
  test.each([
    ['spider_dev', 'db', 1],
    ['spider_realistic', 'db', 1],
    ['spider_dk', 'db', 1],
    ['spider_train', 'train_db', 10],
  ])(
    'of %s: no gold is refused while all is open, and every column that SQLite reads can be hidden',
    (questions, folder, step) => {
      const lines = readFileSync(new URL(`questions/${questions}.jsonl`, data), 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Question)
        .filter((_, index) => index % step === 0)
      const databases = new Map<string, ReturnType<typeof open>>()
      const refused: string[] = []
      const missed: string[] = []
      const needless: string[] = []
      let golds = 0
      let hidden = 0
      let kept = 0
      for (const { id, db_id, gold, excluded } of lines) {
        if (excluded !== null || gold === null) continue
        const { catalog, readsOf } = databases.get(db_id) ?? open(folder, db_id)
        databases.set(db_id, databases.get(db_id) ?? open(folder, db_id))
        golds += 1
        const verdict = guardOf(catalog, unrestrictedScope)(gold, 'sqlite')
        if (verdict.verdict === 'refuse') refused.push(`${id}: ${verdict.reason}`)
        const reads = readsOf(gold)
        for (const table of catalog.tables) {
          if (![...reads].some(read => read.startsWith(`${table.name.toLowerCase()}.`))) continue
          for (const { name } of table.columns) {
            // A pattern cannot name what has a point or a star in it.
            if (/[.*]/.test(name)) continue
            const scope = {
              ...unrestrictedScope,
              columns: { exclude: [`${table.name}.${name}`], mask: [] },
            }
            const isAllowed = guardOf(catalog, scope)(gold, 'sqlite').verdict === 'allow'
            if (reads.has(`${table.name}.${name}`.toLowerCase())) {
              hidden += 1
              if (isAllowed) missed.push(`${id}: ${table.name}.${name}`)
            } else {
              kept += 1
              if (!isAllowed) needless.push(`${id}: ${table.name}.${name}`)
            }
          }
        }
      }
      console.info(
        `${questions}: ${golds} golds, ${refused.length} refused; ${hidden} columns hidden that are read, ${missed.length} missed; ${kept} that are not read, ${needless.length} refused needlessly`,
      )
      expect(hidden).toBeGreaterThan(0)
      expect(refused).toEqual([])
      expect(missed).toEqual([])
      expect(needless.length / kept).toBeLessThan(0.005)
    },
    300_000,
  )
})
