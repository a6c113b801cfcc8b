import { Option } from 'commander'
import type { CommandName, CommandOptions } from '../commands.ts'

/** Options that several commands take. Each call makes one anew: an option belongs to one command. */

export const jsonOption = () =>
  new Option('--json', 'one JSON value on standard output; everything else goes to standard error')

export const databaseOption = () =>
  new Option(
    '--database <database>',
    'which database (default: that of querent.yml, else the sample company)',
  )

export const modelOption = () =>
  new Option('--model <model>', '"none" for no model at all (the default when none is configured)')

export const strategyOption = () =>
  new Option('--strategy <strategy>', 'adaptive (drafts in waves; the default) or chase (all drafts at once)')

/** Runs the command that was typed, with what was typed after it. */
export type RunCommandByName = (name: CommandName, options: CommandOptions) => Promise<void>
