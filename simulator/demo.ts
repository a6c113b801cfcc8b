import { importBuilt } from '../src/import-built.ts'
import { keepCompiledCode, quietLibraries } from '../src/lib/project.ts'

/** `npm run demo`: the bot in a Slack simulator, with the sample company; no key, no service, no Slack. */

keepCompiledCode()
quietLibraries()

const { runDemo } = await importBuilt<typeof import('./run-demo.ts')>('simulator/run-demo.ts')
process.exitCode = await runDemo()
