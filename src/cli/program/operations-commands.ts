import type { Command } from 'commander'
import { databaseOption, jsonOption, type RunCommandByName } from './options.ts'

/** What keeps an installation going: `init`, `serve`, `migrate`, `doctor`, `audit`, `forget`. */
export const addOperationsCommands = (program: Command, run: RunCommandByName): void => {
  program
    .command('init')
    .description(
      'set Querent up: database, read-only user, index, first questions, Slack; goes on where it stopped',
    )
    .option(
      '--database <database>',
      'address or path of the database, its name in querent.yml, or sample-company',
    )
    .option('--database-from-env <variable>', 'takes the address out of a variable, and writes it nowhere')
    .option('--name <name>', 'what the database is called in querent.yml')
    .option('--description <text>', 'what is in it, in a sentence')
    .option('--replace', 'change what querent.yml or .env say otherwise; without --yes you are asked')
    .option('--slack <way>', 'how Slack reaches the bot: socket, http or none')
    .option('--url <url>', 'for http: the address that Slack calls, https://...')
    .option('--yes', 'ask nothing; tokens of Slack are read from the environment or .env')
    .addOption(jsonOption())
    .action(options => run('init', options))

  program
    .command('serve')
    .description('run the bot until it is told to stop, as npm start does')
    .action(options => run('serve', options))

  program
    .command('migrate')
    .description("bring Querent's own database up to date")
    .addOption(jsonOption())
    .action(options => run('migrate', options))

  program
    .command('doctor')
    .description('check each part and say what to do')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(options => run('doctor', options))

  program
    .command('audit')
    .description('every statement that was sent, or refused, to a database that people ask about')
    .command('export')
    .description('write the statements: who, where, when, what, how much, and how it ended')
    .option('--since <time>', 'only from a day or a moment on (ISO 8601)')
    .option('--until <time>', 'only up to the end of a day, or before a moment')
    .option('--person <id>', 'only those run for one person, by the id in Slack')
    .option('--database <name>', 'only those on one database, by the name in querent.yml')
    .option(
      '--origin <origins>',
      'only those run for these, as question,command; index is what measures a database',
    )
    .option('--format <format>', 'jsonl (one JSON object a line; the default) or csv')
    .addOption(jsonOption())
    .action(options => run('audit-export', options))

  program
    .command('forget')
    .description('delete what is kept of a person, or take their name off what stays')
    .requiredOption('--person <id>', 'the id of the person in Slack')
    .option('--yes', 'do it without asking')
    .addOption(jsonOption())
    .action(options => run('forget', options))
}

/** The workspaces that have installed the app: `installations`. */
export const addInstallationCommands = (program: Command, run: RunCommandByName): void => {
  const installations = program
    .command('installations')
    .description('the workspaces that have installed the app, where there are several')

  installations
    .command('list')
    .description('show them, and until when their tokens last')
    .addOption(jsonOption())
    .action(options => run('installations-list', options))

  installations
    .command('remove')
    .description('delete the tokens of one and pause its digests')
    .argument('<id>', 'the id of the workspace')
    .addOption(jsonOption())
    .action((id, options) => run('installations-remove', { id, ...options }))

  installations
    .command('rotate-keys')
    .description('seal all tokens with the first key of QUERENT_ENCRYPTION_KEYS')
    .addOption(jsonOption())
    .action(options => run('installations-rotate-keys', options))
}
