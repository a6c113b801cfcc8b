import { CommanderError } from 'commander'
import type { CommandName, CommandOptions } from './commands.ts'
import { makeProgram, type ProgramOutput } from './program/make-program.ts'

/**
 * Reads what was typed (without the name of the program) and has the command run. Returns the exit status: that of the
 * command, 0 for help, 2 for arguments that cannot be.
 */
export const runCommandLine = async (
  args: readonly string[],
  output: ProgramOutput,
  runCommand: (name: CommandName, options: CommandOptions) => Promise<number>,
): Promise<number> => {
  let status = 0
  const program = makeProgram(async (name, options) => {
    status = await runCommand(name, options)
  }, output)
  try {
    await program.parseAsync(args, { from: 'user' })
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version are not mistakes; everything else that commander stops for is a wrong argument.
    return error.exitCode === 0 ? 0 : 2
  }
}
