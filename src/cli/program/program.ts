import { Command, CommanderError } from 'commander'
import type { CommandName, CommandOptions } from '../commands.ts'
import { programHelp } from '../copy/help.ts'
import {
  addAskCommands,
  addDigestCommands,
  addInstallationCommands,
  addOperationsCommands,
  type RunCommandByName,
} from './commands.ts'
import { addEvaluationCommands, addFeedbackCommands } from './training-commands.ts'

/**
 * Parses the arguments (without the name of the program) and runs the command. Returns the exit status: the status of
 * the command, 0 for help, 2 for wrong arguments.
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
    // Commander also throws for help and version, with exit code 0.
    return error.exitCode === 0 ? 0 : 2
  }
}

/** Where help and messages about wrong arguments are written. */
interface ProgramOutput {
  readonly out: { write(text: string): unknown }
  readonly err: { write(text: string): unknown }
}

/**
 * Builds the commander program with every command and option. Parsing throws commander's `CommanderError` for help,
 * version and wrong arguments, after the text was written.
 */
const makeProgram = (run: RunCommandByName, { out, err }: ProgramOutput): Command => {
  const program = new Command('querent')
    .configureOutput({ writeOut: text => out.write(text), writeErr: text => err.write(text) })
    .description(programHelp.description)
    .usage(programHelp.usage)
    .helpOption('-h, --help', programHelp.helpOption)
    .helpCommand('help [command]', programHelp.helpCommand)
    .configureHelp({ sortSubcommands: false, helpWidth: 110 })
    .showHelpAfterError(programHelp.afterError)
    .exitOverride()
    .addHelpText('after', programHelp.notes)
  // In the order in which help lists them.
  addAskCommands(program, run)
  addEvaluationCommands(program, run)
  addFeedbackCommands(program, run)
  addDigestCommands(program, run)
  addOperationsCommands(program, run)
  addInstallationCommands(program, run)
  return program
}
