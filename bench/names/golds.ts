import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type EquivalenceReport,
  hideOnly,
  noCounts,
} from '../../test/databases/guard/names/run-equivalence.ts'
import { reasonKind } from '../../test/databases/guard/names/run-leaks.ts'
import { inAnyOrder, openUnder, tryStatement } from '../../test/databases/guard/rights/try-rights.ts'

interface Gold {
  readonly db_id: string
  readonly gold: string
  readonly excluded: string | null
}

const unrelated = 'zq_unrelated'

/** Runs the known answers of a set on copies of its databases, with an unrelated table hidden and without lists. */
export const compareGolds = async (golds: {
  readonly questions: string
  readonly databases: string
}): Promise<EquivalenceReport> => {
  const counts = noCounts()
  const reasons = new Map<string, number>()
  const examples: string[] = []
  const byDatabase = new Map<string, Set<string>>()
  for (const line of golds.questions.split(',').flatMap(file => readFileSync(file, 'utf8').split('\n'))) {
    if (line.trim() === '') continue
    const { db_id, gold, excluded } = JSON.parse(line) as Gold
    if (excluded) continue
    byDatabase.set(db_id, (byDatabase.get(db_id) ?? new Set()).add(gold))
  }
  const folder = mkdtempSync(join(tmpdir(), 'querent-names-'))
  try {
    for (const [name, statements] of byDatabase) {
      const source = join(golds.databases, `${name}.sqlite`)
      if (!existsSync(source)) continue
      const file = join(folder, `${name}.sqlite`)
      copyFileSync(source, file)
      const database = new DatabaseSync(file)
      database.exec(`create table ${unrelated} (id integer)`)
      database.close()
      const plain = await openUnder(`sqlite:${file}`, null)
      const restricted = await openUnder(`sqlite:${file}`, hideOnly(unrelated))
      for (const sql of statements) {
        const expected = await tryStatement(plain, sql)
        if (expected.status !== 'rows') continue
        counts.ran += 1
        counts.ordinary += 1
        const seen = await tryStatement(restricted, sql)
        if (seen.status !== 'rows') {
          counts.refused += 1
          counts.ordinaryRefused += 1
          const why = `${seen.status}: ${reasonKind(seen.shown)}`
          reasons.set(why, (reasons.get(why) ?? 0) + 1)
          examples.push(`${name} ${seen.status}: ${seen.shown}\n    ${sql}`)
        } else if (inAnyOrder(seen.shown) === inAnyOrder(expected.shown)) counts.equal += 1
        else if (rowsOf(seen.shown) === rowsOf(expected.shown)) counts.headings += 1
        else if (expected.isCut || /\blimit\b/i.test(sql)) counts.arbitrary += 1
        else {
          counts.different += 1
          examples.unshift(`${name} different\n    ${sql}`)
        }
      }
      await plain.close()
      await restricted.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { counts, reasons, examples }
}

const rowsOf = (shown: string): string => {
  const [, rows] = JSON.parse(shown) as [unknown, readonly unknown[]]
  return JSON.stringify(rows.map(row => JSON.stringify(row)).sort())
}
