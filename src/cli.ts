import { importBuilt } from './import-built.ts'
import { keepCompiledCode, quietLibraries } from './lib/project.ts'

/** The command line of this process. Commands and options are in `src/cli/program/`. Nothing imports this file. */

keepCompiledCode()
quietLibraries()

const output = { out: process.stdout, err: process.stderr }

const { runCommandLine } = await importBuilt<typeof import('./cli/program/program.ts')>(
  'src/cli/program/program.ts',
)
process.exitCode = await runCommandLine(process.argv.slice(2), output, async (name, options) => {
  // Loaded only if a command runs: help and wrong arguments do not need it.
  const { runCommandInProcess } =
    await importBuilt<typeof import('./cli/run-command.ts')>('src/cli/run-command.ts')
  return runCommandInProcess(name, options)
})
