import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/evaluation/statistics.ts'
import {
  companyId,
  makeOpenTrainingDatabase,
  makeUnanswerable,
  readCompanies,
  type TrainingDatabase,
} from '../../../training/parser/companies.ts'

const companies = readCompanies(join(import.meta.dirname, '../../../fixtures/parser-training'))

const scratch = mkdtempSync(join(tmpdir(), 'querent-test-'))

const opened = new Map<string, TrainingDatabase>()

beforeAll(async () => {
  const today = new Date('2026-11-20T12:00:00Z')
  const open = makeOpenTrainingDatabase({ folder: scratch, companies, scratch, today, seed: 7 })
  for (const { name } of companies) opened.set(name, await open(companyId(name)))
})

afterAll(async () => {
  for (const database of opened.values()) await database.close()
  rmSync(scratch, { recursive: true, force: true })
})

describe('the invented companies', () => {
  it.each(companies.map(company => [company.name, company] as const))(
    'every right answer of %s runs',
    async (name, { questions }) => {
      const run = opened.get(name)!.runner()
      const failed: string[] = []
      for (const sql of questions.flatMap(question => question.sql)) {
        const ran = await run(sql)
        if ('error' in ran) failed.push(`${ran.error}: ${sql}`)
      }
      expect(failed).toEqual([])
    },
  )

  it.each(companies.map(company => [company.name, company] as const))(
    'the catalog of %s has the written columns, kinds, keys and comments',
    (name, { tables }) => {
      const { catalog } = opened.get(name)!
      const kinds = { numeric: 'number', timestamptz: 'timestamp' } as const
      for (const written of tables) {
        const table = catalog.tables.find(one => one.name === written.name)
        expect(table?.comment).toBe(written.comment)
        expect(table?.rowCount).toBe(written.rows)
        expect(table?.columns.map(({ name, kind, comment }) => ({ name, kind, comment }))).toEqual(
          written.columns.map(({ name, type, comment }) => ({
            name,
            kind: type === 'numeric' || type === 'timestamptz' ? kinds[type] : type,
            comment,
          })),
        )
      }
      const references = tables.flatMap(table => table.columns.filter(column => column.references))
      expect(catalog.foreignKeys.filter(({ source }) => source === 'declared')).toHaveLength(
        references.length,
      )
    },
  )
})

describe('makeUnanswerable', () => {
  const catalogs = () => new Map([...opened].map(([name, { catalog }]) => [name, catalog]))

  it('changes the question or its database, the same way for the same seed', () => {
    const make = () => {
      const random = seededRandom(7)
      return companies.flatMap(({ name, questions }) =>
        questions.map(({ question }) =>
          makeUnanswerable({ question, database: name, catalogs: catalogs(), random }),
        ),
      )
    }
    const asked = new Set(companies.flatMap(one => one.questions.map(({ question }) => one.name + question)))
    const made = make().filter(one => one !== null)
    expect(made.length).toBeGreaterThan(50)
    expect(made.filter(one => asked.has(one.database + one.question))).toEqual([])
    expect(make().filter(one => one !== null)).toEqual(made)
  })

  it('has nothing to offer when there is no other database', () => {
    const only = new Map([...catalogs()].slice(0, 1))
    const made = makeUnanswerable({
      question: 'how many doctors are there?',
      database: [...only.keys()][0]!,
      catalogs: only,
      random: seededRandom(1),
    })
    expect(made).toBeNull()
  })
})
