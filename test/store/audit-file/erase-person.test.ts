import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { makeAuditFile, purgeDays, readAuditFiles } from '../../../src/store/audit-file/audit-file.ts'
import { eraseFromAuditFiles } from '../../../src/store/audit-file/erase-person.ts'
import { collect } from '../../helpers/collect.ts'
import { makeEnd, makeRecord } from './make-record.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-forgetting-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

const all = () => collect(readAuditFiles(folder, {}))

const text = (): string =>
  readdirSync(folder)
    .map(name => readFileSync(join(folder, name), 'utf8'))
    .join('')

it('removes a name, and an id from texts, and nothing else', async () => {
  const file = makeAuditFile(folder, { purgeBefore: () => null })
  const theirs = makeRecord({ person: 'U0FORGET1', channel: 'D1', sql: "select 'U0FORGET1'" })
  const others = makeRecord({ person: 'U0FORGET12', channel: 'D2', sql: "select 'U0FORGET12', 'U0FORGET1'" })
  const another = makeRecord({ at: new Date('2026-03-03T00:00:00Z'), person: 'ada' })
  await file.insert([theirs, others, another])
  await file.finish([makeEnd(theirs)])
  const before = await all()
  const forgotten = { person: 'U0FORGET1', alias: 'forgotten-1' }

  expect(await eraseFromAuditFiles(folder, forgotten, { only: 'count' })).toEqual({
    statements: 1,
    mentions: 2,
  })
  expect(await all()).toEqual(before)

  expect(await eraseFromAuditFiles(folder, forgotten, { only: 'forget' })).toEqual({
    statements: 1,
    mentions: 2,
  })
  expect(text()).not.toMatch(/\bU0FORGET1\b/)
  const after = await all()
  expect(after.find(({ id }) => id === theirs.id)).toEqual({
    ...theirs,
    ...{ person: 'forgotten-1', channel: null, sql: "select 'UXXXXXXXX'" },
    ...{ verdict: 'ran', rows: 3, bytes: 24, milliseconds: 1.5 },
  })
  expect(after.find(({ id }) => id === others.id)).toEqual({
    ...others,
    sql: "select 'U0FORGET12', 'UXXXXXXXX'",
  })
  expect(after.find(({ id }) => id === another.id)).toEqual(another)
  expect(readdirSync(folder)).toContain('2026-03-03.jsonl')
  expect(await eraseFromAuditFiles(folder, forgotten, { only: 'forget' })).toEqual({
    statements: 0,
    mentions: 0,
  })
})

it('does not replace words for a shell user', async () => {
  const file = makeAuditFile(folder, { purgeBefore: () => null })
  await file.insert([makeRecord({ person: 'ada', sql: "select 'ada'" })])
  const forgotten = { person: 'ada', alias: 'forgotten-1' }
  expect(await eraseFromAuditFiles(folder, forgotten, { only: 'forget' })).toEqual({
    statements: 1,
    mentions: 0,
  })
  expect(await all()).toMatchObject([{ person: 'forgotten-1', sql: "select 'ada'" }])
})

it('loses no concurrent statements, and no ends of earlier ones', async () => {
  const file = makeAuditFile(folder, { purgeBefore: () => null })
  const first = Array.from({ length: 2_500 }, () => makeRecord())
  await file.insert(first)
  let isOver = false
  const later: string[] = []
  const writing = (async () => {
    for (let at = 0; !isOver; at++) {
      const record = makeRecord({ person: 'ben' })
      later.push(record.id)
      await file.insert([record])
      const begun = first[at]
      if (begun) await file.finish([makeEnd(begun)])
    }
  })()
  await eraseFromAuditFiles(folder, { person: 'ada', alias: 'forgotten-1' }, { only: 'forget' })
  isOver = true
  await writing
  const after = await all()
  expect(new Set(after.map(({ id }) => id))).toEqual(new Set([...first.map(({ id }) => id), ...later]))
  expect(after.filter(({ person }) => person === 'ada')).toEqual([])
  const ended = after.filter(({ verdict }) => verdict === 'ran').length
  expect(ended).toBe(Math.min(later.length, first.length))
  // Its parts are of the same day still.
  expect(await purgeDays(folder, new Date('2026-03-03T00:00:00Z'))).toBe(2)
  expect(readdirSync(folder)).toEqual([])
})
