import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { importBuilt } from './import-built.ts'

/** The server process. Nothing imports this file. */

// Compiling takes most of the time to start. The cache is in the project's own folder, like that of the command line.
enableCompileCache(join(import.meta.dirname, '../.querent/compile-cache'))

const { runServer } = await importBuilt<typeof import('./bootstrap/serve.ts')>('src/bootstrap/serve.ts')
// Retries of Slack requests would otherwise keep the finished process alive for half an hour.
process.exit(await runServer())
