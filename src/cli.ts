import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { runCommandLine } from './cli/program/program.ts'

/**
 * The command line of this process. What can be typed is in `src/cli/program/`, what each command does in `src/cli/`;
 * nothing imports this file.
 */

// Compiling some two thousand modules is most of what a short command does. The cache lies in the project's own
// folder, because whoever can write it can make us run what they like.
enableCompileCache(join(import.meta.dirname, '../.querent/compile-cache'))

const output = { out: process.stdout, err: process.stderr }

process.exitCode = await runCommandLine(process.argv.slice(2), output, async (name, options) => {
  // The house is loaded only when a command runs: help and wrong arguments need none of it.
  const { runCommandInProcess } = await import('./cli/run-command.ts')
  return runCommandInProcess(name, options)
})
