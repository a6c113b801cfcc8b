import { Option } from 'commander'
import type { CommandName, CommandOptions } from '../commands.ts'
import { optionHelp } from '../copy/help.ts'

// Options that several commands take. They are functions because commander changes an option when it is added.

export const jsonOption = () => new Option('--json', optionHelp.json)

export const databaseOption = () => new Option('--database <database>', optionHelp.database)

export const modelOption = () => new Option('--model <model>', optionHelp.model)

export const strategyOption = () => new Option('--strategy <strategy>', optionHelp.strategy)

/** Runs a command by name, with its arguments and options. */
export type RunCommandByName = (name: CommandName, options: CommandOptions) => Promise<void>
