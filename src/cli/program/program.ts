import { Command, CommanderError } from 'commander'
import type { CommandName, CommandOptions } from '../commands.ts'
import { addAskCommands } from './ask-commands.ts'
import { addDigestCommands } from './digest-commands.ts'
import { addEvaluationCommands } from './evaluation-commands.ts'
import { addFeedbackCommands } from './feedback-commands.ts'
import { addInstallationCommands, addOperationsCommands } from './operations-commands.ts'
import type { RunCommandByName } from './options.ts'

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

/** Where help and complaints about arguments go. */
interface ProgramOutput {
  readonly out: { write(text: string): unknown }
  readonly err: { write(text: string): unknown }
}

/**
 * Makes the command line: what can be typed. What each command does is in `src/cli/`. Reading arguments throws
 * commander's `CommanderError` for help, version and mistakes, once it has written what there is to say.
 */
const makeProgram = (run: RunCommandByName, { out, err }: ProgramOutput): Command => {
  const program = new Command('querent')
    .configureOutput({ writeOut: text => out.write(text), writeErr: text => err.write(text) })
    .description(
      'Answers data questions: several SQL candidates, repaired, compared and guarded; one answer as a table.',
    )
    .usage('<command> [options]')
    .configureHelp({ sortSubcommands: false, helpWidth: 110 })
    .showHelpAfterError('(querent --help lists the commands)')
    .exitOverride()
    .addHelpText(
      'after',
      `
  Databases are named in querent.yml or given as sqlite:PATH, duckdb:PATH (a database, or a folder of CSV and Parquet
  files), postgres://... or mysql://...; without --database it is the defaultDatabase of querent.yml, else the sample company. Relative paths start in the folder you typed the command in.
  Exit status: 0 for every honest outcome (answered, asked back, refused), 1 when the work failed, 2 for wrong arguments.

  Try:
    npm run -s querent -- ask "how many orders were placed last month by region?"
    npm run -s querent -- ask "how many singers are there?" --database sqlite:music.sqlite --explain`,
    )
  // In the order in which help lists them.
  addAskCommands(program, run)
  addEvaluationCommands(program, run)
  addFeedbackCommands(program, run)
  addDigestCommands(program, run)
  addOperationsCommands(program, run)
  addInstallationCommands(program, run)
  return program
}
