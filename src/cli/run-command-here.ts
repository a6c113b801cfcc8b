import { QuerentError } from '../core/errors.ts'
import type { CommandName, CommandOptions } from './commands.ts'
import { runCommand } from './run-command.ts'
import { processTerminal } from './terminal-here.ts'

/** Runs one command in this process: on its terminal, with its environment, until Ctrl-C. Returns the exit status. */
export const runCommandInProcess = async (name: CommandName, options: CommandOptions): Promise<number> => {
  const interrupted = new AbortController()
  const onInterrupt = (): void => interrupted.abort(new QuerentError('cancelled', 'stopped by Ctrl-C'))
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  try {
    return await runCommand(name, options, { terminal: processTerminal(), signal: interrupted.signal })
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}
