import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeExportRows } from '../../src/answering/export-csv.ts'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../src/databases/open-database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import type { Cell, ResultTable, ValueKind } from '../../src/domain/result.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { answered } from '../slack/listeners/answered.ts'

const tableOf = (
  columns: [string, ValueKind][],
  rows: Cell[][],
  truncated: ResultTable['truncated'] = null,
): ResultTable => ({
  columns: columns.map(([name, kind]) => ({ name, kind })),
  rows,
  truncated,
  milliseconds: 1,
})

let file: ReturnType<typeof makeSqliteFile>

let tents: OpenDatabase

beforeAll(async () => {
  file = makeSqliteFile('create table tents (city text);')
  tents = await openDatabase(parseDatabaseReference(`sqlite:${file.file}`, { baseFolder: '/' }), {
    audit: silentAudit,
    guard: makeGuard(),
    limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 10_000_000 },
  })
})

afterAll(async () => {
  await tents?.close()
  file?.remove()
})

const exported = async (columns: [string, ValueKind][], rows: Cell[][]) => {
  const exportRows = makeExportRows({
    findAnswered: async () => answered,
    loadResult: async () => tableOf(columns, rows),
    openDatabase: async () => ({
      guard: tents.database.guard,
      run: async () => {
        throw new Error('rows that are saved whole are not read again')
      },
    }),
  })
  const file = await exportRows('0123456789')
  if (file !== null && 'status' in file) throw new Error(file.reason)
  return file && { ...file, csv: Buffer.from(file.csv).toString('utf8') }
}

it('writes a header and every row, with a byte order mark', async () => {
  const file = await exported(
    [
      ['city', 'text'],
      ['n', 'integer'],
    ],
    [
      ['Oslo', 1],
      [null, 9007199254740993n],
    ],
  )
  expect(file).toMatchObject({ fileName: 'answer-01234567.csv', rows: 2, complete: true })
  expect(file?.csv).toBe('\uFEFFcity,n\nOslo,1\n,9007199254740993\n')
})

it('escapes spreadsheet formulas, and leaves negative numbers alone', async () => {
  const file = await exported(
    [
      ['a', 'text'],
      ['b', 'integer'],
      ['c', 'number'],
      ['d', 'text'],
    ],
    [['=1+1', -5, '-12.3456789012345678', '-12.5']],
  )
  expect(file?.csv).toContain("'=1+1,-5,-12.3456789012345678,'-12.5")
})

it.each([
  ' =1+1',
  '\n=1+1',
  '\u00a0@x',
  '\uff1d1+1',
  ';=1+1',
  ',@x',
  '"=1+1',
  "'=1+1",
  '\u200b=1+1',
  '\u0000=1+1',
])('escapes a formula that hides: %j', async text => {
  const file = await exported([['a', 'text']], [[text]])
  expect(file?.csv).toMatch(/^\uFEFFa\n"?'/)
})

it('escapes the name of a column', async () => {
  const file = await exported(
    [
      ['=cmd()', 'text'],
      [';=cmd()', 'text'],
      ['-5', 'integer'],
    ],
    [['a', 'b', 1]],
  )
  expect(file?.csv).toBe("\uFEFF'=cmd(),';=cmd(),'-5\na,b,1\n")
})

it('keeps columns of the same name, and one without a name', async () => {
  const file = await exported(
    [
      ['id', 'integer'],
      ['id', 'integer'],
      ['', 'integer'],
    ],
    [[1, 2, 3]],
  )
  expect(file?.csv).toBe('\uFEFFid,id,–\n1,2,3\n')
})

describe('a result that is not saved completely', () => {
  const whole = 'SELECT n FROM numbers'
  const open = async () => {
    const sqlite = makeSqliteFile(`create table numbers (n integer primary key);
      insert into numbers with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      select i from n;`)
    const limits = { timeoutMs: 10_000, maxRows: 100, maxBytes: 10_000_000 }
    const opened = await openDatabase(parseDatabaseReference(`sqlite:${sqlite.file}`, { baseFolder: '/' }), {
      audit: silentAudit,
      guard: makeGuard(),
      limits,
      exportLimits: { ...limits, maxRows: 4_500 },
    })
    const close = async () => {
      await opened.close()
      sqlite.remove()
    }
    return { database: opened.database, close }
  }
  const exportWith = async (saved: ResultTable | null, sql: string) => {
    const { database, close } = await open()
    try {
      let slow = 0
      const exportRows = makeExportRows({
        findAnswered: async () => ({ ...answered, sql }),
        loadResult: async () => saved,
        openDatabase: async () => database,
      })
      const file = await exportRows('0123456789', { onSlow: () => (slow += 1) })
      if (file !== null && 'status' in file) throw new Error(file.reason)
      return {
        file,
        slow,
        lines:
          Buffer.from(file?.csv ?? [])
            .toString('utf8')
            .trim()
            .split('\n').length - 1,
      }
    } finally {
      await close()
    }
  }

  it('is read again up to the cap for files, and says that it was cut', async () => {
    const cut = tableOf([['n', 'integer']], [[1]], 'rows')
    const { file, slow, lines } = await exportWith(cut, whole)
    expect(file).toMatchObject({ rows: 4_500, complete: false })
    expect({ slow, lines }).toEqual({ slow: 1, lines: 4_500 })
  })

  it('is complete within the cap for files, even after it expired', async () => {
    const { file, lines } = await exportWith(null, `${whole} WHERE n <= 3000`)
    expect(file).toMatchObject({ rows: 3_000, complete: true })
    expect(lines).toBe(3_000)
  })

  it.each([null, 'rows'] as const)(
    'is not exported if the guard now refuses it (cut by %s)',
    async truncated => {
      const saved = tableOf([['n', 'integer']], [[1]], truncated)
      expect((await exportWith(saved, 'DELETE FROM numbers')).file).toBeNull()
      expect((await exportWith(null, 'DELETE FROM numbers')).file).toBeNull()
    },
  )
})
