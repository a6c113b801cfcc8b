import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedServer } from '../../../src/store/embedded/embedded-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the superuser on the embedded server of this test run. */
    embeddedPostgresUrl: string
    /** `DATABASE_URL`: a server of somebody else's, whose superuser we are; null when there is none. */
    externalPostgresUrl: string | null
  }
}

/** Starts one embedded server for the whole run, in a folder of its own that is removed at the end. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const home = await mkdtemp(join(tmpdir(), 'querent-test-'))
  const server = await startEmbeddedServer({ home, durable: false })
  project.provide('embeddedPostgresUrl', server.adminUrl)
  project.provide('externalPostgresUrl', process.env.DATABASE_URL ?? null)
  return async () => {
    await server.stop()
    // As root the server's folder is not inside its home.
    await rm(server.folder, { recursive: true, force: true })
    await rm(home, { recursive: true, force: true })
  }
}
