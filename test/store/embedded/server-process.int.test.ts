import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { startEmbeddedServer } from '../../../src/store/embedded/embedded-server.ts'
import { findServerData } from '../../../src/store/embedded/server-folder.ts'
import { isServerRunning } from '../../../src/store/embedded/server-process.ts'

it('a server is seen while it runs, and looking makes nothing', { timeout: 60_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), 'querent-test-'))
  try {
    expect(await isServerRunning(join(home, 'nowhere'))).toBe(false)
    expect(await isServerRunning(home)).toBe(false)
    expect(readdirSync(home)).toEqual([])
    const data = (await findServerData(home)) ?? ''
    expect(existsSync(dirname(data))).toBe(false)
    const server = await startEmbeddedServer({ home, durable: false })
    expect(data).toBe(join(server.folder, 'data'))
    expect(await isServerRunning(home)).toBe(true)
    await server.stop()
    expect(await isServerRunning(home)).toBe(false)
    rmSync(server.folder, { recursive: true, force: true })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
