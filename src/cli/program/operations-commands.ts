import type { Command } from 'commander'
import { operationsHelp } from '../copy/help.ts'
import { databaseOption, jsonOption, type RunCommandByName } from './options.ts'

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
