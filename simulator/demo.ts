import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { QuerentError } from '../src/domain/errors.ts'

/** `npm run demo`: the bot in a Slack simulator, with the sample company; no key, no service, no Slack. */

// What is imported above the cache is compiled without it.
enableCompileCache(join(import.meta.dirname, '../.querent/compile-cache'))

try {
  const { runDemo } = await import('./run-demo.ts')
  await runDemo()
} catch (error) {
  process.stderr.write(`${error instanceof QuerentError ? error.message : (error as Error).stack}\n`)
  process.exitCode = 1
}
