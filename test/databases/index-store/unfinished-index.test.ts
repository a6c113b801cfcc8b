import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openUnfinishedIndex } from '../../../src/databases/index-store/unfinished-index.ts'
import type { Table } from '../../../src/domain/catalog.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'

const table = (name: string): Table => ({
  ...{ name, schema: null, type: 'table', comment: null, rowCount: 3, primaryKey: [], columns: [] },
})

const stamp = { schema: 'a', tables: { ships: '1' }, file: null }

const began = new Date('2026-03-01T10:00:00Z')

let folder: string

let path: string

const open = (options: { readonly stamp?: typeof stamp; readonly at?: Date } = {}) =>
  openUnfinishedIndex({
    ...{ path, stamp: options.stamp ?? stamp, now: () => options.at ?? began, log: silentLog },
    writtenEveryMs: 0,
  })

const interrupted = async (): Promise<void> => {
  const index = await open()
  index.add('ships', table('ships'))
  await vi.waitFor(() => expect(existsSync(`${path}.part`)).toBe(true))
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-part-'))
  path = join(folder, 'shop.index')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('an index whose process was killed', () => {
  it('goes on with the tables that were measured, and says when that began', async () => {
    await interrupted()
    const { found } = await open({ at: new Date('2026-03-01T10:30:00Z') })
    expect([...found.tables]).toEqual([['ships', table('ships')]])
    expect(found.began).toEqual(began)
  })

  it('begins again for other tables or columns, and after an hour', async () => {
    await interrupted()
    expect((await open({ stamp: { ...stamp, schema: 'b' } })).found.tables.size).toBe(0)
    expect((await open({ at: new Date('2026-03-01T11:00:01Z') })).found.tables.size).toBe(0)
  })

  it('begins again if the file was cut off', async () => {
    await interrupted()
    writeFileSync(`${path}.part`, readFileSync(`${path}.part`).subarray(0, 40))
    expect((await open()).found.tables.size).toBe(0)
  })

  it('keeps the file for its owner only, and removes it at the end', async () => {
    await interrupted()
    expect(statSync(`${path}.part`).mode & 0o777).toBe(0o600)
    await (await open()).remove()
    expect(existsSync(`${path}.part`)).toBe(false)
  })
})
