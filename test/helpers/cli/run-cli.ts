import { Readable } from 'node:stream'
import { runCommandLine } from '../../../src/cli/program/program.ts'
import { runCommand } from '../../../src/cli/run-command.ts'
import { MemoryStream } from '../memory-stream.ts'
import { type CliEnvironment, type CliRun, environmentOf } from './cli-environment.ts'

/**
 * Runs the command line as a person would type it, in this process: arguments, environment, exit status and both
 * streams are those of a process of its own, and the two thousand modules are loaded once a file of tests.
 */
export const runCli = async (args: readonly string[], location: CliEnvironment): Promise<CliRun> => {
  const out = new MemoryStream()
  const err = new MemoryStream()
  if (location.onErr) err.onText = location.onErr
  const signal = location.signal ?? new AbortController().signal
  const status = await runCommandLine(args, { out, err }, (name, options) =>
    runCommand(name, options, {
      terminal: { out, err, input: Readable.from([location.input ?? '']), interactive: false },
      source: { env: environmentOf(location), cwd: location.folder },
      logTo: err,
      signal,
    }),
  )
  return { status, out: out.text, err: err.text }
}
