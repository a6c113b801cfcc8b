import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { type OpenOptions, openDatabase } from '../../src/databases/open-database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import type { Guard } from '../../src/domain/sql.ts'
import { makeSqliteFile } from './catalog/make-database.ts'

const limits = { timeoutMs: 10_000, maxRows: 3, maxBytes: 100_000 }

let made: ReturnType<typeof makeSqliteFile>

let cacheFolder: string

let reference: DatabaseReference

beforeEach(() => {
  made = makeSqliteFile(`
    create table ports (id integer primary key, name text, country text);
    insert into ports values (1, 'Rotterdam', 'Netherlands'), (2, 'Málaga', 'Spain'), (3, 'Cádiz', 'Spain'),
      (4, 'Hull', 'UK');
  `)
  cacheFolder = mkdtempSync(join(tmpdir(), 'querent-cache-'))
  reference = { dialect: 'sqlite', name: 'sqlite:made.sqlite', location: made.file }
})

afterEach(() => {
  made.remove()
  rmSync(cacheFolder, { recursive: true, force: true })
})

/** Counts the statements that go through the guard: none are needed where an index is taken from the cache. */
const makeCountingGuard = (): { readonly guard: Guard; readonly seen: string[] } => {
  const inner = makeGuard()
  const seen: string[] = []
  return {
    seen,
    guard: (sql, dialect) => {
      seen.push(sql)
      return inner(sql, dialect)
    },
  }
}

const open = async (options: Partial<OpenOptions> = {}) => {
  const { guard, seen } = makeCountingGuard()
  const opened = await openDatabase(reference, { audit: silentAudit, guard, limits, ...options })
  return { ...opened, wasRead: seen.length > 0 }
}

/** Opens, and closes at once; tells whether the database had to be read. */
const wasRead = async (options: Partial<OpenOptions> = {}): Promise<boolean> => {
  const { wasRead, close } = await open({ cacheFolder, ...options })
  await close()
  return wasRead
}

const cacheFile = (): string => join(cacheFolder, readdirSync(cacheFolder)[0] ?? 'none')

const change = (sql: string): void => {
  const database = new DatabaseSync(made.file)
  database.exec(sql)
  database.close()
}

describe('an open database', () => {
  it('has all that a question needs', async () => {
    const { database, index, close } = await open()
    try {
      expect(database).toMatchObject({ name: 'sqlite:made.sqlite', dialect: 'sqlite' })
      expect(database.catalog.tables[0]).toMatchObject({ name: 'ports', rowCount: 4 })
      expect(database.findValues('malaga')[0]).toMatchObject({
        table: 'ports',
        column: 'name',
        value: 'Málaga',
      })
      expect(index.size).toBe(7)
      const verdict = database.guard('select name from ports order by id')
      if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
      const result = await database.run(verdict.guarded)
      expect(result.rows).toEqual([['Rotterdam'], ['Málaga'], ['Cádiz']])
      expect(result.truncated).toBe('rows')
      expect(database.guard('delete from ports').verdict).toBe('refuse')
    } finally {
      await close()
    }
  })

  it('is called as it was asked to be', async () => {
    const { database, close } = await open({ name: 'harbour' })
    await close()
    expect(database.name).toBe('harbour')
  })

  it('rejects when there is none, and when it was stopped', async () => {
    await expect(
      openDatabase(
        { dialect: 'sqlite', name: 'x', location: `${made.file}.gone` },
        { audit: silentAudit, guard: makeGuard(), limits },
      ),
    ).rejects.toMatchObject({ code: 'unknown-database' })
    await expect(open({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('what was found out', () => {
  it('is kept for the next process', async () => {
    const first = await open({ cacheFolder })
    await first.close()
    const second = await open({ cacheFolder })
    await second.close()
    expect([first.wasRead, second.wasRead]).toEqual([true, false])
    expect(second.database.catalog).toEqual(first.database.catalog)
    expect(second.database.findValues('cadiz')).toEqual(first.database.findValues('cadiz'))
    expect(statSync(cacheFile()).mode & 0o077).toBe(0)
    expect(readdirSync(cacheFolder)).toHaveLength(1)
  })

  it('is found out again when rows or tables have changed', async () => {
    await wasRead()
    change(`insert into ports values (5, 'Split', 'Croatia')`)
    expect(await wasRead()).toBe(true)
    expect(await wasRead()).toBe(false)
    change('create table ships (id integer primary key)')
    expect(await wasRead()).toBe(true)
  })

  it('is found out again when only the time of the file has changed', async () => {
    await wasRead()
    utimesSync(made.file, new Date(), new Date(Date.now() - 5000))
    expect(await wasRead()).toBe(true)
  })

  it('is found out again when a write stands in the log beside the file', async () => {
    change('pragma journal_mode = wal')
    await wasRead()
    const writer = new DatabaseSync(made.file)
    try {
      writer.exec(`insert into ports values (6, 'Turku', 'Finland')`)
      expect(await wasRead()).toBe(true)
    } finally {
      writer.close()
    }
  })

  it.each([
    ['cut', (content: Buffer) => content.subarray(0, content.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('hello')],
    [
      'damaged in the middle',
      (content: Buffer) => {
        const damaged = Buffer.from(content)
        for (let at = 40; at < damaged.length - 8; at += 7) damaged[at]! ^= 0x55
        return damaged
      },
    ],
  ])('is found out again when the file in the cache is %s', async (_what, damage) => {
    await wasRead()
    const whole = readFileSync(cacheFile())
    writeFileSync(cacheFile(), damage(whole))
    expect(await wasRead()).toBe(true)
    expect(await wasRead()).toBe(false)
  })

  it('is soon found out again where a table could not be measured', async () => {
    const refuseAll: Guard = () => ({ verdict: 'refuse', reason: 'not now' })
    const at = (minutes: number) => ({ now: () => new Date(Date.UTC(2026, 10, 20, 12, minutes)) })
    await wasRead({ guard: refuseAll, ...at(0) })
    const soon = await open({ cacheFolder, ...at(5) })
    await soon.close()
    const later = await open({ cacheFolder, ...at(15) })
    await later.close()
    expect([soon.wasRead, later.wasRead]).toEqual([false, true])
    expect(later.database.catalog.tables[0]?.columns[0]?.profile).not.toBeNull()
  })

  it('does without the cache where it cannot be written', async () => {
    const file = join(cacheFolder, 'a-file')
    writeFileSync(file, '')
    const { database, close } = await open({ cacheFolder: join(file, 'below') })
    await close()
    expect(database.findValues('hull')[0]).toMatchObject({ value: 'Hull' })
  })
})

describe('a database under a scope', () => {
  const scope = {
    tables: { include: [], exclude: ['payroll'] },
    columns: { exclude: ['ports.country'], mask: ['crew.surname'] },
  }

  beforeEach(() =>
    change(`
      create table crew (id integer primary key, surname text, rank text, port_id integer references ports (id));
      insert into crew values (1, 'Ahlqvist', 'mate', 1), (2, 'Bergstrand', 'cook', 2);
      create table payroll (id integer, crew_id integer, note text);
      insert into payroll values (1, 1, 'Kronborg');
      create view countries as select country from ports;
      create view ranks as select rank from crew;
    `),
  )

  it('hides tables and columns, and neither measures nor indexes a masked one', async () => {
    const { database, index, close } = await open({ scope })
    try {
      const columns = database.catalog.tables.map(table => [
        table.name,
        table.columns.map(({ name }) => name),
      ])
      expect(columns).toEqual([
        ['crew', ['id', 'surname', 'rank', 'port_id']],
        ['ports', ['id', 'name']],
        ['ranks', ['rank']],
      ])
      const surname = database.catalog.tables[0]?.columns[1]
      expect(surname).toMatchObject({ name: 'surname', masked: true, profile: null })
      for (const secret of ['Ahlqvist', 'Kronborg', 'Spain']) expect(database.findValues(secret)).toEqual([])
      expect(database.findValues('Hull')).toHaveLength(1)
      expect(index.size).toBeGreaterThan(0)
      expect(JSON.stringify(database.catalog)).not.toMatch(/Ahlqvist|Kronborg|Spain|payroll|country/)
    } finally {
      await close()
    }
  })

  it('guards what is asked', async () => {
    const { database, close } = await open({ scope })
    try {
      for (const sql of ['select name from ports', 'select count(surname) from crew', 'select * from ranks'])
        expect(database.guard(sql).verdict, sql).toBe('allow')
      for (const sql of [
        'select * from ports',
        'select surname from crew',
        'select note from payroll',
        'select * from countries',
      ])
        expect(database.guard(sql).verdict, sql).toBe('refuse')
    } finally {
      await close()
    }
  })

  it('uses no index that was made under another scope, and leaves none of its values behind', async () => {
    await wasRead()
    expect(await wasRead()).toBe(false)
    expect(await wasRead({ scope })).toBe(true)
    expect(readdirSync(cacheFolder)).toHaveLength(1)
    const { database, wasRead: again, close } = await open({ cacheFolder, scope })
    expect(again).toBe(false)
    expect(database.findValues('Ahlqvist')).toEqual([])
    await close()
    expect(await wasRead()).toBe(true)
  })

  it('does not open when something in the lists means nothing there', async () => {
    const misspelt = { ...scope, columns: { exclude: [], mask: ['crew.sirname'] } }
    await expect(open({ scope: misspelt })).rejects.toMatchObject({
      code: 'bad-configuration',
      message: expect.stringContaining('“crew.sirname” under columns.mask means nothing'),
    })
  })
})
