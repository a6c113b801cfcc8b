import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { QuerentError } from './domain/errors.ts'

/** The server process. Nothing imports this file. */

// Compiling modules takes most of the time to start. Static imports are compiled before the cache is enabled, so everything
// else is imported below. The cache is in the project's own folder, like that of the command line.
enableCompileCache(join(import.meta.dirname, '../.querent/compile-cache'))

try {
  const { serve } = await import('./bootstrap/serve.ts')
  await serve()
} catch (error) {
  process.stderr.write(`${error instanceof QuerentError ? error.message : (error as Error).stack}\n`)
  process.exitCode = error instanceof QuerentError && error.code === 'bad-configuration' ? 2 : 1
}

// Retries of Slack requests would otherwise keep the finished process alive for half an hour.
process.exit()
