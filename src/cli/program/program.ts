import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { projectFolder } from '../../lib/project.ts'
import type { CommandName, CommandOptions } from '../commands.ts'
import { optionHelp, programHelp } from '../copy/help.ts'
import { type CommandEntry, groupHelp, listCommands } from './command-list.ts'

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
const makeProgram = (
  run: (name: CommandName, options: CommandOptions) => Promise<void>,
  { out, err }: ProgramOutput,
): Command => {
  const program = new Command('querent')
    .configureOutput({ writeOut: text => out.write(text), writeErr: text => err.write(text) })
    .description(programHelp.description)
    .usage(programHelp.usage)
    .version(readVersion(), '--version', programHelp.versionOption)
    .helpOption('-h, --help', programHelp.helpOption)
    .helpCommand('help [command]', programHelp.helpCommand)
    .configureHelp({ sortSubcommands: false, helpWidth: 110 })
    .showHelpAfterError(programHelp.afterError)
    .exitOverride()
    .addHelpText('after', programHelp.notes)
  for (const entry of listCommands()) addCommand(program, entry, run)
  return program
}

const readVersion = (): string =>
  (JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string }).version

/** Adds a command, and its group before the first command of it. */
const addCommand = (
  program: Command,
  { path, run: name, help, args = [], options = [], hasNoJson }: CommandEntry,
  run: (name: CommandName, options: CommandOptions) => Promise<void>,
): void => {
  const [word = '', subword] = path.split(' ')
  const findGroup = () => program.commands.find(command => command.name() === word)
  const addGroup = () => program.command(word).description(groupHelp[word] ?? '')
  const command = subword === undefined ? program.command(word) : (findGroup() ?? addGroup()).command(subword)
  command.description(help)
  for (const [usage, about] of args) command.argument(usage, about)
  for (const option of options) command.addOption(option)
  if (!hasNoJson) command.option('--json', optionHelp.json)
  const argumentNames = args.map(([usage]) => usage.replace(/[<>.]/g, ''))
  command.action((...given: unknown[]) => {
    const byName = Object.fromEntries(argumentNames.map((argument, at) => [argument, given[at]]))
    return run(name, { ...byName, ...(given[argumentNames.length] as CommandOptions) })
  })
}
