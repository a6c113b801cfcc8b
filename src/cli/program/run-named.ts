import type { CommandName, CommandOptions } from '../commands.ts'

/** Runs the command that was typed, with what was typed after it. */
export type RunCommandByName = (name: CommandName, options: CommandOptions) => Promise<void>
