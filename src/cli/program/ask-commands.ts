import type { Command } from 'commander'
import { databaseOption, jsonOption, modelOption, type RunCommandByName, strategyOption } from './options.ts'

/** What a person asks of a database: `ask`, `guard`, `index`, `values`. */
export const addAskCommands = (program: Command, run: RunCommandByName): void => {
  program
    .command('ask')
    .description('answer a question once; a question back is asked on a terminal, or answered by --reply')
    .argument('<question>', 'the question, in quotes')
    .addOption(databaseOption())
    .addOption(modelOption())
    .addOption(strategyOption())
    .option(
      '--as-of <time>',
      'what "now" is: a day or a moment (ISO 8601), for the question and the sample company',
    )
    .option('--reply <reply>', 'answers a question back: the number of an option, or words')
    .option(
      '--after <question>',
      'a question that comes before this one in its thread; may be repeated, the oldest first',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option('--explain', 'show the whole run as a tree')
    .option('--store', "keep question, run and answer in Querent's own database")
    .addOption(jsonOption())
    .action((question, options) => run('ask', { question, ...options }))

  program
    .command('guard')
    .description('say of each SQL statement whether it may run; reads and writes JSON lines')
    .option('--dialect <dialect>', 'for lines that do not name their own', 'postgres')
    .option('--file <file>', 'lines {"id", "sql", "dialect"?}; standard input when left out')
    .option(
      '--database <database>',
      "also holds statements to this database's dialect, functions, tables and columns",
    )
    .option('--json', 'accepted for uniformity; the output is always JSON lines')
    .action(options => run('guard', options))

  program
    .command('index')
    .description('measure a database and index its values now, whatever is known of it already')
    .addOption(databaseOption())
    .option('--describe', 'have a model describe what nobody has described, into knowledge/generated/')
    .addOption(modelOption())
    .addOption(jsonOption())
    .action(options => run('index', options))

  program
    .command('values')
    .description("show what the value index finds for a keyword: which of the database's values it may mean")
    .argument('<keyword>', 'the keyword, in quotes')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action((keyword, options) => run('values', { keyword, ...options }))
}
