import { Command } from 'commander'
import { addAskCommands } from './add-asking.ts'
import { addDigestCommands } from './add-digests.ts'
import { addInstallationCommands } from './add-installations.ts'
import { addOperationsCommands } from './add-keeping.ts'
import { addFeedbackCommands } from './add-learning.ts'
import { addEvaluationCommands } from './add-measuring.ts'
import type { RunCommandByName } from './run-named.ts'

/** Where help and complaints about arguments go. */
export interface ProgramOutput {
  readonly out: { write(text: string): unknown }
  readonly err: { write(text: string): unknown }
}

/**
 * Makes the command line: what can be typed. What each command does is in `src/cli/`. Reading arguments throws
 * commander's `CommanderError` for help, version and mistakes, once it has written what there is to say.
 */
export const makeProgram = (run: RunCommandByName, { out, err }: ProgramOutput): Command => {
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
