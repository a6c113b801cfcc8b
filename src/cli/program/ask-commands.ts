import type { Command } from 'commander'
import { askHelp } from '../copy/help.ts'
import { databaseOption, jsonOption, modelOption, type RunCommandByName, strategyOption } from './options.ts'

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
