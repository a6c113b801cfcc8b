import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { loadKnowledge } from '../../../src/databases/knowledge/knowledge-files.ts'
import { openDatabase } from '../../../src/databases/open-database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { makeParseQuestion } from '../../../src/parser/interpret-question.ts'
import { trainedModel } from '../../../src/parser/rank/model.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { makeSqliteFile } from '../catalog/make-database.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'querent-knowledge-'))
  mkdirSync(join(root, 'knowledge/generated'), { recursive: true })
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (name: string, text: string): void => writeFileSync(join(root, 'knowledge', name), text)

const read = (database: string) => loadKnowledge(join(root, 'knowledge'), { database })

describe('a folder of knowledge', () => {
  it('tells of a database what is about it or about all, and what was generated', async () => {
    write('all.md', '## Rules\n- Everywhere.')
    write('shop.md', '---\ndatabase: shop\n---\n## Rules\n- In the shop.\n## Terms\n- wrong')
    write('farm.md', '---\ndatabase: farm\n---\n## Rules\n- On the farm.\n## Terms\n- wrong')
    write('README.md', '## For people\n- not knowledge')
    write('generated/shop.md', '---\ndatabase: shop\n---\n## Tables\n### orders\nWritten by a model.')
    const { knowledge, problems } = await read('shop')
    expect(knowledge.rules.map(({ text }) => text)).toEqual(['Everywhere.', 'In the shop.'])
    expect(knowledge.descriptions).toMatchObject([{ table: 'orders', source: 'generated' }])
    expect(problems.map(({ at }) => at)).toEqual([{ file: 'knowledge/shop.md', line: 7 }])
  })

  it('tells everybody of a file that does not say what it is about', async () => {
    write('shop.md', '---\ndatabse: shop\n---\n## Rules\n- In the shop.')
    const { knowledge, problems } = await read('anything')
    expect(knowledge.rules).toEqual([])
    expect(problems).toHaveLength(1)
  })

  it('knows nothing where it is not there', async () => {
    expect(await loadKnowledge(join(root, 'none'), { database: 'shop' })).toEqual({
      knowledge: { terms: [], rules: [], descriptions: [], joins: [] },
      problems: [],
    })
  })
})

describe('a database with knowledge', () => {
  const open = async () => {
    const made = makeSqliteFile(`
      create table riders (id integer primary key, name text, fare text, blocked boolean);
      insert into riders values (1, 'Ada', 'gold', 0), (2, 'Bo', 'basic', 1), (3, 'Cy', 'gold', 1);
    `)
    write(
      'hires.md',
      [
        '## Terms',
        '### VIP',
        "- sql: `riders.fare = 'gold'`",
        '- also: frequent rider',
        '### locked out rider',
        '- sql: riders.blocked = true',
        '### lost',
        "- sql: riders.fre = 'x'",
        '## Tables',
        '### riders',
        '- `fare` (tariff): What they pay for.',
      ].join('\n'),
    )
    const opened = await openDatabase(
      { dialect: 'sqlite', name: 'hires', location: made.file },
      {
        audit: silentAudit,
        guard: makeGuard(),
        limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 },
        knowledge: await read('hires'),
      },
    )
    return {
      ...opened,
      database: opened.database,
      report: opened.report,
      [Symbol.asyncDispose]: async () => {
        await opened.close()
        made.remove()
      },
    }
  }

  it.each([
    ['How many VIPs are there?', "fare = 'gold'"],
    ['how many frequent riders are blocked', "fare = 'gold'"],
    ['How many locked out riders are there?', 'blocked = 1'],
    ['Number of riders by tariff', 'GROUP BY fare'],
  ])('answers “%s” without a model', async (text, expected) => {
    await using opened = await open()
    const { database } = opened
    const understanding = understandQuestion(text, {
      now: () => new Date('2026-11-20T09:00:00Z'),
      timeZone: 'UTC',
    })
    const [best] = makeParseQuestion(trainedModel)({
      understanding,
      catalog: database.catalog,
      findValues: database.findValues,
    })
    expect(best?.sql).toContain(expected)
  })

  it('finds terms as values, and only where they may be looked for', async () => {
    await using opened = await open()
    const { findValues } = opened.database
    expect(findValues('vips')[0]).toEqual({
      keyword: 'vips',
      table: 'riders',
      column: 'fare',
      value: 'gold',
      score: 1,
      term: 'VIP',
    })
    expect(findValues('vips', { columns: [{ table: 'riders', column: 'name' }] })).toEqual([])
    expect(findValues('gold')[0]).not.toHaveProperty('term')
  })

  it('tells what does not fit it, and answers all the same', async () => {
    await using opened = await open()
    expect(opened.report().knowledgeProblems).toEqual([
      {
        at: { file: 'knowledge/hires.md', line: 7 },
        message: 'the table riders has no column fre; did you mean fare?',
      },
    ])
    expect(opened.database.knowledge?.terms.map(({ name }) => name)).toEqual(['VIP', 'locked out rider'])
  })
})
