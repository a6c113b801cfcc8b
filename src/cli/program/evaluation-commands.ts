import type { Command } from 'commander'
import { evaluationHelp } from '../copy/help.ts'
import { jsonOption, modelOption, type RunCommandByName, strategyOption } from './options.ts'

/** Adds the commands that measure and train: `eval`, `train`, `bench`. */
export const addEvaluationCommands = (program: Command, run: RunCommandByName): void => {
  const { questions, selection, diff, trainSelector, benchValues } = evaluationHelp
  const evaluation = program.command('eval').description(evaluationHelp.eval.description)

  evaluation
    .command('questions')
    .description(questions.description)
    .requiredOption('--questions <file>', questions.questions)
    .option('--databases <where>', questions.databases)
    .addOption(modelOption())
    .addOption(strategyOption())
    .option('--limit <n>', questions.limit)
    .option('--out <file>', questions.out)
    .option('--report <file>', questions.report)
    .option('--against <file>', questions.against)
    .option('--rves', questions.rves)
    .option('--as-of <time>', questions.asOf)
    .addOption(jsonOption())
    .action(options => run('eval-questions', options))

  evaluation
    .command('selection')
    .description(selection.description)
    .requiredOption('--pools <file>', selection.pools)
    .requiredOption('--questions <file>', selection.questions)
    .requiredOption('--databases <where>', selection.databases)
    .requiredOption('--pool <pool>', selection.pool, (pool: string, before: readonly string[] = []) => [
      ...before,
      pool,
    ])
    .option('--selector <selectors>', selection.selector)
    .option('--folds <folds>', selection.folds)
    .option('--clarify', selection.clarify)
    .option('--out <file>', selection.out)
    .addOption(jsonOption())
    .action(options => run('eval-selection', options))

  evaluation
    .command('diff')
    .description(diff.description)
    .argument('<a>', diff.a)
    .argument('<b>', diff.b)
    .addOption(jsonOption())
    .action((a, b, options) => run('eval-diff', { a, b, ...options }))

  program
    .command('train')
    .description(evaluationHelp.train.description)
    .command('selector')
    .description(trainSelector.description)
    .requiredOption('--pools <files>', trainSelector.pools)
    .requiredOption('--questions <files>', trainSelector.questions)
    .requiredOption('--databases <folders>', trainSelector.databases)
    .requiredOption('--out <file>', trainSelector.out)
    .requiredOption('--pool <pool...>', trainSelector.pool)
    .option('--seed <number>', trainSelector.seed, '1')
    .option('--no-ablation', trainSelector.noAblation)
    .option('--groups <file>', trainSelector.groups)
    .addOption(jsonOption())
    .action(options => run('train-selector', options))

  program
    .command('bench')
    .description(evaluationHelp.bench.description)
    .command('values')
    .description(benchValues.description)
    .requiredOption('--values <file>', benchValues.values)
    .requiredOption('--queries <file>', benchValues.queries)
    .addOption(jsonOption())
    .action(options => run('bench-values', options))
}
