import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { describeDatabase } from '../../../src/databases/knowledge/describe-database.ts'
import { loadKnowledge } from '../../../src/databases/knowledge/knowledge-files.ts'
import { openDatabase } from '../../../src/databases/open-database.ts'
import type { DescribeTable, TableToDescribe } from '../../../src/domain/knowledge.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import { makeSqliteFile } from '../catalog/make-database.ts'

let root: string

let made: ReturnType<typeof makeSqliteFile>

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'querent-describe-'))
  made = makeSqliteFile(`
    create table buoys (id integer primary key, lit boolean, depth real);
    insert into buoys values (1, 1, 12.5), (2, 0, 3);
    create table ships (id integer primary key, name text);
    insert into ships values (1, 'Amber');
  `)
})

afterEach(() => {
  made.remove()
  rmSync(root, { recursive: true, force: true })
})

const open = async (words = '') => {
  const folder = join(root, 'knowledge')
  const knowledge = await loadKnowledge(folder, { database: 'coast' })
  const { parseKnowledge } = await import('../../../src/databases/knowledge/parse-knowledge.ts')
  const ours = parseKnowledge(words, { file: 'coast.md', source: 'knowledge' }).knowledge
  return openDatabase(
    { dialect: 'sqlite', name: 'coast', location: made.file },
    {
      audit: silentAudit,
      guard: makeGuard(),
      limits: { timeoutMs: 5_000, maxRows: 10, maxBytes: 10_000 },
      knowledge: {
        problems: knowledge.problems,
        knowledge: {
          ...knowledge.knowledge,
          descriptions: [...ours.descriptions, ...knowledge.knowledge.descriptions],
        },
      },
    },
  )
}

const run = async (describe: DescribeTable, words?: string) => {
  const opened = await open(words)
  try {
    return await describeDatabase(opened.database, {
      describe,
      about: 'Buoys of the coast',
      knowledgeFolder: join(root, 'knowledge'),
      onProgress: () => {},
      signal: new AbortController().signal,
    })
  } finally {
    await opened.close()
  }
}

/** A describer that says the same of everything, and remembers what it was asked. */
const makeDescriber = () => {
  const asked: TableToDescribe[] = []
  const describe: DescribeTable = async table => {
    asked.push(table)
    const columns = table.columns.map(column => ({ column, text: `What ${column} says.` }))
    return { value: { table: '# One of them.', columns }, usage: { ...noModelUsage, modelCalls: 1 } }
  }
  return { asked, describe }
}

it("writes a model's descriptions of undescribed tables as a knowledge file", async () => {
  const { asked, describe } = makeDescriber()
  const words = '## Tables\n### buoys\nWhat lies at anchor.\n- `lit`: Whether it has a light.'
  const told = await run(describe, words)
  expect(asked.map(({ columns }) => columns)).toEqual([['depth'], ['name']])
  expect(asked[0]?.rendered).toContain('What lies at anchor.')
  expect(told).toMatchObject({ tables: 1, columns: 2, failed: [], usage: { modelCalls: 2 } })
  expect(readFileSync(told.file, 'utf8')).toMatchSnapshot()
  const { catalog } = (await open(words)).database
  expect(catalog.tables.map(({ comment, commentSource }) => [comment, commentSource])).toEqual([
    ['What lies at anchor.', 'knowledge'],
    ['One of them.', 'generated'],
  ])
  expect(catalog.tables[0]?.columns.map(({ comment }) => comment)).toEqual([
    null,
    'Whether it has a light.',
    'What depth says.',
  ])
})

it('replaces generated descriptions, and keeps them if the call fails', async () => {
  await run(makeDescriber().describe)
  const failing: DescribeTable = async table => {
    if (table.rendered.includes('## ships')) throw new Error('busy')
    return { value: { table: 'Anew.', columns: [] }, usage: noModelUsage }
  }
  const told = await run(failing)
  expect(told.failed).toEqual([{ table: 'ships', why: 'busy' }])
  const text = readFileSync(told.file, 'utf8')
  expect(text).toContain('### buoys\nAnew.\n')
  expect(text).toContain('### ships\nOne of them.\n- `name`: What name says.')
})

it('fails when not one table could be described', async () => {
  const failing: DescribeTable = async () => {
    throw new Error('no such model')
  }
  await expect(run(failing)).rejects.toThrow('no such model')
})
