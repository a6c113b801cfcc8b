import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StatementRecord } from '../../../src/domain/operations/audit.ts'
import { makeAuditFile, purgeDays, readAuditFiles } from '../../../src/store/audit-file/audit-file.ts'
import type { AuditFilter } from '../../../src/store/repositories/audit-log.ts'
import { collect } from '../../helpers/collect.ts'
import { makeEnd, makeRecord } from './make-record.ts'

let root: string

let folder: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'querent-audit-file-'))
  folder = join(root, 'home', 'audit')
  return () => rmSync(root, { recursive: true, force: true })
})

const open = (purgeBefore: () => Date | null = () => null) => makeAuditFile(folder, { purgeBefore })

const all = (filter: AuditFilter = {}): Promise<StatementRecord[]> => collect(readAuditFiles(folder, filter))

const path = (day: string): string => join(folder, `${day}.jsonl`)

describe('the audit log in files', () => {
  it('makes nothing before the first statement, and then what only its owner may read', async () => {
    const file = open()
    expect(readdirSync(root)).toEqual([])
    await file.insert([makeRecord()])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(path('2026-03-02')).mode & 0o777).toBe(0o600)
  })

  it('recreates a deleted folder', async () => {
    const file = open()
    await file.insert([makeRecord()])
    rmSync(folder, { recursive: true })
    const next = makeRecord()
    await file.insert([next])
    rmSync(folder, { recursive: true })
    await file.finish([makeEnd(next)])
    await file.insert([next])
    expect(await all()).toMatchObject([{ id: next.id, verdict: 'ran' }])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('has a statement when it begins, and how it ended afterwards', async () => {
    const file = open()
    const record = makeRecord({ sql: 'select "x"\n -- ä, {"id":"' })
    await file.insert([record])
    expect(await all()).toEqual([record])
    await file.finish([makeEnd(record)])
    expect(await all()).toEqual([{ ...record, verdict: 'ran', rows: 3, bytes: 24, milliseconds: 1.5 }])
  })

  it('keeps a statement and its end in the file of the day on which it began', async () => {
    const file = open()
    const [late, early] = [
      makeRecord({ at: new Date('2026-03-02T23:59:59.999Z') }),
      makeRecord({ at: new Date('2026-03-03T00:00:00.000Z') }),
    ]
    await file.insert([late, early])
    await file.finish([makeEnd(early), makeEnd(late)])
    expect(readdirSync(folder).sort()).toEqual(['2026-03-02.jsonl', '2026-03-03.jsonl'])
    expect(readFileSync(path('2026-03-02'), 'utf8').trim().split('\n')).toHaveLength(2)
    expect((await all()).map(({ id, verdict }) => [id, verdict])).toEqual([
      [late.id, 'ran'],
      [early.id, 'ran'],
    ])
  })

  it('is read in order of time, whatever the order in which processes wrote', async () => {
    const at = (second: number): Date => new Date(Date.UTC(2026, 2, 2, 10, 0, second))
    const records = [7, 3, 9, 1, 5].map(second => makeRecord({ at: at(second) }))
    const [one, other] = [open(), open()]
    for (const [index, record] of records.entries()) await (index % 2 === 0 ? one : other).insert([record])
    expect((await all()).map(({ at }) => at.getUTCSeconds())).toEqual([1, 3, 5, 7, 9])
  })

  it('is read by time, person, database and what it was run for', async () => {
    const file = open()
    const [first, second, third] = [
      makeRecord({ at: new Date('2026-03-01T12:00:00Z') }),
      makeRecord({ person: 'ben', database: 'other' }),
      makeRecord({ at: new Date('2026-03-03T12:00:00Z'), origin: 'index' }),
    ]
    await file.insert([first, second, third])
    const ids = async (filter: AuditFilter) => (await all(filter)).map(({ id }) => id)
    expect(await ids({ since: first.at })).toEqual([first.id, second.id, third.id])
    expect(await ids({ since: second.at, until: third.at })).toEqual([second.id])
    expect(await ids({ until: new Date('2026-03-03T00:00:00Z') })).toEqual([first.id, second.id])
    expect(await ids({ person: 'ben' })).toEqual([second.id])
    expect(await ids({ database: 'shop' })).toEqual([first.id, third.id])
    expect(await ids({ origins: ['index', 'digest'] })).toEqual([third.id])
  })

  it('leaves out a line that a crash cut off, and not the one that was written behind it', async () => {
    const file = open()
    const [first, second, third] = [makeRecord(), makeRecord(), makeRecord()]
    await file.insert([first])
    const line = readFileSync(path('2026-03-02'), 'utf8')
    appendFileSync(path('2026-03-02'), line.slice(0, line.length / 2))
    await file.insert([second])
    appendFileSync(path('2026-03-02'), '\n{"id":"half')
    expect((await all()).map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
    await file.insert([third])
    expect((await all()).map(({ id }) => id).sort()).toEqual([first.id, second.id, third.id].sort())
  })

  it('reads lines that are longer than what is read at once', async () => {
    const file = open()
    const records = Array.from({ length: 5 }, (_, i) =>
      makeRecord({ sql: `select '${'é'.repeat(60_000 + i)}'` }),
    )
    await file.insert(records)
    expect((await all()).map(({ sql }) => sql).sort()).toEqual(records.map(({ sql }) => sql).sort())
  })

  it('cuts a statement of absurd length, as the store does', async () => {
    await open().insert([makeRecord({ sql: 'x'.repeat(200_000) })])
    expect((await all())[0]?.sql).toHaveLength(100_001)
  })

  it('deletes days that are over, and no more, when it is first written to', async () => {
    await open().insert([
      makeRecord({ at: new Date('2026-03-01T23:59:59Z') }),
      makeRecord({ at: new Date('2026-03-02T00:00:01Z') }),
    ])
    const file = open(() => new Date('2026-03-02T12:00:00Z'))
    await file.insert([makeRecord({ at: new Date('2026-03-04T00:00:00Z') })])
    expect(readdirSync(folder).sort()).toEqual(['2026-03-02.jsonl', '2026-03-04.jsonl'])
    expect(await purgeDays(folder, new Date('2026-03-05T00:00:00Z'))).toBe(2)
    expect(await all()).toEqual([])
    expect(await purgeDays(join(root, 'nowhere'), new Date())).toBe(0)
  })

  it('rejects if it cannot be written, and continues once it can', async () => {
    appendFileSync(join(root, 'home'), 'a file where a folder should be')
    const file = open()
    await expect(file.insert([makeRecord()])).rejects.toThrow(/ENOTDIR|EEXIST/)
    rmSync(join(root, 'home'))
    mkdirSync(join(root, 'home'))
    await file.insert([makeRecord()])
    expect(await all()).toHaveLength(1)
  })
})
