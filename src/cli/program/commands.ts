import { type Command, Option } from 'commander'
import type { CommandName, CommandOptions } from '../commands.ts'
import { askHelp, digestHelp, operationsHelp, optionHelp } from '../copy/help.ts'

// Options that several commands take. They are functions because commander changes an option when it is added.

export const jsonOption = () => new Option('--json', optionHelp.json)

export const databaseOption = () => new Option('--database <database>', optionHelp.database)

export const modelOption = () => new Option('--model <model>', optionHelp.model)

export const strategyOption = () => new Option('--strategy <strategy>', optionHelp.strategy)

/** Runs a command by name, with its arguments and options. */
export type RunCommandByName = (name: CommandName, options: CommandOptions) => Promise<void>

/** Adds the commands that read a database: `ask`, `guard`, `index`, `values`. */
export const addAskCommands = (program: Command, run: RunCommandByName): void => {
  const { ask, guard, index, values } = askHelp
  program
    .command('ask')
    .description(ask.description)
    .argument('<question>', ask.question)
    .addOption(databaseOption())
    .addOption(modelOption())
    .addOption(strategyOption())
    .option('--as-of <time>', ask.asOf)
    .option('--reply <reply>', ask.reply)
    .option('--after <question>', ask.after, (text: string, before: readonly string[] = []) => [
      ...before,
      text,
    ])
    .option('--explain', ask.explain)
    .option('--store', ask.store)
    .addOption(jsonOption())
    .action((question, options) => run('ask', { question, ...options }))

  program
    .command('guard')
    .description(guard.description)
    .option('--dialect <dialect>', guard.dialect)
    .option('--file <file>', guard.file)
    .option('--database <database>', guard.database)
    .option('--json', guard.json)
    .action(options => run('guard', options))

  program
    .command('index')
    .description(index.description)
    .addOption(databaseOption())
    .option('--describe', index.describe)
    .addOption(modelOption())
    .addOption(jsonOption())
    .action(options => run('index', options))

  program
    .command('values')
    .description(values.description)
    .argument('<keyword>', values.keyword)
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action((keyword, options) => run('values', { keyword, ...options }))
}

/** Adds the commands of an operator: `init`, `serve`, `migrate`, `doctor`, `audit`, `forget`. */
export const addOperationsCommands = (program: Command, run: RunCommandByName): void => {
  const { init, audit, forget } = operationsHelp
  program
    .command('init')
    .description(init.description)
    .option('--database <database>', init.database)
    .option('--database-from-env <variable>', init.databaseFromEnv)
    .option('--name <name>', init.name)
    .option('--description <text>', init.describe)
    .option('--replace', init.replace)
    .option('--slack <way>', init.slack)
    .option('--url <url>', init.url)
    .option('--yes', init.yes)
    .addOption(jsonOption())
    .action(options => run('init', options))

  program
    .command('serve')
    .description(operationsHelp.serve.description)
    .action(options => run('serve', options))

  program
    .command('migrate')
    .description(operationsHelp.migrate.description)
    .addOption(jsonOption())
    .action(options => run('migrate', options))

  program
    .command('doctor')
    .description(operationsHelp.doctor.description)
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(options => run('doctor', options))

  program
    .command('audit')
    .description(audit.description)
    .command('export')
    .description(audit.export)
    .option('--since <time>', audit.since)
    .option('--until <time>', audit.until)
    .option('--person <id>', audit.person)
    .option('--database <name>', audit.database)
    .option('--origin <origins>', audit.origin)
    .option('--format <format>', audit.format)
    .addOption(jsonOption())
    .action(options => run('audit-export', options))

  program
    .command('forget')
    .description(forget.description)
    .requiredOption('--person <id>', forget.person)
    .option('--yes', forget.yes)
    .addOption(jsonOption())
    .action(options => run('forget', options))
}

/** Adds `installations`, for bots in several workspaces. */
export const addInstallationCommands = (program: Command, run: RunCommandByName): void => {
  const help = operationsHelp.installations
  const installations = program.command('installations').description(help.description)

  installations
    .command('list')
    .description(help.list)
    .addOption(jsonOption())
    .action(options => run('installations-list', options))

  installations
    .command('remove')
    .description(help.remove)
    .argument('<id>', help.team)
    .addOption(jsonOption())
    .action((id, options) => run('installations-remove', { id, ...options }))

  installations
    .command('rotate-keys')
    .description(help.rotateKeys)
    .addOption(jsonOption())
    .action(options => run('installations-rotate-keys', options))
}

/** Adds `digest` and its subcommands. */
export const addDigestCommands = (program: Command, run: RunCommandByName): void => {
  const digest = program.command('digest').description(digestHelp.description)

  digest
    .command('list')
    .description(digestHelp.list)
    .addOption(jsonOption())
    .action(options => run('digest-list', options))

  digest
    .command('run')
    .description(digestHelp.run)
    .argument('<id>', optionHelp.idPrefix)
    .addOption(jsonOption())
    .action((id, options) => run('digest-run', { id, ...options }))

  digest
    .command('edit')
    .description(digestHelp.edit)
    .argument('<id>', optionHelp.idPrefix)
    .argument('<words...>', digestHelp.words)
    .addOption(jsonOption())
    .action((id, words, options) => run('digest-edit', { id, words, ...options }))

  digest
    .command('pause')
    .description(digestHelp.pause)
    .argument('<id>', optionHelp.idPrefix)
    .addOption(jsonOption())
    .action((id, options) => run('digest-pause', { id, ...options }))

  digest
    .command('resume')
    .description(digestHelp.resume)
    .argument('<id>', optionHelp.idPrefix)
    .addOption(jsonOption())
    .action((id, options) => run('digest-resume', { id, ...options }))
}
