import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { QuerentError } from './domain/errors.ts'

/** The server as a process of its own. Nothing imports this file. */

// Compiling some two thousand modules is most of a start. What is imported above the cache is compiled without it: the
// house is loaded here. The cache lies in the project's own folder, as that of the command line.
enableCompileCache(join(import.meta.dirname, '../.querent/compile-cache'))

try {
  const { serve } = await import('./bootstrap/serve.ts')
  await serve()
} catch (error) {
  process.stderr.write(`${error instanceof QuerentError ? error.message : (error as Error).stack}\n`)
  process.exitCode = error instanceof QuerentError && error.code === 'bad-configuration' ? 2 : 1
}

// Retries of a Slack that does not answer would go on for half an hour in a process that is done.
process.exit()
