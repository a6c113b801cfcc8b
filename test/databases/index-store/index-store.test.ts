import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { makeIndexStore } from '../../../src/databases/index-store/index-store.ts'
import type { SharedIndexStore } from '../../../src/domain/database.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-store-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

it('gives the turn back to other machines, though its file here cannot be removed', async () => {
  const holders = new Set<string>()
  const indexes: SharedIndexStore = {
    ...{ savedAt: async () => null, read: async () => null, write: async () => {} },
    lockBuild: async key => {
      holders.add(key)
      return async () => void holders.delete(key)
    },
  }
  const path = join(folder, 'shop.index')
  const store = makeIndexStore({ path, shared: { indexes, key: 'shop' }, log: silentLog })
  const release = await store.acquireRefreshLock()
  expect([...holders]).toEqual(['shop'])
  // What stands in its place is no file.
  rmSync(`${path}.lock`)
  mkdirSync(`${path}.lock`)
  await release?.().catch(() => {})
  expect([...holders]).toEqual([])
})
