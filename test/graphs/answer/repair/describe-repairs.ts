import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFixByRule } from '../../../../graphs/answer/repair/fix-by-rule.ts'
import { repairCandidate } from '../../../../graphs/answer/repair/repair-candidate.ts'
import { parseDatabaseReference } from '../../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../../../src/databases/open-database.ts'
import { widenSchema } from '../../../../src/databases/schema-linking/link-schema.ts'
import { silentAudit } from '../../../../src/domain/operations/audit.ts'
import type { Cell, ResultTable } from '../../../../src/domain/result.ts'
import type { Dialect } from '../../../../src/domain/sql.ts'
import { selectionParts } from '../../../helpers/selection-parts.ts'
import { potteryInput } from '../drafting/pottery.ts'
import { repairCases } from './repair-cases.ts'

/** A database with the workshop in it, and how to be rid of it. */
export interface Workshop {
  readonly reference: string
  readonly drop: () => Promise<void>
}

const limits = { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 }

const fix = makeFixByRule()

/** Every case on a real database: it goes wrong as it says, is repaired without a model, and gives the rows meant. */
export const describeRepairs = (dialect: Dialect, make: () => Promise<Workshop>): void => {
  const cases = repairCases.flatMap(one => {
    const errorClass = one.on[dialect]
    return errorClass === undefined ? [] : [{ ...one, errorClass }]
  })
  const others = repairCases.filter(({ on }) => on[dialect] === undefined)

  describe(`repair without a model, on ${dialect}`, () => {
    let workshop: Workshop
    let open: OpenDatabase
    beforeAll(async () => {
      workshop = await make()
      const reference = parseDatabaseReference(workshop.reference, { baseFolder: '/' })
      open = await openDatabase(reference, { audit: silentAudit, guard: makeGuard(), limits })
    })
    afterAll(async () => {
      await open?.close()
      await workshop?.drop()
    })

    const repair = async (sql: string, question = 'How is the workshop doing?') => {
      let table: ResultTable | null = null
      const repaired = await repairCandidate(
        {
          sql,
          question: { id: 'q', text: question },
          database: open.database,
          context: async () => {
            const { understanding, matches, linked } = potteryInput(dialect)
            return { understanding: { ...understanding, text: question }, matches, linked }
          },
        },
        {
          ...selectionParts,
          fixers: [fix],
          widenSchema,
          saveResult: async (_, saved) => {
            table = saved
            return 'result'
          },
        },
        {},
      )
      return { ...repaired, rows: (table as ResultTable | null)?.rows.map(row => row.map(say)) }
    }

    it.each(cases)('$title', async ({ sql, errorClass, rows, question }) => {
      const repaired = await repair(sql, question)
      expect([repaired.repairs[0]?.errorClass ?? 'nothing wrong', repaired.run]).toMatchObject([
        errorClass,
        { status: 'ran' },
      ])
      expect(repaired.rows).toEqual(rows)
      expect(repaired.usage.modelCalls).toBe(0)
    })

    it.each(cases)('and no more than once: $title', async ({ sql, errorClass, question }) => {
      const repaired = await repair(sql, question)
      const again = await fix({
        ...potteryInput(dialect),
        database: open.database,
        sql: repaired.sql,
        errorClass,
        message: '',
        history: [],
      })
      expect(again.sql).toBeNull()
    })

    it.each([
      ["SELECT p.glaze FROM pieces p WHERE p.region = 'East'", 'two keys away'],
      ['SELECT nonsense FROM makers', 'like nothing'],
      ['DELETE FROM makers', 'no query'],
    ])('keeps out of: %s (%s)', async sql => {
      const repaired = await repair(sql)
      expect([repaired.sql, repaired.run.status]).toEqual([sql, 'failed'])
    })

    it.each(others)('leaves alone: $title', async ({ sql, question }) => {
      const repaired = await repair(sql, question)
      expect([repaired.sql, repaired.repairs[0]?.errorClass]).toEqual([sql, undefined])
    })
  })
}

const say = (cell: Cell): string => {
  const text = String(cell)
  return /^-?\d+(?:\.\d+)?$/.test(text) ? String(Number(text)) : text
}
