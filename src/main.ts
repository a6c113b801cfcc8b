import { importBuilt } from './import-built.ts'
import { keepCompiledCode, quietLibraries } from './lib/project.ts'

/** The server process. Nothing imports this file. */

keepCompiledCode()
quietLibraries()

const { runServer } = await importBuilt<typeof import('./bootstrap/serve.ts')>('src/bootstrap/serve.ts')
// Retries of Slack requests would otherwise keep the finished process alive for half an hour.
process.exit(await runServer())
